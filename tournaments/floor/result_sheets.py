"""Results of a round on paper, typed into a spreadsheet: the sheet to fill in, and all of it entered, or nothing.

A line for every side of every table: table, side, name, points, deals won (where the rules count them), and a mark
for a player who did not come. Lines without figures are tables that go on.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from activity.domain_events import DomainEvent
from activity.journal import publish
from core.errors import TournamentError
from core.interchange.tables import read_rows, write_table
from engine.game import Ruleset
from tournaments.lifecycle import locks
from tournaments.lifecycle.transitions import RULERS, SCORERS, may, roles_of
from tournaments.matches.deal_sets import rules_of
from tournaments.matches.report_bodies import Claim, body_from, deals_of
from tournaments.models import Match, ResultReport, Round
from tournaments.progress.derive import fold_event
from tournaments.scores.actions import Actor, take_result
from tournaments.scores.rows import fingerprint
from tournaments.scores.tables import Table, round_tables
from tournaments.undo.recorder import undoable

M = Match.State
COLUMNS: Final = ("table", "side", "name", "points", "won", "absent")
HEADINGS: Final[dict[str, frozenset[str]]] = {
    "table": frozenset({"table", "table no", "table no.", "卓", "卓番号"}),
    "side": frozenset({"side", "place", "camp", "席", "側"}),
    "name": frozenset({"name", "player", "nom", "joueur", "名前", "氏名"}),
    "points": frozenset({"points", "score", "total", "点", "得点"}),
    "won": frozenset({"won", "deals won", "victories", "gagnées", "勝ち", "勝"}),
    "absent": frozenset({"absent", "did not come", "absente", "欠席"}),
}
ABSENT: Final = frozenset({"1", "x", "yes", "oui", "absent", "true", "はい", "欠席", "✓", "×"})
NEW, SAME, INSTEAD = "new", "same", "instead"
# Spreadsheets and phones write a minus in several ways.
MINUS: Final = str.maketrans({"−": "-", "–": "-", "－": "-", "‒": "-"})
DIGITS: Final = 7


@dataclass(frozen=True, slots=True)
class SheetRow:
    """One line of a sheet; line: its number in the file, from 1."""

    line: int
    cells: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class SheetTable:
    """The lines of one table. state: "new", "same" (it counts already), "instead" (of what a side sent)."""

    table: Table
    line: int
    claim: Claim
    score: tuple[int, ...]
    state: str

    @property
    def shown(self) -> list[tuple[str, int]]:
        """The rows (side, points) as a page shows them."""
        return [(side.name, points) for side, points in zip(self.table.sides, self.score, strict=True)]


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet that can be entered. open_n: tables of the round that it leaves out; hash: names exactly this."""

    tables: tuple[SheetTable, ...]
    open_n: int
    hash: str

    @property
    def news(self) -> tuple[SheetTable, ...]:
        """Tables that entering it changes."""
        return tuple(each for each in self.tables if each.state != SAME)


def blank_sheet(round_row: Round, *, by: User) -> bytes:
    """Write the CSV file of a round to fill in, with the results that count; players who have left are noted as absent.

    Raises "tournament.not_organiser".
    """
    may(round_row.stage.tournament, by, SCORERS, "sheet")
    has_won = _counts_won(rules_of(round_row.stage))
    columns = [name for name in COLUMNS if name != "won" or has_won]
    rows = [
        [cell for name, cell in zip(COLUMNS, row, strict=True) if name in columns]
        for table in round_tables(round_row)
        if table.match.state != M.VOID
        for row in _rows_of(table)
    ]
    return write_table(columns, rows, bom=True)


def _rows_of(table: Table) -> Iterator[tuple[str | int | None, ...]]:
    counts = table.match.state == M.CONFIRMED
    for side in table.sides:
        is_absent = (counts and side.outcome == "forfeit") or side.has_left
        points, won = (side.points, side.victories) if counts and not is_absent else (None, None)
        yield table.match.table_no, side.index + 1, side.name, points, won, "x" if is_absent else ""


def read_sheet(*, round_row: Round, by: User, data: bytes) -> Sheet:
    """Read what a sheet would enter; writes nothing.

    Raises TournamentError "tournament.not_organiser"; "sheet.empty", "sheet.heading"; with the line in message and
    extra: "sheet.table", "sheet.side", "sheet.name", "sheet.twice", "sheet.confirmed", "sheet.disputed", "sheet.void",
    "sheet.missing", "sheet.number", "sheet.absent", and the "report.*" of the figures. InterchangeError "csv.*".
    """
    may(round_row.stage.tournament, by, SCORERS, "sheet")
    tables = {each.match.table_no: each for each in round_tables(round_row)}
    rows = _by_side(_read(data), tables)
    may_rule = bool(roles_of(round_row.stage.tournament, by) & RULERS)
    found = [
        _evaluated(tables[number], own, round_row, may_rule=may_rule)
        for number, own in rows.items()
        if _filled(own, tables[number])
    ]
    listed = {each.table.match.pk for each in found}
    going = [each for each in tables.values() if each.match.state not in (M.CONFIRMED, M.VOID)]
    # With what is reported: a table of which a side says something else meanwhile makes another hash, and the sheet is
    # shown again.
    content = [
        [str(each.table.match.uuid), each.table.match.state, fingerprint(each.table), each.state, str(each.claim)]
        for each in found
    ]
    digest = hashlib.sha256(json.dumps(content).encode()).hexdigest()[:32]
    return Sheet(tuple(found), sum(each.match.pk not in listed for each in going), digest)


def _read(data: bytes) -> list[SheetRow]:
    """Return the lines below the headings."""
    rows = read_rows(data)
    if not rows:
        raise TournamentError(_("The sheet is empty. Fill in the one of this round."), code="sheet.empty")
    places: dict[str, int] = {}
    for at, cell in enumerate(rows[0][1]):
        for name, words in HEADINGS.items():
            if cell.casefold() in words:
                places.setdefault(name, at)
    if not {"table", "points"} <= set(places) or not {"side", "name"} & set(places):
        message = _("The first line names the columns: table, side or name, points. Use the sheet of this round.")
        raise TournamentError(message, code="sheet.heading", extra={"line": rows[0][0]})
    return [
        SheetRow(line, {name: cells[at] if at < len(cells) else "" for name, at in places.items()})
        for line, cells in rows[1:]
    ]


def _by_side(rows: Sequence[SheetRow], tables: Mapping[int | None, Table]) -> dict[int, dict[int, SheetRow]]:
    """Return the lines by table and side (from 0)."""
    found: dict[int, dict[int, SheetRow]] = {}
    for row in rows:
        text = row.cells["table"]
        number = int(text) if text.isdecimal() and len(text) < 6 else 0
        if number not in tables:
            message = _("Line %(line)s: there is no table %(table)s in this round.")
            raise _refuse("sheet.table", message, row.line, table=text[:20] or "–")
        side = _side(row, tables[number])
        if side in found.setdefault(number, {}):
            message = _("Line %(line)s: this side of table %(table)s already appears in line %(first)s.")
            raise _refuse("sheet.twice", message, row.line, table=number, first=found[number][side].line)
        found[number][side] = row
    return found


def _side(row: SheetRow, table: Table) -> int:
    """Return the side of a line; its name is compared, so that a sheet that slipped by a line enters nothing."""
    text, name = row.cells.get("side", ""), row.cells.get("name", "")
    names = [" ".join(side.name.split()).casefold() for side in table.sides]
    wanted = " ".join(name.split()).casefold()
    if text.isdecimal() and len(text) < 3 and 1 <= int(text) <= len(names):
        side = int(text) - 1
    elif not text and wanted and names.count(wanted) == 1:
        side = names.index(wanted)
    else:
        message = _("Line %(line)s: table %(table)s has the sides 1 to %(sides)s.")
        raise _refuse("sheet.side", message, row.line, table=table.match.table_no or 0, sides=len(names))
    if wanted and wanted != names[side]:
        message = _("Line %(line)s: %(found)s sits there, not %(name)s. Use the sheet of this round.")
        raise _refuse("sheet.name", message, row.line, found=table.sides[side].name, name=name[:60])
    return side


def _filled(own: Mapping[int, SheetRow], table: Table) -> bool:
    """Return whether the lines of a table say how it ended.

    The blank sheet marks players who have left: alone that is a result where it leaves fewer than two sides to play.
    """
    if any(row.cells.get(name, "") for row in own.values() for name in ("points", "won")):
        return True
    absent = {side for side, row in own.items() if row.cells.get("absent", "")}
    if absent <= {side.index for side in table.left}:
        return bool(absent) and len(table.sides) - len(absent | set(table.empty)) < 2
    return True


def _evaluated(table: Table, own: Mapping[int, SheetRow], round_row: Round, *, may_rule: bool) -> SheetTable:
    """Return one table's result, as far as the rules and its state let it be one."""
    first = min(row.line for row in own.values())
    rules = rules_of(round_row.stage)
    try:
        claim = _claim(own, table, first, has_won=_counts_won(rules))
        sides = [seat.side for seat in sorted(table.match.seats.all(), key=lambda seat: seat.index)]
        body = body_from(claim, rules, sides)
    except TournamentError as wrong:
        raise _at_line(wrong, own, first) from wrong
    score = tuple(int(points) for points in body["score"])
    return SheetTable(table, first, claim, score, _state(table, claim, score, first, may_rule=may_rule))


def _counts_won(rules: Ruleset) -> bool:
    """Return whether deals won decide the match and points do not tell them, so that they are asked for."""
    return bool(rules.options.scoring == "victories" and deals_of(rules) > 1)


def _claim(own: Mapping[int, SheetRow], table: Table, first: int, *, has_won: bool) -> Claim:
    """Return the claim of a table's lines. A side is absent where nobody sits, or a player who left has no figure."""
    count = len(table.sides)
    nobody = {*table.empty, *(side.index for side in table.left if not _points_of(own.get(side.index)))}
    absent = tuple(side for side in range(count) if side in nobody or (side in own and _is_absent(own[side])))
    if count - len(absent) < 2:
        return Claim(absent=absent)

    def figures(column: str) -> tuple[int, ...]:
        return tuple(0 if side in absent else _number(own.get(side), column, first) for side in range(count))

    return Claim(totals=figures("points"), victories=figures("won") if has_won else None, absent=absent)


def _points_of(row: SheetRow | None) -> str:
    return row.cells.get("points", "") if row is not None else ""


def _is_absent(row: SheetRow) -> bool:
    mark = row.cells.get("absent", "").casefold()
    if mark not in (*ABSENT, "", "0", "no", "non"):
        message = _("Line %(line)s: write x under “absent” for a player who did not come, or leave it empty.")
        raise _refuse("sheet.absent", message, row.line)
    return mark in ABSENT


def _number(row: SheetRow | None, column: str, first: int) -> int:
    text = (row.cells.get(column, "") if row else "").translate(MINUS).replace(" ", "")
    if row is None or not text:
        message = _("Line %(line)s: a figure is missing. Fill in every side of the table, or none.")
        raise _refuse("sheet.missing", message, row.line if row else first)
    if not text.removeprefix("-").isdecimal() or len(text) > DIGITS:
        message = _("Line %(line)s: “%(text)s” is not a whole number. Write figures like 120 or -50.")
        raise _refuse("sheet.number", message, row.line, text=text[:20])
    return int(text)


def _at_line(wrong: TournamentError, own: Mapping[int, SheetRow], first: int) -> TournamentError:
    """Return the same refusal with the line that it is about."""
    if "line" in wrong.extra:
        return wrong
    side = int(str(wrong.extra.get("side", 0))) - 1
    line = own[side].line if side in own else first
    message = _("Line %(line)s: %(said)s") % {"line": line, "said": str(wrong)}
    return TournamentError(message, code=wrong.code, extra={**wrong.extra, "line": line})


def _state(table: Table, claim: Claim, score: Sequence[int], line: int, *, may_rule: bool) -> str:
    """Return what entering it does. Raises what is in the way."""
    match, shown = table.match, {"table": table.match.table_no or 0}
    if match.state == M.VOID:
        raise _refuse("sheet.void", _("Line %(line)s: table %(table)s was cancelled."), line, **shown)
    if match.state == M.CONFIRMED:
        if _counts(table, claim, score):
            return SAME
        message = _("Line %(line)s: table %(table)s is confirmed with another result. Correct it on the dashboard.")
        raise _refuse("sheet.confirmed", message, line, **shown)
    if match.state == M.DISPUTED and not may_rule:
        message = _("Line %(line)s: the sides of table %(table)s disagree, so an arbiter decides.")
        raise _refuse("sheet.disputed", message, line, **shown)
    return INSTEAD if match.state in (M.REPORTED, M.DISPUTED) else NEW


def _counts(table: Table, claim: Claim, score: Sequence[int]) -> bool:
    """Return whether this is the result that counts already."""
    counted = ResultReport.objects.filter(match=table.match, state=ResultReport.State.CONFIRMED).first()
    if counted is None:
        return False
    won = claim.victories is None or list(claim.victories) == counted.body["victories"]
    gone = {table_side.index for table_side in table.sides if table_side.outcome == "forfeit"}
    return list(score) == counted.body["score"] and won and gone == set(claim.absent)


def _refuse(code: str, message: str, line: int, **shown: object) -> TournamentError:
    extra: dict[str, object] = {"line": line, **shown}
    return TournamentError(message % extra, code=code, extra=extra)


@undoable("enter_sheet", SCORERS)
def enter_sheet(*, round_row: Round, by: User, data: bytes, seen: str) -> int:
    """Enter every table of a sheet, or none. seen: the hash of what was shown. Returns how many tables are news.

    Raises what `read_sheet` raises, "sheet.changed", and what a table's own result may be refused for.
    """
    events: list[DomainEvent] = []
    event = round_row.stage.tournament
    with transaction.atomic():
        # Before the sheet is read again: from here on no table changes between the check and the entry.
        locks.lock_standings(event)
        sheet = read_sheet(round_row=round_row, by=by, data=data)
        if sheet.hash != seen:
            message = _("Something changed in the meantime: check it again, then enter it.")
            raise TournamentError(message, code="sheet.changed")
        for each in sheet.news:
            try:
                take_result(each.table.match, Actor(user=by), each.claim, "", events)
            except TournamentError as wrong:
                raise _at_line(wrong, {}, each.line) from wrong
        # Once for all tables, and last: it locks the channels that every other table of the event waits for.
        publish(*events)
    if sheet.news:
        fold_event(event)
    return len(sheet.news)
