"""The standings table and the crosstable as pages show them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext

from tournaments.models import Entry, Stage, Standing
from tournaments.selectors.results import results_of, spec_of
from tournaments.standings.crosstable import Cell, crosstable
from tournaments.standings.tiebreaks import TIE_BREAKS, Direction

TERMS_AT_ONCE = 240
"""Inputs that one page opens; with more of them each row links to the page of its own explanation."""


@dataclass(frozen=True, slots=True)
class Column:
    """A compared figure. formula: what it is made of, in words."""

    id: str
    name: str
    short: str
    formula: str


@dataclass(frozen=True, slots=True)
class Figure:
    """One number of one row. terms: [{"round", "match", "amount", "note"?, "counted"?}]."""

    column: Column
    value: Any
    terms: Sequence[dict[str, Any]]
    decided: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """One row. decided_by: the figure that parts it from the row above, where the first one does not."""

    standing: Standing
    shared: bool
    figures: tuple[Figure, ...]
    played: int
    decided_by: Column | None


@dataclass(frozen=True, slots=True)
class StandingsTable:
    """columns in order of comparison; with_terms: whether the inputs are on the page."""

    columns: tuple[Column, ...]
    lines: tuple[Line, ...]
    with_terms: bool


def column(tie_break: str) -> Column:
    """A tie-break's words, translated; an id that is no longer known stands for itself."""
    found = TIE_BREAKS.get(tie_break)
    if found is None:
        return Column(tie_break, tie_break, tie_break, "")
    formula = gettext(found.description)
    if found.direction is Direction.LOWER:
        formula = f"{formula} ({gettext('lower is better')})"
    return Column(tie_break, gettext(found.name), gettext(found.abbreviation), formula)


def rows_of(stage: Stage, *, after_round: int = 0, limit: int | None = None) -> list[Standing]:
    """Standing rows, best first, with what a row shows of an entry. One query."""
    rows = Standing.objects.filter(stage=stage, after_round=after_round).order_by("row")
    rows = rows.select_related("entry__player__bot__owner", "entry__bot_version")
    return list(rows[:limit] if limit else rows)


def first_figure(rows: Sequence[Standing]) -> str:
    """The name of the figure that ranks first in these rows, empty without rows."""
    explanation = rows[0].explanation if rows else []
    return column(explanation[0]["tie_break"]).name if explanation else ""


def standings_table(stage: Stage, *, after_round: int = 0, only: str = "") -> StandingsTable:
    """The table; with `only` (an entry's UUID) that entry's row alone, always with its inputs. One query."""
    rows = rows_of(stage, after_round=after_round)
    shared = Counter(row.rank for row in rows)
    names = {str(row.entry.uuid): row.entry.player.name for row in rows}
    above = {row.pk: rows[index - 1] if index else None for index, row in enumerate(rows)}
    shown = [row for row in rows if not only or str(row.entry.uuid) == only]
    with_terms = bool(only) or sum(_inputs(row) for row in rows) <= TERMS_AT_ONCE
    columns = tuple(column(line["tie_break"]) for line in (rows[0].explanation if rows else ()))
    lines = tuple(_line(row, columns, shared[row.rank] > 1, names, above[row.pk]) for row in shown)
    return StandingsTable(columns, lines, with_terms)


def _inputs(row: Standing) -> int:
    return sum(len(line["terms"]) for line in row.explanation)


def _line(
    row: Standing, columns: Sequence[Column], shared: bool, names: dict[str, str], above: Standing | None
) -> Line:
    figures = []
    decided_by = None
    for position, (each, line) in enumerate(zip(columns, row.explanation, strict=True)):
        rivals = line.get("decided_against", [])
        figures.append(Figure(each, line["value"], line["terms"], tuple(names.get(key, "?") for key in rivals)))
        if position and above is not None and str(above.entry.uuid) in rivals:
            decided_by = each
    played = max((_played(line["terms"]) for line in row.explanation), default=0)
    return Line(row, shared, tuple(figures), played, decided_by)


def _played(terms: Sequence[dict[str, Any]]) -> int:
    return sum(1 for term in terms if term["match"])


@dataclass(frozen=True, slots=True)
class CrossRow:
    """An entry against each of the columns, each with the other's name; no cell against itself."""

    entry: Entry
    cells: tuple[tuple[Cell | None, str], ...]
    total: Any


def cross_rows(stage: Stage, entries: Sequence[Entry]) -> list[CrossRow]:
    """Who finished above whom, rows and columns in the order of `entries`. Two queries."""
    table = crosstable(results_of(stage), spec_of(stage))
    keys = [str(entry.uuid) for entry in entries]
    rows = []
    names = [entry.player.name for entry in entries]
    for entry, key in zip(entries, keys, strict=True):
        cells = [None if other == key else table.cell(key, other) for other in keys]
        total = sum(cell.share for cell in cells if cell is not None)
        rows.append(CrossRow(entry, tuple(zip(cells, names, strict=True)), total))
    return rows
