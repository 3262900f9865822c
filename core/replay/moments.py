"""The moments of a match that weigh most: where one move changed the account more than any other."""

from __future__ import annotations

from collections.abc import Iterator

from core.replay import facts
from core.replay.document import Replay
from core.replay.reducer import Place, scenes
from core.replay.rows import gain_of, made_in

BEST = 3
"""How many moments are marked."""


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
