"""One deal of Poka as it lies: what is where, and who decides what. The rules read and change it; see `state`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

from engine.cards import CardSet
from engine.game import Shuffle
from engine.games.poka.follow import may_dump
from engine.games.poka.rules import SEATS, Rules
from engine.games.poka.teyaku import Shown

Phase: TypeAlias = Literal["discard", "over"]

NOBODY: Final = -1


class PokaPosition:
    """One mutable world. Card sets are 48-bit ints, cards and seats numbers, NOBODY (-1) where there is none.

    hands, played, lacks: per seat what it holds, what it has discarded in this deal, and what all know it not to
    hold since it passed. discard: bottom to top; pile: top first, with `position` of its top.
    shuffle: where the orders of later piles come from; reshuffles: how often that was; pile_known: whether all know
    which cards are in the pile. passes: turns passed in succession (0 or 1). first_turn: per seat, whether it has
    not ended a turn yet. laid: cards discarded in this turn; owes: whether a February must be laid now (One-Two);
    dumping: whether any card of the top one's month may still be laid (`same_month_dump`).
    shown: per seat the teyaku that was dealt; moves_seen: per seat how many moves of this deal it knows of (nobody else
    sees a `stop`, since it says what a hand still holds). winner, reason: how it ended.
    """

    __slots__ = (
        "dealer",
        "discard",
        "dumping",
        "first_turn",
        "hands",
        "lacks",
        "laid",
        "moves_seen",
        "owes",
        "passes",
        "phase",
        "pile",
        "pile_known",
        "played",
        "position",
        "reason",
        "reshuffles",
        "rules",
        "shown",
        "shuffle",
        "turn",
        "winner",
    )  # fmt: skip

    def __init__(
        self,
        rules: Rules,
        *,
        dealer: int,
        hands: Sequence[CardSet],
        discard: Sequence[int],
        pile: Sequence[int],
        shuffle: Shuffle,
        turn: int | None = None,
    ) -> None:
        """A position at the start of a turn; it may be partial (vectors name only the cards that matter).

        hands per seat, discard bottom to top (not empty), pile top first; turn defaults to the dealer.
        """
        self.rules = rules
        self.dealer = dealer
        self.hands = list(hands)
        self.played = [0] * SEATS
        self.lacks = [0] * SEATS
        self.discard = list(discard)
        self.pile = tuple(pile)
        self.position = 0
        self.shuffle = shuffle
        self.reshuffles = 0
        self.pile_known = False
        self.turn = dealer if turn is None else turn
        self.phase: Phase = "discard"
        self.passes = 0
        self.first_turn = [True] * SEATS
        self.laid = 0
        self.owes = False
        self.dumping = may_dump(rules, self.discard[-1])
        self.shown: tuple[Shown | None, ...] = (None,) * SEATS
        self.moves_seen = [0] * SEATS
        self.winner = NOBODY
        self.reason = ""

    @property
    def seat_to_act(self) -> int:
        """The seat that decides, -1 when the deal is over."""
        return NOBODY if self.phase == "over" else self.turn

    @property
    def is_over(self) -> bool:
        return self.phase == "over"

    @property
    def mult(self) -> int:
        """Return 1: nothing multiplies the points of Poka."""
        return 1

    @property
    def pile_left(self) -> int:
        """Number of cards in the draw pile."""
        return len(self.pile) - self.position

    def hidden(self) -> tuple[int, ...]:
        """The cards left in the pile, top first."""
        return self.pile[self.position :]
