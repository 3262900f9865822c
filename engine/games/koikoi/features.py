"""What the tensors of Koi-Koi are made of: planes and scalars of its typed observation."""

from __future__ import annotations

from typing import Final

from engine.cards import BITS, CardSet
from engine.games.koikoi.observation import KoiKoiObservation
from engine.games.koikoi.position import KoiKoiPosition

HAND: Final = 8.0
DECK: Final = 48.0
MULTIPLIER: Final = 4.0
CALLS: Final = 4.0
POINTS: Final = 20.0
MONTHS: Final = 12


class KoiKoiFeatures:
    """Implements `engine.tensors.Features`."""

    phases: tuple[str, ...] = ("hand", "flip_choice", "decision", "over")
    silent: frozenset[str] = frozenset()

    def plane_names(self, seats: int, sides: int) -> tuple[str, ...]:
        return (
            "hand", "field", "waiting", "unseen", "month of the deal", "tray of side 0", "tray of side 1",
            "played by seat 0", "played by seat 1",
        )  # fmt: skip

    def scalar_names(self, seats: int, sides: int) -> tuple[str, ...]:
        return (
            "hand size of seat 0, of 8",
            "hand size of seat 1, of 8",
            "pile size, of 48",
            "multiplier, of 4",
            "calls of seat 0, of 4",
            "calls of seat 1, of 4",
            "points of seat 0 at its last call, of 20",
            "points of seat 1 at its last call, of 20",
            "seat 0 called last",
            "seat 1 called last",
        )

    def planes(self, observation: KoiKoiObservation, sides: tuple[int, ...], side_count: int) -> list[CardSet]:
        """Card sets in the order of `plane_names`."""
        # In one go: to look up a field of a named tuple costs as much as to take it apart.
        (
            _rules, seat, _dealer, number, _turn, _phase, hand, _sizes, field, captured, _pile, pending, _mult, _calls,
            _caller, _marks, played, _legal,
        ) = observation  # fmt: skip
        other = 1 - seat
        return [
            hand,
            field,
            BITS[pending] if pending >= 0 else 0,
            observation.unseen,
            15 << 4 * ((number - 1) % MONTHS),
            captured[seat],
            captured[other],
            played[seat],
            played[other],
        ]

    def scalars(self, observation: KoiKoiObservation, seats: int) -> list[float]:
        """Numbers in the order of `scalar_names`."""
        (
            _rules, seat, _dealer, _number, _turn, _phase, _hand, sizes, _field, _captured, pile, _pending, mult, calls,
            caller, marks, _played, _legal,
        ) = observation  # fmt: skip
        other = 1 - seat
        return [
            sizes[seat] / HAND,
            sizes[other] / HAND,
            pile / DECK,
            mult / MULTIPLIER,
            calls[seat] / CALLS,
            calls[other] / CALLS,
            marks[seat] / POINTS,
            marks[other] / POINTS,
            1.0 if caller == seat else 0.0,
            1.0 if caller == other else 0.0,
        ]

    def turned(self, state: KoiKoiPosition) -> int:
        """Return how many cards were turned up."""
        return state.position

    def last_turned(self, state: KoiKoiPosition) -> int:
        """Return the card that was turned up last."""
        return state.pile[state.position - 1]
