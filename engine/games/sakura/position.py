"""One Sakura deal as it lies: what is where, and who decides what. The rules read and change it; see `state`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

from engine.cards import CardSet, card_set
from engine.games.sakura.rules import Rules

Phase: TypeAlias = Literal["hand", "gaji_blocked", "flip_choice", "flip_gaji", "over"]
Note: TypeAlias = tuple[str, int, int]
"""An engine event: code, then two numbers whose meaning the code fixes (see `trace.note_json`)."""

NOBODY: Final = -1


class SakuraPosition:
    """One mutable world. Card sets are 48-bit ints, seats and sides numbers, NOBODY (-1) where there is none.

    hands, dealt, known: per seat what it holds, what it was dealt (no less), what all know to have been in it.
    field, removed; pile (top first) and `position` of its top; captured: per side. laid: cards in the order in
    which they came to the field. pending: a card in mid-air (flipped or blocked), waiting for a choice.
    gaji_by, gaji_month (1..12): the recorded use; transfer_open: its claim on the next point card.
    clear: cards that no other hand than the user's held all of when the Gaji took its target unblocked.
    barred: months forbidden in this turn, as card set. returned: the Gaji came back in this turn.
    notes: engine events since somebody last emptied the list. end: None, or why the deal is over.
    """

    __slots__ = (
        "barred", "captured", "claimed", "claimed_side", "clear", "dealer", "dealt", "end", "field", "gaji_by",
        "gaji_month", "hands", "known", "laid", "notes", "pending", "pending_flip", "phase", "pile", "position",
        "removed", "returned", "rules", "transfer_open", "turn", "winning_side",
    )  # fmt: skip

    def __init__(
        self,
        rules: Rules,
        *,
        dealer: int,
        hands: Sequence[CardSet],
        field: Sequence[int],
        pile: Sequence[int],
        captured: Sequence[CardSet] | None = None,
        turn: int | None = None,
    ) -> None:
        """A position at the start of a turn; it may be partial (vectors name only the cards that matter).

        hands per seat, field in the order laid, pile top first, captured per side; turn defaults to the dealer.
        """
        self.rules = rules
        self.dealer = dealer
        self.hands = list(hands)
        self.dealt = self.hands[:]
        self.known = [0] * rules.seats
        self.field: CardSet = card_set(field)
        self.laid = list(field)
        self.removed: CardSet = 0
        self.pile = tuple(pile)
        self.position = 0
        self.captured = list(captured) if captured is not None else [0] * rules.side_count
        self.turn = dealer if turn is None else turn
        self.phase: Phase = "hand"
        self.pending, self.pending_flip = NOBODY, False
        self.gaji_by, self.gaji_month = NOBODY, 0
        self.transfer_open = False
        self.clear: CardSet = 0
        self.barred: CardSet = 0
        self.returned = False
        self.notes: list[Note] = []
        self.end: str | None = None
        self.winning_side: int | None = None
        self.claimed: CardSet = 0
        self.claimed_side: int | None = None

    @property
    def seat_to_act(self) -> int:
        """The seat that decides, -1 when the deal is over."""
        return NOBODY if self.phase == "over" else self.turn

    @property
    def is_over(self) -> bool:
        return self.phase == "over"

    @property
    def mult(self) -> int:
        """No rule of Sakura multiplies what a deal counts."""
        return 1

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
