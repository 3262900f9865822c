"""One deal of Oi-bana as it lies: the auction, then a Sakura deal for two. Source: rules.md 5.

The Sakura deal has seats of its own: its p0 is the leader (who stands in for the dealer), its p1 the other player.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.cards import CardSet
from engine.game import Shuffle
from engine.games.oibana.auction import NO_BID
from engine.games.oibana.rules import OibanaRules
from engine.games.sakura.state import SakuraState

NOBODY: Final = -1


class OibanaPosition:
    """One mutable world. Card sets are 48-bit ints.

    hands: per seat as dealt, until the table is opened; after that the players' are at the table, the others' are 0.
    undealt: before the table is opened. bids: per seat, NO_BID until made. players: empty during the auction.
    returned: per seat, the hand it gave back. table: the Sakura deal of the players, None during the auction.
    redeal: how often this deal was thrown in; used: the orders that were drawn since somebody emptied the list.
    """

    __slots__ = (
        "bidder", "bids", "dealer", "hands", "players", "redeal", "returned", "rules", "shuffle", "table", "undealt",
        "used",
    )  # fmt: skip

    def __init__(
        self, rules: OibanaRules, *, dealer: int, hands: Sequence[CardSet], undealt: CardSet, shuffle: Shuffle,
        redeal: int = 0,
    ) -> None:  # fmt: skip
        """The start of an auction; the dealer bids first."""
        self.rules = rules
        self.dealer = dealer
        self.shuffle = shuffle
        self.used: list[tuple[int, ...]] = []
        self._begin(hands, undealt, redeal)

    def _begin(self, hands: Sequence[CardSet], undealt: CardSet, redeal: int) -> None:
        self.hands = list(hands)
        self.undealt = undealt
        self.redeal = redeal
        self.bids = [NO_BID] * self.rules.seats
        self.bidder = self.dealer
        self.players: tuple[int, ...] = ()
        self.returned = [0] * self.rules.seats
        self.table: SakuraState | None = None

    @property
    def phase(self) -> str:
        """`auction`, or the phase of the Sakura deal."""
        return "auction" if self.table is None else self.table.phase

    @property
    def seat_to_act(self) -> int:
        """The seat that decides, -1 when the deal is over."""
        if self.table is None:
            return self.bidder
        return NOBODY if self.table.is_over else self.players[self.table.turn]

    @property
    def is_over(self) -> bool:
        return self.table is not None and self.table.is_over

    @property
    def mult(self) -> int:
        """Basa and Chu multiply the stake only when the deal is won: see `OibanaOutcome.multiplier`."""
        return 1

    @property
    def pile_left(self) -> int:
        """Number of cards in the draw pile; during the auction of those not dealt."""
        return self.undealt.bit_count() if self.table is None else self.table.pile_left

    def hand(self, seat: int) -> CardSet:
        """Return what a seat holds now."""
        if self.table is not None and seat in self.players:
            return self.table.hands[self.players.index(seat)]
        return self.hands[seat]

    def captured(self, seat: int) -> CardSet:
        """Return what a seat has captured."""
        if self.table is None or seat not in self.players:
            return 0
        return self.table.captured[self.players.index(seat)]
