"""Leaderboards: every rated version by preset and shape of table, with filters, as a page, as CSV, live."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from operator import attrgetter
from typing import Any, Final
from urllib.parse import urlencode
from uuid import UUID

from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.text import slugify
from django.views.decorators.http import require_safe

from core.interchange.tables import write_table
from engine.games import PRESETS
from tournaments.matches.queue import channel_version, is_played
from tournaments.models import Rating
from tournaments.ratings import history as rating_steps
from tournaments.ratings import queries as ladder
from tournaments.ratings.queries import TREND, Board
from tournaments.templatetags.strips import scale_of
from tournaments.templatetags.units import preset_card
from web.page import render_page, viewer
from web.paging import Page, far, page_of
from web.sending import send_file

BATCH_SIZE: Final = 50
MAX_LINES: Final = 10_000
"""Lines of a file at most."""
MINIMUM: Final = (0, 10, 100)
"""Choices of the filter by deal sets counted."""
HEADING: Final = (
    "rank_from",
    "rank_to",
    "bot",
    "version",
    "owner",
    "rating",
    "mean",
    "sigma",
    "low_95",
    "high_95",
    "deal_sets",
    "trend",
)


@dataclass(frozen=True, slots=True)
class Filters:
    """Filters that the reader has set. fewest: deal sets counted."""

    words: str
    mine: bool
    active: bool
    fewest: int

    @property
    def query(self) -> str:
        """Return the query string of these filters."""
        asked = {"q": self.words, "mine": "1" if self.mine else "", "active": "1" if self.active else ""}
        asked["fewest"] = str(self.fewest) if self.fewest else ""
        return urlencode({name: value for name, value in asked.items() if value})


@require_safe
def ladder_index(request: HttpRequest) -> HttpResponse:
    """Show the leaderboards by game, in the order in which all lists name the games."""
    boards = ladder.boards()
    leaders = ladder.leaders_of(boards)
    order = {preset: n for n, preset in enumerate(PRESETS)}
    boards.sort(key=lambda board: (order.get(board.preset, len(order)), board.preset, board.seats, -board.sides))
    games = [
        (preset, [(board, leaders[board.pool.pk]) for board in group])
        for preset, group in groupby(boards, key=attrgetter("preset"))
    ]
    return render_page(request, "pages/ladder.html", {"games": games})


@require_safe
def ladder_preset(request: HttpRequest, preset: str) -> HttpResponse:
    """Show the leaderboard of one preset; `?seats=` (and `&sides=`, of teams) chooses the table, else the busiest.

    `?q=`: in the names of bots and owners; `?mine=1`: the reader's own; `?active=1`: versions that play now;
    `?fewest=10`: of that many deal sets at least; `?of=<version>`: the inputs of its rating.
    """
    boards, chosen = _boards(request, preset)
    context: dict[str, Any] = {
        "preset": PRESETS[preset],
        "boards": boards,
        "chosen": chosen,
        "sign": preset_card(preset),
    }
    channel = ladder.live_channel(preset)
    # Read before the rows: what changes in between is told again, none is missed.
    version = channel_version(channel)
    context |= {"channels": f"{channel}@{version}", "quiet": not is_played(preset)}
    if chosen is None:
        return render_page(request, "pages/ladder_preset.html", context)
    if of := request.GET.get("of", ""):
        return render_page(request, "pages/ladder_version.html", {**context, **_explained(request, chosen, of)})
    filters = _filters(request)
    page = page_of(request, _rows(request, chosen, filters), size=BATCH_SIZE, most=far(filters.words))
    context |= {"page": page, "places": ladder.places(chosen, page.rows), "filters": filters, "fewest": MINIMUM}
    context |= {"words": filters.words, "mine": filters.mine, "since": TREND}
    context |= _shown(context["places"], page, filters)
    return render_page(request, "pages/ladder_preset.html", context, version=f"{version}/{chosen.pool.folded_at}")


def _shown(places: list[ladder.Place], page: Page[Rating], filters: Filters) -> dict[str, Any]:
    """Return how the rows are shown.

    first: the position before the first of them, None where a filter leaves out rows; may_differ: a row whose rank is
    not certain; is_level: all may have the same ranks, which is said once instead; has_trends: whether any has results
    enough for a change.
    """
    first = None if filters.query else (page.number - 1) * BATCH_SIZE
    uncertain = next((place for place in places if place.rank_low != place.rank_high), None)
    is_level = first is not None and uncertain is not None and len({place.ranks for place in places}) == 1
    return {
        "scale": scale_of(place.strength for place in places),
        "first": first,
        "may_differ": None if is_level else uncertain,
        "is_level": is_level,
        "has_trends": any(place.strength.row.events > TREND for place in places),
    }


@require_safe
def ladder_file(request: HttpRequest, preset: str) -> HttpResponse:
    """Send the same as CSV, all of its lines: `ladder.csv?seats=2&active=1&bom=1`."""
    _all, chosen = _boards(request, preset)
    if chosen is None:
        raise Http404(preset)
    # Bounded: the file is made in memory, for anybody who asks.
    rows = list(_rows(request, chosen, _filters(request))[:MAX_LINES])
    lines = [_line(place) for place in ladder.places(chosen, rows)]
    table = write_table(HEADING, lines, bom=request.GET.get("bom") == "1")
    name = f"ladder-{slugify(preset)}-{chosen.seats}-{chosen.sides}.csv"
    return send_file(table, "text/csv; charset=utf-8", name, known=request.headers.get("If-None-Match"))


def _line(place: ladder.Place) -> tuple[str | int | Fraction | None, ...]:
    strength = place.strength
    version = strength.row.version
    assert version is not None
    figures = (strength.value, strength.row.mu, strength.row.sigma, strength.low, strength.high)
    return (
        place.rank_low,
        place.rank_high,
        version.bot.name,
        version.n,
        version.bot.owner.shown_name,
        *(_exact(figure) for figure in figures),
        strength.games,
        _exact(strength.trend) if strength.trend is not None else None,
    )


def _exact(figure: float) -> Fraction:
    """Return the figure to the hundredth, as pages show it."""
    return Fraction(round(figure * 100), 100)


def _boards(request: HttpRequest, preset: str) -> tuple[list[Board], Board | None]:
    if preset not in PRESETS:
        raise Http404(preset)
    boards = [board for board in ladder.boards() if board.preset == preset]
    return boards, _chosen(request, boards)


def _chosen(request: HttpRequest, boards: list[Board]) -> Board | None:
    seats, sides = request.GET.get("seats", ""), request.GET.get("sides", "")
    if not seats:
        return next(iter(boards), None)
    for board in boards:
        if str(board.seats) == seats and sides in ("", str(board.sides)):
            return board
    # A table that nobody is rated at is no empty board: a link to it is wrong.
    raise Http404(seats)


def _filters(request: HttpRequest) -> Filters:
    fewest = request.GET.get("fewest", "")
    return Filters(
        words=request.GET.get("q", "").strip()[:60],
        mine=bool(request.GET.get("mine")) and viewer(request) is not None,
        active=bool(request.GET.get("active")),
        fewest=int(fewest) if fewest in {str(each) for each in MINIMUM} else 0,
    )


def _rows(request: HttpRequest, board: Board, filters: Filters) -> QuerySet[Rating]:
    owner = viewer(request) if filters.mine else None
    return ladder.rows_of(board, words=filters.words, owner=owner, active=filters.active, fewest=filters.fewest)


def _explained(request: HttpRequest, board: Board, of: str) -> dict[str, Any]:
    row = ladder.with_trend(board.pool.ratings.filter(version__uuid=uuid_of(of))).select_related("version__bot__owner")
    found = row.first()
    if found is None or found.version_id is None:
        raise Http404(of)
    page = page_of(request, rating_steps.events_of(board.pool, found.line, found.n), size=BATCH_SIZE)
    steps = rating_steps.steps(page.rows, own=(found.version_id,), by="bot_version_id")
    return {"rating": ladder.strength_of(found), "version": found.version, "page": page, "steps": steps}


def uuid_of(text: str) -> UUID:
    """Return the id of an address; 404 for what is none."""
    try:
        return UUID(text)
    except ValueError as wrong:
        raise Http404(text) from wrong
