"""Rows of the results page: every table of a round with its boxes, what was reported, and what was refused.

A box is named `<table's uuid>.total_0`; an x in place of a figure says that the side did not come.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from accounts.models import User
from core.errors import TournamentError
from engine.errors import DomainError
from tournaments.matches.deal_sets import rules_of
from tournaments.matches.report_bodies import Claim
from tournaments.models import Match, ResultReport, Round, Stage
from tournaments.pages.progress.level import level_at
from tournaments.pages.scores.claim_boxes import boxes_of, wrong_boxes
from tournaments.pages.scores.claim_form import ClaimFields, fields_for, read_claim
from tournaments.pages.scores.claim_rows import ClaimRows, rows_of
from tournaments.scores.rows import FilledRow, enter_row, enter_rows, fingerprint, waiting_report
from tournaments.scores.tables import SETTLED, Table, round_tables

M, R = Match.State, Round.State
DID_NOT_COME: Final = frozenset({"x", "×", "✗", "✕", "absent", "absente", "欠席"})
OF_A_DEAL: Final = re.compile(r"^[dby]\d+_")
LEFT: Final = "x"
"""What the page writes into the box of a side that has left the event."""


@dataclass(frozen=True, slots=True)
class Row:
    """A table as the page shows it. boxes: to fill in; None where nothing is typed here (decided, cancelled, bots).

    seen: its fingerprint. is_level: it ended level and waits for a decision. refusal: of what was typed; typed: that,
    in words, once the row takes no figures any more.
    """

    table: Table
    fields: ClaimFields
    boxes: ClaimRows | None
    seen: str
    is_level: bool = False
    refusal: DomainError | None = None
    typed: str = ""

    @property
    def prefix(self) -> str:
        """Return the beginning of the names of its boxes."""
        return prefix_of(self.table)

    @property
    def number(self) -> int | None:
        """Return the table at which people sit; None while the match waits for one."""
        return self.table.match.shown_table

    @property
    def is_open(self) -> bool:
        """Return whether it is played and nobody has said anything of it yet, so that the keyboard goes there next."""
        return self.boxes is not None and not self.waits and self.number is not None

    @property
    def order(self) -> tuple[bool, bool, int]:
        """Return where it stands in a bracket that flows: by table, then what waits for one, then what is over."""
        is_over = self.table.match.state in SETTLED
        return is_over, self.number is None, self.number or self.table.match.table_no or 0

    @property
    def waits(self) -> ResultReport | None:
        """Return the report that a scorer may confirm."""
        return waiting_report(self.table)

    @property
    def sides(self) -> list[tuple[object, ...]]:
        """Return the boxes side by side: points, and deals won where they are asked for."""
        if self.boxes is None:
            return []
        won = self.boxes.won or (None,) * len(self.boxes.totals)
        return list(zip(self.boxes.totals, won, strict=True))


def prefix_of(table: Table) -> str:
    """Return the beginning of the names of a table's boxes."""
    return f"{table.match.uuid}."


def running_rounds(stages: Iterable[Stage], chosen: Round | None) -> list[Round]:
    """Return the rounds that are being played, of every stage that is on; where there are none, the chosen one."""
    on = [stage.pk for stage in stages if stage.state == Stage.State.ACTIVE]
    rows = Round.objects.filter(stage__in=on, state__in=(R.PUBLISHED, R.PLAYING)).defer("plan")
    found = list(rows.select_related("stage__tournament", "stage__ruleset").order_by("stage__order", "number"))
    return found or ([chosen] if chosen is not None else [])


def rows_at(round_row: Round, sent: Mapping[str, str], refusals: Mapping[str, DomainError]) -> list[Row]:
    """Return the rows of a round. sent: what a form held; refusals: by the table's uuid, whose boxes keep it."""
    tables = round_tables(round_row)
    level = level_at(round_row, tables)
    rows = [_row(round_row, table, sent, refusals.get(str(table.match.uuid)), level) for table in tables]
    return sorted(rows, key=lambda row: row.order) if round_row.stage.flows else rows


def _row(
    round_row: Round, table: Table, sent: Mapping[str, str], refusal: DomainError | None, level: frozenset[int]
) -> Row:
    fields = fields_at(round_row.stage, table)
    given = _own(sent, table) if refusal is not None else prefill(table, waiting_report(table), fields)
    names = [side.marked for side in table.sides]
    boxes = rows_of(fields, names, given, _wrong(refusal, fields)) if _takes_figures(table) else None
    is_level = table.match.table_no in level
    typed = (
        " – ".join(given.get(f"total_{side.index}", "") for side in table.sides) if boxes is None and refusal else ""
    )
    return Row(table, fields, boxes, fingerprint(table), is_level, refusal, typed)


def _wrong(refusal: DomainError | None, fields: ClaimFields) -> frozenset[str]:
    """Return the names of the boxes that a refusal is about. A match of one deal is refused as that deal."""
    return frozenset(OF_A_DEAL.sub("total_", name) for name in wrong_boxes(refusal, fields))


def _takes_figures(table: Table) -> bool:
    return table.is_called and table.match.state in (M.PENDING, M.READY, M.CALLED, M.PLAYING, M.REPORTED)


def fields_at(stage: Stage, table: Table) -> ClaimFields:
    """Return what a row asks for: totals. Deal by deal is entered on the table's own page."""
    names = [side.name for side in table.sides]
    found = fields_for(rules_of(stage), len(table.sides), table.empty, names)
    return replace(found, deals=0, yaku=(), bids=False)


def prefill(table: Table, report: ResultReport | None, fields: ClaimFields) -> dict[str, str]:
    """Return what a row holds at first: the report that waits, or an x for each side that has left the event."""
    if report is None:
        return {f"total_{side.index}": LEFT for side in table.left}
    seats = sorted(table.match.seats.all(), key=lambda seat: seat.index)
    boxes = boxes_of(report.body, [seat.side for seat in seats], fields)
    absent = [name for name in boxes if name.startswith("absent_")]
    return {name: value for name, value in boxes.items() if name not in absent} | {
        f"total_{name.removeprefix('absent_')}": LEFT for name in absent
    }


def _own(sent: Mapping[str, str], table: Table) -> dict[str, str]:
    """Return the boxes of one table, by their names without its prefix."""
    prefix = prefix_of(table)
    return {name.removeprefix(prefix): value for name, value in sent.items() if name.startswith(prefix)}


def is_sent(sent: Mapping[str, str], table: Table) -> bool:
    """Return whether a form has this table in it."""
    return f"{prefix_of(table)}seen" in sent


def was_typed(sent: Mapping[str, str], table: Table, fields: ClaimFields) -> bool:
    """Return whether somebody typed into a row: it holds something else than the page wrote into it."""
    own = _own(sent, table)
    seen = own.pop("seen", "")
    given = {name: value.strip() for name, value in own.items() if value.strip()}
    version = seen.partition(".")[0]
    report = None
    if version.isdecimal() and len(version) < 6 and int(version):
        # The report that the page showed; since then it may have been confirmed, rejected or followed by others.
        report = ResultReport.objects.filter(match=table.match, version=int(version)).first()
    return bool(given) and given != prefill(table, report, fields)


def filled(sent: Mapping[str, str], table: Table, fields: ClaimFields) -> FilledRow:
    """Return the figures of one row as they were typed. Raises what `read_claim` raises."""
    own = _own(sent, table)
    return FilledRow(table.match, read_row(own, fields), own.get("seen", ""))


def save(rows: Sequence[FilledRow], by: User) -> list[str | TournamentError]:
    """Enter rows; return of each ENTERED, CONFIRMED, SAME or its refusal. One alone is an act of its table."""
    if len(rows) > 1:
        return enter_rows(tournament=rows[0].match.stage.tournament, by=by, rows=rows)
    found: list[str | TournamentError] = []
    for row in rows:
        try:
            found.append(enter_row(match=row.match, by=by, claim=row.claim, seen=row.seen))
        except TournamentError as refusal:
            found.append(refusal)
    return found


def read_row(own: Mapping[str, str], fields: ClaimFields) -> Claim:
    """Return the claim of a row: an x in place of points is a side that did not come. Raises as `read_claim`."""
    data = dict(own)
    for side in range(fields.sides):
        if data.get(f"total_{side}", "").strip().casefold() in DID_NOT_COME:
            data[f"absent_{side}"] = "1"
    return read_claim(data, fields, complete=False)


def refusal_of(table: Table, wrong: TournamentError) -> TournamentError:
    """Return a row's refusal with the table in it, for a summary that is read without the row."""
    return TournamentError(str(wrong), code=wrong.code, extra={**wrong.extra, "table": table.match.table_no or 0})
