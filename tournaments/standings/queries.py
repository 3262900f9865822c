"""The standings table and the crosstable as pages show them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from typing import Any
from uuid import UUID

from django.db.models import QuerySet, Subquery
from django.db.models.expressions import Combinable
from django.db.models.functions import Mod
from django.utils.translation import gettext

from core.standings.crosstable import Cell, Crosstable, crosstable
from core.standings.tiebreaks import TIE_BREAKS, Direction
from tournaments.lifecycle.display_names import OF_ENTRY, prefixed
from tournaments.matches.chains import groups_of
from tournaments.matches.records.confirmed import results_of, spec_of
from tournaments.matches.records.results import ranking_of
from tournaments.models import Entry, Stage, Standing
from tournaments.standings.explanations import Sources, sources_of, waiting_among
from tournaments.standings.remarks import Remark, remarks_of

# The figure a ladder ranks by.
RATING = "rating"
# Rows of one page; a longer table is paged.
ROWS_AT_ONCE = 50
# Inputs that one page opens; with more of them each row links to the page of its own explanation.
TERMS_AT_ONCE = 240


# First and last row, as numbers or as the database finds them.
Between = tuple[int | Combinable, int | Combinable]


@dataclass(frozen=True, slots=True)
class Column:
    """A compared figure. formula: its definition in words."""

    id: str
    name: str
    short: str
    formula: str


@dataclass(frozen=True, slots=True)
class Figure:
    """One number of one row. terms: [{"round", "match", "amount", "note"?, "counted"?}].

    Of `standings.explanations` are "given" (who gave it and why) and "deals".
    """

    column: Column
    value: Any
    terms: Sequence[dict[str, Any]]
    decided: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """One row. decided_by: the figure that parts it from the row above, where the first one does not.

    moved: places up (down where negative) since the table it is compared with; None without one, if new in it, or if
    it waits: others have results since then and it has none.
    """

    standing: Standing
    shared: bool
    figures: tuple[Figure, ...]
    played: int
    decided_by: Column | None
    moved: int | None = None
    waits: bool = False

    @property
    def moved_by(self) -> int:
        """Number of places, without a sign."""
        return abs(self.moved or 0)


@dataclass(frozen=True, slots=True)
class Part:
    """The table of one group; label "" where everybody plays in one."""

    label: str
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class StandingsTable:
    """columns in order of comparison; with_terms: whether the inputs are on the page; parts: a table per group.

    goes_on: whether there are rows after these; is_part: whether there are others, before or after.
    """

    columns: tuple[Column, ...]
    lines: tuple[Line, ...]
    with_terms: bool
    parts: tuple[Part, ...] = ()
    goes_on: bool = False
    is_part: bool = False

    @property
    def has_counted(self) -> bool:
        """Return whether anything makes the rows differ from the order of the draw."""
        return has_counted([line.standing for line in self.lines])

    @property
    def has_moves(self) -> bool:
        """Return whether anybody moved since the table it is compared with."""
        return any(line.moved for line in self.lines)


def column(tie_break: str) -> Column:
    """Return a tie-break's words, translated; an id that is no longer known stands for itself."""
    found = TIE_BREAKS.get(tie_break)
    if tie_break == RATING:
        formula = gettext("mean of the rating minus three standard deviations")
        return Column(tie_break, gettext("Rating (lower bound)"), gettext("Rating"), formula)
    if found is None:
        return Column(tie_break, tie_break, tie_break, "")
    formula = gettext(found.description)
    if found.direction is Direction.LOWER:
        formula = f"{formula} ({gettext('lower is better')})"
    return Column(tie_break, gettext(found.name), gettext(found.abbreviation), formula)


def column_in(stage: Stage, tie_break: str) -> Column:
    """Return the same in a stage: the place shares of a team that sits apart are its board points."""
    found = column(tie_break)
    if tie_break != "place" or not stage.tournament.boards:
        return found
    return replace(found, name=gettext("Board points"), short=gettext("Brd"))


def criteria_of(stage: Stage) -> list[Column]:
    """Return what a stage ranks by, in order, before there is a table: points may yet be above the mean."""
    if stage.format.is_open_ended:
        return [column(RATING)]
    placed = ("placed",) if stage.format.ranks_by_bracket else ()
    return [column_in(stage, each) for each in (*placed, *ranking_of(stage))]


def rows_of(
    stage: Stage,
    *,
    after_round: int = 0,
    limit: int | None = None,
    between: Between | None = None,
    rank: int | None = None,
    columns: Sequence[str] = (),
) -> list[Standing]:
    """Return standing rows, best first, with what a row shows of an entry. One query. between: first and last row.

    columns: those that are read of an entry; all if none are named.
    """
    rows = stored(stage, after_round=after_round)
    if rank is not None:
        rows = rows.filter(rank=rank)
    if between is not None:
        rows = rows.filter(row__range=between)
    rows = rows.select_related("entry__player__bot__owner", "entry__bot_version")
    if columns:
        rows = rows.only("stage", "after_round", "entry", "rank", "row", "explanation", *prefixed("entry", columns))
    return list(rows[:limit] if limit else rows)


def stored(stage: Stage, *, after_round: int = 0) -> QuerySet[Standing]:
    """Return all rows of a table, best first."""
    return Standing.objects.filter(stage=stage, after_round=after_round).order_by("row")


def length_of(stage: Stage, *, after_round: int = 0) -> int:
    """Return how many rows a table has: the number of its last one. One query."""
    return stored(stage, after_round=after_round).order_by("-row").values_list("row", flat=True).first() or 0


def first_figure(stage: Stage, rows: Sequence[Standing]) -> str:
    """Return the name of the figure that ranks first in these rows, empty without rows."""
    explanation = rows[0].explanation if rows else []
    return column_in(stage, explanation[0]["tie_break"]).name if explanation else ""


@dataclass(frozen=True, slots=True)
class History:
    """Rounds with a table.

    rounds: their numbers. chosen: the one shown, 0 is now. before: the one it is compared with. same: the newest one
    that is the same as now, 0 if none is.
    """

    rounds: tuple[int, ...]
    chosen: int
    before: int | None
    same: int = 0


def history_of(stage: Stage, chosen: int) -> History:
    """Return the tables of a stage.

    Now is compared with the newest that differs from it. One query, of their first rows.
    """
    # The first row of each table carries its hash: `standing_first` is an index of these rows alone.
    first = Standing.objects.filter(stage=stage, row=1).order_by("after_round")
    hashes = dict(first.values_list("after_round", "input_hash"))
    earlier = [n for n in hashes if n and (n < chosen if chosen else hashes[n] != hashes.get(0))]
    same = max((n for n in hashes if n and hashes[n] == hashes.get(0)), default=0)
    return History(tuple(n for n in hashes if n), chosen, max(earlier, default=None), same)


def ranks_of(stage: Stage) -> dict[int, int]:
    """Return, by entry, the rank that it has now. One query."""
    return dict(stored(stage).values_list("entry", "rank"))


def ranks_after(stage: Stage, after_round: int, among: Sequence[Standing]) -> dict[int, int]:
    """Return, by entry, of those in these rows, its rank then. One query."""
    rows = stored(stage, after_round=after_round).filter(entry__in=[row.entry_id for row in among])
    return dict(rows.values_list("entry", "rank"))


def standings_table(
    stage: Stage, *, after_round: int = 0, only: str = "", before: int | None = None, page: int = 1
) -> StandingsTable:
    """Return a page of the table; with `only` (an entry's UUID) the one with its row, which has its deals.

    before: the round after which the table was that it is compared with. One query; one more where the stage has
    groups, one with `before`, one for the names of those a row is level with who are on another page, and those of
    `explanations.sources_of`.
    """
    first, last = 1 + (page - 1) * ROWS_AT_ONCE, page * ROWS_AT_ONCE
    # One row more above and below than is shown: what parts the first from the one above it; whether there are more.
    between: Between = _around(stage, after_round, only) if only else (first - 1, last + 1)
    rows = rows_of(stage, after_round=after_round, between=between, columns=OF_ENTRY)
    if only:
        place = next((row.row for row in rows if str(row.entry.uuid) == only), 0)
        first = place - (place - 1) % ROWS_AT_ONCE if place else 1
        last = first + ROWS_AT_ONCE - 1 if place else 0
    shown = [row for row in rows if first <= row.row <= last]
    if not shown:
        return StandingsTable((), (), with_terms=False)
    groups = groups_of(stage)
    shared = Counter((groups.get(row.entry_id), row.rank) for row in rows)
    names = _names(rows)
    above = _above(rows, groups)
    columns = tuple(column_in(stage, line["tie_break"]) for line in (rows[0].explanation if rows else ()))
    sources = sources_of(stage, shown, after_round=after_round, only=only)
    ranks = ranks_after(stage, before, shown) if before is not None else {}
    waiting = waiting_among(shown, before or 0) if ranks else frozenset()
    lines = tuple(
        replace(
            _line(row, columns, shared[groups.get(row.entry_id), row.rank] > 1, names, above[row.pk], sources),
            moved=ranks[row.entry_id] - row.rank if row.entry_id in ranks.keys() - waiting else None,
            waits=row.entry_id in waiting,
        )
        for row in shown
    )
    by_group = groupby(lines, key=lambda line: groups.get(line.standing.entry_id, ""))
    parts = tuple(Part(label, tuple(own)) for label, own in by_group)
    goes_on, with_terms = rows[-1].row > last, _inputs(rows) <= TERMS_AT_ONCE
    return StandingsTable(columns, lines, with_terms, parts, goes_on, is_part=goes_on or rows[0].row < first)


def _around(stage: Stage, after_round: int, entry: str) -> Between:
    """Find the rows of the page of an entry in the query itself, and one more at each end; none if that is no UUID."""
    try:
        rows = stored(stage, after_round=after_round).filter(entry__uuid=UUID(entry))
    except ValueError:
        return (0, 0)
    place = Subquery(rows.values("row")[:1])
    start = place - Mod(place - 1, ROWS_AT_ONCE)
    return (start - 1, start + ROWS_AT_ONCE)


def _names(rows: Sequence[Standing]) -> dict[str, str]:
    """Return, by UUID, the names of these entries and of all that they are level with, on any page."""
    names = {str(row.entry.uuid): row.entry.player.name for row in rows}
    rivals = {key for row in rows for line in row.explanation for key in line.get("decided_against", ())}
    elsewhere = Entry.objects.filter(uuid__in=rivals - names.keys()).values_list("uuid", "player__name")
    return {**names, **{str(uuid): name for uuid, name in elsewhere}} if rivals - names.keys() else names


def _above(rows: Sequence[Standing], groups: dict[int, str]) -> dict[int, Standing | None]:
    """Return the row above each, in its group."""
    found: dict[int, Standing | None] = {row.pk: None for row in rows[:1]}
    for upper, lower in pairwise(rows):
        found[lower.pk] = upper if groups.get(upper.entry_id) == groups.get(lower.entry_id) else None
    return found


def leaders(stage: Stage, *, limit: int) -> list[Standing]:
    """Return the first rows of the table; where a stage has groups the first of each. Two queries.

    `group`: its label; `shared`: whether another one has the same rank.
    """
    if stage.groups_n < 2:
        # One more than is shown, so that the last one shown knows whether the next has the same rank.
        return with_shared(rows_of(stage, limit=limit + 1))[:limit]
    groups = groups_of(stage)
    return with_shared(rows_of(stage, rank=1), groups)[:limit]


def firsts_of(stage: Stage) -> int:
    """Return how many share the first rank now. One query."""
    return stored(stage, after_round=0).filter(rank=1).count()


def has_counted(rows: Sequence[Standing]) -> bool:
    """Return whether anything makes these rows differ from the order of the draw: a result, or what was given."""
    return any(row.rank > 1 or any(line["terms"] for line in row.explanation) for row in rows)


def with_shared(rows: list[Standing], groups: Mapping[int, str] | None = None) -> list[Standing]:
    """Return the rows, each with its group and whether one of the others has the same rank in it."""
    labels = groups or {}
    counts = Counter((labels.get(row.entry_id), row.rank) for row in rows)
    for row in rows:  # for the page alone
        row.shared = counts[labels.get(row.entry_id), row.rank] > 1  # type: ignore[attr-defined]
        row.group = labels.get(row.entry_id, "")  # type: ignore[attr-defined]
    return rows


def _inputs(rows: Sequence[Standing]) -> int:
    return sum(len(line["terms"]) for row in rows for line in row.explanation)


def _line(
    row: Standing,
    columns: Sequence[Column],
    shared: bool,
    names: dict[str, str],
    above: Standing | None,
    sources: Sources,
) -> Line:
    figures = []
    decided_by = None
    for position, (each, line) in enumerate(zip(columns, row.explanation, strict=True)):
        rivals = line.get("decided_against", [])
        terms = sources.terms_of(row, line)
        figures.append(Figure(each, line["value"], terms, tuple(names.get(key, "?") for key in rivals)))
        if position and above is not None and str(above.entry.uuid) in rivals:
            decided_by = each
    played = max((_played(line["terms"]) for line in row.explanation), default=0)
    return Line(row, shared, tuple(figures), played, decided_by)


def _played(terms: Sequence[dict[str, Any]]) -> int:
    return sum(1 for term in terms if term["match"])


@dataclass(frozen=True, slots=True)
class CrossRow:
    """An entry against each of the columns, each with the other's name; no cell against itself.

    remarks: on rounds without a table, and on who else played in its place. figure: the one that ranks first in the
    standings, None without one.
    """

    entry: Entry
    cells: tuple[tuple[Cell | None, str], ...]
    total: Any
    remarks: tuple[Remark, ...] = ()
    figure: Any = None

    @property
    def has_met(self) -> bool:
        """Whether it has met any of the others."""
        return any(cell is not None and cell.met for cell, _other in self.cells)


def cross_parts(stage: Stage, rows: Sequence[Standing]) -> list[tuple[str, list[CrossRow]]]:
    """Return who finished above whom, rows and columns in the order of the standings; a table per group, by label.

    Seven queries; one more where the stage has groups.
    """
    entries = [row.entry for row in rows]
    table = crosstable(results_of(stage, among=[entry.pk for entry in entries]), spec_of(stage))
    groups, remarks = groups_of(stage), remarks_of(stage, rows)
    by_group: dict[str, list[Standing]] = {}
    for row in rows:
        by_group.setdefault(groups.get(row.entry_id, ""), []).append(row)
    return [(label, _cross_rows(table, members, remarks)) for label, members in by_group.items()]


def _cross_rows(
    table: Crosstable, ranked: Sequence[Standing], remarks: Mapping[int, tuple[Remark, ...]]
) -> list[CrossRow]:
    keys = [str(row.entry.uuid) for row in ranked]
    rows = []
    names = [row.entry.player.name for row in ranked]
    for row, key in zip(ranked, keys, strict=True):
        cells = [None if other == key else table.cell(key, other) for other in keys]
        total = sum(cell.share for cell in cells if cell is not None and cell.met)
        figure = row.explanation[0]["value"] if row.explanation else None
        against = tuple(zip(cells, names, strict=True))
        rows.append(CrossRow(row.entry, against, total, remarks.get(row.entry_id, ()), figure))
    return rows
