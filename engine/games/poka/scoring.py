"""The end of a deal and of a match: what a deal is worth, who won. Source: rules.md 7.1, 7.3."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from engine.game import Json, Outcome
from engine.games.poka.options import PokaOptions
from engine.games.poka.position import PokaPosition
from engine.games.poka.teyaku import BY_ID, TEYAKU

EMPTIED: Final = "emptied"
ALL_OUT: Final = "all_out"

POINTS: Final = MappingProxyType({EMPTIED: 1, ALL_OUT: 2, **{kind.id: kind.points for kind in TEYAKU}})
"""What winning a deal scores, by why it was won."""


@dataclass(slots=True, kw_only=True)
class PokaOutcome(Outcome):
    """reason: `emptied`, `all_out` or the id of the teyaku that won. points: what the winner scored."""

    points: int


def outcome(state: PokaPosition) -> PokaOutcome:
    """The result of a deal that is over."""
    if state.winner < 0:
        raise ValueError("the deal is not over")
    return won_by(state.winner, state.reason)


def won_by(seat: int, reason: str) -> PokaOutcome:
    """The result of a deal that a seat has won. reason: a key of `POINTS`."""
    points = POINTS[reason]
    return PokaOutcome(
        reason=reason,
        score=(points, 0) if seat == 0 else (0, points),
        winner=seat,
        winning_side=seat,
        victories=(1, 0) if seat == 0 else (0, 1),
        ends_match=reason in BY_ID and BY_ID[reason].wins_match,
        points=points,
    )


def is_match_over(options: PokaOptions, totals: Sequence[int]) -> bool:
    """Return whether somebody has reached the target (R89); overshooting is allowed."""
    return max(totals) >= options.target


def figures(totals: Sequence[int], last: Outcome | None) -> tuple[int, ...]:
    """Return what decides the match, per side: the points, but a buttakuri wins it no matter what they are (R88)."""
    if last is None or not last.ends_match:
        return tuple(totals)
    # One above the best total puts the side first without changing any score that is shown.
    best = max(totals)
    return tuple(best + 1 if side == last.winning_side else points for side, points in enumerate(totals))


def next_dealer(dealer: int, winner: int | None) -> int:
    """The seat that deals next: the one that won."""
    return dealer if winner is None else winner


def lines(found: Outcome) -> list[Json]:
    """Return where the score of each side comes from: why it won, nothing for the other."""
    return [{"side": found.winning_side, "code": found.reason, "v": max(found.score)}]
