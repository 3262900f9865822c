"""The world of one deal of Oi-bana: a position with what may be done in it. Source: rules.md 5."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Self

from engine.action import Action
from engine.cards import ALL
from engine.errors import IllegalAction, Refusal
from engine.game import play_each, play_out_each
from engine.games.oibana import auction, refusal, scoring
from engine.games.oibana.auction import NO_BID
from engine.games.oibana.position import OibanaPosition
from engine.games.oibana.rules import FIELD
from engine.games.oibana.scoring import OibanaOutcome
from engine.games.sakura.start import set_up_state
from engine.games.sakura.state import SakuraState


class OibanaState(OibanaPosition):
    """One mutable world: what may be done in it, and doing it."""

    __slots__ = ()

    def legal_actions(self) -> tuple[Action, ...]:
        """The bids, lowest first; then as in Sakura. Empty when over."""
        return self.rules.bids if self.table is None else self.table.legal_actions()

    def resolve(self, action: Action, *, seat: int | None = None) -> Action:
        """The listed action that an action of `seat` means. Raises IllegalAction; changes nothing."""
        wanted = refusal.check_legality(self, action, self.seat_to_act if seat is None else seat)
        if isinstance(wanted, Refusal):
            raise IllegalAction(wanted, action, self.legal_actions())
        return wanted

    def apply(self, action: Action, *, seat: int | None = None) -> None:
        """Do an action of `seat` (default: the seat to act). Raises IllegalAction and changes nothing then."""
        self.apply_unchecked(self.resolve(action, seat=seat))

    def apply_unchecked(self, action: Action) -> None:
        """Do an element of `legal_actions()` without looking at it: for playouts."""
        if self.table is None:
            self.bid(action.amount)
        else:
            self.table.apply_unchecked(action)

    def bid(self, amount: int) -> None:
        """Bid for the seat to act; after the last bid the others' hands go back and the two begin."""
        self.bids[self.bidder] = amount
        self.bidder = (self.bidder + 1) % self.rules.seats
        if NO_BID not in self.bids:
            self._open_table()

    def _open_table(self) -> None:
        """Shuffle the returned hands into the undealt cards, lay the field, set up for two (rules.md 5, 4 and 5)."""
        players = auction.participants(self.bids, self.dealer)
        loose = self.undealt | auction.returned_cards(self.hands, players)
        # Shuffled before the field is laid: nobody knows where the cards lie that they gave back.
        order = self.shuffle("return", self.redeal, loose)
        self.used.append(order)
        hands = [self.hands[seat] for seat in players]
        table = SakuraState(self.rules.table, dealer=0, hands=hands, field=order[:FIELD], pile=order[FIELD:])
        # Before the world is changed, so that a redeal begins from the auction's own state.
        if not set_up_state(table):
            self._deal_again()
            return
        self.players, self.table, self.undealt = players, table, 0
        for seat, cards in enumerate(self.hands):
            self.returned[seat] = 0 if seat in players else cards
            self.hands[seat] = 0

    def _deal_again(self) -> None:
        """Deal everything again, auction and all: a full month lies on the field and `field_quad = redeal`."""
        redeal = self.redeal + 1
        order = self.shuffle("deck", redeal, ALL)
        self.used.append(order)
        hands = auction.deal_hands(order, self.rules.seats, self.dealer, self.rules.options.deal_pattern)
        self._begin(auction.as_sets(hands), auction.undealt(hands), redeal)

    def play_all(self, actions: Sequence[Action]) -> list[int]:
        """Do listed actions one after another; the seat that did each. Raises IllegalAction at one that is not."""
        return play_each(self, actions)

    def play_out(self, draw: Callable[[], float]) -> int:
        """Play to the end, every legal action equally often; the number of plies. draw: `Random.random`."""
        return play_out_each(self, draw)

    def outcome(self) -> OibanaOutcome:
        """The settlement; the deal must be over."""
        return scoring.outcome(self)

    def copy(self) -> Self:
        """An independent world."""
        twin = object.__new__(type(self))
        twin.rules, twin.dealer, twin.shuffle = self.rules, self.dealer, self.shuffle
        twin.hands, twin.undealt, twin.redeal = self.hands[:], self.undealt, self.redeal
        twin.bids, twin.bidder, twin.players = self.bids[:], self.bidder, self.players
        twin.returned, twin.used = self.returned[:], self.used[:]
        twin.table = None if self.table is None else self.table.copy()
        return twin
