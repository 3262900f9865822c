"""The world of one deal of Poka: what lies where, and who decides what. The moves are in `turn`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Literal, Self, TypeAlias

from engine.action import Action
from engine.cards import CardSet
from engine.errors import IllegalAction, Refusal
from engine.game import Shuffle, play_each, play_out_each
from engine.games.poka import legal, refusal, scoring
from engine.games.poka import turn as turn_rules
from engine.games.poka.rules import SEATS, Rules
from engine.games.poka.scoring import PokaOutcome
from engine.games.poka.teyaku import Shown

Phase: TypeAlias = Literal["discard", "over"]

NOBODY: Final = -1


class PokaState:
    """One mutable world. Card sets are 48-bit ints, cards and seats numbers, NOBODY (-1) where there is none.

    hands, played, lacks: per seat what it holds, what it has discarded in this deal, and what all know it not to
    hold since it passed. discard: bottom to top; pile: top first, with `position` of its top.
    shuffle: where the orders of later piles come from; reshuffles: how often that was; pile_known: whether all know
    which cards are in the pile. passes: turns passed in succession (0 or 1). first_turn: per seat, whether it has
    not ended a turn yet. laid: cards discarded in this turn; owes: whether a February must be laid now (One-Two);
    dumping: whether any card of the top one's month may still be laid (`same_month_dump`).
    shown: per seat the teyaku that was dealt; told: per seat how many moves of this deal it knows of (nobody else
    sees a `stop`, since it says what a hand still holds). winner, reason: how it ended.
    """

    __slots__ = (
        "dealer", "discard", "dumping", "first_turn", "hands", "lacks", "laid", "owes", "passes", "phase", "pile",
        "pile_known", "played", "position", "reason", "reshuffles", "rules", "shown", "shuffle", "told", "turn",
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
        self.dumping = turn_rules.may_dump(rules, self.discard[-1])
        self.shown: tuple[Shown | None, ...] = (None,) * SEATS
        self.told = [0] * SEATS
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
        """Nothing multiplies the points of Poka."""
        return 1

    @property
    def pile_left(self) -> int:
        """Number of cards in the draw pile."""
        return len(self.pile) - self.position

    def hidden(self) -> tuple[int, ...]:
        """The cards left in the pile, top first."""
        return self.pile[self.position :]

    def legal_actions(self) -> tuple[Action, ...]:
        """What the seat to act may do, in the canonical order of `legal`; empty when over."""
        return legal.legal_actions(self)

    def resolve(self, action: Action, *, seat: int | None = None) -> Action:
        """The listed action that an action of `seat` means. Raises IllegalAction; changes nothing."""
        wanted = refusal.judge(self, action, self.turn if seat is None else seat)
        if isinstance(wanted, Refusal):
            raise IllegalAction(wanted, action, self.legal_actions())
        return wanted

    def apply(self, action: Action, *, seat: int | None = None) -> None:
        """Do an action of `seat` (default: the seat to act).

        Raises IllegalAction (code: rules.md 3.1) and leaves the state exactly as it was.
        """
        turn_rules.apply(self, self.resolve(action, seat=seat))

    def apply_unchecked(self, action: Action) -> None:
        """Do an element of `legal_actions()` without looking at it: for playouts. Anything else breaks the world."""
        turn_rules.apply(self, action)

    def play_all(self, actions: Sequence[Action]) -> list[int]:
        """Do listed actions one after another; the seat that did each. Raises IllegalAction at one that is not."""
        return play_each(self, actions)

    def play_out(self, draw: Callable[[], float]) -> int:
        """Play to the end, every legal action equally often; the number of plies. draw: `Random.random`."""
        return play_out_each(self, draw)

    def outcome(self) -> PokaOutcome:
        """The result of the deal; the deal must be over."""
        return scoring.outcome(self)

    def copy(self) -> Self:
        """An independent world."""
        twin = object.__new__(type(self))
        twin.rules = self.rules
        twin.dealer = self.dealer
        twin.hands = self.hands[:]
        twin.played = self.played[:]
        twin.lacks = self.lacks[:]
        twin.discard = self.discard[:]
        twin.pile = self.pile
        twin.position = self.position
        twin.shuffle = self.shuffle
        twin.reshuffles = self.reshuffles
        twin.pile_known = self.pile_known
        twin.turn = self.turn
        twin.phase = self.phase
        twin.passes = self.passes
        twin.first_turn = self.first_turn[:]
        twin.laid = self.laid
        twin.owes = self.owes
        twin.dumping = self.dumping
        twin.shown = self.shown
        twin.told = self.told[:]
        twin.winner = self.winner
        twin.reason = self.reason
        return twin
