"""Pages of an event that is a ladder: its table, its matches, the inputs of a rating."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest
from django.utils import timezone

from tournaments.lifecycle.visibility import EventPage
from tournaments.models import Stage
from tournaments.pages.ratings.leaderboard import uuid_of
from tournaments.ratings import history as rating_steps
from tournaments.ratings.ladders import event
from tournaments.ratings.ladders.seasons import season_around
from tournaments.ratings.queries import TREND
from tournaments.templatetags.strips import scale_of
from web.page import viewer
from web.paging import page_of

BATCH_SIZE = 50
MATCHES_AT_ONCE = 30
Shown = tuple[str, dict[str, Any]]
"""A template and its context."""


def standings(request: HttpRequest, page: EventPage) -> Shown:
    """Return the table of a ladder, `BATCH_SIZE` rows a page; `?explain=<entry>`: the inputs of a rating."""
    person = viewer(request)
    if only := request.GET.get("explain", ""):
        return "tournaments/ladder_entry.html", _entry(request, page, only)
    words, mine = request.GET.get("q", "").strip()[:60], bool(request.GET.get("mine")) and person is not None
    rows = event.rows_of(page.stage, words=words, owner=person if mine else None)
    paged = page_of(request, rows, size=BATCH_SIZE)
    lines = event.lines(page.stage, paged.rows)
    is_final = page.stage.state == Stage.State.CLOSED
    context = {"rows": paged, "lines": lines, "words": words, "mine": mine, "is_final": is_final, "since": TREND}
    context["scale"] = scale_of(line.strength for line in lines if line.strength)
    context["around"], context["now"] = season_around(page.stage), timezone.now()
    return "tournaments/ladder.html", context


def _entry(request: HttpRequest, page: EventPage, only: str) -> dict[str, Any]:
    row = event.rows_of(page.stage).filter(entry__uuid=uuid_of(only)).first()
    if row is None:
        raise Http404(only)
    line = event.lines(page.stage, [row])[0]
    paged = page_of(request, event.events_of(page.stage, row.entry), size=BATCH_SIZE)
    steps = rating_steps.steps(paged.rows, own=(row.entry_id,), by="entry_id")
    return {"line": line, "rows": paged, "steps": steps}


def matches(request: HttpRequest, page: EventPage) -> Shown:
    """Return the matches of a ladder: what is played now, and what is over, the newest first."""
    paged = page_of(request, event.finished(page.stage), size=MATCHES_AT_ONCE)
    # What is played now belongs to the top of the list, not to every page of the past.
    playing = event.playing(page.stage) if paged.number == 1 else []
    return "tournaments/ladder_matches.html", {"rows": paged, "playing": playing}
