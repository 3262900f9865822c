"""The world of one deal of Koi-Koi: a position with what may be done in it. The moves are in `turn` and `plies`."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engine.action import Action
from engine.errors import IllegalAction, Refusal
from engine.game import play_each
from engine.games.koikoi import legal, refusal, scoring, turn
from engine.games.koikoi.outcome import KoiKoiOutcome
from engine.games.koikoi.plies import choose, one, run
from engine.games.koikoi.position import KoiKoiPosition


class KoiKoiState(KoiKoiPosition):
    """One mutable world: what may be done in it, and doing it."""

    __slots__ = ()

    def legal_actions(self) -> tuple[Action, ...]:
        """Return what the seat to act may do, in the canonical order of `legal`; empty when over."""
        return legal.legal_actions(self)

    def resolve(self, action: Action, *, seat: int | None = None) -> Action:
        """The listed action that an action of `seat` means. Raises IllegalAction; changes nothing."""
        wanted = refusal.check_legality(self, action, self.turn if seat is None else seat)
        if isinstance(wanted, Refusal):
            raise IllegalAction(wanted, action, self.legal_actions())
        return wanted

    def apply(self, action: Action, *, seat: int | None = None) -> None:
        """Do an action of `seat` (default: the seat to act).

        Shorthands are understood: the single match may be named, a triple may be asked for as "all".
        Raises IllegalAction (code: rules.md 3.1) and leaves the state exactly as it was.
        """
        turn.apply(self, self.resolve(action, seat=seat))

    def apply_unchecked(self, action: Action) -> None:
        """Do an element of `legal_actions()` without looking at it: for playouts. Anything else breaks the world."""
        if not one(self, action) and not choose(self, action):
            turn.apply(self, action)

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
        # `is`: a shorthand for a listed action is refused in a record, since equal matches must be equal text.
        if refusal.check_legality(self, action, self.turn) is action:
            turn.apply(self, action)
        else:
            play_each(self, (action,))

    def play_out(self, draw: Callable[[], float]) -> int:
        """Play to the end, every legal action equally often; the number of plies. draw: `Random.random`."""
        count = 0
        while self.phase != "over":
            actions = legal.legal_actions(self)
            action = actions[int(draw() * len(actions))]
            if not one(self, action) and not choose(self, action):
                turn.apply(self, action)
            count += 1
        return count

    def outcome(self) -> KoiKoiOutcome:
        """The result of the deal; the deal must be over."""
        return scoring.outcome(self)

    def copy(self) -> KoiKoiState:
        """An independent world."""
        twin = KoiKoiState(
            self.rules,
            dealer=self.dealer,
            hands=self.hands,
            field=(),
            pile=self.pile,
            captured=self.captured,
            turn=self.turn,
            number=self.number,
        )
        # Field by field: a search copies the world before every try.
        twin.dealt = self.dealt[:]
        twin.field = self.field
        twin.laid = self.laid[:]
        twin.position = self.position
        twin.phase = self.phase
        twin.pending = self.pending
        twin.mult = self.mult
        twin.calls = self.calls[:]
        twin.marks = self.marks[:]
        twin.held = self.held[:]
        twin.last_caller = self.last_caller
        twin.lucky = self.lucky
        twin.notes = self.notes[:]
        twin.end = self.end
        twin.winner = self.winner
        return twin
