"""Leaderboards, and the pages of an event that is a ladder: its table, its matches, what a rating is made of."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from bots.views.page import render_page, viewer
from bots.views.paging import page_of
from engine.games import PRESETS
from tournaments.models import Match
from tournaments.selectors import ladder, ladder_event, rating_steps
from tournaments.selectors.events import EventPage
from tournaments.selectors.ladder import Board

AT_ONCE = 50
Shown = tuple[str, dict[str, Any]]
"""A template and its context."""


@require_safe
def ladder_index(request: HttpRequest) -> HttpResponse:
    """The leaderboards there are."""
    named = [(board, _name(board.preset)) for board in ladder.boards()]
    return render_page(request, "pages/ladder.html", {"boards": named})


def _name(preset: str) -> str:
    return PRESETS[preset].name if preset in PRESETS else preset


@require_safe
def ladder_preset(request: HttpRequest, preset: str) -> HttpResponse:
    """The leaderboard of one preset; `?seats=` (and `&sides=`, of teams) chooses the table, without it the busiest one.

    `?q=`: in the names of bots and owners; `?mine=1`: the reader's own; `?of=<version>`: what its rating is made of.
    """
    if preset not in PRESETS:
        raise Http404(preset)
    boards = [board for board in ladder.boards() if board.preset == preset]
    chosen = _chosen(request, boards)
    context: dict[str, Any] = {"preset": PRESETS[preset], "boards": boards, "chosen": chosen}
    if chosen is None:
        return render_page(request, "pages/ladder_preset.html", context)
    if of := request.GET.get("of", ""):
        return render_page(request, "pages/ladder_version.html", {**context, **_explained(request, chosen, of)})
    person = viewer(request)
    words, mine = request.GET.get("q", "").strip()[:60], bool(request.GET.get("mine")) and person is not None
    rows = ladder.rows_of(chosen, words=words, owner=person if mine else None)
    page = page_of(request, rows, size=AT_ONCE)
    context |= {"page": page, "places": ladder.places(chosen, page.rows), "words": words, "mine": mine}
    return render_page(request, "pages/ladder_preset.html", context)


def _chosen(request: HttpRequest, boards: list[Board]) -> Board | None:
    seats, sides = request.GET.get("seats", ""), request.GET.get("sides", "")
    if not seats:
        return next(iter(boards), None)
    for board in boards:
        if str(board.seats) == seats and sides in ("", str(board.sides)):
            return board
    raise Http404(seats)


def _explained(request: HttpRequest, board: Board, of: str) -> dict[str, Any]:
    row = ladder.with_trend(board.pool.ratings.filter(version__uuid=_uuid(of))).select_related("version__bot__owner")
    found = row.first()
    if found is None or found.version_id is None:
        raise Http404(of)
    page = page_of(request, rating_steps.events_of(board.pool, found.line, found.n), size=AT_ONCE)
    steps = rating_steps.steps(page.rows, own=(found.version_id,), by="bot_version_id")
    return {"rating": ladder.strength_of(found), "version": found.version, "page": page, "steps": steps}


def _uuid(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError as wrong:
        raise Http404(text) from wrong


def standings(request: HttpRequest, page: EventPage) -> Shown:
    """The table of a ladder, so many rows at once; `?explain=<entry>`: what a rating is made of."""
    person = viewer(request)
    if only := request.GET.get("explain", ""):
        return "tournaments/ladder_entry.html", _entry(request, page, only)
    words, mine = request.GET.get("q", "").strip()[:60], bool(request.GET.get("mine")) and person is not None
    rows = ladder_event.rows_of(page.stage, words=words, owner=person if mine else None)
    paged = page_of(request, rows, size=AT_ONCE)
    lines = ladder_event.lines(page.stage, paged.rows)
    return "tournaments/ladder.html", {"rows": paged, "lines": lines, "words": words, "mine": mine}


def _entry(request: HttpRequest, page: EventPage, only: str) -> dict[str, Any]:
    row = ladder_event.rows_of(page.stage).filter(entry__uuid=_uuid(only)).first()
    if row is None:
        raise Http404(only)
    line = ladder_event.lines(page.stage, [row])[0]
    paged = page_of(request, ladder_event.events_of(page.stage, row.entry), size=AT_ONCE)
    steps = rating_steps.steps(paged.rows, own=(row.entry_id,), by="entry_id")
    return {"line": line, "rows": paged, "steps": steps}


def latest(page: EventPage) -> list[Match]:
    """What the event's first page shows of its matches."""
    return ladder_event.latest(page.stage)


def matches(request: HttpRequest, page: EventPage) -> Shown:
    """The matches of a ladder: what is played now, and what is over, the newest first."""
    paged = page_of(request, ladder_event.finished(page.stage), size=AT_ONCE)
    playing = ladder_event.playing(page.stage) if paged.number == 1 else []
    return "tournaments/ladder_matches.html", {"rows": paged, "playing": playing}
