"""Oi-bana: how good a hand is at the table, and what a bid is worth.

The loser pays his own bid, so a bid above what is needed only costs, and a low bid beside a high one pays well. The
first two bidders are at the table anyway, at the least price; who comes later raises if the hand is good enough for
the odds. The weights are a least-squares fit of who won 60,000 deals of two hands at random, played by card points.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final

from bots.sdk.tables import MONTH_MASKS, YAKU_OF, values_of
from engine.cards import GAJI, CardSet, members

AT_THE_TABLE: Final = 2
"""Seats that play: the two highest bids."""
EMPTY_HAND: Final = 0.33
"""Chance of a hand without anything: below one half, since the average hand has 40 points and 3 yaku cards."""
POINT: Final = 0.0031
"""A card point in the hand is likely to be captured with its month."""
YAKU_CARD: Final = 0.032
"""A card of a yaku, for each: it makes it or keeps it from the other, who would lose 50."""
GAJI_CARD: Final = 0.094
"""The Gaji takes what it likes."""
DULL: Final = {10: -0.034, 11: -0.024}
"""A card of the Willow (not the Gaji) or Paulownia, by month - 1: months with little to take."""
SAME_MONTH: Final = (0.0, 0.0, -0.036, -0.111, -0.222)
"""That many cards of a month in one hand: they find nothing to take but each other."""
RAISED: Final = 0.1
"""Who bids more than the least has a good hand: so much less is the chance against him."""
WASTED: Final = -1_000.0
"""A bid above the least that is too low to play: it can only become dear."""
SURE: Final = 0.95
"""No hand is more certain to win than that."""


@lru_cache(maxsize=2_000)
def chance(hand: CardSet) -> float:
    """Return how likely a hand of eight wins at the table against one at random, 0.05 to 0.95.

    >>> from engine.cards import parse_cards
    >>> round(chance(parse_cards("03.1 08.1 04.3 05.3 07.3 09.3 10.3 12.3")), 2)
    0.53
    """
    values, found = values_of("oibana"), EMPTY_HAND
    for card in members(hand):
        found += POINT * values[card] + YAKU_CARD * len(YAKU_OF[card])
        found += GAJI_CARD if card == GAJI else DULL.get(card // 4, 0.0)
    found += sum(SAME_MONTH[(hand & month).bit_count()] for month in MONTH_MASKS)
    return min(SURE, max(1 - SURE, found))


def bid_worth(amount: int, hand: CardSet, others: Sequence[int], options: Any) -> float:
    """Points of the ledger that a bid brings on average if nobody bids after it.

    others: the bids made before, in any order. options: of Oi-bana. A bid that does not play brings 0.
    """
    highest = sorted(others, reverse=True)[:AT_THE_TABLE]
    if len(highest) == AT_THE_TABLE and amount <= highest[-1]:
        return 0.0 if amount == options.bid_min else WASTED
    own_pays = options.oibana_payment == "loser_bid"
    rival = highest[0] if highest else (options.bid_min if own_pays else amount)
    won, lost = (rival, amount) if own_pays else (amount, rival)
    odds = max(1 - SURE, chance(hand) - (RAISED if rival > options.bid_min else 0.0))
    return odds * won - (1 - odds) * lost


def best_bid(hand: CardSet, others: Sequence[int], options: Any) -> int:
    """The bid that is worth most, the lowest of equal ones: the least, what it takes to play, or all."""
    highest = sorted(others, reverse=True)[:AT_THE_TABLE]
    enough = highest[-1] + 1 if len(highest) == AT_THE_TABLE else options.bid_min
    bids: tuple[int, ...] = (options.bid_min, min(enough, options.bid_max), options.bid_max)
    return max(bids, key=lambda amount: bid_worth(amount, hand, others, options))
