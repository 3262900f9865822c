"""Time that a plan takes, before there is an event."""

from __future__ import annotations

from core.errors import TournamentError
from core.formats import format_of
from core.formats import progression as pure
from core.formats.errors import FormatError
from core.formats.model import Seats
from core.simulation import Course, Forecast, Pace, Part, forecast
from engine.game import Ruleset as Rules
from tournaments.events.proposals.question import CHANGE_MINUTES, DEAL_MINUTES
from tournaments.events.shapes import read_rules, sides_of, table_sizes
from tournaments.lifecycle.event_plan import AdvancementPlan, EventPlan, StagePlan
from tournaments.simulation.inputs import SPREAD


def pace_of(
    rules: Rules, *, deal_minutes: float = DEAL_MINUTES, change: float = CHANGE_MINUTES, tables: int | None = None
) -> Pace:
    """Return the lengths of matches under these rules."""
    match = deals_of(rules) * deal_minutes
    return Pace(match=match, spread=match * SPREAD, change=change, tables=tables)


def deals_of(rules: Rules) -> int:
    """Return how many deals a match has at most, as a rehearsal counts them; at least 1."""
    return max(1, int(rules.options.rounds))


def forecast_of(plan: EventPlan, entries: int, pace: Pace | None = None) -> Forecast | None:
    """Return how long an event of this plan takes with that many entries; None for a ladder, which ends by its own
    rule, and for a plan that cannot be played.
    """
    if any(format_of(stage.kind).is_open_ended for stage in plan.stages):
        return None
    try:
        rules = read_rules(plan)
        return forecast(course_of(plan, rules, entries, pace or pace_of(rules)))
    except (TournamentError, FormatError):
        return None


def course_of(plan: EventPlan, rules: Rules, entries: int, pace: Pace) -> Course:
    """Return the plan as a rehearsal plays it; stages are named by their number. Raises what `table_sizes` raises."""
    parts = tuple(_part(plan, stage, number, rules) for number, stage in enumerate(plan.stages, start=1))
    ways = tuple(_way(rule, order) for order, rule in enumerate(plan.ways, start=1))
    return Course(entries, parts, ways, pace=pace)


def _part(plan: EventPlan, stage: StagePlan, number: int, rules: Rules) -> Part:
    low, high = table_sizes(stage, rules)
    seating = sides_of(rules, stage.seats)
    sides = len(set(seating))
    turns = format_of(stage.kind).changes_partners
    in_teams = sides < stage.seats and not turns
    return Part(
        name=str(number),
        kind=stage.kind,
        seats=Seats(sides, sides, sides) if in_teams else Seats(low, stage.seats, high),
        rounds=stage.rounds,
        advance=stage.advance,
        third_place=stage.third_place,
        consolation=stage.consolation,
        flows=stage.flows and format_of(stage.kind).is_bracket and not plan.boards,
        groups=stage.groups,
        sides=tuple(seating) if turns else (),
        boards=plan.boards,
    )


def _way(rule: AdvancementPlan, order: int) -> pure.Progression:
    return pure.Progression(str(rule.source), str(rule.target), rule.first, rule.last, order=order, most=rule.most)
