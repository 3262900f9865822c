"""The moments of a match that are shown first: where a move weighed most, its best deal, the middle of its last."""

from __future__ import annotations

from collections.abc import Iterator

from core.replay import facts
from core.replay.document import Replay
from core.replay.reducer import Place, position_at, scenes
from core.replay.rows import gain_of, made_in

BEST = 3
"""How many moments are marked."""
NEAR = (0, 1, -1, 2, -2)
"""Moves from the middle of a deal, the nearest first."""


def swings(replay: Replay) -> Iterator[tuple[int, Place]]:
    """Yield what every move was worth: captured points, the yaku it made, and a deal that no cards are counted in."""
    words = facts.words_of(replay.game)
    worth = {one.id: one.worth * words.unit_points for one in words.combinations}
    for deal in replay.deals:
        for scene in scenes(replay, deal):
            swing = gain_of(replay, scene) + sum(worth.get(name, 0) for name in made_in(replay, scene))
            # A game without card values is decided by the move that ends a deal.
            if not words.values and scene.move.number == len(deal.moves):
                swing += max(map(abs, deal.score), default=0)
            yield swing, Place(deal.number, scene.move.number)


def best_moments(replay: Replay) -> tuple[Place, ...]:
    """Return the places of the largest swings, in the order of the match; the earlier one of equals."""
    found = sorted((one for one in swings(replay) if one[0] > 0), key=lambda one: -one[0])[:BEST]
    return tuple(sorted((place for _swing, place in found), key=lambda place: (place.deal, place.move)))


def best_deal(replay: Replay) -> int:
    """Return the number of the deal with the highest score of one side; the first of equal ones.

    One that somebody left has no score: it comes after all that have one.
    """
    return max(replay.deals, key=lambda deal: (max(deal.score, default=float("-inf")), -deal.number)).number


def newest_played(replay: Replay) -> int:
    """Return the number of the last deal with at least half as many moves as the longest: a dealt yaku ends one at
    once, which leaves nothing to be seen.
    """
    most = max(len(deal.moves) for deal in replay.deals)
    return next(deal.number for deal in reversed(replay.deals) if 2 * len(deal.moves) >= most)


def middle_of(replay: Replay, number: int) -> Place:
    """Return the place in a deal at which most is to be seen: half of its moves are made, or up to two fewer or more
    where more cards lie on the field; moves are left to be played.
    """
    deal = replay.deals[number - 1]
    half = len(deal.moves) // 2
    near = (half + step for step in NEAR if 0 <= half + step < max(1, len(deal.moves)))
    return Place(number, max(near, key=lambda move: sum(map(bool, position_at(replay, deal, move).field))))
