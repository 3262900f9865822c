"""A new tournament as a draft, validated before anything is written."""

from __future__ import annotations

import string
from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.crypto import get_random_string
from django.utils.text import slugify
from django.utils.translation import gettext as _

from accounts.locking import lock_account
from accounts.models import User
from activity.journal import audit, publish
from core.errors import TournamentError
from core.formats import format_of
from core.printable import is_printable
from engine.game import Ruleset as Rules
from tournaments.domain_events.tournaments import TournamentCreated
from tournaments.events.chains import validate_chain
from tournaments.events.clocks import read_clock
from tournaments.events.drafts import require_room
from tournaments.events.shapes import (
    read_rules,
    table_sizes,
    validate_mixed,
    validate_partners,
    validate_rotation,
    validate_stage,
)
from tournaments.events.team_rules import columns_of, scoring_of, validate_boards
from tournaments.lifecycle.event_plan import EventPlan, StagePlan
from tournaments.lifecycle.time_limits import figures_of
from tournaments.lifecycle.transitions import label
from tournaments.lifecycle.values import bad_number, bad_value
from tournaments.matches.records.results import keys_of
from tournaments.models import Progression, Role, Ruleset, Stage, Tournament
from tournaments.pairing.constraints import DRAW, ENTERED
from tournaments.pairing.lineups import commit_to_draw
from tournaments.progress.round_clock import read_minutes
from tournaments.ratings.ladders import actions
from tournaments.ratings.ladders.actions import validate_ladder

__all__ = ["EventPlan", "create_tournament", "free_slug"]

NAME_LENGTH: Final = range(3, 81)
# Maximum time since an event began that is written down only now.
BACK: Final = timedelta(days=366)
AHEAD: Final = timedelta(days=5 * 366)
MAX_ENTRIES: Final = 512
ADDRESSES_TRIED: Final = 8


def create_tournament(*, by: User, plan: EventPlan) -> Tournament:
    """Make a draft of `plan` whose owner is `by`. Everything is validated first; nothing is half-written.

    Raises TournamentError: "tournament.name_invalid", "tournament.bad_preset", "tournament.bad_option" (extra: option,
    allowed), "tournament.bad_seating", "tournament.bad_<field>" for a value that does not exist (extra: allowed), what
    `validate_chain` raises of stages that do not hang together, "tournament.name_taken", "tournament.rate",
    "tournament.too_many_drafts", what `validate_boards` raises, AccountGone.
    """
    rules = read_rules(plan)
    for stage in plan.stages:
        validate_stage(stage)
    validate_ladder(plan)
    _check_words(plan)
    _check_numbers(plan)
    validate_partners(plan, rules)
    validate_boards(plan, rules)
    validate_mixed(plan, rules)
    validate_rotation(plan, rules)
    require_room(by)
    sizes = [table_sizes(stage, rules) for stage in plan.stages]
    validate_chain(plan, rules, sizes)
    for _attempt in range(ADDRESSES_TRIED):
        try:
            return _write(by, plan, rules, sizes)
        except IntegrityError:  # somebody took the same address at the same moment: take the next one
            continue
    message = _("Too many events with this name are being created right now. Try again in a moment.")
    raise TournamentError(message, code="tournament.name_taken")


@transaction.atomic
def _write(by: User, plan: EventPlan, rules: Rules, sizes: Sequence[tuple[int, int]]) -> Tournament:
    # Locked: an account that is erased at this moment must not become the owner of an event.
    lock_account(by)
    event = _event(by, plan, rules)
    _stages(event, plan, rules, sizes)
    if event.partners:
        commit_to_draw(event)
    Role.objects.create(user=by, tournament=event, role=Role.Kind.OWNER)
    audit(TournamentCreated, label(event), actor=by, channel=event.channel, after={"state": event.state})
    publish(TournamentCreated(event.channel))
    return event


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


def _check_numbers(plan: EventPlan) -> None:
    read_minutes(plan.round_minutes)
    is_open_ended = format_of(plan.kind).is_open_ended
    check_entries(plan.min_entries, plan.max_entries, plan.entries_per_owner, is_open_ended=is_open_ended)
    check_close(plan.entries_close_at)
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


def _event(by: User, plan: EventPlan, rules: Rules) -> Tournament:
    return Tournament.objects.create(
        slug=free_slug(plan.name, is_unlisted=plan.visibility == Tournament.Visibility.UNLISTED),
        name=plan.name.strip(),
        description=plan.description.strip(),
        visibility=plan.visibility,
        time_zone=plan.time_zone,
        min_entries=plan.min_entries,
        max_entries=plan.max_entries,
        entries_per_owner=plan.entries_per_owner,
        entries_close_at=plan.entries_close_at,
        starts_at=plan.starts_at,
        venue=plan.venue.strip(),
        created_by=by,
        who=plan.who,
        draws=plan.draws,
        apart=plan.apart,
        round_minutes=read_minutes(plan.round_minutes) or None,
        **{"partners": plan.partners, **columns_of(plan, rules)},
    )


def free_slug(name: str, *, is_unlisted: bool = False) -> str:
    """Return an address made of the name that no tournament has yet.

    is_unlisted: anyone who has the address may look, so it ends in eight random letters and cannot be guessed.
    """
    stem = slugify(name)[:50] or "event"
    if is_unlisted:
        stem = f"{stem[:40].rstrip('-')}-{get_random_string(8, string.ascii_lowercase + string.digits)}"
    # Only a proposal: the unique column decides, and `create_tournament` tries the next one.
    taken = set(Tournament.objects.filter(slug__startswith=stem).values_list("slug", flat=True))
    number = 1
    while (slug := stem if number == 1 else f"{stem}-{number}") in taken or slug in RESERVED_SLUGS:
        number += 1
    return slug


VENUE_LENGTH: Final = 120
RESERVED_SLUGS: Final = frozenset({"new", "do", "import"})


def _stages(event: Tournament, plan: EventPlan, rules: Rules, sizes: Sequence[tuple[int, int]]) -> None:
    """Make the chain: every stage, and the ways between them."""
    row, _made = Ruleset.objects.get_or_create(
        sha256=rules.hash.removeprefix("sha256:"), defaults={"game": rules.game, "canonical": rules.canonical()}
    )
    stages = [
        _stage(event, plan.preset, stage, order, row, size)
        for order, (stage, size) in enumerate(zip(plan.stages, sizes, strict=True), start=1)
    ]
    # `keys_of` reads the scoring, so it comes after it.
    for stage, planned in zip(stages, plan.stages, strict=True):
        stage.scoring = scoring_of(plan, stage.scoring, rules)
        stage.seeding = plan.seeding if stage.order == 1 else Stage.Seeding.ENTERED
        if planned.tie_breaks is None:
            stage.tie_breaks = list(keys_of(stage)[1:])
        stage.save()
    orders: Counter[int] = Counter()
    for rule in plan.ways:
        orders[rule.target] += 1
        Progression.objects.create(
            source=stages[rule.source - 1],
            target=stages[rule.target - 1],
            order=orders[rule.target],
            first=rule.first,
            last=rule.last,
            most=rule.most,
            by=rule.by,
            carry=rule.carry,
        )


def _stage(
    event: Tournament, preset: str, plan: StagePlan, order: int, ruleset: Ruleset, size: tuple[int, int]
) -> Stage:
    return Stage(
        tournament=event,
        order=order,
        name=plan.name.strip(),
        kind=plan.kind,
        ruleset=ruleset,
        preset=preset,
        seats_min=size[0],
        seats_pref=plan.seats,
        seats_max=size[1],
        rounds_planned=plan.rounds,
        ends_at=plan.ends_at,
        advance=plan.advance,
        third_place=plan.third_place,
        scoring=plan.scoring,
        tie_breaks=list(plan.tie_breaks or ()),
        bye_policy=plan.bye_policy,
        clock=plan.clock,
        clock_figures=figures_of(read_clock(plan.clock, plan.figures)),
        legs=plan.legs,
        groups_n=plan.groups,
        waits=plan.waits,
    )
