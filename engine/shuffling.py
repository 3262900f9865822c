"""Quick orders of cards for training, where nobody has to verify them: one draw from a `random.Random` for a deal."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from struct import Struct
from typing import Final

from engine.cards import CardSet, members
from engine.game import DealStart, Game, Ruleset, State

DECK: Final = 48
_NUMBERS: Final = Struct("<48I").unpack
_BYTES: Final = 4 * DECK
_BITS: Final = 30
_SPARE: Final = 2
"""Of the 32 bits of a number, those used and those not: machine code multiplies numbers below 2^30 without a call."""


def shuffled(cards: list[int], draw: Callable[[int], bytes]) -> tuple[int, ...]:
    """At most 48 cards in an order, all of them equally likely but for one part in 2^24. draw: `Random.randbytes`."""
    order = cards[:]
    numbers = _NUMBERS(draw(_BYTES))
    last = len(order) - 1
    while last > 0:
        number: int = numbers[last]
        other = (number >> _SPARE) * (last + 1) >> _BITS
        card = order[last]
        order[last] = order[other]
        order[other] = card
        last -= 1
    return tuple(order)


class Dealer:
    """Deals one deal after another of a ruleset, each independent of the one before; the dealer is drawn too.

    A deal that is over as it is dealt asks nobody and is passed over.
    """

    def __init__(self, game: Game, ruleset: Ruleset, seats: int, seed: int) -> None:
        self.game = game
        self.ruleset = ruleset
        self.seats = seats
        self.random = Random(seed)
        self.cards: list[int] = list(members(game.deck))
        self.totals = (0,) * len(set(ruleset.sides(seats)))

    def further(self, label: str, number: int, cards: CardSet) -> tuple[int, ...]:
        """An order of cards that are shuffled inside a deal."""
        return shuffled(list(members(cards)), self.random.randbytes)

    def deal(self) -> State:
        """The next deal in which somebody has to decide."""
        draw = self.random.randbytes
        dealer = int(self.random.random() * self.seats)
        redeal = 0
        while True:
            order = shuffled(self.cards, draw)
            start = DealStart(self.ruleset, self.seats, dealer, 1, order, redeal, self.further, {}, self.totals)
            state = self.game.new_deal(start)
            if state is None:
                redeal += 1
            elif not state.is_over:
                return state
