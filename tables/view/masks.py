"""What one seat may see of a match: cards that it has not seen are HIDDEN.

The engine's own observation of the seat says what it holds; nothing is hidden in the browser.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from core.replay.document import Effect
from engine.match import Match

HIDDEN: Final = "?"
"""Stands for a card that the reader has not seen."""
NOBODY: Final = -1


@dataclass(frozen=True, slots=True)
class Eyes:
    """Through whose eyes a match is seen. seat: NOBODY for those who watch. is_blind: it has not looked at its hand.

    hand: what it holds; hand_sizes: of every seat; pile: how many cards lie in it; phase: what is to be decided;
    field: what lies on it.
    """

    seat: int
    is_blind: bool
    hand: tuple[str, ...]
    hand_sizes: tuple[int, ...]
    pile: int
    phase: str
    field: tuple[str, ...] = ()

    def effects(self, effects: Iterable[Effect]) -> list[list[str]]:
        """Return the ways of the cards as [card or HIDDEN, from, to]."""
        return [[one.card if self.sees(one) else HIDDEN, one.source, one.target] for one in effects]

    def sees(self, effect: Effect) -> bool:
        """Return whether the card of an effect is seen on its way."""
        own = f"h{self.seat}"
        if effect.target[0] == "h":
            return effect.source != "p" or (effect.target == own and not self.is_blind)
        if effect.target == "p":
            return effect.source[0] != "h" or (effect.source == own and not self.is_blind)
        return True


def eyes_of(match: Match, seat: int) -> Eyes:
    """Return the eyes of a seat, or of those who watch (NOBODY)."""
    # Also of a match that is over: the observation then shows the last deal as it ended.
    seen: Mapping[str, Any] = match.observation(max(seat, 0), match_id="", preset="", since=0, ms_left=0)
    hand, sizes = tuple(seen["hand"]), tuple(seen["hand_n"])
    is_blind = seat != NOBODY and not hand and sizes[seat] > 0
    own = () if seat == NOBODY else hand
    return Eyes(seat, is_blind, own, sizes, int(seen["pile_n"]), str(seen["phase"]), tuple(seen["field"]))
