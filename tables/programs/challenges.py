"""Challenges: somebody opens a table and asks programs to sit down at it; they accept or decline.

What has become of a challenge follows from its answer and its table: a table that is called off, or that begins, ends
every challenge to it. A program that declines calls the table off.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Final
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from activity.journal import publish
from tables.actions.leaving import abort
from tables.actions.locking import locked
from tables.actions.opening import TablePlan, open_table, rules_of_plan, sit_down, write_table
from tables.actions.rematches import plan_of, rematch
from tables.actions.sitters import Sitter
from tables.domain_events import ProgramNews
from tables.errors import TableError
from tables.events.opened import seats_of
from tables.events.seats import sit_reserved
from tables.models import LiveSeat, LiveTable, Program, TableChallenge
from tables.play.shuffle import Nonce
from tables.programs.presence import is_here
from tables.programs.registry import require_ready, sitter_for

ANSWERED_WITHIN: Final = timedelta(seconds=60)
MAX_WAITING: Final = 20
"""Challenges that may wait for one program."""
REASONS: Final = ("busy", "rules", "clock", "rated", "not_rated", "later", "other")
OPEN: Final = "open"
CANCELLED: Final = "cancelled"
EXPIRED: Final = "expired"
S = LiveTable.State


def challenge(
    by: Sitter, others: Sequence[Program], plan: TablePlan, nonce: Nonce, *, program: Program | None = None
) -> LiveTable:
    """Open a table, sit down at it, and ask programs to join. program: the one that asks, if it is one.

    Raises TableError as `open_table` does, and "challenge.nobody", "challenge.twice", "challenge.seats",
    "challenge.too_many", "program.retired", "program.suspended", "program.offline", "program.takes_nobody",
    "program.takes_programs", "program.other_rules", "program.other_clock", "table.same_owner".
    """
    _check_others(others, program, plan)
    for other in others:
        require_playable(other, plan, by=by.user, is_program=program is not None)
    with transaction.atomic():
        table = open_table(by, _waiting(plan), nonce)
        _ask(table, others, by=by.name, program=program)
    return table


def challenge_for_ladder(pair: Sequence[Program], plan: TablePlan) -> LiveTable:
    """Open a table for programs that the service has paired, and ask all of them."""
    with transaction.atomic():
        table = write_table(_waiting(plan), rules_of_plan(plan), pair[0].bot.owner_id)
        _ask(table, pair, by="", program=None)
    return table


def rematch_against_programs(table: LiveTable, sitter: Sitter, nonce: Nonce) -> LiveTable:
    """Do `rematch`, and ask the programs that sat there to the new table.

    Raises TableError as `rematch` does, and those of `challenge` for a program that would not come.
    """
    seats = table.seats.filter(kind=LiveSeat.Kind.PROGRAM).values("bot_version")
    programs = list(Program.objects.filter(version__in=seats).select_related("bot__owner", "version"))
    for program in programs:
        require_playable(program, plan_of(table), by=sitter.user, is_program=False)
    with transaction.atomic():
        again = rematch(table, sitter, nonce)
        if programs and again.state == S.OPEN and not again.challenges.exists():
            _ask(again, programs, by=sitter.name, program=None)
    return again


def accept(uuid: UUID, program: Program, nonce: Nonce) -> LiveTable:
    """Sit down where a program was asked to, at a table of an event at its own seat. Twice changes nothing.

    Raises TableError "challenge.unknown", "challenge.wrong_state", and as `sit_down` or `sit_reserved` does.
    """
    with transaction.atomic():
        found = _locked(uuid, program)
        if found.answer != TableChallenge.Reply.ACCEPTED:
            _require_open(found)
            require_ready(program)
            _sit(found.table, program, nonce)
            _reply(found, TableChallenge.Reply.ACCEPTED)
    return LiveTable.objects.get(pk=found.table_id)


def _sit(table: LiveTable, program: Program, nonce: Nonce) -> None:
    if table.stage_id is None:
        sit_down(table, sitter_for(program), nonce)
        return
    own = [seat.index for seat in seats_of(table.uuid) if seat.bot_version_id == program.version_id]
    sit_reserved(table, sitter_for(program), nonce, own)


def decline(uuid: UUID, program: Program, reason: str = "") -> TableChallenge:
    """Say that a program does not play; the table is called off. Twice changes nothing.

    Raises TableError "challenge.unknown", "challenge.wrong_state", "challenge.of_event".
    """
    with transaction.atomic():
        found = _locked(uuid, program)
        if found.table.stage_id is not None:
            message = _(
                "A match of an event cannot be declined. If the program does not come, the organiser decides it."
            )
            raise TableError(message, code="challenge.of_event")
        if found.answer != TableChallenge.Reply.DECLINED:
            _require_open(found)
            found.reason = reason if reason in REASONS else ""
            _reply(found, TableChallenge.Reply.DECLINED)
            call_off(found.table, "declined")
    return found


def cancel(uuid: UUID, program: Program) -> TableChallenge:
    """Take a challenge of one's own back: its table is called off. Twice changes nothing.

    Raises TableError "challenge.unknown", "challenge.wrong_state" once the table has begun.
    """
    with transaction.atomic():
        found = TableChallenge.objects.select_related("table").filter(uuid=uuid, by_program=program).first()
        if found is None:
            raise _unknown()
        call_off(found.table, "left")
        found.table.refresh_from_db()
        if found.table.state != S.ABORTED:
            raise _over(found)
    return found


def call_off(table: LiveTable, reason: str) -> None:
    """Call a table off to which nobody comes any more; one that has begun stays as it is."""
    with locked(table.uuid) as at:
        if at.table.state == S.OPEN:
            abort(at, reason)


def state_of(challenge: TableChallenge) -> str:
    """Return what has become of a challenge: open, accepted, declined, cancelled or expired."""
    table = challenge.table
    if challenge.answer:
        return str(challenge.answer)
    if table.state == S.OPEN:
        return OPEN
    return EXPIRED if table.reason == "nobody_came" else CANCELLED


def require_playable(program: Program, plan: TablePlan, *, by: User | None, is_program: bool) -> None:
    """Refuse a challenge that the program, as its owner stated, would not take; `challenge` names the codes.

    by: the account behind the challenge, None for a guest; is_program: a program asks.
    """
    require_ready(program)
    shown = {"program": program.bot.name}
    if by is None or by.pk != program.bot.owner_id:
        if program.takes == Program.Takes.NOBODY:
            raise TableError(_("%(program)s takes no challenges.") % shown, code="program.takes_nobody")
        if program.takes == Program.Takes.PROGRAMS and not is_program:
            message = _("%(program)s takes challenges of programs only.")
            raise TableError(message % shown, code="program.takes_programs")
    if plan.preset not in program.presets or not program.seats_min <= plan.seats <= program.seats_max:
        message = _("%(program)s does not play by these rules with this number of players.")
        raise TableError(message % shown, code="program.other_rules", extra={"field": "preset"})
    if plan.clock.id not in program.clocks:
        message = _("%(program)s does not play with this clock.")
        raise TableError(message % shown, code="program.other_clock", extra={"field": "clock"})
    if not is_here(program):
        message = _("%(program)s is not connected now. Try again later.")
        raise TableError(message % shown, code="program.offline")


def _check_others(others: Sequence[Program], program: Program | None, plan: TablePlan) -> None:
    """Refuse challenges that do not fill the table, or that name one program twice."""
    if not others:
        raise TableError(_("Name the programs that you challenge."), code="challenge.nobody")
    everybody = [*others, *([program] if program is not None else [])]
    if len({each.pk for each in everybody}) < len(everybody):
        raise TableError(_("A program has one seat at a table. Name others."), code="challenge.twice")
    if len(others) + 1 != plan.seats:
        message = _("Name as many programs as there are seats beside your own.")
        raise TableError(message, code="challenge.seats", extra={"field": "programs"})
    if plan.rated and len({each.bot.owner_id for each in everybody}) < len(everybody):
        message = _("Two programs of one person do not play a rated match.")
        raise TableError(message, code="table.same_owner")
    waiting = TableChallenge.objects.filter(program__in=others, answer="", table__state=S.OPEN)
    if waiting.count() >= MAX_WAITING:
        message = _("Very many challenges wait for this program. Try again later.")
        raise TableError(message, code="challenge.too_many")


def _waiting(plan: TablePlan) -> TablePlan:
    return replace(plan, waits_for=ANSWERED_WITHIN)


def _ask(table: LiveTable, others: Sequence[Program], *, by: str, program: Program | None) -> None:
    rows = [TableChallenge(table=table, program=other, by=by[:60], by_program=program) for other in others]
    TableChallenge.objects.bulk_create(rows)
    publish(*(ProgramNews(other.channel) for other in others))


def _locked(uuid: UUID, program: Program) -> TableChallenge:
    rows = TableChallenge.objects.select_for_update(no_key=True, of=("self",)).select_related("table")
    found = rows.filter(uuid=uuid, program=program).first()
    if found is None:
        raise _unknown()
    return found


def _require_open(challenge: TableChallenge) -> None:
    if state_of(challenge) != OPEN:
        raise _over(challenge)


def _reply(challenge: TableChallenge, reply: TableChallenge.Reply) -> None:
    challenge.answer, challenge.answered_at = reply, timezone.now()
    challenge.save(update_fields=["answer", "reason", "answered_at"])


def _unknown() -> TableError:
    return TableError(_("There is no such challenge."), code="challenge.unknown")


def _over(challenge: TableChallenge) -> TableError:
    state = state_of(challenge)
    message = _("This challenge is not open any more.")
    return TableError(message, code="challenge.wrong_state", extra={"state": state})
