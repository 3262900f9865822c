"""Dealing, the auction and who plays. Source: rules.md 5, R70-R73."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.cards import ALL, CardSet, card_set
from engine.games.oibana.rules import HAND
from engine.games.sakura.deal import turn_order

NO_BID: Final = -1


def deal_hands(order: Sequence[int], seats: int, dealer: int, pattern: str) -> tuple[tuple[int, ...], ...]:
    """Eight cards for every seat, in dealing order; the seat to the dealer's right comes first.

    pattern: `packets` of eight, or `halves`, four and four. What is left of the order is undealt.
    """
    size = HAND // 2 if pattern == "halves" else HAND
    hands: list[list[int]] = [[] for _ in range(seats)]
    top = iter(order)
    for _ in range(HAND // size):
        for seat in (*turn_order(dealer, seats)[1:], dealer):
            hands[seat] += [next(top) for _ in range(size)]
    return tuple(map(tuple, hands))


def participants(bids: Sequence[int], dealer: int) -> tuple[int, int]:
    """The two who play, the leader first: the two highest bids, of equal ones the earlier (R72, R73).

    bids: per seat, all made. The leader is the one who is first in turn order from the dealer.

    >>> participants([7, 5, 9, 3], 1)
    (2, 0)
    """
    order = turn_order(dealer, len(bids))
    # The index breaks ties: of equal bids the earlier is higher (R72).
    best = sorted(order, key=lambda seat: (-bids[seat], order.index(seat)))[:2]
    first, second = sorted(best, key=order.index)
    return first, second


def stake(payment: str, *, winner: int, loser: int) -> int:
    """Return what is paid, before Basa and Chu. winner, loser: their bids; payment: option `oibana_payment` (R74)."""
    return winner if payment == "winner_bid" else loser


def returned_cards(hands: Sequence[CardSet], players: Sequence[int]) -> CardSet:
    """The hands of those who do not play."""
    return sum(hand for seat, hand in enumerate(hands) if seat not in players)


def undealt(hands: Sequence[Sequence[int]]) -> CardSet:
    """The cards of the deck that are in no hand."""
    return ALL & ~sum(as_sets(hands))


def as_sets(hands: Sequence[Sequence[int]]) -> list[CardSet]:
    """Hands of indices as sets."""
    return [card_set(hand) for hand in hands]
