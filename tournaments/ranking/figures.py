"""What a place in the ranking was earned with: the first figures of the standings that give it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from django.db.models.fields.json import KT

from bots.templatetags.hanami import amount, rounded
from tournaments.models import Stage, Standing
from tournaments.ranking.lines import EventRanking, RankLine
from tournaments.standings.queries import RATING, column_in

OF_THE_BRACKET: Final = "placed"
"""The figure by which a bracket ranks first: it tells a place, and no score."""
COMPARED: Final = 3
"""Figures that are looked at: the place in a bracket, what ranks, and the first tie-break."""
COLUMNS: Final = 2


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of the standings: its id, its name and its exact value."""

    id: str
    name: str
    value: Any

    @property
    def shown(self) -> str:
        """The figure as people read it."""
        return figure_words(self.id, self.value)


@dataclass(frozen=True, slots=True)
class RankingTable:
    """The ranking with its figures. columns: their names; none where stages rank by different ones, each row has its
    own then. has_stages: whether rows are of several stages.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[RankLine, tuple[Figure, ...]], ...]
    has_stages: bool


def figure_words(which: str, value: Any) -> str:
    """Write a figure, or by how much two of them differ: a rating is no exact amount, but a decimal number."""
    if which == RATING:
        return rounded(float(value) if isinstance(value, Fraction) else value, 1)
    return amount(str(value) if isinstance(value, Fraction) else value)


def figures_of(stage: Stage, row: Standing) -> list[Figure]:
    """Return what a row is ranked by, in order, without the place in a bracket."""
    lines = [line for line in row.explanation if line["tie_break"] != OF_THE_BRACKET]
    return [Figure(line["tie_break"], column_in(stage, line["tie_break"]).name, line["value"]) for line in lines]


def ranking_table(ranking: EventRanking, lines: Sequence[RankLine]) -> RankingTable:
    """Return some lines of the ranking as a table. One query."""
    found = _figures(lines)
    own = [tuple(found.get((line.stage.pk, line.entry.pk), ())) for line in lines]
    names = {tuple(figure.name for figure in figures) for figures in own if figures}
    # What only some rows have, such as the head to head of those who are level, is no column; the standings show it.
    common = min(map(len, names), default=0)
    is_one = len({each[:1] for each in names}) == 1
    shared = len({each[:common] for each in names}) == 1
    width = min(COLUMNS, common) if shared else 1
    columns = min(names)[:width] if is_one else ()
    rows = tuple(zip(lines, (figures[:width] for figures in own), strict=True))
    return RankingTable(columns, rows, len({line.stage.pk for line in ranking.lines}) > 1)


def _figures(lines: Sequence[RankLine]) -> dict[tuple[int, int], list[Figure]]:
    """Return, by stage and entry, the first figures that have a value, without the place in a bracket."""
    stages = {line.stage.pk: line.stage for line in lines}
    # Of each figure its name and value alone: an explanation with all its terms can be long.
    paths = [KT(f"explanation__{n}__{key}") for n in range(COMPARED) for key in ("tie_break", "value")]
    entries = [line.entry.pk for line in lines]
    rows = Standing.objects.filter(stage__in=list(stages), after_round=0, entry__in=entries)
    found = {}
    for stage, entry, *texts in rows.order_by().values_list("stage", "entry", *paths):
        found[stage, entry] = list(_named(stages[stage], texts))
    return found


def _named(stage: Stage, texts: Sequence[str | None]) -> Sequence[Figure]:
    """Pair ids and values up to the first without one."""
    figures = []
    for which, value in zip(texts[::2], texts[1::2], strict=True):
        if which == OF_THE_BRACKET:
            continue
        if not which or value is None or value.startswith("["):
            break
        figures.append(Figure(which, column_in(stage, which).name, value))
    return figures
