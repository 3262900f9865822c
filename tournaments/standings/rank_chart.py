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
ROW: Final = 28
TOP: Final = 36
NOW: Final = 0
BESIDE: Final = 6
"""Columns up to which a chart stands beside its table."""


@dataclass(frozen=True, slots=True)
class Run:
    """One entry, and its rank now. Across in hundredths of the width, down in pixels.

    points: of a polyline; dots: (x, y) of each round; waits: the way to now, of one without a result in this round.
    owner: the person whose bot it is.
    """

    name: str
    points: str
    dots: tuple[tuple[float, int], ...]
    rank: int
    shared: bool
    waits: str = ""
    owner: int | None = None


@dataclass(frozen=True, slots=True)
class RankChart:
    """The drawing. rounds: (x, number), 0 is now; words: the same for those who do not see it.

    lines: in the order of now, so that a list of names beside the drawing has each name at the end of its line.
    """

    height: int
    rounds: tuple[tuple[float, int], ...]
    lines: tuple[Run, ...]
    words: str

    @property
    def is_narrow(self) -> bool:
        """Return whether it has room beside the table."""
        return len(self.rounds) <= BESIDE


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
    places = {number: round(100 * place / (len(rounds) - 1), 2) for place, number in enumerate(rounds)}
    # Those who are not among the shown ones leave gaps: the rows of those who are count from 1 in every round.
    order = {number: sorted(own[number] for own in ranks.values() if number in own) for number in rounds}
    runs = tuple(_run(line, ranks[line.standing.entry_id], places, order) for line in shown)
    words = in_turn(f"{run.name} {listed(_ranks(line, ranks))}" for run, line in zip(runs, shown, strict=True))
    return RankChart(TOP + len(shown) * ROW, tuple((x, n) for n, x in places.items()), runs, words)


def _run(line: Line, ranks: dict[int, int], places: dict[int, float], order: dict[int, list[int]]) -> Run:
    dots = tuple((places[n], TOP + order[n].index(row) * ROW) for n, row in ranks.items())
    waits = line.waits and NOW in ranks
    drawn = dots[:-1] if waits else dots
    player = line.standing.entry.player
    owner = player.bot.owner_id if player.bot else None
    way = _path(dots[-2:]) if waits else ""
    return Run(player.name, _path(drawn), drawn, line.standing.rank, line.shared, way, owner)


def _path(dots: Sequence[tuple[float, int]]) -> str:
    return " ".join(f"{x},{y}" for x, y in dots)


def _ranks(line: Line, ranks: dict[int, dict[int, int]]) -> list[int]:
    return list(ranks[line.standing.entry_id].values())
