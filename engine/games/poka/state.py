"""The world of one deal of Poka: a position with what may be done in it. The moves are in `turn`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Self

from engine.action import Action
from engine.errors import IllegalAction, Refusal
from engine.game import play_each, play_out_each
from engine.games.poka import legal, refusal, scoring
from engine.games.poka import turn as turn_rules
from engine.games.poka.position import PokaPosition
from engine.games.poka.scoring import PokaOutcome


class PokaState(PokaPosition):
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
        # Past the constructor, which would set up a world that is overwritten at once. The pile is a tuple, so it is
        # shared.
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
        twin.moves_seen = self.moves_seen[:]
        twin.winner = self.winner
        twin.reason = self.reason
        return twin
