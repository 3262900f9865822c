"""What the tensors of Poka are made of: planes and scalars of its typed observation."""

from __future__ import annotations

from typing import Final

from engine.cards import BITS, CardSet, card_set
from engine.games.poka.observation import PokaObservation
from engine.games.poka.position import PokaPosition

HAND: Final = 12.0
DECK: Final = 48.0
DECK_SIZE: Final = 48
RESHUFFLES: Final = 4.0
TURN: Final = 12.0


class PokaFeatures:
    """Implements `engine.tensors.Features`."""

    phases: tuple[str, ...] = ("discard", "over")
    silent: frozenset[str] = frozenset({"stop"})

    def plane_names(self, seats: int, sides: int) -> tuple[str, ...]:
        return (
            "hand", "top of the discard pile", "discard pile", "unseen", "known to be in the pile",
            "played by seat 0", "played by seat 1", "not held by seat 0", "not held by seat 1",
            "shown by seat 0", "shown by seat 1",
        )  # fmt: skip

    def scalar_names(self, seats: int, sides: int) -> tuple[str, ...]:
        return (
            "hand size of seat 0, of 12",
            "hand size of seat 1, of 12",
            "pile size, of 48",
            "the pile is known",
            "reshuffles, of 4",
            "turns passed in succession",
            "cards laid in this turn, of 12",
            "first turn of seat 0",
            "first turn of seat 1",
        )

    def planes(self, observation: PokaObservation, sides: tuple[int, ...], side_count: int) -> list[CardSet]:
        """Card sets in the order of `plane_names`."""
        seat = observation.seat
        order = (seat, 1 - seat)
        shown = [observation.shown[other] for other in order]
        return [
            observation.hand,
            BITS[observation.discard[-1]],
            card_set(observation.discard),
            observation.unseen,
            observation.pile or 0,
            *[observation.played[other] for other in order],
            *[observation.lacks[other] for other in order],
            *[teyaku.cards if teyaku else 0 for teyaku in shown],
        ]

    def scalars(self, observation: PokaObservation, seats: int) -> list[float]:
        """Numbers in the order of `scalar_names`."""
        seat = observation.seat
        other = 1 - seat
        return [
            observation.hand_sizes[seat] / HAND,
            observation.hand_sizes[other] / HAND,
            observation.pile_size / DECK,
            float(observation.pile is not None),
            observation.reshuffles / RESHUFFLES,
            float(observation.passes),
            observation.laid / TURN,
            float(observation.first_turn[seat]),
            float(observation.first_turn[other]),
        ]

    def turned(self, state: PokaPosition) -> int:
        """Return a number that grows with every card that was turned up: after a reshuffle the pile begins again."""
        return state.position + DECK_SIZE * state.reshuffles

    def last_turned(self, state: PokaPosition) -> int:
        """Return the card that was turned up last."""
        return state.discard[-1]
