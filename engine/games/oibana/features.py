"""What the tensors of Oi-bana are made of: planes and scalars of its typed observation."""

from __future__ import annotations

from typing import Final

from engine.cards import ALL, BITS, CardSet
from engine.games.oibana.auction import NO_BID
from engine.games.oibana.observation import OibanaObservation
from engine.games.oibana.position import OibanaPosition
from engine.games.oibana.rules import HAND
from engine.games.sakura.features import PHASES, SakuraFeatures

DECK: Final = 48.0
MONTHS: Final = 12.0
BID: Final = 100.0
_TABLE: Final = SakuraFeatures()
_OF_SEATS: Final = (
    "hand size of seat {}, of 8", "seat {} has bid", "bid of seat {}, of 100", "seat {} plays", "seat {} leads",
    "the Gaji was used by seat {}",
)  # fmt: skip


class OibanaFeatures:
    """Implements `engine.tensors.Features`. Every seat is its own side."""

    phases: tuple[str, ...] = ("auction", *PHASES)
    silent: frozenset[str] = frozenset()

    def plane_names(self, seats: int, sides: int) -> tuple[str, ...]:
        return (
            "hand", "field", "waiting", "unseen", "removed", "clear", "barred", "own hand given back",
            *[f"tray of side {side}" for side in range(sides)],
            *[f"known of seat {seat}" for seat in range(1, seats)],
            *[f"played by seat {seat}" for seat in range(seats)],
        )  # fmt: skip

    def scalar_names(self, seats: int, sides: int) -> tuple[str, ...]:
        return (
            "pile size, of 48",
            "the waiting card was turned up",
            "the Gaji came back",
            "the Gaji still claims",
            "month of the Gaji's use, of 12",
            *[name.format(seat) for seat in range(seats) for name in _OF_SEATS],
        )

    def planes(self, observation: OibanaObservation, sides: tuple[int, ...], side_count: int) -> list[CardSet]:
        """Card sets in the order of `plane_names`."""
        seats, table = len(sides), observation.table
        if table is None:
            return [observation.hand, 0, 0, ALL & ~observation.hand, *[0] * (3 * seats + 3)]
        return [
            observation.hand,
            table.field,
            BITS[table.pending] if table.pending >= 0 else 0,
            table.unseen,
            table.removed,
            table.clear,
            table.barred,
            observation.returned,
            *_by_seat(observation, table.captured),
            *_by_seat(observation, table.known)[1:],
            *_by_seat(observation, table.played),
        ]

    def scalars(self, observation: OibanaObservation, seats: int) -> list[float]:
        """Numbers in the order of `scalar_names`."""
        table = observation.table
        if table is None:
            found = [(DECK - seats * HAND) / DECK, 0.0, 0.0, 0.0, 0.0]
        else:
            found = [
                table.pile_size / DECK,
                float(table.pending_flip),
                float(table.returned),
                float(table.transfer_open),
                table.gaji_month / MONTHS,
            ]
        for step in range(seats):
            found += _of_seat(observation, (observation.seat + step) % seats)
        return found

    def turned(self, state: OibanaPosition) -> int:
        """Return how many cards were turned up."""
        return 0 if state.table is None else _TABLE.turned(state.table)

    def last_turned(self, state: OibanaPosition) -> int:
        """Return the card that was turned up last."""
        return -1 if state.table is None else _TABLE.last_turned(state.table)


def _by_seat(observation: OibanaObservation, of_players: tuple[CardSet, ...]) -> list[CardSet]:
    """Return card sets of the two at the table by seat, counted from the observer; nothing for the others."""
    seats, players = len(observation.bids), observation.players
    order = [(observation.seat + step) % seats for step in range(seats)]
    return [of_players[players.index(seat)] if seat in players else 0 for seat in order]


def _of_seat(observation: OibanaObservation, seat: int) -> list[float]:
    """Numbers of a seat in the order of `_OF_SEATS`."""
    table, players, bid = observation.table, observation.players, observation.bids[seat]
    place = players.index(seat) if seat in players else -1
    size = HAND if table is None else table.hand_sizes[place] if place >= 0 else 0
    return [
        size / HAND,
        float(bid != NO_BID),
        0.0 if bid == NO_BID else bid / BID,
        float(place >= 0),
        float(place == 0),
        float(table is not None and place >= 0 and table.gaji_by == place),
    ]
