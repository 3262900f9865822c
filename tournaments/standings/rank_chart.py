"""Chart of ranks: who stood where after each round, as the coordinates of a drawing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from accounts.phrasing import in_turn, listed
from tournaments.models import Stage, Standing
from tournaments.standings.queries import Line

MAX_LINES: Final = 12
"""Entries that one chart shows, those at the top now: more lines cannot be told apart."""
MAX_ROUNDS: Final = 20
STEP: Final = 72
ROW: Final = 26
TOP: Final = 36
LEFT: Final = 14
NAMES: Final = 200
"""Width of the names at the right end."""
NAME_LETTERS: Final = 22
NOW: Final = 0
BESIDE: Final = 450
"""Width up to which a chart stands beside its table."""


@dataclass(frozen=True, slots=True)
class Run:
    """One entry. points: of a polyline; dots: (x, y) of each round; end: height of the name; rank: now."""

    name: str
    points: str
    dots: tuple[tuple[int, int], ...]
    end: int
    rank: int


@dataclass(frozen=True, slots=True)
class RankChart:
    """The drawing. rounds: (x, number), 0 is now; words: the same for those who do not see it."""

    width: int
    height: int
    rounds: tuple[tuple[int, int], ...]
    lines: tuple[Run, ...]
    name_x: int
    words: str

    @property
    def is_narrow(self) -> bool:
        """Return whether it has room beside the table."""
        return self.width <= BESIDE


def rank_chart(stage: Stage, rounds: Sequence[int], lines: Sequence[Line]) -> RankChart | None:
    """Return the chart; None where fewer than three rounds have a table, or more than it can show. One query."""
    shown = lines[:MAX_LINES]
    if not 3 <= len(rounds) <= MAX_ROUNDS or len(shown) < 3 or stage.groups_n > 1:
        return None
    keys = [line.standing.entry_id for line in shown]
    rows = Standing.objects.filter(stage=stage, after_round__in=rounds, entry__in=keys).order_by("after_round")
    ranks: dict[int, dict[int, int]] = defaultdict(dict)
    for number, entry, row in rows.values_list("after_round", "entry", "row"):
        ranks[entry][number] = row
    # What is on has moved some of them already: the lines then end where the names stand.
    if any(ranks[line.standing.entry_id].get(rounds[-1]) != line.standing.row for line in shown):
        rounds = (*rounds, NOW)
        for line in shown:
            ranks[line.standing.entry_id][NOW] = line.standing.row
    places = {number: LEFT + place * STEP for place, number in enumerate(rounds)}
    # Those who are not among the shown ones leave gaps: the rows of those who are count from 1 in every round.
    order = {number: sorted(own[number] for own in ranks.values() if number in own) for number in rounds}
    runs = tuple(_run(line, ranks[line.standing.entry_id], places, order) for line in shown)
    name_x = LEFT + (len(rounds) - 1) * STEP + 14
    words = in_turn(f"{run.name} {listed(_ranks(line, ranks))}" for run, line in zip(runs, shown, strict=True))
    height = TOP + len(shown) * ROW
    return RankChart(name_x + NAMES, height, tuple((x, n) for n, x in places.items()), runs, name_x, words)


def _run(line: Line, ranks: dict[int, int], places: dict[int, int], order: dict[int, list[int]]) -> Run:
    dots = tuple((places[n], TOP + order[n].index(row) * ROW) for n, row in ranks.items())
    name = line.standing.entry.player.name
    short = name if len(name) <= NAME_LETTERS else name[: NAME_LETTERS - 1] + "…"
    end = (dots[-1][1] if dots else TOP) + 5
    return Run(short, " ".join(f"{x},{y}" for x, y in dots), dots, end, line.standing.rank)


def _ranks(line: Line, ranks: dict[int, dict[int, int]]) -> list[int]:
    return list(ranks[line.standing.entry_id].values())
