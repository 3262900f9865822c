"""A new tournament as a draft, judged before anything is written."""

from __future__ import annotations

import string
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.crypto import get_random_string
from django.utils.text import slugify
from django.utils.translation import gettext as _

from accounts.models import User
from bots.journal import Note, audit, tell
from engine.errors import EngineError
from engine.game import Ruleset as Rules
from engine.game import game_of
from engine.games import PRESETS, option_table
from tournaments.errors import TournamentError
from tournaments.formats import FORMATS
from tournaments.jobs import planning
from tournaments.jobs.transitions import label
from tournaments.models import Role, Ruleset, Stage, Tournament
from tournaments.selectors.clocks import figures_of
from tournaments.services.clocks import read_clock
from tournaments.services.drafts import require_room
from tournaments.services.values import bad_value
from tournaments.standings.model import BYE_POLICIES
from tournaments.standings.tiebreaks import OFFERED

NAME_LENGTH: Final = range(3, 81)
MOST_ENTRIES: Final = 512
MOST_ROUNDS: Final = 64
ADDRESSES_TRIED: Final = 8
WHO: Final = ("bots", "people")
BRACKETS: Final = (Stage.Kind.SINGLE_ELIM, Stage.Kind.DOUBLE_ELIM)


@dataclass(frozen=True, slots=True, kw_only=True)
class EventPlan:
    """What the form (or the API, or the demo) asks for: one tournament of one stage.

    preset: an id of `engine.games.PRESETS`; options: what differs from it, {id: value}.
    seats: players at a table, as many as the game allows; seats_min, seats_max: what a table may shrink or grow to when
    the entries do not divide (default: one less and one more as far as the game goes; exactly `seats` with teams, at a
    round robin and in a bracket of two seats).
    kind: a stage kind (`tournaments.formats.FORMATS`); rounds: how many; for a round robin how many cycles, for lives
    how many of them, in a bracket of no meaning. advance: how many of a table go on (elimination) or keep their life.
    third_place: a match of the beaten semifinalists (single elimination at two sides).
    clock: a name of `bots.runner.spec.CLOCKS`, or "custom" with `figures` (those left out are the standard's).
    scoring: "" takes the preset's own. entries_close_at: None = when the organiser starts it.
    who: "bots" on workers, or "people" at tables (each deal once).
    """

    name: str
    preset: str
    who: str = "bots"
    seats: int = 4
    options: Mapping[str, object] = field(default_factory=dict)
    kind: str = "tables"
    rounds: int = 1
    advance: int = 1
    third_place: bool = False
    scoring: str = ""
    legs: str = "single"
    tie_breaks: tuple[str, ...] = ()
    bye_policy: str = "half"
    clock: str = "standard"
    figures: Mapping[str, object] = field(default_factory=dict)
    seats_min: int | None = None
    seats_max: int | None = None
    description: str = ""
    visibility: str = "public"
    time_zone: str = "UTC"
    min_entries: int = 2
    max_entries: int = 64
    entries_per_owner: int = 2
    entries_close_at: datetime | None = None


def create_tournament(*, by: User, plan: EventPlan) -> Tournament:
    """A draft of `plan` whose owner is `by`. Judges everything first; nothing is half-written.

    Raises TournamentError: "tournament.name_invalid", "tournament.bad_preset", "tournament.bad_option" (extra: option,
    allowed), "tournament.bad_seating", "tournament.bad_<field>" for a value that does not exist (extra: allowed),
    "tournament.name_taken", "tournament.rate", "tournament.too_many_drafts".
    """
    rules = read_rules(plan)
    _check_words(plan)
    _check_numbers(plan)
    read_clock(plan.clock, plan.figures)
    require_room(by)
    smallest, largest = table_sizes(plan, rules)
    for _attempt in range(ADDRESSES_TRIED):
        try:
            return _write(by, plan, rules, smallest, largest)
        except IntegrityError:  # somebody took the same address at the same moment: take the next one
            continue
    message = _("Too many events of this name are being made just now. Try again in a moment.")
    raise TournamentError(message, code="tournament.name_taken")


@transaction.atomic
def _write(by: User, plan: EventPlan, rules: Rules, smallest: int, largest: int) -> Tournament:
    event = _event(by, plan)
    _stage(event, plan, rules, smallest, largest)
    Role.objects.create(user=by, tournament=event, role=Role.Kind.OWNER)
    audit("tournament.create", label(event), actor=by, channel=event.channel, after={"state": event.state})
    tell(Note(event.channel, "tournament.create"))
    return event


def read_rules(plan: EventPlan) -> Rules:
    """The ruleset of a plan, every option resolved; refuses unknown presets, options and values."""
    if plan.preset not in PRESETS:
        raise bad_value("preset", plan.preset, tuple(PRESETS))
    try:
        preset = PRESETS[plan.preset]
        return Rules.from_json({"game": preset.game, "options": {**preset.overrides, **plan.options}})
    except EngineError as wrong:
        raise TournamentError(str(wrong), code="tournament.bad_option", extra=wrong.extra) from wrong


def table_sizes(plan: EventPlan, rules: Rules) -> tuple[int, int]:
    """Smallest and largest number of seats at a table, judged by the game and by the stage kind."""
    sides = sides_of(rules, plan.seats)
    found = FORMATS[plan.kind]
    low, high = found.seat_range
    if not low <= len(set(sides)) <= high:
        message = _("%(kind)s needs tables of %(low)s to %(high)s sides, but %(seats)s seats make %(sides)s.")
        shown = {"kind": found.name, "low": low, "high": high, "seats": plan.seats, "sides": len(set(sides))}
        raise TournamentError(message % shown, code="tournament.bad_seating", extra={"seats": plan.seats})
    fewest, most = game_of(rules.game).seat_range
    low, high = max(low, fewest), min(high, most)
    in_teams = len(set(sides)) < len(sides)
    if in_teams or low == high or (plan.seats == 2 and plan.kind in BRACKETS):
        low = high = plan.seats
    smallest = plan.seats_min or max(low, plan.seats - 1)
    largest = plan.seats_max or min(high, plan.seats + 1)
    if not low <= smallest <= plan.seats <= largest <= high:
        raise bad_value("seats", f"{smallest}-{plan.seats}-{largest}", (f"{low} … {high}",))
    for seats in range(smallest, largest + 1):
        sides_of(rules, seats)
    _check_going_on(plan, len(set(sides)))
    return smallest, largest


def _check_going_on(plan: EventPlan, sides: int) -> None:
    """In a bracket, and where lives count, some of a table go on and some do not."""
    if plan.kind in planning.PLACING and not 1 <= plan.advance < sides:
        raise bad_value("advance", str(plan.advance), (f"1 … {sides - 1}",))
    if plan.third_place and (plan.kind != Stage.Kind.SINGLE_ELIM or sides != 2):
        raise bad_value("third_place", plan.kind, (f"{Stage.Kind.SINGLE_ELIM}, 2",))


def sides_of(rules: Rules, seats: int) -> tuple[int, ...]:
    """The side of every seat, or the engine's refusal in the organiser's words."""
    try:
        return rules.sides(seats)
    except EngineError as wrong:
        raise TournamentError(str(wrong), code="tournament.bad_seating", extra={"seats": seats}) from wrong


def _check_words(plan: EventPlan) -> None:
    choices: dict[str, tuple[str, tuple[str, ...]]] = {
        "kind": (plan.kind, tuple(FORMATS)),
        "who": (plan.who, WHO),
        "legs": (plan.legs, (Stage.Legs.SINGLE.value,) if plan.who == "people" else tuple(Stage.Legs.values)),
        "bye_policy": (plan.bye_policy, tuple(BYE_POLICIES)),
        "visibility": (plan.visibility, tuple(Tournament.Visibility.values)),
        "scoring": (plan.scoring or Stage.Scoring.PLACE, tuple(Stage.Scoring.values)),
    }
    for name, (value, allowed) in choices.items():
        if value not in allowed:
            raise bad_value(name, value, allowed)
    for tie_break in plan.tie_breaks:
        if tie_break not in OFFERED:
            raise bad_value("tie_breaks", tie_break, OFFERED)
    if len(plan.name.strip()) not in NAME_LENGTH or not plan.name.isprintable():
        message = _("Give the event a name of 3 to 80 printable characters.")
        raise TournamentError(message, code="tournament.name_invalid")
    _check_zone(plan.time_zone)


def _check_zone(name: str) -> None:
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as wrong:
        raise bad_value("time_zone", name, ("UTC", "Europe/Paris", "Pacific/Honolulu", "…")) from wrong


def _check_numbers(plan: EventPlan) -> None:
    limits = {
        "rounds": (plan.rounds, 1, MOST_ROUNDS),
        "min_entries": (plan.min_entries, 2, MOST_ENTRIES),
        "max_entries": (plan.max_entries, plan.min_entries, MOST_ENTRIES),
        "entries_per_owner": (plan.entries_per_owner, 1, MOST_ENTRIES),
    }
    for name, (value, low, high) in limits.items():
        if not low <= value <= high:
            raise bad_value(name, str(value), (f"{low} … {high}",))
    if plan.entries_close_at is not None and plan.entries_close_at <= timezone.now():
        message = _("Entries would close in the past. Choose a later time, or none to close them by starting.")
        raise TournamentError(message, code="tournament.bad_entries_close_at")


def _event(by: User, plan: EventPlan) -> Tournament:
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
        created_by=by,
        policies={"who": plan.who},
    )


def free_slug(name: str, *, is_unlisted: bool = False) -> str:
    """An address made of the name that no tournament has yet.

    is_unlisted: whoever has the address may look, so it ends in eight random letters and cannot be guessed.
    """
    stem = slugify(name)[:50] or "event"
    if is_unlisted:
        stem = f"{stem[:40].rstrip('-')}-{get_random_string(8, string.ascii_lowercase + string.digits)}"
    taken = set(Tournament.objects.filter(slug__startswith=stem).values_list("slug", flat=True))
    number = 1
    while (slug := stem if number == 1 else f"{stem}-{number}") in taken or slug in RESERVED_SLUGS:
        number += 1
    return slug


RESERVED_SLUGS: Final = frozenset({"new", "do"})


def _stage(event: Tournament, plan: EventPlan, rules: Rules, smallest: int, largest: int) -> None:
    canonical = rules.canonical()
    row, _made = Ruleset.objects.get_or_create(
        sha256=rules.hash.removeprefix("sha256:"), defaults={"game": rules.game, "canonical": canonical}
    )
    Stage.objects.create(
        tournament=event,
        kind=plan.kind,
        ruleset=row,
        preset=plan.preset,
        seats_min=smallest,
        seats_pref=plan.seats,
        seats_max=largest,
        rounds_planned=plan.rounds,
        advance=plan.advance,
        third_place=plan.third_place,
        scoring=plan.scoring or own_scoring(rules),
        tie_breaks=list(plan.tie_breaks),
        bye_policy=plan.bye_policy,
        clock=plan.clock,
        clock_figures=figures_of(read_clock(plan.clock, plan.figures)),
        legs=plan.legs,
    )


def own_scoring(rules: Rules) -> str:
    """The stage scoring that goes with the game's own way of counting a match.

    A match without a number of deals ends at a target (Poka): it is won or lost, and its points say only how it ended.
    """
    if rules.options.scoring == "victories":
        return Stage.Scoring.ROUND_VICTORY
    has_rounds = any(info.id == "rounds" for info in option_table(rules.game))
    return Stage.Scoring.CUMULATIVE if has_rounds else Stage.Scoring.PLACE
