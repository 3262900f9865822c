"""By what a stage ranks, as its pages and the fold have it."""

from __future__ import annotations

from core.formats.stage_format import TeamSeating
from core.standings.model import Scoring
from core.standings.ranking import BY_BOARDS, in_order, keys_for
from tournaments.models import Stage


def is_by_boards(stage: Stage) -> bool:
    """Whether teams sit apart and are ranked by their boards or meetings, not by what the boards add up to."""
    return stage.tournament.team_score in BY_BOARDS


def keys_of(stage: Stage) -> tuple[str, ...]:
    """What the stage ranks by first, and what would be proposed after it."""
    score = stage.tournament.team_score
    return keys_for(Scoring(stage.scoring), score, teams_meet=stage.format.teams is TeamSeating.MEETINGS)


def ranking_of(stage: Stage) -> tuple[str, ...]:
    """Ids of tie-breaks in order of comparison. In a bracket, and where lives count, the place comes before them.

    Points are those above the table's mean as soon as tables differ (`standings.model.Basis`).
    """
    return in_order(keys_of(stage), stage.tie_breaks, stage.edition)
