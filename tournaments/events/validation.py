"""Validation of a whole plan of an event before anything is written, for a new event and for one that is changed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.utils import timezone
from django.utils.translation import gettext as _

from core.errors import TournamentError
from core.formats import format_of
from core.printable import is_printable
from engine.game import Ruleset as Rules
from tournaments.events.chains import validate_chain
from tournaments.events.shapes import (
    read_rules,
    table_sizes,
    validate_mixed,
    validate_partners,
    validate_programs,
    validate_rotation,
    validate_site,
    validate_stage,
)
from tournaments.events.team_rules import validate_boards
from tournaments.lifecycle.event_plan import EventPlan
from tournaments.lifecycle.values import bad_number, bad_value
from tournaments.models import Stage, Tournament
from tournaments.pairing.constraints import DRAW, ENTERED
from tournaments.progress.round_clock import read_minutes
from tournaments.ratings.ladders import actions
from tournaments.ratings.ladders.actions import validate_ladder

NAME_LENGTH: Final = range(3, 81)
VENUE_LENGTH: Final = 120
# Maximum time since an event began that is written down only now.
BACK: Final = timedelta(days=366)
AHEAD: Final = timedelta(days=5 * 366)
MAX_ENTRIES: Final = 512


@dataclass(frozen=True, slots=True)
class Checked:
    """What a sound plan comes to. sizes: (smallest, largest) table of each stage, in seats."""

    rules: Rules
    sizes: tuple[tuple[int, int], ...]


def validate_plan(plan: EventPlan, before: EventPlan | None = None) -> Checked:
    """Refuse a plan that cannot be played. before: of an event that is changed; times that stay are not asked again.

    Raises TournamentError: "tournament.name_invalid", "tournament.bad_preset", "tournament.bad_option" (extra: option,
    allowed), "tournament.bad_seating", "tournament.bad_<field>" for a value that does not exist (extra: allowed), what
    `validate_chain` raises of stages that do not hang together, what `validate_boards` raises.
    """
    rules = read_rules(plan)
    for stage in plan.stages:
        validate_stage(stage)
    if before is None or (plan.kind, plan.ends_at) != (before.kind, before.ends_at):
        validate_ladder(plan)
    _check_words(plan)
    _check_numbers(plan, before)
    validate_partners(plan, rules)
    validate_boards(plan, rules)
    validate_mixed(plan, rules)
    validate_rotation(plan, rules)
    validate_site(plan, rules)
    validate_programs(plan)
    sizes = tuple(table_sizes(stage, rules) for stage in plan.stages)
    validate_chain(plan, rules, sizes)
    return Checked(rules, sizes)


def _check_words(plan: EventPlan) -> None:
    choices: dict[str, tuple[str, tuple[str, ...]]] = {
        "who": (plan.who, tuple(Tournament.Who.values)),
        "draws": (plan.draws, tuple(Tournament.Draws.values) if plan.who == "both" else ("",)),
        "visibility": (plan.visibility, tuple(Tournament.Visibility.values)),
        "apart": (plan.apart, tuple(Tournament.Apart.values)),
        "seeding": (plan.seeding, (ENTERED, DRAW)),
    }
    for name, (value, allowed) in choices.items():
        if value not in allowed:
            raise bad_value(name, value, allowed)
    if plan.who != "bots":
        for stage in plan.stages:
            if stage.legs != Stage.Legs.SINGLE:
                raise bad_value("legs", stage.legs, (Stage.Legs.SINGLE.value,))
    check_name(plan.name, plan.time_zone)
    check_venue(plan.venue)


def check_name(name: str, time_zone: str) -> None:
    """Raise TournamentError "tournament.name_invalid" or "tournament.bad_time_zone"."""
    if len(name.strip()) not in NAME_LENGTH or not is_printable(name):
        message = _("Give the event a name of 3 to 80 printable characters.")
        raise TournamentError(message, code="tournament.name_invalid")
    _check_zone(time_zone)


def check_venue(venue: str) -> None:
    """Raise TournamentError "tournament.bad_venue"."""
    if len(venue.strip()) > VENUE_LENGTH or not is_printable(venue):
        message = _("Describe the place in at most %(n)s printable characters, on one line.")
        raise TournamentError(message % {"n": VENUE_LENGTH}, code="tournament.bad_venue")


def _check_zone(name: str) -> None:
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as wrong:
        raise bad_value("time_zone", name, ("UTC", "Europe/Paris", "Pacific/Honolulu", "…")) from wrong


def _check_numbers(plan: EventPlan, before: EventPlan | None) -> None:
    read_minutes(plan.round_minutes)
    is_open_ended = format_of(plan.kind).is_open_ended
    check_entries(plan.min_entries, plan.max_entries, plan.entries_per_owner, is_open_ended=is_open_ended)
    if before is None or plan.entries_close_at != before.entries_close_at:
        check_close(plan.entries_close_at)
    if before is None or plan.starts_at != before.starts_at:
        check_begin(plan.starts_at)


def check_entries(fewest: int, most: int, per_owner: int, *, is_open_ended: bool) -> None:
    """Raise TournamentError "tournament.bad_min_entries", "tournament.bad_max_entries" .. for what cannot be."""
    bounds = entry_bounds(is_open_ended=is_open_ended)
    given = {"min_entries": fewest, "max_entries": most, "entries_per_owner": per_owner}
    for name, value in given.items():
        low, high = bounds[name]
        if name == "max_entries":
            low = max(low, fewest)
        if not low <= value <= high:
            raise bad_number(name, value, low, high)


def entry_bounds(*, is_open_ended: bool) -> dict[str, tuple[int, int]]:
    """Return the bounds of the numbers of entries; the largest is not smaller than the smallest."""
    most = actions.MAX_ENTRIES if is_open_ended else MAX_ENTRIES
    return {"min_entries": (2, most), "max_entries": (2, most), "entries_per_owner": (1, most)}


def check_close(at: datetime | None) -> None:
    """Raise TournamentError "tournament.bad_entries_close_at" for a time that is gone, or years away."""
    if at is not None and at <= timezone.now():
        message = _(
            "That would close entries in the past. Choose a later time, or leave it empty to close "
            "entries when you start the event."
        )
        raise TournamentError(message, code="tournament.bad_entries_close_at", extra={"field": "entries_close_at"})
    if at is not None and at > timezone.now() + AHEAD:
        message = _("Entries would close in %(year)s. Choose a time within five years.") % {"year": at.year}
        raise TournamentError(message, code="tournament.bad_entries_close_at", extra={"field": "entries_close_at"})


def check_begin(at: datetime | None) -> None:
    """Raise TournamentError "tournament.bad_starts_at" for a day that was mistyped: long ago, or years away."""
    now = timezone.now()
    if at is not None and not now - BACK <= at <= now + AHEAD:
        message = _("It would begin in %(year)s. Choose a time within the last year or the next five years.")
        raise TournamentError(
            message % {"year": at.year}, code="tournament.bad_starts_at", extra={"field": "starts_at"}
        )
