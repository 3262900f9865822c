"""Lists of people, of bots and of matches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from urllib.parse import urlencode
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_safe

from bots.templatetags.hanami import sprite_of
from engine.games import PRESETS
from tournaments.matches import highlights, schedule
from tournaments.matches.queries import STATES, Wanted, match_list, names_of
from tournaments.models import Match
from tournaments.pages.site.felt import Felt, felt_of
from tournaments.people.bots import bot_list, rated
from tournaments.people.list import best_of, last_events, people_list, with_best, with_last
from web.page import render_page, viewer
from web.paging import MAX_EXAMINED, far, page_of

SHELVES: Final = {
    "": gettext_noop("All"),
    "on": gettext_noop("On now"),
    "over": gettext_noop("Finished"),
    "waiting": gettext_noop("Waiting"),
    "held": gettext_noop("Held"),
}
"""Which matches a reader can ask for: `?state=` and the words of its chip."""


@require_safe
def people(request: HttpRequest) -> HttpResponse:
    """List the people who have bots or run events; `?q=` searches their names."""
    words = " ".join(request.GET.get("q", "").split())[:60]
    page = page_of(request, with_last(with_best(people_list(words))), size=40, most=MAX_EXAMINED)
    events = last_events(page.rows)
    people = [(person, best, events.get(vars(person)["last"])) for person, best in best_of(page.rows)]
    context = {"page": page, "people": people, "words": words}
    return render_page(request, "pages/people.html", context)


@require_safe
def bots(request: HttpRequest) -> HttpResponse:
    """List every bot, the best rated first; `?q=` searches their names, `?mine=1` shows the reader's own,
    `?source=public` those with a published source.
    """
    words, person = " ".join(request.GET.get("q", "").split())[:60], viewer(request)
    mine, is_public = person is not None and request.GET.get("mine") == "1", request.GET.get("source") == "public"
    rows = bot_list(words=words, owner=person if mine else None, is_public=is_public)
    page = page_of(request, rows, size=40, most=far(words))
    context = {"page": page, "bots": rated(page.rows), "words": words, "mine": mine, "is_public": is_public}
    # Where all play the same games, a column that says so on every line says nothing.
    context["differ"] = len({tuple(bot.active_version.plays) for bot in page.rows if bot.active_version}) > 1
    return render_page(request, "bots/list.html", context)


@require_safe
def matches(request: HttpRequest) -> HttpResponse:
    """List all matches (`?event=&preset=&bot=&state=`); `?before=`, `?after=`: the match beside which to go on."""
    query = request.GET
    preset, state = query.get("preset", ""), query.get("state", "")
    wanted = Wanted(
        event=query.get("event", "").strip()[:60],
        preset=preset if preset in PRESETS else "",
        bot=query.get("bot", "").strip()[:60],
        state=state if state in STATES else "",
    )
    person = viewer(request)
    event_name, bot_name = names_of(person, wanted)
    filters = {name: getattr(wanted, name) for name in ("event", "preset", "bot", "state") if getattr(wanted, name)}
    # Beside a match, not by number: the list grows at its top while somebody reads it.
    found = match_list(person, wanted, before=_uuid(query.get("before", "")), after=_uuid(query.get("after", "")))
    felt = _felt(wanted) if not set(query) - {"state"} else None
    context = {
        "found": found,
        "rows": _without(felt, found.rows) if wanted.state == "over" else found.rows,
        "wanted": wanted,
        "event_name": event_name,
        "bot_name": bot_name,
        "presets": PRESETS.values(),
        "states": {name: _(title) for name, title in SHELVES.items()},
        "felt": felt,
        "sprite": sprite_of(request),
        "is_filtered": bool(filters),
        "older": urlencode({**filters, "before": found.older}) if found.older else "",
        "newer": urlencode({**filters, "after": found.newer}) if found.newer else "",
    }
    return render_page(request, "matches/list.html", context)


def _without(felt: Felt | None, rows: Sequence[Match]) -> Sequence[Match]:
    """Return the rows below a match that is drawn above them: it is not repeated."""
    return rows if felt is None else [match for match in rows if match.pk != felt.match.pk]


def _felt(wanted: Wanted) -> Felt | None:
    """Return a moment of the newest match above a list that begins with it; None for those that wait."""
    replays = schedule.fresh_replays() if wanted.state in ("", "on", "over") else []
    return felt_of(highlights.newest_of(replays)) if replays else None


def _uuid(text: str) -> UUID | None:
    """Return the id, None for what is none."""
    try:
        return UUID(text)
    except ValueError:
        return None
