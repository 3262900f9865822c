"""Contestants measured side by side: one slice of CPU time each, in turns, so that a busy machine is busy for all."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

Play = Callable[[], int]
"""Play one whole game, the next one at each call; returns its plies (or other units that are counted)."""


@dataclass(slots=True)
class Speed:
    """The speed of a contestant in each slice, per second of CPU time."""

    plies: list[float] = field(default_factory=list)
    games: list[float] = field(default_factory=list)

    @property
    def plies_per_second(self) -> float:
        """Median of the slices."""
        return statistics.median(self.plies)

    @property
    def games_per_second(self) -> float:
        """Median of the slices."""
        return statistics.median(self.games)

    def ratio(self, other: Speed) -> float:
        """Median over the rounds of plies per second to the other's in the same round."""
        return statistics.median(own / rival for own, rival in zip(self.plies, other.plies, strict=True))

    def games_ratio(self, other: Speed) -> float:
        """The same of games per second."""
        return statistics.median(own / rival for own, rival in zip(self.games, other.games, strict=True))


def measure(contestants: Mapping[str, Play], *, rounds: int, seconds: float) -> dict[str, Speed]:
    """Every contestant has one slice of that many CPU seconds in every round; a first round warms up and is dropped."""
    speeds = {name: Speed() for name in contestants}
    for number in range(rounds + 1):
        for name, play in contestants.items():
            plies, games, spent = slice_of(play, seconds)
            if number:
                speeds[name].plies.append(plies / spent)
                speeds[name].games.append(games / spent)
    return speeds


def slice_of(play: Play, seconds: float) -> tuple[int, int, float]:
    """Return plies, games, and the CPU seconds they took: whole games until the time is up."""
    # Rubbish of the contestant before is not collected in this one's time.
    gc.collect()
    gc.freeze()  # what others have loaded is not searched for garbage in everybody's time
    plies = games = 0
    start = now = time.process_time()
    while now - start < seconds:
        for _ in range(4):  # the clock itself costs as much as a few plies
            plies += play()
        games += 4
        now = time.process_time()
    return plies, games, now - start


def table(rows: Sequence[Sequence[str]]) -> str:
    """Rows as text: the first column to the left, the others to the right."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if column == 0 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths))
        )
        for row in rows
    )
