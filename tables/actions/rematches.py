"""A rematch: the same rules, seats and clock, with the same bots; people sit down at it again."""

from __future__ import annotations

import json

from django.utils.translation import gettext as _

from engine.game import Ruleset
from tables.actions.folding import own_clock
from tables.actions.locking import locked
from tables.actions.opening import TablePlan, open_table, sit_down
from tables.actions.sitters import Sitter, own_seat
from tables.errors import TableError
from tables.models import LiveSeat, LiveTable
from tables.play.shuffle import Nonce


def rematch(table: LiveTable, sitter: Sitter, nonce: Nonce) -> LiveTable:
    """Sit down at the rematch; who asks first opens it.

    Raises TableError "table.not_seated", "table.wrong_state", "table.of_event".
    """
    own_seat(sitter, table.seats.all())
    if table.stage_id is not None:
        message = _("A match of an event is played once. Open a table of your own for another one.")
        raise TableError(message, code="table.of_event")
    if not table.is_over:
        message = _("This match is not over yet. Finish it first.")
        raise TableError(message, code="table.wrong_state", extra={"state": table.state})
    there = _of(table)
    if there is None:
        try:
            opened = open_table(sitter, plan_of(table), nonce, rematch_of=table)
        except TableError as refused:
            there = _of(table)
            # Both asked at the same moment: the second sits down at what the first has opened.
            if refused.code != "table.already_open" or there is None:
                raise
        else:
            if opened.state == LiveTable.State.OPEN:
                _announce(table)
            return opened
    return sit_down(there, sitter, nonce)


def _announce(table: LiveTable) -> None:
    """Let the pages of the match that is over look again: those who sat there read that somebody wants a rematch."""
    with locked(table.uuid) as at:
        at.table.events += 1
        at.save()


def _of(table: LiveTable) -> LiveTable | None:
    return LiveTable.objects.filter(rematch_of=table).first()


def plan_of(table: LiveTable) -> TablePlan:
    """Return what was played at a table, to play it again."""
    rules = Ruleset.from_json(json.loads(table.ruleset))
    seats = table.seats.filter(kind=LiveSeat.Kind.BOT).select_related("bot_version__bot").order_by("index")
    bots = [seat.bot_version for seat in seats if seat.bot_version is not None]
    return TablePlan(
        preset=table.preset,
        seats=table.seats_n,
        options=rules.resolved(),
        clock=own_clock(table),
        rated=table.rated,
        bots=bots,
    )
