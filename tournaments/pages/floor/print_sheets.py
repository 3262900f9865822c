"""Printed sheets of a round: pairings by table and by name, seating cards, slips for every side, standings, rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from string import ascii_uppercase
from typing import Any, Final

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from accounts.alphabet import name_key
from tournaments.matches import chains
from tournaments.matches.deal_sets import rules_of
from tournaments.models import Match, Round, Tournament
from tournaments.pages.events.event import render_event
from tournaments.pages.floor.announcements import drawn_code
from tournaments.pages.floor.dashboard import open_dashboard
from tournaments.pages.rules.rule_card import rule_card
from tournaments.scores import tables as desk
from tournaments.scores.renewals import of_slips
from tournaments.scores.slips import slip_token, table_code
from tournaments.scores.tables import Table
from tournaments.standings import queries as standings
from tournaments.standings.boards import lineup_page

SHEETS: Final = ("pairings", "names", "cards", "slips", "scores", "lineups", "standings", "rules")
ALONE: Final = ("cards", "slips", "scores", "rules")
"""Sheets that are cut or handed out, so that no heading stands above them."""
AT_FIRST: Final = ("pairings", "slips")
"""Sheets that are printed unless one is asked for."""
M = Match.State
BLOCK: Final = 6
"""Deals below each other on a slip, if there is room beside them."""
MAX_ROWS: Final = 12
"""Deals below each other at most, with boxes that are 5 mm high and three slips on a page."""
GRID_MM, NUMBER_MM, BOX_MM = 102, 8, 13
"""Width of the deals on a slip, of their numbers, and of a box that "−135" is written into."""
MAX_SHEET_ROWS: Final = 24
"""Deals on the score sheet of a table, one page high."""


@dataclass(frozen=True, slots=True)
class Slip:
    """One side's slip: the code, or the letters typed at the short address, open the table's page as this side."""

    table: Table
    side: desk.SideLine
    address: str
    code: SafeString
    letters: str

    @property
    def columns(self) -> list[tuple[str, desk.SideLine]]:
        """Return the sides with the letters that stand for them above the boxes, where no name fits whole."""
        return list(zip(ascii_uppercase, self.table.sides, strict=False))


@dataclass(frozen=True, slots=True)
class Place:
    """Seat of a person, for the list by name and for a card on the table. table: None for a person who sits out."""

    name: str
    club: str
    table: int | None
    side: desk.SideLine | None = None
    sides: int = 0

    @property
    def seat(self) -> int:
        """Return the seat of a person who shares a side, from 1, by the order of play; 0 for one who sits alone."""
        side = self.side
        if side is None or len(side.names) < 2 or len(side.names) != len(side.seats):
            return 0
        return side.seats[side.names.index(self.name)] + 1

    @property
    def has_left(self) -> bool:
        """Return whether they have left the event, so that nobody waits for them."""
        return self.side is not None and self.name in self.side.left


@require_safe
@login_required
def print_page(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show the pairing sheet of a round and a slip for every side, or one sheet of `SHEETS` (`?sheet=cards`), to
    print.
    """
    page, _found = open_dashboard(request, slug)
    row = page.stage.rounds.filter(number=number).first()
    wanted = request.GET.get("sheet", "")
    if row is None or (wanted and wanted not in SHEETS) or (wanted == "lineups" and not page.event.boards):
        raise Http404(wanted or str(number))
    shown = (wanted,) if wanted else AT_FIRST
    tables = desk.round_tables(row)
    byes = _byes(page.event, row)
    context: dict[str, Any] = {"round": row, "tables": tables, "byes": byes, "sheet": wanted, "shown": shown}
    context["is_alone"] = wanted in ALONE
    context["has_bracket"] = page.stage.format.is_bracket
    if "slips" in shown:
        context |= {"slips": _slips(request, tables), "short_address": _short_address(request)}
        context["grid"] = deal_grid(rules_of(page.stage).options.rounds, _most_sides(tables))
    if "scores" in shown:
        rules = rules_of(page.stage)
        context["deals"] = range(1, rules.options.rounds + 1) if rules.options.rounds <= MAX_SHEET_ROWS else ()
        context["has_won"] = rules.options.scoring == "victories"
        context["sheets"] = [table for table in tables if table.match.state != M.VOID and table.is_called]
    if "rules" in shown:
        context["card"] = rule_card(page.stage)
    if {"names", "cards"} & set(shown):
        places = places_of(tables, byes)
        context |= {
            "places": places,
            "cards": [each for each in places if each.table is not None and not each.has_left],
        }
    if "lineups" in shown:
        context["lineups"] = lineup_page(page.event)
    if "standings" in shown:
        rows = standings.with_shared(standings.rows_of(page.stage), chains.groups_of(page.stage))
        context |= {"rows": rows, "first_figure": standings.first_figure(page.stage, rows)}
    return render_event(request, page, "print", context, template="desk/print.html")


def _most_sides(tables: Sequence[Table]) -> int:
    return max((len(table.sides) for table in tables), default=0)


def deal_grid(deals: int, sides: int) -> list[range]:
    """Return the numbers of the deals in the blocks of a slip, or nothing where they would be too small to write in."""
    room = max(1, GRID_MM // (NUMBER_MM + BOX_MM * max(sides, 1)))
    blocks = min(room, -(-deals // BLOCK))
    rows = -(-deals // blocks)
    # Then the slip has room for totals only: boxes too small to write in are worse than none.
    return (
        [] if rows > MAX_ROWS else [range(first, min(first + rows, deals + 1)) for first in range(1, deals + 1, rows)]
    )


def _byes(event: Tournament, row: Round) -> list[str]:
    byes = row.plan.get("byes", ())
    names = {str(entry.uuid): entry.player.name for entry in desk.people_of(event)} if byes else {}
    return [names[entry] for entry in byes if entry in names]


def places_of(tables: Sequence[Table], byes: Sequence[str]) -> list[Place]:
    """Return everybody by name, with where they sit."""
    found = [
        Place(name, side.club_of.get(name, ""), table.match.table_no, side, len(table.sides))
        for table in tables
        for side in table.sides
        for name in side.names
    ]
    return sorted([*found, *(Place(name, "", None) for name in byes)], key=lambda place: name_key(place.name))


def _slips(request: HttpRequest, tables: Sequence[Table]) -> list[Slip]:
    """Return the slips of people at tables: what workers play needs none, and a bot confirms nothing."""
    called = [table for table in tables if table.match.state != M.VOID and table.is_called]
    # For all tables in one query: a round may have a hundred.
    renewed = of_slips(table.match for table in called)
    return [
        _slip(request, table, side, renewed.get((table.match.pk, side.index), 0))
        for table in called
        for side in table.sides
        if side.has_slip
    ]


def _short_address(request: HttpRequest) -> str:
    """Return the address where the letters of a slip are typed, as people write addresses."""
    return request.get_host() + reverse("table-code")


def _slip(request: HttpRequest, table: Table, side: desk.SideLine, renewal: int) -> Slip:
    address = request.build_absolute_uri(reverse("slip", args=[slip_token(table.match, side.index, renewal)]))
    return Slip(table, side, address, drawn_code(address), table_code(table.match, side.index, renewal))
