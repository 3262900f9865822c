"""What the tensors of Sakura are made of: planes and scalars of its typed observation."""

from __future__ import annotations

from typing import Final

from engine.cards import BITS, CardSet
from engine.games.sakura.observation import SakuraObservation, unseen_of
from engine.games.sakura.position import SakuraPosition
from engine.tensors import hot

HAND: Final = 8.0
DECK: Final = 48.0
MONTHS: Final = 12.0
MAX_SEATS: Final = 7
USERS: Final = [[hot(user, seats) for user in (*range(seats), -1)] for seats in range(MAX_SEATS + 1)]
"""Who used the Gaji, by the number of seats and the user: the last is nobody."""
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
        # In one go: to look up a field of a named tuple costs as much as to take it apart.
        (
            _rules, seat, _dealer, _turn, _phase, hand, _sizes, field, captured, removed, _pile, pending, _flip,
            _by, _month, _open, clear, barred, _returned, played, known, _legal,
        ) = observation  # fmt: skip
        own = sides[seat]
        return [
            hand,
            field,
            BITS[pending] if pending >= 0 else 0,
            unseen_of(hand | field | removed, captured, pending),
            removed,
            clear,
            barred,
            *captured[own:],
            *captured[:own],
            *known[seat + 1 :],
            *known[:seat],
            *played[seat:],
            *played[:seat],
        ]

    def scalars(self, observation: SakuraObservation, seats: int) -> list[float]:
        """Numbers in the order of `scalar_names`."""
        (
            _rules, seat, _dealer, _turn, _phase, _hand, sizes, _field, _captured, _removed, pile, _pending, flip,
            by, month, is_open, _clear, _barred, returned, _played, _known, _legal,
        ) = observation  # fmt: skip
        found = [size / HAND for size in sizes[seat:] + sizes[:seat]]
        found += [
            pile / DECK,
            1.0 if flip else 0.0,
            1.0 if returned else 0.0,
            1.0 if is_open else 0.0,
            month / MONTHS,
        ]
        found += USERS[seats][(by - seat) % seats if by >= 0 else seats]
        return found

    def turned(self, state: SakuraPosition) -> int:
        """Return how many cards were turned up."""
        return state.position

    def last_turned(self, state: SakuraPosition) -> int:
        """Return the card that was turned up last."""
        return state.pile[state.position - 1]
