"""One Nuki deal as it lies: what is where, and who decides what. The rules read and change it; see `state`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

from engine.cards import CardSet, card_set
from engine.errors import EngineError
from engine.game import Shuffle
from engine.games.nuki.join import Answer
from engine.games.nuki.rules import Rules
from engine.games.nuki.teyaku import NOTHING, Claims

Phase: TypeAlias = Literal["mizuten", "join", "showdown", "hand", "flip_choice", "decision", "over"]
End: TypeAlias = Literal["shoubu", "cancel", "exhausted", "no_game"]
Note: TypeAlias = tuple[str, int, int]
"""An engine event: code, then two numbers whose meaning the code fixes (see `trace.note_json`)."""

NOBODY: Final = -1


class NukiPosition:
    """One mutable world. Card sets are 48-bit ints, seats numbers, NOBODY (-1) where there is none.

    dealer dealt; leader is the dealer for the Deal, NOBODY until both active players are known.
    hands, played, returned, captured, claims: per seat what it holds, has played, gave back unplayed, has captured,
    and what it claimed (None: not yet, or not active). turned: cards that came up from the pile. laid: cards in the
    order in which they came to the field. pending: a flipped card that waits for a choice.
    carry, carry_out: doubled Deals handed to this one and on; multiplier: of this one. redeal: how often it was
    thrown in; paid: points per seat that went into the pot, also before (R92). shuffle: the Deal's later randomness.
    fresh: the seat on turn has made or improved a dekiyaku in this turn. sage: bit set of the seats that called it.
    end: None, or why the deal is over; ended_by: who called it, or the only volunteer.
    notes, orders: engine events and orders used since somebody last emptied the lists.
    """

    __slots__ = (
        "active", "answers", "captured", "carry", "carry_out", "claims", "dealer", "end", "ended_by", "field",
        "first_sage", "fresh", "hands", "laid", "leader", "mizuten", "multiplier", "notes", "orders", "paid",
        "pending", "phase", "pile", "played", "position", "redeal", "returned", "rules", "sage", "shuffle", "turn",
        "turned",
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
        active: tuple[int, ...] | None = None,
        turn: int | None = None,
        shuffle: Shuffle | None = None,
    ) -> None:
        """A position before a hand card, no teyaku claimed; it may be partial (vectors name what matters).

        hands and captured per seat, field in the order laid, pile top first. active: both players, the one who leads
        first, by default the dealer and the seat to his right; turn defaults to the leader.
        """
        seats = rules.seats
        self.rules = rules
        self.dealer = dealer
        self.active: tuple[int, ...] = active or (dealer, (dealer + 1) % seats)
        self.leader = self.active[0]
        self.hands = list(hands)
        self.played: list[CardSet] = [0] * seats
        self.returned: list[CardSet] = [0] * seats
        self.claims: list[Claims | None] = [NOTHING if seat in self.active else None for seat in range(seats)]
        self.captured = list(captured) if captured is not None else [0] * seats
        self.field: CardSet = card_set(field)
        self.laid = list(field)
        self.pile = tuple(pile)
        self.position, self.turned = 0, 0
        self.phase: Phase = "hand"
        self.turn = self.leader if turn is None else turn
        self.pending = NOBODY
        self.shuffle: Shuffle = shuffle or _nothing_to_shuffle_with
        self.paid = [0] * seats
        self._open()

    def _open(self) -> None:
        """Set the fields of a deal in which nobody has decided anything yet and nothing is doubled."""
        self.carry, self.carry_out, self.multiplier = 0, 0, 1
        self.redeal = 0
        self.mizuten = False
        self.answers: list[tuple[int, Answer]] = []
        self.fresh = False
        self.sage, self.first_sage = 0, NOBODY
        self.end: End | None = None
        self.ended_by = NOBODY
        self.notes: list[Note] = []
        self.orders: list[tuple[int, ...]] = []

    @property
    def seat_to_act(self) -> int:
        """The seat that decides, -1 when the deal is over."""
        return NOBODY if self.phase == "over" else self.turn

    @property
    def is_over(self) -> bool:
        return self.phase == "over"

    @property
    def mult(self) -> int:
        """Return what this deal's points count: the field multiplier."""
        return self.multiplier

    @property
    def pile_left(self) -> int:
        """Number of cards in the draw pile."""
        return len(self.pile) - self.position

    def field_order(self) -> list[int]:
        """The field in the order in which the cards came to it."""
        return [card for card in self.laid if self.field >> card & 1]

    def hidden(self) -> list[int]:
        """The cards left in the pile, top first."""
        return list(self.pile[self.position :])

    def opponent(self, seat: int) -> int:
        """The other active seat."""
        return self.active[1] if self.active[0] == seat else self.active[0]


def _nothing_to_shuffle_with(label: str, number: int, cards: CardSet) -> tuple[int, ...]:
    raise EngineError("This position has no randomness to shuffle the pile with.", code="deal.shuffle")
