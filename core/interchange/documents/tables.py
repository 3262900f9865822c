"""An event as tables for spreadsheets: what its pages show, one thing a row. Columns: docs/07-exchange.md."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from core.interchange.documents.event import Event, Match, Seat, Stage
from core.interchange.errors import refusal
from core.interchange.tables import Cell, write_table
from core.standings.table import value_from_json

ENTRIES: Final = ("seed", "name", "kind", "club", "owner", "version", "state", "entry")
PLACE: Final = ("stage", "round", "table", "leg")
PAIRINGS: Final = (*PLACE, "seat", "side", "name", "state", "match", "entry")
MATCHES: Final = (
    *(*PLACE, "state", "seat", "side", "name", "points", "victories", "place", "raw_points", "raw_victories"),
    *("outcome", "fault", "finished_at", "match", "entry", "commit", "seed"),
)
APART: Final = ("team", "board")
"""Two more columns of events in which the members of a team sit apart."""
DEALS: Final = (*PLACE, "deal", "dealer", "side", "points", "victories", "match")
Rows = Iterator[Sequence[Cell]]


def entries_csv(event: Event, *, bom: bool = False) -> bytes:
    """Return who is entered, by seed and then in the order of entering."""
    ordered = sorted(event.entries, key=lambda entry: (entry.seed is None, entry.seed or 0))
    rows = []
    for entry in ordered:
        player = event.players[entry.player]
        version = entry.version.n if entry.version else None
        row = (entry.seed, player.name, player.kind, player.club, player.owner, version, entry.state, str(entry.uuid))
        rows.append(row)
    return write_table(ENTRIES, rows, bom=bom)


def pairings_csv(event: Event, *, number: int | None = None, bom: bool = False) -> bytes:
    """Return who sits where, a row per seat. number: that round of every stage; None: all that are out."""
    names, more, boards = _names(event), *_apart(event)
    rows: list[Sequence[Cell]] = []
    for stage, match, seat in _seats(event):
        if number in (None, match.round):
            head = (*_place(stage, match), seat.index + 1, seat.side + 1, names(seat), match.state)
            rows.append((*head, str(match.uuid), _id(seat), *boards(seat)))
    return write_table((*PAIRINGS, *more), rows, bom=bom)


def matches_csv(event: Event, *, bom: bool = False) -> bytes:
    """Return what came of every match that is out, a row per seat."""
    names, more, boards = _names(event), *_apart(event)
    sets = {dealt.uuid: dealt for stage in event.stages for dealt in stage.deal_sets}
    rows: list[Sequence[Cell]] = []
    for stage, match, seat in _seats(event):
        dealt = sets.get(match.deal_set) if match.deal_set else None
        counted = (seat.points, seat.victories, seat.place, seat.raw_points, seat.raw_victories)
        ended = match.finished_at.isoformat() if match.finished_at else ""
        proof = (dealt.commit, dealt.seed or "") if dealt else ("", "")
        head = (*_place(stage, match), match.state, seat.index + 1, seat.side + 1, names(seat), *counted)
        fault = str(seat.fault.get("code", "")) if seat.fault else ""
        rows.append((*head, seat.outcome, fault, ended, str(match.uuid), _id(seat), *proof, *boards(seat)))
    return write_table((*MATCHES, *more), rows, bom=bom)


def deals_csv(event: Event, *, bom: bool = False) -> bytes:
    """Every deal of every match that has a confirmed record, or was entered deal by deal, a row per side.

    Who dealt and who won a deal that people entered is not written down: these cells are empty.
    """
    return write_table(DEALS, _deals(event), bom=bom)


def _deals(event: Event) -> Rows:
    for stage in event.stages:
        for match in stage.matches:
            for deal in _counted(match):
                for side, points in enumerate(deal.score):
                    won = deal.victories[side] if deal.victories else None
                    yield (*_place(stage, match), deal.number, deal.dealer, side + 1, points, won, str(match.uuid))


@dataclass(frozen=True, slots=True)
class _Deal:
    """One deal, by side. dealer: the seat from 1; None, and no victories, where only the points are known."""

    number: int
    dealer: int | None
    score: list[int]
    victories: list[int]


def _counted(match: Match) -> list[_Deal]:
    report = next((report for report in match.reports if report.state == "confirmed"), None)
    if report is None:
        return []
    if report.record is not None:
        return [
            _Deal(deal["n"], int(str(deal["dealer"])[1:]) + 1, deal["score"] or [], deal["victories"] or [])
            for deal in report.record.record["deals"]
        ]
    return [_Deal(number, None, score, []) for number, score in enumerate(report.body.get("by_deal", []), 1)]


def standings_csv(event: Event, *, stage: int = 1, after_round: int = 0, bom: bool = False) -> bytes:
    """The table of a stage after a round (0: now): rank, name, every figure in order of comparison, entry.

    Raises InterchangeError "csv.no_table".
    """
    found = next((each for each in event.stages if each.order == stage), None)
    table = next((each for each in found.standings if each.after_round == after_round), None) if found else None
    if table is None:
        raise refusal("csv.no_table", "There are no standings of that stage and round.", where="standings")
    names = {entry.uuid: event.players[entry.player].name for entry in event.entries}
    columns = [line["tie_break"] for line in table.rows[0].explanation] if table.rows else []
    rows = ((row.rank, names[row.entry], *map(_figure, row.key), str(row.entry)) for row in table.rows)
    return write_table(("rank", "name", *columns, "entry"), rows, bom=bom)


def _figure(value: Any) -> Cell:
    """A compared value: a number, or several of them as a text."""
    read = value_from_json(value)
    return " / ".join(map(str, read)) if isinstance(read, tuple) else read


def _seats(event: Event) -> Iterator[tuple[Stage, Match, Seat]]:
    for stage in event.stages:
        for match in stage.matches:
            for seat in match.seats:
                yield stage, match, seat


def _place(stage: Stage, match: Match) -> tuple[Cell, ...]:
    return (stage.order, match.round, match.table, match.leg)


def _id(seat: Seat) -> str:
    return str(seat.entry) if seat.entry else ""


def _apart(event: Event) -> tuple[tuple[str, ...], Callable[[Seat], tuple[Cell, ...]]]:
    """Return what tables have more where teams sit apart: the columns, and of a seat its team and its board."""
    if not event.tournament.policies.get("boards"):
        return (), lambda seat: ()
    teams = {entry.uuid: event.players[entry.player].name for entry in event.entries}
    return APART, lambda seat: (teams[seat.entry] if seat.entry else "", seat.board)


def _names(event: Event) -> Callable[[Seat], str]:
    """Return how a seat is called: by who sits there, of a team its member; empty while nobody does."""
    entries: dict[UUID, int] = {entry.uuid: entry.player for entry in event.entries}

    def name(seat: Seat) -> str:
        place = seat.player
        if place is None and seat.entry is not None and seat.board is None:
            place = entries[seat.entry]
        return event.players[place].name if place is not None else ""

    return name
