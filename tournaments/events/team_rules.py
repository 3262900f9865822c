"""Rules of teams whose members sit apart: the number of boards, and how boards make a team's score."""

from __future__ import annotations

from typing import Any, Final

from django.utils.translation import gettext
from django.utils.translation import gettext as _

from accounts.phrasing import listed
from core.errors import TournamentError
from core.formats import format_of, kinds
from core.formats.stage_format import Format, TeamSeating
from core.standings.ranking import BY_BOARDS
from engine.game import Ruleset as Rules
from tournaments.events.shapes import own_scoring, sides_of
from tournaments.lifecycle.event_plan import EventPlan, StagePlan
from tournaments.lifecycle.values import bad_number, bad_value
from tournaments.models import Stage

BOARDS: Final = range(2, 8)
# All boards added up; the best ones of every round; place shares of the boards; meetings won by those.
SCORES: Final = ("sum", "best", "boards", "meetings")


def validate_boards(plan: EventPlan, rules: Rules) -> None:
    """Raise TournamentError "tournament.bad_boards", "tournament.bad_team_score", "tournament.bad_team_best",
    "tournament.bad_scoring" for what teams that sit apart cannot have.
    """
    if not plan.boards:
        return
    if plan.boards not in BOARDS:
        raise bad_number("boards", plan.boards, BOARDS[0], BOARDS[-1])
    _validate_shape(plan, rules)
    if plan.team_score not in ("", *SCORES):
        raise bad_value("team_score", plan.team_score, SCORES)
    if plan.team_score == "meetings" and any(not _pairs_teams(format_of(stage.kind)) for stage in plan.stages):
        raise bad_value("team_score", plan.team_score, tuple(each for each in SCORES if each != "meetings"))
    if plan.team_score == "best" and not 1 <= plan.team_best < plan.boards:
        raise bad_number("team_best", plan.team_best, 1, plan.boards - 1)
    if plan.team_score in BY_BOARDS:
        for stage in plan.stages:
            if stage.scoring not in ("", Stage.Scoring.PLACE):
                raise bad_value("scoring", stage.scoring, (Stage.Scoring.PLACE.value,))


def _validate_shape(plan: EventPlan, rules: Rules) -> None:
    """Require people, each alone at a side of their own, in a format that can part them."""
    alone = all(len(set(sides)) == len(sides) for sides in (sides_of(rules, stage.seats) for stage in plan.stages))
    if plan.who != "people" or not alone:
        message = _(
            "Teams on several boards need people who play for themselves at each table. Choose people, and rules"
            " without teams."
        )
        raise TournamentError(message, code="tournament.bad_boards", extra={"field": "boards"})
    for stage in plan.stages:
        if not _takes_boards(stage):
            message = _(
                "Teams on several boards play a round robin or a Swiss at two seats, or at tables of three to seven."
                " Choose one of these formats: %(kinds)s."
            )
            allowed = [*kinds(_pairs_teams), *kinds(_seats_boards)]
            names = listed(gettext(format_of(kind).label) for kind in allowed)
            extra: dict[str, object] = {"field": "kind", "allowed": list(allowed)}
            raise TournamentError(message % {"kinds": names}, code="tournament.bad_boards", extra=extra)


def _takes_boards(stage: StagePlan) -> bool:
    """Return whether a stage can part a team: boards sit each for itself only where a table has more than two seats."""
    found = format_of(stage.kind)
    return _pairs_teams(found) or (_seats_boards(found) and (stage.seats > 2 or found.seat_range[0] > 2))


def _pairs_teams(found: Format) -> bool:
    return found.teams is TeamSeating.MEETINGS


def _seats_boards(found: Format) -> bool:
    return found.teams is TeamSeating.BOARDS


def columns_of(plan: EventPlan, rules: Rules) -> dict[str, Any]:
    """Return the columns of the event that say it; where teams do not sit apart those of an event without boards."""
    columns: dict[str, Any] = {"boards": 0, "team_score": "", "team_best": 0, "board_by": "points"}
    if not plan.boards:
        return columns
    score = plan.team_score or "sum"
    columns |= {"boards": plan.boards, "partners": plan.partners or "entered", "team_score": score}
    if score == "best":
        columns["team_best"] = plan.team_best
    if score in BY_BOARDS and own_scoring(rules) == Stage.Scoring.ROUND_VICTORY:
        columns["board_by"] = "victories"
    return columns


def scoring_of(plan: EventPlan, stage: str, rules: Rules) -> str:
    """Return what a stage ranks by: its own choice, else the rules' scoring; place shares where boards are counted."""
    if plan.boards and plan.team_score in BY_BOARDS:
        return Stage.Scoring.PLACE
    return stage or own_scoring(rules)
