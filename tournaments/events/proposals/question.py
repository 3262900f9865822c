"""What an organiser of people knows first: how many, for how long, at how many tables, and who plays with whom."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _

from core.errors import TournamentError
from engine.errors import EngineError
from engine.game import game_of
from engine.games import PRESETS, ruleset
from tournaments.events.validation import MAX_ENTRIES
from web.presets import preset_title

ALONE, DRAWN, ENTERED, ROTATING, THREES, FOURS = "alone", "drawn", "entered", "rotating", "teams3", "teams4"
TEAM_SIZES: Final = {ALONE: 1, DRAWN: 2, ENTERED: 2, ROTATING: 1, THREES: 3, FOURS: 4}
"""People of one entry, by who plays with whom."""
IN_PAIRS: Final = (DRAWN, ENTERED, ROTATING)
MIN_PEOPLE, MAX_PEOPLE = 2, 2048
HOURS: Final = (0.25, 100.0)
MAX_TABLES: Final = 512
DEAL_MINUTES: Final = 5.0
CHANGE_MINUTES: Final = 10.0
"""Usual lengths, the same as a rehearsal starts from."""
MIN_DEAL_MINUTES, MAX_DEAL_MINUTES, MAX_CHANGE_MINUTES = 0.5, 60.0, 120.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """people, hours: to be filled. tables: that there are, None: as many as are needed. seats: at a table, 0: what
    suits the game and the tables. company: who plays with whom. deal_minutes, change_minutes: of a deal, and between
    two rounds.
    """

    people: int
    hours: float
    tables: int | None = None
    preset: str = "hawaii"
    seats: int = 0
    company: str = ALONE
    deal_minutes: float = DEAL_MINUTES
    change_minutes: float = CHANGE_MINUTES

    @property
    def entries(self) -> int:
        """Return the number of entries: people, pairs or teams; people who are over come in last."""
        return self.people // TEAM_SIZES[self.company]

    @property
    def seat_range(self) -> tuple[int, int]:
        """Return the fewest and most seats of the game."""
        return game_of(PRESETS[self.preset].game).seat_range


def check_question(question: Question) -> None:
    """Refuse what cannot be played. Raises TournamentError "proposal.pairs" (a game without partners),
    "proposal.too_few", "proposal.too_many" or "proposal.seats"; `extra` names the field.
    """
    low, high = question.seat_range
    if question.company in IN_PAIRS and not has_pairs(question.preset):
        message = _("%(game)s has no partners. Let everybody play alone, or form teams.")
        shown = {"game": preset_title(question.preset)}
        raise TournamentError(message % shown, code="proposal.pairs", extra={"field": "company"})
    least = max(MIN_PEOPLE, low, 4 if question.company in IN_PAIRS else 0, 2 * TEAM_SIZES[question.company])
    if question.people < least:
        message = _("At least %(n)s people are needed for that.") % {"n": least}
        raise TournamentError(message, code="proposal.too_few", extra={"field": "people"})
    if question.entries > MAX_ENTRIES:
        message = _("An event takes at most %(n)s entries.") % {"n": MAX_ENTRIES}
        raise TournamentError(message, code="proposal.too_many", extra={"field": "people"})
    if question.seats and not low <= question.seats <= high:
        message = _("At a table of this game sit %(low)s to %(high)s.") % {"low": low, "high": high}
        raise TournamentError(message, code="proposal.seats", extra={"field": "seats"})


def has_pairs(preset: str) -> bool:
    """Return whether two people can share a side under these rules."""
    try:
        return len(set(ruleset(preset, teams="2x2").sides(4))) == 2
    except EngineError:  # no such rule, or not in this game
        return False
