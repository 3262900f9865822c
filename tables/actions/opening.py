"""Opening a table: its rules, seats and clock, the service's secret, and the bots that sit down at once."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final
from uuid import uuid4

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from bots.models import BotVersion
from bots.services.house import house_account
from engine.deck import commitment
from engine.errors import BadOption, BadSeating
from engine.game import OptionValue, Ruleset
from engine.games import preset, ruleset
from tables.actions.dealing import deal_if_full
from tables.actions.leavers import require_no_leaver
from tables.actions.locking import Locked, locked
from tables.actions.sitters import Sitter, seat_of
from tables.errors import TableError
from tables.models import LiveSeat, LiveTable, Program
from tables.play.clocks import ABANDONED, CLOCKS, Clock, fits
from tables.play.shuffle import Nonce, of_service

MAX_TABLES: Final = 12
"""Tables at which one person or guest may sit at a time."""
WAITS_FOR: Final = timedelta(hours=24)
"""A table to which nobody comes is called off after this time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePlan:
    """What somebody wants to play. options: those that differ from the preset. bots: versions that sit down at once.

    listed: it stands among the open tables. bots_after: empty seats are filled with house bots after this time.
    waits_for: how long it waits for somebody; None: as long as tables of its clock do.
    """

    preset: str
    seats: int
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    clock: Clock = CLOCKS["casual"]
    rated: bool = False
    listed: bool = False
    bots: Sequence[BotVersion] = ()
    bots_after: timedelta | None = None
    waits_for: timedelta | None = None


def open_table(sitter: Sitter, plan: TablePlan, nonce: Nonce, *, rematch_of: LiveTable | None = None) -> LiveTable:
    """Open a table and sit down at it; it is dealt at once if the bots fill it and every nonce is there.

    Raises TableError "table.bad_rules", "table.bad_seats", "table.bad_clock", "table.guest_rated", "table.left_often",
    "table.bots_rated", "table.too_many", "table.already_open" (the rematch, extra: table).
    """
    rules = rules_of_plan(plan)
    _check(sitter, plan)
    try:
        with transaction.atomic():
            _require_room(sitter)
            opener = sitter.user or house_account()
            table = write_table(plan, rules, opener.pk, rematch_of=rematch_of)
            at = Locked(table, [])
            _sit(at, sitter, nonce)
            for version in plan.bots:
                seat_bot(at, version)
            deal_if_full(at)
            at.save()
    except IntegrityError as taken:
        raise _already_open(rematch_of) from taken
    return table


def sit_down(table: LiveTable, sitter: Sitter, nonce: Nonce) -> LiveTable:
    """Take the first empty seat; sitting down again changes nothing. The last one who comes starts the deal.

    Raises TableError "table.unknown", "table.wrong_state", "table.guest_rated", "table.left_often", "table.too_many",
    "table.other_kind", "table.same_owner", "table.reserved" (its seats belong to players of an event, `events.seats`).
    """
    with locked(table.uuid) as at:
        if seat_of(sitter, at.seats) is not None:
            return at.table
        _refuse_reserved(at.table)
        at.require(LiveTable.State.OPEN)
        _require_kind(at, sitter)
        if at.table.rated:
            _require_account(sitter)
        _require_room(sitter)
        _sit(at, sitter, nonce)
        at.table.events += 1
        deal_if_full(at)
        at.save()
    return at.table


def _refuse_reserved(table: LiveTable) -> None:
    if table.stage_id is not None:
        message = _("The seats of this table belong to players of an event. Open your private link, or sign in.")
        raise TableError(message, code="table.reserved")


def fill_with_bots(table: LiveTable, versions: Sequence[BotVersion]) -> LiveTable:
    """Let these bots take empty seats, as many as there are. Raises TableError "table.wrong_state"."""
    with locked(table.uuid) as at:
        at.require(LiveTable.State.OPEN)
        for version in versions[: at.table.seats_n - len(at.seats)]:
            seat_bot(at, version)
        at.table.bots_from = None
        at.table.events += 1
        deal_if_full(at)
        at.save()
    return at.table


def rules_of_plan(plan: TablePlan) -> Ruleset:
    """Return the rules of a plan. Raises TableError "table.bad_rules", "table.bad_seats"."""
    try:
        found = ruleset(preset(plan.preset).id, **plan.options)
        found.sides(plan.seats)
    except BadOption as error:
        raise TableError(str(error), code="table.bad_rules", extra=dict(error.extra)) from error
    except BadSeating as error:
        raise TableError(str(error), code="table.bad_seats", extra={"field": "seats"}) from error
    return found


def _check(sitter: Sitter, plan: TablePlan) -> None:
    if not fits(plan.clock) or (plan.clock.id == "remote") != (sitter.program is not None):
        message = _("This clock does not exist. Choose another one.")
        raise TableError(message, code="table.bad_clock", extra={"field": "clock"})
    if len(plan.bots) >= plan.seats:
        message = _("There are more bots than seats. Choose fewer.")
        raise TableError(message, code="table.bad_seats", extra={"field": "bots"})
    if plan.rated:
        _require_account(sitter)
    if plan.rated and (plan.bots or plan.bots_after is not None or plan.clock.id == "casual"):
        message = _("At a rated table people play people, with a clock. Choose people and a clock, and fill no seats.")
        raise TableError(message, code="table.bots_rated", extra={"field": "rated"})


def _require_account(sitter: Sitter) -> None:
    """Refuse guests, and who leaves often. Raises TableError "table.guest_rated", "table.left_often"."""
    if sitter.user is None:
        message = _("Guests cannot play at rated tables. Sign up first, or choose another table.")
        raise TableError(message, code="table.guest_rated", extra={"field": "rated"})
    require_no_leaver(sitter)


def _require_kind(at: Locked, sitter: Sitter) -> None:
    """Refuse people at a table of programs, and two programs of one person at a rated one.

    Raises TableError "table.other_kind", "table.same_owner".
    """
    is_of_programs = at.table.clock == LiveTable.Clock.REMOTE
    if sitter.program is None:
        if is_of_programs:
            message = _("Only programs play at this table. You can watch.")
            raise TableError(message, code="table.other_kind")
        return
    if at.table.rated and not is_of_programs:
        message = _("Only people play at this table, because its result counts for their ratings.")
        raise TableError(message, code="table.other_kind")
    same = LiveSeat.objects.filter(table=at.table, bot_version__bot__owner=sitter.user)
    if at.table.rated and same.exists():
        message = _("Two programs of one person do not play a rated match.")
        raise TableError(message, code="table.same_owner")


def _require_room(sitter: Sitter) -> None:
    """Refuse somebody who sits at very many tables already. Raises TableError "table.too_many"."""
    most = MAX_TABLES
    going_on = LiveSeat.objects.exclude(table__state__in=(LiveTable.State.FINISHED, LiveTable.State.ABORTED))
    if sitter.program is not None:
        # Its row is held: two challenges accepted at once could both find room for the last table.
        program = Program.objects.select_for_update(no_key=True).get(version=sitter.program)
        most = program.tables_most
        own = going_on.filter(bot_version=sitter.program, kind=LiveSeat.Kind.PROGRAM)
    elif sitter.user is not None:
        own = going_on.filter(user=sitter.user, kind=LiveSeat.Kind.PERSON)
    else:
        own = going_on.filter(guest=sitter.guest)
    if own.count() >= most:
        message = _("You sit at %(n)s tables. Finish or leave one of them first.")
        raise TableError(message % {"n": most}, code="table.too_many")


def _already_open(earlier: LiveTable | None) -> TableError:
    """Return the refusal of a second rematch; `extra` names the one that there is."""
    there = LiveTable.objects.filter(rematch_of=earlier).first() if earlier is not None else None
    extra: dict[str, object] = {"table": str(there.uuid)} if there is not None else {}
    return TableError(_("Somebody has opened the rematch already."), code="table.already_open", extra=extra)


def write_table(plan: TablePlan, rules: Ruleset, opener: int, *, rematch_of: LiveTable | None = None) -> LiveTable:
    """Write the row of a table at which nobody sits yet. opener: the id of the account that opens it."""
    now, secret, uuid = timezone.now(), secrets.token_bytes(32), uuid4()
    bots_from = None if plan.bots_after is None else now + plan.bots_after
    return LiveTable.objects.create(
        uuid=uuid,
        # Known to everybody from the start: no other id can be chosen once the nonces are shown.
        deal_set=uuid,
        preset=preset(plan.preset).id,
        ruleset=rules.canonical(),
        seats_n=plan.seats,
        clock=plan.clock.id,
        bank_ms=plan.clock.bank_ms,
        increment_ms=plan.clock.increment_ms,
        rated=plan.rated,
        listed=plan.listed,
        created_by_id=opener,
        secret=secret,
        commitment=commitment(secret),
        bots_from=bots_from,
        deadline_at=now + (plan.waits_for or (ABANDONED if plan.clock.id == "casual" else WAITS_FOR)),
        rematch_of=rematch_of,
    )


def _sit(at: Locked, sitter: Sitter, nonce: Nonce) -> None:
    take_seat(at, sitter, nonce, _first_empty(at))


def take_seat(at: Locked, sitter: Sitter, nonce: Nonce, index: int, *, name: str = "") -> LiveSeat:
    """Write the seat of somebody who sits down. name: as the others see it, where it is not their own choice."""
    seat = _seat(at, nonce, index)
    seat.kind, seat.name, seat.seen_at = sitter.kind, (name or sitter.name)[:60], timezone.now()
    # The owner of a program does not sit there: they may, beside it.
    seat.user = sitter.user if sitter.program is None else None
    seat.guest, seat.bot_version = sitter.guest, sitter.program
    if at.table.is_watched_late:
        seat.address_mark, seat.device_mark = sitter.address_mark, sitter.device_mark
    _take(at, seat)
    return seat


def seat_bot(at: Locked, version: BotVersion, index: int | None = None) -> None:
    """Let a bot sit down, at the first empty seat unless `index` says another one."""
    seat = _seat(at, of_service(), _first_empty(at) if index is None else index)
    seat.kind, seat.name, seat.bot_version = LiveSeat.Kind.BOT, version.bot.name, version
    _take(at, seat)


def _first_empty(at: Locked) -> int:
    taken = {seat.index for seat in at.seats}
    return next(index for index in range(at.table.seats_n) if index not in taken)


def _seat(at: Locked, nonce: Nonce, index: int) -> LiveSeat:
    """Return a seat, not saved."""
    return LiveSeat(table=at.table, index=index, nonce_hash=nonce.hash, nonce=nonce.text, drawn_by=nonce.drawn_by)


def _take(at: Locked, seat: LiveSeat) -> None:
    seat.save(force_insert=True)
    at.seats = sorted((*at.seats, seat), key=lambda each: each.index)
