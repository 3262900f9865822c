"""Validation of one stage before anything is written: its rules, its words and numbers, the tables it can have."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _

from accounts.phrasing import listed
from core.errors import TournamentError
from core.formats import FORMATS, format_of, kinds, offered
from core.formats.ages import MAX_GAP
from core.printable import is_printable
from core.standings import tiebreaks
from core.standings.model import BYE_POLICIES
from engine.errors import EngineError
from engine.game import Ruleset as Rules
from engine.game import game_of
from engine.games import PRESETS, option_table
from tournaments.events.clocks import read_clock
from tournaments.lifecycle.event_plan import EventPlan, StagePlan
from tournaments.lifecycle.field_words import choice_of
from tournaments.lifecycle.values import bad_number, bad_option, bad_value
from tournaments.models import Stage
from tournaments.ratings.ladders.actions import MAX_PLAYED

MAX_ROUNDS: Final = 64
MAX_ADVANCING: Final = 6
PARTNERS: Final = ("", "entered", "drawn")


def validate_stage(plan: StagePlan) -> None:
    """Refuse words and numbers that do not exist; raises TournamentError "tournament.bad_<field>"."""
    choices: dict[str, tuple[str, tuple[str, ...]]] = {
        "kind": (plan.kind, offered()),
        "legs": (plan.legs, tuple(Stage.Legs.values)),
        "bye_policy": (plan.bye_policy, tuple(BYE_POLICIES)),
        "scoring": (plan.scoring or Stage.Scoring.PLACE, tuple(Stage.Scoring.values)),
        "where": (plan.where, tuple(Stage.Where.values)),
        "site_clock": (plan.site_clock, tuple(Stage.SiteClock.values)),
    }
    for name, (value, allowed) in choices.items():
        if value not in allowed:
            raise bad_value(name, value, allowed)
    for tie_break in plan.tie_breaks or ():
        if tie_break not in tiebreaks.offered():
            raise bad_value("tie_breaks", tie_break, tiebreaks.offered())
    fewest, most = round_bounds(plan.kind)
    if not fewest <= plan.rounds <= most:
        raise bad_number("rounds", plan.rounds, fewest, most)
    if len(plan.name) > 60 or not is_printable(plan.name):
        raise bad_value("stage_name", plan.name, (_("up to 60 printable characters"),))
    read_clock(plan.clock, plan.figures)


def round_bounds(kind: str) -> tuple[int, int]:
    """Return how many rounds a stage may have; of a ladder how many deal sets each entry plays, 0 any number."""
    return (0, MAX_PLAYED) if kind in FORMATS and FORMATS[kind].is_open_ended else (1, MAX_ROUNDS)


def going_on(kind: str, sides: int) -> tuple[int, int]:
    """Return how many of a table may go on, or keep their lives; where nobody is out a number without a meaning."""
    return (1, max(1, sides - 1)) if kind in FORMATS and FORMATS[kind].ranks_by_bracket else (1, MAX_ADVANCING)


def read_rules(plan: EventPlan) -> Rules:
    """Return the ruleset of a plan, every option resolved; refuse unknown presets, options and values."""
    if plan.preset not in PRESETS:
        raise bad_value("preset", plan.preset, tuple(PRESETS))
    preset = PRESETS[plan.preset]
    try:
        return Rules.from_json({"game": preset.game, "options": {**preset.overrides, **plan.options}})
    except EngineError as wrong:
        found = bad_option(preset.game, plan.options.get(str(wrong.extra.get("option"))), wrong.extra)
        raise found or TournamentError(str(wrong), code="tournament.bad_option", extra=wrong.extra) from wrong


def table_sizes(plan: StagePlan, rules: Rules) -> tuple[int, int]:
    """Return the smallest and largest number of seats at a table, as the game and the stage kind allow."""
    sides = sides_of(rules, plan.seats)
    found = format_of(plan.kind)
    if found.is_open_ended:
        return plan.seats, plan.seats
    low, high = found.seat_range
    if not low <= len(set(sides)) <= high:
        message = _(
            "“%(kind)s” needs tables of %(low)s to %(high)s sides, but %(seats)s seats make %(sides)s. Choose another"
            " number of seats or another format."
        )
        shown = {
            "kind": choice_of("kind", plan.kind),
            "low": low,
            "high": high,
            "seats": plan.seats,
            "sides": len(set(sides)),
        }
        raise TournamentError(message % shown, code="tournament.bad_seating", extra={"seats": plan.seats})
    fewest, most = game_of(rules.game).seat_range
    low, high = max(low, fewest), min(high, most)
    in_teams = len(set(sides)) < len(sides)
    if in_teams or low == high or (plan.seats == 2 and found.is_bracket):
        low = high = plan.seats
    smallest = plan.seats_min or max(low, plan.seats - 1)
    largest = plan.seats_max or min(high, plan.seats + 1)
    if not low <= smallest <= plan.seats <= largest <= high:
        raise bad_number("seats", f"{smallest} – {plan.seats} – {largest}", low, high)
    # Every size in between: a game may play with four and six, and not with five.
    for seats in range(smallest, largest + 1):
        sides_of(rules, seats)
    _check_going_on(plan, len(set(sides)))
    return smallest, largest


def _check_going_on(plan: StagePlan, sides: int) -> None:
    """Check that in a bracket, and where lives count, some of a table go on and some do not."""
    low, high = going_on(plan.kind, sides)
    found = format_of(plan.kind)
    if found.ranks_by_bracket and not low <= plan.advance <= high:
        raise bad_number("advance", plan.advance, low, high)
    if plan.third_place and (not found.has_third_place or sides != 2):
        message = _("A match for third place needs “%(needed)s” at two sides a table; the format here is “%(kind)s”.")
        able = kinds(lambda each: each.has_third_place)
        shown = {"needed": listed(choice_of("kind", each) for each in able), "kind": choice_of("kind", plan.kind)}
        extra: dict[str, object] = {"field": "third_place", "allowed": [f"{each}, 2" for each in able]}
        raise TournamentError(message % shown, code="tournament.bad_third_place", extra=extra)
    if plan.consolation and (not found.has_third_place or sides != 2):
        message = _("A consolation bracket needs “%(needed)s” at two sides a table; the format here is “%(kind)s”.")
        able = kinds(lambda each: each.has_third_place)
        shown = {"needed": listed(choice_of("kind", each) for each in able), "kind": choice_of("kind", plan.kind)}
        extra = {"field": "consolation", "allowed": [f"{each}, 2" for each in able]}
        raise TournamentError(message % shown, code="tournament.bad_consolation", extra=extra)


def validate_partners(plan: EventPlan, rules: Rules) -> None:
    """Check that partners are people who share a side, in every stage.

    Raises TournamentError "tournament.bad_partners".
    """
    if plan.partners not in PARTNERS:
        raise bad_value("partners", plan.partners, PARTNERS)
    in_teams = all(len(set(sides)) < len(sides) for sides in (sides_of(rules, stage.seats) for stage in plan.stages))
    if plan.partners and not plan.boards and (plan.who != "people" or not in_teams):
        message = _(
            "Partners are people who share a side. Choose an event for people, and teams of two or three that fill"
            " the seats."
        )
        raise TournamentError(message, code="tournament.bad_partners", extra={"field": "partners"})
    validate_age_gap(plan)


def validate_age_gap(plan: EventPlan) -> None:
    """Check the years between partners. Raises TournamentError "tournament.bad_age_gap"."""
    if not 0 <= plan.age_gap <= MAX_GAP:
        raise bad_number("age_gap", plan.age_gap, 0, MAX_GAP)
    has_partners = bool(plan.partners) or any(format_of(stage.kind).changes_partners for stage in plan.stages)
    if plan.age_gap and (plan.who != "people" or not has_partners):
        message = _("A rule about the ages of partners needs people who have partners: choose how they come together.")
        raise TournamentError(message, code="tournament.bad_age_gap", extra={"field": "age_gap"})


def validate_rotation(plan: EventPlan, rules: Rules) -> None:
    """Check rotating partners: individuals in seatings that share sides, before whom no stage takes teams.

    Raises TournamentError "tournament.bad_rotation" (extra: field, allowed).
    """
    shared = [len(set(sides)) < len(sides) for sides in (sides_of(rules, stage.seats) for stage in plan.stages)]
    rotating = [format_of(stage.kind).changes_partners for stage in plan.stages]
    if not any(rotating):
        return
    if not all(in_teams for in_teams, turns in zip(shared, rotating, strict=True) if turns):
        message = _("Rotating partners share a side: choose teams (2x2, 3x2 or 2x3) and the seats that fit them.")
        raise _bad_rotation(message, "seats")
    if plan.partners or plan.boards:
        message = _(
            "With rotating partners everybody is entered and ranked individually. Choose no partners and no teams."
        )
        raise _bad_rotation(message, "partners")
    if any(in_teams and not turns for in_teams, turns in zip(shared, rotating, strict=True)):
        message = _("People who are ranked individually cannot advance as teams. Let partners rotate in every stage.")
        raise _bad_rotation(message, "kind")


def _bad_rotation(message: str, field: str) -> TournamentError:
    return TournamentError(message, code="tournament.bad_rotation", extra={"field": field})


def validate_mixed(plan: EventPlan, rules: Rules) -> None:
    """Check that people and bots in one field sit each for themselves.

    Raises TournamentError "tournament.mixed_teams".
    """
    seatings = [sides_of(rules, stage.seats) for stage in plan.stages]
    if plan.who == "both" and any(len(set(sides)) < len(sides) for sides in seatings):
        message = _(
            "In an event of people and bots, everybody plays for themselves. Choose rules without teams, or people"
            " only."
        )
        raise TournamentError(message, code="tournament.mixed_teams", extra={"field": "who"})


def validate_site(plan: EventPlan, rules: Rules) -> None:
    """Check that a stage on this site has one person or bot at each seat.

    Raises TournamentError "tournament.bad_site".
    """
    for stage in plan.stages:
        if stage.where != Stage.Where.SITE:
            continue
        sides = sides_of(rules, stage.seats)
        shares = len(set(sides)) < len(sides)
        alone = shares and not plan.partners and not format_of(stage.kind).changes_partners
        if plan.who == "bots" or plan.boards or alone:
            message = _(
                "On this site one person sits at each seat. Choose an event with people; with partners, let them enter"
                " as teams, be drawn or change; teams whose members sit apart play at tables of their own."
            )
            raise TournamentError(message, code="tournament.bad_site", extra={"field": "where"})


def validate_programs(plan: EventPlan) -> None:
    """Check that remote programs, if they may be entered, can play in every stage: who is entered may go on.

    Raises TournamentError "tournament.bad_programs".
    """
    if not any(stage.admits_programs for stage in plan.stages):
        return
    can_play = all(stage.admits_programs and stage.where == Stage.Where.SITE for stage in plan.stages)
    if plan.who != "both" or not can_play:
        message = _(
            "Remote programs play on this site, in one field with people and bots. Choose an event of people and bots,"
            " all of whose stages are played on this site and admit programs."
        )
        raise TournamentError(message, code="tournament.bad_programs", extra={"field": "admits_programs"})


def sides_of(rules: Rules, seats: int) -> tuple[int, ...]:
    """Return the side of every seat, or raise the engine's refusal in the organiser's words."""
    try:
        return rules.sides(seats)
    except EngineError as wrong:
        raise TournamentError(str(wrong), code="tournament.bad_seating", extra={"seats": seats}) from wrong


def own_scoring(rules: Rules) -> str:
    """Return the stage scoring that goes with the game's own way of counting a match.

    A match without a number of deals ends at a target (Poka): it is won or lost, and its points only show how it ended.
    """
    if rules.options.scoring == "victories":
        return Stage.Scoring.ROUND_VICTORY
    has_rounds = any(info.id == "rounds" for info in option_table(rules.game))
    return Stage.Scoring.CUMULATIVE if has_rounds else Stage.Scoring.PLACE
