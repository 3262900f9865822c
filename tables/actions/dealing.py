"""From a full table to the first question: every seat shows its nonce, the seed follows, and the cards are dealt.

Nothing is dealt before every hash is there, and no nonce is shown before: nobody can choose theirs by what the cards
would be. A seat that does not show its nonce in time is put aside, and the others wait for somebody else.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.utils import timezone

from engine.record_fair import mix_of
from tables.actions.folding import dealt, keep_fold
from tables.actions.locking import Locked, locked
from tables.actions.sitters import Sitter, own_seat
from tables.actions.waking import wake_bot
from tables.errors import TableError
from tables.models import LiveSeat, LiveTable
from tables.play.clocks import ABANDONED, ends_at
from tables.play.fold import Fold
from tables.play.shuffle import check_shown

NONCE_WITHIN: Final = timedelta(seconds=10)


def deal_if_full(at: Locked) -> None:
    """Ask for the nonces if every seat is taken, and deal if all of them are there. The caller saves."""
    table = at.table
    if len(at.seats) < table.seats_n or table.state != LiveTable.State.OPEN:
        return
    table.state = LiveTable.State.DEALING
    table.deadline_at = timezone.now() + NONCE_WITHIN
    table.bots_from = None
    _deal_if_shown(at)


def show_nonce(table: LiveTable, sitter: Sitter, text: str) -> LiveTable:
    """Show the nonce whose hash was sent; showing it again changes nothing. The last one deals.

    Raises TableError "table.unknown", "table.not_seated", "table.wrong_state", "table.bad_nonce".
    """
    with locked(table.uuid) as at:
        seat = own_seat(sitter, at.seats)
        if seat.nonce == text:
            return at.table
        at.require(LiveTable.State.DEALING)
        if seat.nonce:
            raise TableError("Another nonce was shown for this seat before.", code="table.bad_nonce")
        check_shown(text, seat.nonce_hash)
        seat.nonce = text
        seat.save(update_fields=["nonce"])
        _deal_if_shown(at)
        if at.table.state == LiveTable.State.PLAYING:
            at.save()
    return at.table


def _deal_if_shown(at: Locked) -> None:
    if not all(seat.nonce for seat in at.seats):
        return
    table = at.table
    table.mix = mix_of([seat.nonce for seat in at.seats])
    table.state, table.dealt_at = LiveTable.State.PLAYING, timezone.now()
    fold = dealt(table, at.seats)
    set_deadline(at, fold)
    wake_bot(table, at.seats, fold)
    transaction.on_commit(lambda: keep_fold(table, fold))


def set_deadline(at: Locked, fold: Fold) -> None:
    """Note when the sweep has to look at a table that is played."""
    at.table.deadline_at = _deadline(at, fold)


def _deadline(at: Locked, fold: Fold) -> datetime | None:
    question = fold.question
    if question is None:
        return None
    # A bot answers as soon as a worker has time: its own clock is that of the sandbox.
    if not fold.clock.is_counting or at.seats[question.seat].kind == LiveSeat.Kind.BOT:
        return question.at + ABANDONED
    return ends_at(question.at, question.left_ms)


def expire_dealing(at: Locked) -> None:
    """Put aside the seats that have not shown their nonces; the table waits for others. The caller saves."""
    table = at.table
    silent = [seat for seat in at.seats if not seat.nonce]
    for seat in silent:
        seat.delete()
    at.seats = [seat for seat in at.seats if seat.nonce]
    if not any(seat.kind != LiveSeat.Kind.BOT for seat in at.seats):
        table.state, table.deadline_at, table.reason = LiveTable.State.ABORTED, None, "empty"
    else:
        table.state, table.deadline_at = LiveTable.State.OPEN, timezone.now() + ABANDONED
    table.events += 1
