"""Programs: registered by a person, with what they play; renamed, changed, retired."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Final

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from accounts.models import User
from activity.journal import audit
from bots.models import BotVersion
from bots.services import create_program_bot, rename_bot
from engine.games import PRESETS
from tables.actions.opening import MAX_TABLES
from tables.actions.sitters import Sitter
from tables.domain_events import ProgramStated
from tables.errors import TableError
from tables.models import LiveSeat, LiveTable, Program
from tables.play.clocks import CLOCKS
from tables.play.seating import can_seat

MAX_PROGRAMS: Final = 10
"""Programs that a person may have at a time."""
SEATS: Final = range(2, 8)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramPlan:
    """What a program states of itself. presets, clocks: ids; seats_min, seats_max: players at a table.

    tables_most: tables at which it plays at a time; takes: of `Program.Takes`; plays_ladder: the service pairs it.
    """

    presets: Sequence[str]
    seats_min: int = 2
    seats_max: int = 2
    clocks: Sequence[str] = tuple(CLOCKS)
    tables_most: int = 1
    takes: str = Program.Takes.ANYBODY
    plays_ladder: bool = True


def programs() -> QuerySet[Program]:
    """Return every program that is not retired, with what is shown of it."""
    rows = Program.objects.filter(version__state=BotVersion.State.REMOTE)
    return rows.select_related("bot__owner", "version")


def register(*, by: User, name: str, plan: ProgramPlan) -> Program:
    """Register a program: a bot without files, whose name ends in the mark of remote programs.

    Raises TableError "program.limit", "program.bad_presets", "program.bad_seats", "program.bad_clocks",
    "program.bad_tables"; BotError as `bots.services.create_bot`.
    """
    fields = _checked(plan)
    if programs().filter(bot__owner=by).count() >= MAX_PROGRAMS:
        message = _("You have %(n)s programs, which is the limit. Retire one that you do not use.")
        raise TableError(message % {"n": MAX_PROGRAMS}, code="program.limit")
    with transaction.atomic():
        version = create_program_bot(owner=by, name=name)
        return Program.objects.create(bot=version.bot, version=version, **fields)


def change(*, program: Program, by: User, plan: ProgramPlan, name: str = "") -> Program:
    """Change what a program states; name: another name, "" for the same.

    Raises as `register`, and BotError "bot.not_owner".
    """
    fields = _checked(plan)
    with transaction.atomic():
        rename_bot(bot=program.bot, by=by, name=name or program.bot.name)
        before = _stated(plan_of(program))
        if before != fields:
            Program.objects.filter(pk=program.pk).update(**fields)
            audit(ProgramStated, f"bot:{program.bot.uuid}", actor=by, before=before, after=fields)
    return Program.objects.select_related("bot__owner", "version").get(pk=program.pk)


def plan_of(program: Program) -> ProgramPlan:
    """Return what a program states of itself."""
    return ProgramPlan(
        presets=program.presets,
        seats_min=program.seats_min,
        seats_max=program.seats_max,
        clocks=program.clocks,
        tables_most=program.tables_most,
        takes=program.takes,
        plays_ladder=program.plays_ladder,
    )


def sitter_for(program: Program) -> Sitter:
    """Return a program as somebody who sits at tables."""
    return Sitter(program.bot.name, user=program.bot.owner, program=program.version)


def is_retired(program: Program) -> bool:
    """Return whether a program sits down at no table any more."""
    return program.version.state != BotVersion.State.REMOTE


def is_done(program: Program) -> bool:
    """Return whether a program is retired and has played its last match. At most two queries."""
    if BotVersion.objects.filter(pk=program.version_id, state=BotVersion.State.REMOTE).exists():
        return False
    over = (LiveTable.State.FINISHED, LiveTable.State.ABORTED)
    seats = LiveSeat.objects.filter(bot_version=program.version_id, kind=LiveSeat.Kind.PROGRAM)
    return not seats.exclude(table__state__in=over).exists()


def require_ready(program: Program) -> None:
    """Refuse a program that sits down nowhere. Raises TableError "program.retired", "program.suspended"."""
    if is_retired(program):
        message = _("%(program)s is retired. Register another program.")
        raise TableError(message % {"program": program.bot.name}, code="program.retired")
    if program.bot.suspended_at is not None:
        message = _("An operator suspended this program: %(reason)s")
        raise TableError(message % {"reason": program.bot.suspended_reason}, code="program.suspended")


def _stated(plan: ProgramPlan) -> dict[str, object]:
    """Return the columns of a plan."""
    return {**asdict(plan), "presets": list(plan.presets), "clocks": list(plan.clocks)}


def _checked(plan: ProgramPlan) -> dict[str, object]:
    presets = [preset for preset in PRESETS if preset in plan.presets]
    if not presets or len(presets) != len(set(plan.presets)):
        raise _bad("presets", _("Choose at least one of the rules that there are."))
    seats = range(plan.seats_min, plan.seats_max + 1)
    if not seats or seats[0] not in SEATS or seats[-1] not in SEATS:
        raise _bad("seats_max", _("A table has from 2 to 7 players, and the most is not less than the fewest."))
    if not all(any(can_seat(preset, number) for number in seats) for preset in presets):
        raise _bad("seats_max", _("One of these rules is for another number of players."))
    clocks = [clock for clock in CLOCKS if clock in plan.clocks]
    if not clocks or len(clocks) != len(set(plan.clocks)):
        raise _bad("clocks", _("Choose at least one of the clocks that there are."))
    if not 1 <= plan.tables_most <= MAX_TABLES:
        message = _("A program plays at 1 to %(n)s tables at a time.")
        raise _bad("tables_most", message % {"n": MAX_TABLES})
    if plan.takes not in Program.Takes.values:
        raise _bad("takes", _("Choose who may challenge the program."))
    return {**_stated(plan), "presets": presets, "clocks": clocks}


def _bad(field: str, message: str) -> TableError:
    """Return the refusal of a field: "program.bad_presets", ..."""
    return TableError(message, code=f"program.bad_{field.partition('_')[0]}", extra={"field": field})
