"""What the tensors of Nuki are made of: planes and scalars of its typed observation."""

from __future__ import annotations

from typing import Final

from engine.cards import BITS, CardSet
from engine.games.nuki.observation import NukiObservation
from engine.games.nuki.position import NukiPosition

HAND: Final = 7.0
DECK: Final = 34.0
DOUBLES: Final = 3.0
REDEALS: Final = 4.0
POT: Final = 50.0
KAN: Final = 12.0
OF_SEATS: Final = (
    "hand size of seat {}, of 7", "seat {} plays the deal", "seat {} leads", "seat {} answered: play",
    "seat {} answered: drop", "seat {} has claimed", "claimed by seat {}, kan, of 12", "seat {} has called sage",
    "seat {} called sage first", "paid by seat {}, of 50",
)  # fmt: skip


class NukiFeatures:
    """Implements `engine.tensors.Features`."""

    phases: tuple[str, ...] = ("mizuten", "join", "showdown", "hand", "flip_choice", "decision", "over")
    silent: frozenset[str] = frozenset({"triplet"})

    def plane_names(self, seats: int, sides: int) -> tuple[str, ...]:
        return (
            "hand", "field", "waiting", "unseen", "turned up", "own hand given back",
            *[f"tray of side {side}" for side in range(sides)],
            *[f"known of seat {seat}" for seat in range(1, seats)],
            *[f"played by seat {seat}" for seat in range(seats)],
        )  # fmt: skip

    def scalar_names(self, seats: int, sides: int) -> tuple[str, ...]:
        return (
            "pile size, of 34",
            "the deal is doubled",
            "doubles handed to it, of 3",
            "doubles handed on, of 3",
            "thrown in before, of 4",
            "the dealer plays blind",
            "a dekiyaku was made in this turn",
            *[name.format(seat) for seat in range(seats) for name in OF_SEATS],
        )

    def planes(self, observation: NukiObservation, sides: tuple[int, ...], side_count: int) -> list[CardSet]:
        """Card sets in the order of `plane_names`."""
        seat, seats = observation.seat, len(sides)
        order = [(seat + step) % seats for step in range(seats)]
        known = observation.known
        return [
            observation.hand,
            observation.field,
            BITS[observation.pending] if observation.pending >= 0 else 0,
            observation.unseen,
            observation.turned,
            observation.returned,
            *[observation.captured[other] for other in order],
            *[known[other] for other in order[1:]],
            *[observation.played[other] for other in order],
        ]

    def scalars(self, observation: NukiObservation, seats: int) -> list[float]:
        """Numbers in the order of `scalar_names`."""
        found = [
            observation.pile_size / DECK,
            float(observation.multiplier - 1),
            observation.carry / DOUBLES,
            observation.carry_out / DOUBLES,
            observation.redeal / REDEALS,
            float(observation.mizuten),
            float(observation.fresh),
        ]
        for step in range(seats):
            found += _of_seat(observation, (observation.seat + step) % seats)
        return found

    def turned(self, state: NukiPosition) -> int:
        """Return how many cards were turned up."""
        return state.position

    def last_turned(self, state: NukiPosition) -> int:
        """Return the card that was turned up last."""
        return state.pile[state.position - 1]


def _of_seat(observation: NukiObservation, seat: int) -> list[float]:
    """Numbers of a seat in the order of `OF_SEATS`."""
    answers, claims = dict(observation.answers), observation.claims[seat]
    return [
        observation.hand_sizes[seat] / HAND,
        float(seat in observation.active),
        float(seat == observation.leader),
        float(answers.get(seat) == "play"),
        float(answers.get(seat) == "drop"),
        float(claims is not None),
        claims.kan / KAN if claims else 0.0,
        float(observation.sage >> seat & 1),
        float(seat == observation.first_sage),
        observation.paid[seat] / POT,
    ]
