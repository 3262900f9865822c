"""What the tensors of Sakura are made of: planes and scalars of its typed observation."""

from __future__ import annotations

from typing import Final

from engine.cards import BITS, CardSet
from engine.games.sakura.observation import SakuraObservation
from engine.games.sakura.position import SakuraPosition

HAND: Final = 8.0
DECK: Final = 48.0
MONTHS: Final = 12.0
PHASES: Final = ("hand", "gaji_blocked", "flip_choice", "flip_gaji", "over")


class SakuraFeatures:
    """Implements `engine.tensors.Features`."""

    phases: tuple[str, ...] = PHASES
    silent: frozenset[str] = frozenset()

    def plane_names(self, seats: int, sides: int) -> tuple[str, ...]:
        """hand, field, waiting (a card in mid-air), unseen, removed, clear, barred; trays, known, played."""
        return (
            "hand", "field", "waiting", "unseen", "removed", "clear", "barred",
            *[f"tray of side {side}" for side in range(sides)],
            *[f"known of seat {seat}" for seat in range(1, seats)],
            *[f"played by seat {seat}" for seat in range(seats)],
        )  # fmt: skip

    def scalar_names(self, seats: int, sides: int) -> tuple[str, ...]:
        return (
            *[f"hand size of seat {seat}, of 8" for seat in range(seats)],
            "pile size, of 48",
            "the waiting card was turned up",
            "the Gaji came back",
            "the Gaji still claims",
            "month of the Gaji's use, of 12",
            *[f"the Gaji was used by seat {seat}" for seat in range(seats)],
        )

    def planes(self, observation: SakuraObservation, sides: tuple[int, ...], side_count: int) -> list[CardSet]:
        """Card sets in the order of `plane_names`."""
        seat, seats = observation.seat, len(sides)
        found = [
            observation.hand,
            observation.field,
            BITS[observation.pending] if observation.pending >= 0 else 0,
            observation.unseen,
            observation.removed,
            observation.clear,
            observation.barred,
        ]
        captured, own = observation.captured, sides[seat]
        found += [captured[(own + step) % side_count] for step in range(side_count)]
        known, played = observation.known, observation.played
        found += [known[(seat + step) % seats] for step in range(1, seats)]
        found += [played[(seat + step) % seats] for step in range(seats)]
        return found

    def scalars(self, observation: SakuraObservation, seats: int) -> list[float]:
        """Numbers in the order of `scalar_names`."""
        seat = observation.seat
        sizes = observation.hand_sizes
        found: list[float] = [sizes[(seat + step) % seats] / HAND for step in range(seats)]
        found.append(observation.pile_size / DECK)
        found.append(1.0 if observation.pending_flip else 0.0)
        found.append(1.0 if observation.returned else 0.0)
        found.append(1.0 if observation.transfer_open else 0.0)
        found.append(observation.gaji_month / MONTHS)
        user = (observation.gaji_by - seat) % seats if observation.gaji_by >= 0 else -1
        found += [1.0 if step == user else 0.0 for step in range(seats)]
        return found

    def turned(self, state: SakuraPosition) -> int:
        """Return how many cards were turned up."""
        return state.position

    def last_turned(self, state: SakuraPosition) -> int:
        """Return the card that was turned up last."""
        return state.pile[state.position - 1]
