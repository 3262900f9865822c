"""The world of one Sakura deal: a position with what may be done in it. The moves are in `turn`, `gaji`, `hiki`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from engine.action import Action
from engine.errors import IllegalAction, Refusal
from engine.game import play_each
from engine.games.sakura import gaji, legal, refusal, scoring, turn
from engine.games.sakura.legal import DRAW_ONLY, GAJI_BIT, HIKI
from engine.games.sakura.outcome import SakuraOutcome
from engine.games.sakura.plays import SHIFTS
from engine.games.sakura.plies import choose, one, run
from engine.games.sakura.position import SakuraPosition

NO_ACTIONS: Final[tuple[Action, ...]] = ()


class SakuraState(SakuraPosition):
    """One mutable world: what may be done in it, and doing it."""

    __slots__ = ()

    def legal_actions(self) -> tuple[Action, ...]:
        """Return what the seat to act may do, in the canonical order of `legal`; empty when over.

        A plain hand's plays come from tables, its last month first; here, not in `legal`, to save a call.
        """
        if self.phase != "hand":
            return legal.choices(self)
        hand, field, rules = self.hands[self.turn], self.field, self.rules
        if not hand:
            return DRAW_ONLY
        # The long way is for a wild Gaji, and for one that came back after a block. A tame one is a Willow like any
        # other.
        if hand & GAJI_BIT and (self.returned or gaji.is_wild(self)):
            return legal.hand_with_gaji(self)
        table, plays, hikis = rules.plays, NO_ACTIONS, NO_ACTIONS
        while hand:
            shift = SHIFTS[hand.bit_length()]
            own = hand >> shift
            lying = field >> shift & 15
            plays = table[shift << 6 | own << 4 | lying] + plays
            if own | lying == 15:
                hikis = (HIKI[shift >> 2], *hikis)
            hand ^= own << shift
        return plays + hikis if hikis and rules.hiki else plays

    def apply(self, action: Action, *, seat: int | None = None) -> None:
        """Do an action of `seat` (default: the seat to act).

        Shorthands are understood: the single match may be named, a triple may be asked for as "all".
        Raises IllegalAction (code: rules.md 3.1) and leaves the state exactly as it was.
        """
        # The quick way first; it leaves the world untouched if the action is not an ordinary one.
        if seat is None or seat == self.turn:
            done: list[int] = []
            rest = run(self, (action,), done)
            if rest is not None:
                rest(self)
                return
            if done or choose(self, action):
                return
        turn.apply(self, self.resolve(action, seat=seat))

    def play_all(self, actions: Sequence[Action]) -> list[int]:
        """Do actions one after another, each as the engine lists it; the seat that did each.

        Raises IllegalAction at the first that is not listed; those before it are done.
        """
        seats: list[int] = []
        done, total = 0, len(actions)
        while done < total:
            # One call does as many ordinary plies as there are in a row; the slice is made only after an interruption.
            rest = run(self, actions[done:] if done else actions, seats)
            if rest is not None:
                rest(self)
            elif len(seats) == done:
                seats.append(self.turn)
                self._play_listed(actions[done])
            done = len(seats)
        return seats

    def _play_listed(self, action: Action) -> None:
        """Do an action that does not run on its own."""
        if self.phase == "flip_choice" and choose(self, action):
            return
        # `is`: a shorthand for a listed action is refused in a record, since equal matches must be equal text.
        if refusal.check_legality(self, action, self.turn) is action:
            turn.apply(self, action)
        else:
            play_each(self, (action,))

    def resolve(self, action: Action, *, seat: int | None = None) -> Action:
        """The listed action that an action of `seat` means. Raises IllegalAction; changes nothing."""
        wanted = refusal.check_legality(self, action, self.turn if seat is None else seat)
        if isinstance(wanted, Refusal):
            raise IllegalAction(wanted, action, self.legal_actions())
        return wanted

    def apply_unchecked(self, action: Action) -> None:
        """Do an element of `legal_actions()` without looking at it: for playouts. Anything else breaks the world."""
        if not one(self, action) and not choose(self, action):
            turn.apply(self, action)

    def play_out(self, draw: Callable[[], float]) -> int:
        """Play to the end, every legal action equally often; the number of plies. draw: `Random.random`."""
        count = 0
        while self.phase != "over":
            actions = self.legal_actions()
            action = actions[int(draw() * len(actions))]
            if not one(self, action) and not choose(self, action):
                turn.apply(self, action)
            count += 1
        return count

    def outcome(self) -> SakuraOutcome:
        """The result of the deal; the deal must be over."""
        return scoring.outcome(self)

    def copy(self) -> SakuraState:
        """An independent world."""
        twin = SakuraState(
            self.rules,
            dealer=self.dealer,
            hands=self.hands,
            field=(),
            pile=self.pile,
            captured=self.captured,
            turn=self.turn,
        )
        # Field by field: a search copies the world before every try.
        twin.dealt = self.dealt[:]
        twin.known = self.known[:]
        twin.field = self.field
        twin.laid = self.laid[:]
        twin.removed = self.removed
        twin.position = self.position
        twin.phase = self.phase
        twin.pending = self.pending
        twin.pending_flip = self.pending_flip
        twin.gaji_by = self.gaji_by
        twin.gaji_month = self.gaji_month
        twin.transfer_open = self.transfer_open
        twin.clear = self.clear
        twin.barred = self.barred
        twin.returned = self.returned
        twin.notes = self.notes[:]
        twin.end = self.end
        twin.winning_side = self.winning_side
        twin.claimed = self.claimed
        twin.claimed_side = self.claimed_side
        return twin
