"""One deal of Koi-Koi as it lies: what is where, and who decides what. The rules read and change it; see `state`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

from engine.cards import CardSet, card_set
from engine.games.koikoi.hands import Lucky
from engine.games.koikoi.rules import SEATS, Rules
from engine.games.koikoi.yaku import Made, month_of, yaku_in

Phase: TypeAlias = Literal["hand", "flip_choice", "decision", "over"]
Note: TypeAlias = tuple[str, int, int]
"""An engine event: code, then two numbers whose meaning the code fixes (see `trace.note_json`)."""

NOBODY: Final = -1


class KoiKoiPosition:
    """One mutable world. Card sets are 48-bit ints, seats numbers, NOBODY (-1) where there is none.

    number: of the deal, from 1; month: the cards of its month. hands, dealt, captured: per seat what it holds, was
    dealt, has captured. field; laid: cards in the order in which they came to it. pile: top first, with `position` of
    its top. pending: a flipped card that waits for a choice. mult: what Brights dealt to the field make of the score.
    calls, marks: per seat how often it has called koi-koi, and the points it had right after its last call (0 before
    any); held: the yaku that these points are of. last_caller: who called last.
    lucky: per seat the winning hand that was dealt, if any. end: None, or why the deal is over; winner: who ended it.
    notes: engine events since somebody last emptied the list.
    """

    __slots__ = (
        "calls", "captured", "dealer", "dealt", "end", "field", "hands", "held", "laid", "last_caller", "lucky",
        "marks", "month", "mult", "notes", "number", "pending", "phase", "pile", "position", "rules", "turn", "winner",
    )  # fmt: skip

    def __init__(
        self,
        rules: Rules,
        *,
        dealer: int,
        hands: Sequence[CardSet],
        field: Sequence[int],
        pile: Sequence[int],
        captured: Sequence[CardSet] = (0, 0),
        turn: int | None = None,
        number: int = 1,
    ) -> None:
        """A position at the start of a turn; it may be partial (vectors name only the cards that matter).

        hands and captured per seat, field in the order laid, pile top first; turn defaults to the dealer.
        """
        self.rules = rules
        self.dealer = dealer
        self.number = number
        self.month = month_of(number)
        self.hands = list(hands)
        self.dealt = self.hands[:]
        self.field: CardSet = card_set(field)
        self.laid = list(field)
        self.pile = tuple(pile)
        self.position = 0
        self.captured = list(captured)
        self.turn = dealer if turn is None else turn
        self.phase: Phase = "hand"
        self.pending = NOBODY
        self.mult = 1
        self.calls = [0] * SEATS
        self.marks = [0] * SEATS
        self.held: list[Made] = [{}] * SEATS
        self.last_caller = NOBODY
        self.lucky: tuple[Lucky | None, ...] = (None,) * SEATS
        self.notes: list[Note] = []
        self.end: str | None = None
        self.winner = NOBODY

    @property
    def seat_to_act(self) -> int:
        """The seat that decides, -1 when the deal is over."""
        return NOBODY if self.phase == "over" else self.turn

    @property
    def is_over(self) -> bool:
        return self.phase == "over"

    @property
    def pile_left(self) -> int:
        """Number of cards in the draw pile."""
        return len(self.pile) - self.position

    @property
    def played(self) -> tuple[CardSet, ...]:
        """Return what has left each hand in this deal."""
        # Not `map`: in machine code a comprehension takes about half as long.
        return tuple([dealt ^ held for dealt, held in zip(self.dealt, self.hands)])

    def field_order(self) -> list[int]:
        """The field in the order in which the cards came to it."""
        return [card for card in self.laid if self.field >> card & 1]

    def hidden(self) -> list[int]:
        """The cards left in the pile, top first."""
        return list(self.pile[self.position :])

    def yaku(self, seat: int) -> Made:
        """Points of the yaku that a seat holds now, by id."""
        called = self.calls[seat] > 0
        return yaku_in(self.rules.options, self.captured[seat], called=called, field=self.field, month=self.month)
