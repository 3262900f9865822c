"""Places at the end of a match, forfeits included. Source: rules.md 4.4, tournaments.md 5 and 9."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from engine.game import Forfeit


@dataclass(frozen=True, slots=True)
class Settled:
    """Figures that a side takes from a match into standings.

    share: (sides beaten + half of ties) / (sides - 1), so 1, 1/2 or 0 at two sides.
    """

    side: int
    score: int
    victories: int
    rank: int
    share: Fraction
    forfeited: bool


def settle(
    totals: Sequence[int],
    victories: Sequence[int],
    sides: Sequence[int],
    forfeits: Sequence[Forfeit],
    *,
    figures: Sequence[int],
) -> tuple[Settled, ...]:
    """Places per side, by the figures that decide the match (`Game.figures`).

    Sides that forfeited come last, the later forfeit before the earlier.

    A forfeiting side has 0 victories and min(0, score). Equal sides share a rank (rules: `final_tie`).
    """
    first = _first_forfeit(sides, forfeits)
    # Compared as tuples: every forfeit is below every figure, and a later one above an earlier one.
    keys = [(0, *first[side]) if side in first else (1, figure, 0) for side, figure in enumerate(figures)]
    return tuple(
        Settled(
            side=side,
            # A lead is lost by a forfeit, a deficit is not.
            score=min(0, totals[side]) if side in first else totals[side],
            victories=0 if side in first else victories[side],
            rank=1 + sum(other > key for other in keys),
            share=_share(key, keys),
            forfeited=side in first,
        )
        for side, key in enumerate(keys)
    )


def _first_forfeit(sides: Sequence[int], forfeits: Sequence[Forfeit]) -> dict[int, tuple[int, int]]:
    """Side -> deal and move of its first forfeit."""
    first: dict[int, tuple[int, int]] = {}
    for forfeit in forfeits:
        when = (forfeit.deal, forfeit.move)
        side = sides[forfeit.seat]
        # Partners share a side: the first of them who stopped counts.
        first[side] = min(first.get(side, when), when)
    return first


def _share(key: tuple[int, int, int], keys: Sequence[tuple[int, int, int]]) -> Fraction:
    beaten = sum(other < key for other in keys)
    tied = keys.count(key) - 1
    return (beaten + Fraction(tied, 2)) / (len(keys) - 1)
