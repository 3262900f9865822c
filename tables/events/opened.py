"""Tables of events: opened for the matches of a stage on this site, and given back to them with their result.

A table has the uuid of its match; `stage` marks it. It is there once the match is called, and it is called off when the
match is decided in another way. What a process that died has missed, the sweep and the page of the table make good
(`follow_matches`, `table_for`). Remote programs are asked by a challenge, as at other tables, for as long as the
organiser waits (decision 0148).
"""

from __future__ import annotations

import secrets
from typing import Final
from uuid import UUID, uuid4

from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from activity.journal import publish
from engine.deck import commitment
from tables.actions.dealing import deal_if_full
from tables.actions.leaving import abort
from tables.actions.locking import Locked, locked
from tables.actions.opening import seat_bot
from tables.actions.rows import table_at
from tables.domain_events import ProgramNews
from tables.errors import TableError
from tables.models import LiveTable, Program, TableChallenge
from tables.play.clocks import CLOCKS
from tournaments.models import Match, Player, Seat, Stage, Tournament
from tournaments.scores.on_site import AT_TABLE

S = LiveTable.State
GOING_ON: Final = (S.OPEN, S.DEALING, S.PLAYING)
CALLED_OFF: Final = "called_off"
"""Reason: the organiser has called the table off; the match waits for their decision."""
DECIDED: Final = "decided"
"""Reason: the match was decided, cancelled or drawn again without its table."""


def matches_at_tables() -> QuerySet[Match]:
    """Return the matches that are played on this site now, or whose players are to sit down."""
    on_site = Match.objects.filter(stage__where=Stage.Where.SITE, stage__state=Stage.State.ACTIVE)
    return on_site.filter(state__in=AT_TABLE, deal_set=None)


def table_for(uuid: UUID) -> LiveTable | None:
    """Return a table with its event; that of a match of an event is opened now if it should be there and is not.

    One query, and one for the event.
    """
    table = table_at(uuid)
    if table is not None:
        if table.stage_id is not None:
            table.stage = Stage.objects.select_related("tournament").get(pk=table.stage_id)
        return table
    match = matches_at_tables().select_related("stage__tournament", "stage__ruleset").filter(uuid=uuid).first()
    return open_for(match) if match is not None else None


def open_for(match: Match, *, again: bool = False) -> LiveTable:
    """Open the table of a called match; its bots sit down at once. Opened twice it is one table.

    again: a table that was called off is put aside, and another one opened in its place.
    """
    there = LiveTable.objects.filter(uuid=match.uuid).first()
    if there is not None and not (again and there.state == S.ABORTED):
        return there
    try:
        with transaction.atomic():
            if there is not None:
                # Its rows stay as they are; nothing leads to them any more.
                LiveTable.objects.filter(pk=there.pk, state=S.ABORTED).update(uuid=uuid4())
            return _open(match)
    except IntegrityError:
        # Another process opened it at the same moment.
        return LiveTable.objects.get(uuid=match.uuid)


def _open(match: Match) -> LiveTable:
    stage, event, secret = match.stage, match.stage.tournament, secrets.token_bytes(32)
    clock, reserved = CLOCKS[stage.site_clock], seats_of(match.uuid)
    pinned = [seat.bot_version for seat in reserved if seat.bot_version is not None]
    programs = {version.pk for version in pinned if version.bot.remote}
    table = LiveTable.objects.create(
        uuid=match.uuid,
        deal_set=match.uuid,
        stage=stage,
        preset=stage.preset,
        ruleset=stage.ruleset.canonical,
        seats_n=match.seats_n,
        clock=clock.id,
        bank_ms=clock.bank_ms,
        increment_ms=clock.increment_ms,
        # A match with a remote program moves nobody's rating.
        rated=event.rated and not programs,
        created_by_id=event.created_by_id,
        secret=secret,
        commitment=commitment(secret),
        paused_at=timezone.now() if event.state == Tournament.State.PAUSED else None,
    )
    at = Locked(table, [])
    for seat in reserved:
        # Pinned when entries closed.
        if seat.bot_version is not None and seat.bot_version_id not in programs:
            seat_bot(at, seat.bot_version, seat.index)
    deal_if_full(at)
    at.save()
    _ask(table, list(Program.objects.filter(version__in=programs).order_by("pk")), event.name)
    return table


def _ask(table: LiveTable, programs: list[Program], by: str) -> None:
    """Ask remote programs to sit down at their seats."""
    TableChallenge.objects.bulk_create(TableChallenge(table=table, program=each, by=by[:60]) for each in programs)
    publish(*(ProgramNews(each.channel) for each in programs))


def seats_of(match: UUID) -> list[Seat]:
    """Return the seats of a match of an event with who is to sit there, in their order. One query."""
    rows = Seat.objects.filter(match__uuid=match).select_related("entry__player", "player", "bot_version__bot")
    return list(rows.order_by("index"))


def player_at(seat: Seat) -> Player | None:
    """Return who is to sit at a seat, a person or a bot."""
    return seat.player or (seat.entry.player if seat.entry is not None else None)


def name_at(seat: Seat) -> str:
    """Return the name of who is to sit at a seat."""
    player = player_at(seat)
    return player.name if player is not None else ""


def match_of(table: LiveTable) -> Match | None:
    """Return the match that a table of an event is played for; None if its draw was taken back."""
    rows = Match.objects.select_related("stage__tournament", "round").defer("round__plan", "round__quality")
    return rows.filter(uuid=table.uuid).first()


def drop_table(uuid: UUID, reason: str) -> bool:
    """Call the table of a match off, if it has one that goes on. Returns whether it had."""
    # Asked first: most matches of a stage that is called off have no table.
    if not LiveTable.objects.filter(uuid=uuid, state__in=GOING_ON, stage__isnull=False).exists():
        return False
    with locked(uuid) as at:
        if at.table.state not in GOING_ON:
            return False
        abort(at, reason)
    return True


def call_off(table: LiveTable) -> LiveTable:
    """Call a table of an event off, as its organiser: the match waits for their decision, or for another table.

    Raises TableError "table.wrong_state", "table.not_of_event".
    """
    if table.stage_id is None:
        raise _not_of_event()
    with locked(table.uuid) as at:
        at.require(*GOING_ON)
        abort(at, CALLED_OFF)
    return at.table


def reopen(table: LiveTable) -> LiveTable:
    """Open another table in the place of one that was called off. Raises TableError "table.wrong_state",
    "table.not_of_event".
    """
    if table.stage_id is None:
        raise _not_of_event()
    rows = matches_at_tables().select_related("stage__tournament", "stage__ruleset")
    match = rows.filter(uuid=table.uuid).first()
    if match is None or table.state != S.ABORTED:
        message = _("This match has a table, or needs none: it is decided. Reload the page.")
        raise TableError(message, code="table.wrong_state", extra={"state": table.state})
    return open_for(match, again=True)


def _not_of_event() -> TableError:
    return TableError(_("This table belongs to no event."), code="table.not_of_event")


def follow_matches(most: int) -> int:
    """Open tables that are missing, and call off those whose match is decided otherwise. Returns how many.

    Nothing is opened where an organiser has called a table off: its row is still there.
    """
    missing = matches_at_tables().filter(~Exists(LiveTable.objects.filter(uuid=OuterRef("uuid"))))
    opened = [open_for(match) for match in missing.select_related("stage__tournament", "stage__ruleset")[:most]]
    waiting = Match.objects.filter(uuid=OuterRef("uuid"), state__in=AT_TABLE)
    gone = LiveTable.objects.filter(~Exists(waiting), Q(stage__isnull=False), state__in=GOING_ON)
    return len(opened) + sum(drop_table(uuid, DECIDED) for uuid in gone.values_list("uuid", flat=True)[:most])
