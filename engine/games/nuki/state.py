"""The world of one Nuki deal: a position with what may be done in it. The moves are in `table` and `turn`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Self

from engine.action import Action
from engine.errors import IllegalAction, Refusal
from engine.game import play_each, play_out_each
from engine.games.nuki import legal, refusal, scoring, turn
from engine.games.nuki.position import NukiPosition
from engine.games.nuki.scoring import NukiOutcome


class NukiState(NukiPosition):
    """One mutable world: what may be done in it, and doing it."""

    __slots__ = ()

    def legal_actions(self) -> tuple[Action, ...]:
        """Return what the seat to act may do, in the canonical order of `legal`; empty when over."""
        return legal.legal_actions(self)

    def apply(self, action: Action, *, seat: int | None = None) -> None:
        """Do an action of `seat` (default: the seat to act).

        Shorthands are understood: the single match may be named, a triple may be asked for as "all".
        Raises IllegalAction (code: rules.md 3.1) and leaves the state exactly as it was.
        """
        turn.apply(self, self.resolve(action, seat=seat))

    def resolve(self, action: Action, *, seat: int | None = None) -> Action:
        """The listed action that an action of `seat` means. Raises IllegalAction; changes nothing."""
        wanted = refusal.check_legality(self, action, self.turn if seat is None else seat)
        if isinstance(wanted, Refusal):
            raise IllegalAction(wanted, action, self.legal_actions())
        return wanted

    def apply_unchecked(self, action: Action) -> None:
        """Do an element of `legal_actions()` without looking at it: for playouts. Anything else breaks the world."""
        turn.apply(self, action)

    def play_all(self, actions: Sequence[Action]) -> list[int]:
        """Do listed actions one after another; the seat that did each. Raises IllegalAction at one that is not."""
        return play_each(self, actions)

    def play_out(self, draw: Callable[[], float]) -> int:
        """Play to the end, every legal action equally often; the number of plies. draw: `Random.random`."""
        return play_out_each(self, draw)

    def outcome(self) -> NukiOutcome:
        """The result of the deal; the deal must be over."""
        return scoring.outcome(self)

    def copy(self) -> Self:
        """An independent world."""
        twin = object.__new__(type(self))
        for name in _SHARED:
            setattr(twin, name, getattr(self, name))
        for name in _OWNED:
            setattr(twin, name, getattr(self, name)[:])
        return twin


_OWNED: Final = ("answers", "captured", "claims", "hands", "laid", "notes", "orders", "paid", "played", "returned")
"""The lists of a world: a copy has its own."""
_SHARED: Final = tuple(name for name in NukiPosition.__slots__ if name not in _OWNED)
