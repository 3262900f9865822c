"""The ranking of a whole event: those who went further rank higher, then by their last stage."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf

BestPlaces = dict[int, tuple[float, ...]]


@dataclass(frozen=True, slots=True)
class Placed:
    """An entry and its rank in the event, shared by equals. stage: its last one; place: its rank there."""

    entry: str
    rank: int
    stage: int
    place: int


def best_places(stages: int, rules: Sequence[tuple[int, int, int]]) -> BestPlaces:
    """Return by stage (numbered from 1, each leading to later ones) the places by which the best come to it, padded.

    rules: (source, target, first place). Smaller is better; who stays behind comes after all who go on.
    """
    found: dict[int, tuple[int, ...]] = {1: ()}
    for number in range(2, stages + 1):
        paths = [(*found[source], first) for source, target, first in rules if target == number and source in found]
        if paths:
            found[number] = min(paths)
    return {number: _padded(path, stages) for number, path in found.items()}


def event_ranking(
    ranks: Mapping[int, Mapping[str, int]], rules: Sequence[tuple[int, int, int]], stages: int
) -> list[Placed]:
    """Rank everybody who has a rank in some stage, best first; equals by entry.

    ranks: by stage, the rank of each entry (in its group). Entries of the same rank in different groups are level.
    """
    best = best_places(stages, rules)
    last: dict[str, tuple[tuple[float, ...], int, int]] = {}
    for number in sorted(ranks, key=lambda number: best.get(number, ())):
        for entry, rank in ranks[number].items():
            last.setdefault(entry, (_after(best.get(number, ()), rank), number, rank))
    ordered = sorted(last, key=lambda entry: (last[entry][0], entry))
    out: list[Placed] = []
    for row, entry in enumerate(ordered, start=1):
        key, number, rank = last[entry]
        shared = out[-1].rank if out and last[out[-1].entry][0] == key else row
        out.append(Placed(entry, shared, number, rank))
    return out


def _padded(path: Sequence[float], length: int) -> tuple[float, ...]:
    # Infinity sorts behind every place: a shorter path (who stayed behind) comes after all that go on.
    return (*path, *(inf for _ in range(length - len(path))))


def _after(path: tuple[float, ...], rank: int) -> tuple[float, ...]:
    """Return where a rank in this stage stands: after the way to it."""
    return (*path, rank)
