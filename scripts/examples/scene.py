"""A scene by which a topic is judged: one move of a game, or the dealing, with the world before and after it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from core.rulebook.walk import choice
from engine.action import Action
from engine.cards import CODES, MONTH_MASKS, CardSet, card_set
from engine.course import DealLog
from engine.game import Json, Played, game_of
from engine.match import Match


@dataclass(frozen=True, slots=True)
class Scene:
    """move: its number, 0 for the dealing, which has no action and no seat (-1).

    before, after: the worlds of the deal; at the dealing both are the dealt one, None if the deal was over at once.
    """

    match: Match
    log: DealLog
    move: int
    seat: int
    action: Action | None
    before: Any
    after: Any
    played: Played

    @property
    def options(self) -> Any:
        """Return the options of the ruleset that is played."""
        return self.match.ruleset.options

    @property
    def kind(self) -> str:
        """Return what was done, "" at the dealing."""
        return self.action.kind if self.action else ""

    @property
    def flip(self) -> str:
        """The card that was turned up, "" if none was."""
        return str(self.played.event.get("flip", ""))

    @property
    def dealing(self) -> bool:
        """Return whether this is the dealing."""
        return self.move == 0

    @property
    def ends_deal(self) -> bool:
        """Return whether the deal is over with this move."""
        return self.log.outcome is not None and self.move == len(self.log.actions)

    @property
    def ends_match(self) -> bool:
        """Return whether the match is over with this move."""
        return self.match.is_over and self.ends_deal and self.log is self.match.deals[-1]

    def notes(self, *codes: str) -> list[Json]:
        """The engine's events of these codes."""
        return [note for note in self.played.notes if note["code"] in codes]

    def took(self, zone: str = "c") -> list[str]:
        """Codes of the cards that came into a tray."""
        return [CODES[step.card] for step in self.played.steps if step.target.startswith(zone)]

    def lines(self, *codes: str) -> list[Any]:
        """The lines of the deal's score with these codes, once it is over."""
        if self.log.outcome is None:
            return []
        found = game_of(self.match.ruleset.game).lines(self.options, self.log.outcome)
        return [line for line in found if line["code"] in codes]

    def hands(self) -> list[CardSet]:
        """Return what was dealt to each seat."""
        steps = self.log.dealt.steps
        return [
            card_set(step.card for step in steps if step.source == "p" and step.target == f"h{seat}")
            for seat in range(self.match.seats)
        ]

    def field(self) -> CardSet:
        """Return what was dealt to the field."""
        return card_set(step.card for step in self.log.dealt.steps if step.source == "p" and step.target == "f")


def whole_months(cards: CardSet) -> list[int]:
    """The months (1..12) of which all four cards are there."""
    return [number for number, month in enumerate(MONTH_MASKS, start=1) if cards & month == month]


Proof = Callable[[Scene], bool]


def scenes(match: Match, *, deals: int) -> Iterator[Scene]:
    """Every dealing and every move of the first `deals` deals of a game that plays itself."""
    seen = 0
    while True:
        for log in match.deals[seen:deals]:
            state = match.state if log is match.deals[-1] and log.outcome is None else None
            yield Scene(match, log, 0, -1, None, state, state, log.dealt)
        seen = len(match.deals)
        if match.is_over or seen > deals:
            return
        log, state, seat, action = match.deals[-1], match.state, match.seat_to_act, choice(match)
        # The engine changes its state in place.
        before = state.copy()
        match.apply(action)
        yield Scene(match, log, len(log.actions), seat, log.actions[-1], before, state, log.played[-1])
