"""The ladder of programs: those that are connected and free are paired by strength, and asked to a rated table.

Who was met last waits, so that two programs alone do not play each other again and again within a minute.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from itertools import combinations
from typing import Final

import structlog
from django.db.models import Count, Q
from django.utils import timezone

from bots.models import BotVersion
from engine.errors import DomainError
from tables.actions.opening import TablePlan
from tables.models import LiveSeat, LiveTable, Program, TableChallenge
from tables.play.clocks import CLOCKS
from tables.play.seating import can_seat
from tables.programs.challenges import challenge_for_ladder
from tables.programs.presence import here
from tournaments.models import Rating, RatingPool

SEATS: Final = 2
CLOCK: Final = CLOCKS["remote"]
PAUSE: Final = timedelta(minutes=2)
"""Programs that were asked to play each other are not asked again for so long."""
MAX_PROGRAMS: Final = 200
"""Programs that are looked at in one go; the rest comes with the next one."""
MEAN: Final = 25.0
"""Where ratings begin."""
S = LiveTable.State
Pair = tuple[Program, Program]
log = structlog.get_logger(__name__)


def pair_programs() -> int:
    """Ask programs to tables of the ladder, each to one at a time. Returns how many tables were opened."""
    free = _free()
    strengths, asked = _strengths(free), _asked_lately(free)
    done = 0
    taken: set[int] = set()
    for (one, other), preset in _by_distance(free, strengths, asked):
        if one.pk in taken or other.pk in taken:
            continue
        taken |= {one.pk, other.pk}
        try:
            challenge_for_ladder((one, other), TablePlan(preset=preset, seats=SEATS, clock=CLOCK, rated=True))
            done += 1
        except DomainError as refused:
            log.warning("program.not_paired", programs=[str(one), str(other)], reason=str(refused))
    return done


def _free() -> list[Program]:
    """Return programs of the ladder that are connected and have room for a table. One query."""
    over = (S.FINISHED, S.ABORTED)
    sits = Q(version__live_seats__kind=LiveSeat.Kind.PROGRAM) & ~Q(version__live_seats__table__state__in=over)
    waits = Q(challenges__answer="", challenges__table__state=S.OPEN)
    rows = Program.objects.filter(
        here(), plays_ladder=True, version__state=BotVersion.State.REMOTE, bot__suspended_at=None
    )
    rows = rows.annotate(
        sits=Count("version__live_seats", filter=sits, distinct=True),
        waiting=Count("challenges", filter=waits, distinct=True),
    )
    found = rows.select_related("bot").order_by("-seen_at")[:MAX_PROGRAMS]
    return [program for program in found if vars(program)["sits"] + vars(program)["waiting"] < program.tables_most]


def _strengths(programs: Sequence[Program]) -> Mapping[tuple[int, str], float]:
    """Return the ratings of these programs by their id and preset. One query."""
    versions = {program.version_id: program.pk for program in programs}
    rows = Rating.objects.filter(pool__who=RatingPool.Who.REMOTE, pool__seats=SEATS, version__in=versions)
    found = rows.values_list("version", "pool__preset", "mu")
    return {(versions[version], preset): mu for version, preset, mu in found if version is not None}


def _asked_lately(programs: Sequence[Program]) -> set[frozenset[int]]:
    """Return pairs that the ladder has asked a moment ago. One query."""
    rows = TableChallenge.objects.filter(program__in=programs, by="", created_at__gt=timezone.now() - PAUSE)
    at: dict[int, set[int]] = {}
    for table, program in rows.values_list("table", "program"):
        at.setdefault(table, set()).add(program)
    return {frozenset(both) for both in at.values()}


def _by_distance(
    programs: Sequence[Program], strengths: Mapping[tuple[int, str], float], asked: set[frozenset[int]]
) -> list[tuple[Pair, str]]:
    """Return pairs of different owners with the rules that they have in common, the nearest in strength first."""
    found: list[tuple[float, int, int, Pair, str]] = []
    for one, other in combinations(programs, 2):
        if one.bot.owner_id == other.bot.owner_id or frozenset((one.pk, other.pk)) in asked:
            continue
        for preset in _common(one, other):
            far = abs(strengths.get((one.pk, preset), MEAN) - strengths.get((other.pk, preset), MEAN))
            found.append((far, one.pk, other.pk, (one, other), preset))
    return [(pair, preset) for _far, _one, _other, pair, preset in sorted(found, key=lambda row: row[:3])]


def _common(one: Program, other: Program) -> list[str]:
    fits = all(each.seats_min <= SEATS <= each.seats_max and CLOCK.id in each.clocks for each in (one, other))
    shared = [preset for preset in one.presets if preset in other.presets and can_seat(preset, SEATS)]
    return shared if fits else []
