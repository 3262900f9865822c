"""From a full table to the first question: every seat shows its nonce, the seed follows, and the cards are dealt.

Nothing is dealt before every hash is there, and no nonce is shown before: nobody can choose theirs by what the cards
would be. Browsers see the hashes of all seats before they show theirs, and compare them with the record afterwards. A
seat that does not show its nonce in time is put aside, and the others wait for somebody else.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from engine.record_fair import mix_of
from tables.actions.folding import dealt, keep_fold
from tables.actions.locking import Locked, locked
from tables.actions.recording import begin_soon, record_soon
from tables.actions.sitters import Sitter, own_seat
from tables.actions.turns import plan_notice
from tables.actions.waking import wake_bot
from tables.errors import TableError
from tables.models import LiveSeat, LiveTable
from tables.play.clocks import ABANDONED, ends_at
from tables.play.fold import Fold
from tables.play.shuffle import SERVICE, SHOWN_LATER, Nonce, check_shown, of_service

NONCE_WITHIN: Final = timedelta(seconds=10)


def deal_if_full(at: Locked) -> None:
    """Ask for the nonces if every seat is taken, and deal if all of them are there. The caller saves."""
    table = at.table
    is_open = table.state == LiveTable.State.OPEN and table.paused_at is None
    if len(at.seats) < table.seats_n or not is_open:
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
            raise TableError(_("Another nonce was shown for this seat before."), code="table.bad_nonce")
        check_shown(text, seat.nonce_hash)
        seat.nonce = text
        seat.save(update_fields=["nonce"])
        _deal_if_shown(at)
        if at.table.state != LiveTable.State.DEALING:
            at.save()
    return at.table


def announce_nonce(table: LiveTable, sitter: Sitter, nonce: Nonce) -> LiveTable:
    """Replace the nonce of a seat while others are still awaited.

    Raises TableError "table.unknown", "table.not_seated", "table.wrong_state".
    """
    with locked(table.uuid) as at:
        seat = own_seat(sitter, at.seats)
        at.require(LiveTable.State.OPEN)
        if seat.nonce_hash != nonce.hash:
            _draw_again(seat, nonce)
            at.table.events += 1
            at.save()
    return at.table


def wants_announcement(table: LiveTable, seat: LiveSeat) -> bool:
    """Return whether the service has drawn for somebody who may still draw for themselves."""
    is_open = table.state == LiveTable.State.OPEN
    return is_open and seat.drawn_by == SERVICE and seat.kind != LiveSeat.Kind.BOT


def deal_after_pause(at: Locked) -> None:
    """Go on with the shuffle: every seat has its time to show its nonce again. The caller saves."""
    at.table.deadline_at = timezone.now() + NONCE_WITHIN
    _deal_if_shown(at)


def _deal_if_shown(at: Locked) -> None:
    if at.table.paused_at is not None or not all(seat.nonce for seat in at.seats):
        return
    table = at.table
    table.mix = mix_of([seat.nonce for seat in at.seats])
    table.state, table.dealt_at = LiveTable.State.PLAYING, timezone.now()
    fold = dealt(table, at.seats)
    # Before what follows from the deal: the match of an event begins, and then a lucky hand may end it.
    begin_soon(table)
    go_on(at, fold, table.dealt_at)
    transaction.on_commit(lambda: keep_fold(table, fold))


def go_on(at: Locked, fold: Fold, now: datetime) -> None:
    """Note what follows from a deal or an answer: who is asked next, or that the match is over. The caller saves."""
    table = at.table
    if fold.match.is_over:
        table.state, table.finished_at = LiveTable.State.FINISHED, now
        record_soon(table)
    _set_deadline(at, fold)
    wake_bot(table, at.seats, fold)


def _set_deadline(at: Locked, fold: Fold) -> None:
    """Note when the sweep has to look at a table that is played, and when to notify the player whose turn it is."""
    at.table.deadline_at = _deadline(at, fold)
    plan_notice(at.table, fold)


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
        at.free(seat)
    if table.stage_id is not None:
        # A player who comes late to a match of an event still finds their table.
        reopen(at, None)
        return
    # Programs come because they are asked: nobody else would sit down in the place of one.
    is_awaited = not any(seat.kind == LiveSeat.Kind.PROGRAM for seat in silent)
    if is_awaited and any(seat.kind != LiveSeat.Kind.BOT for seat in at.seats):
        reopen(at, timezone.now() + ABANDONED)
        return
    table.state, table.deadline_at, table.reason = LiveTable.State.ABORTED, None, "empty" if is_awaited else "no_nonce"
    table.events += 1


def reopen(at: Locked, until: datetime | None) -> None:
    """Let a table wait for others again. The caller saves.

    Somebody who sits down now announces a nonce after the others were shown: those are good for nothing any more. The
    service draws for their seats, and their browsers may announce another one until the table is full.
    """
    for seat in at.seats:
        if seat.nonce and seat.drawn_by in SHOWN_LATER:
            _draw_again(seat, of_service())
    at.table.state, at.table.deadline_at = LiveTable.State.OPEN, until
    at.table.events += 1


def _draw_again(seat: LiveSeat, nonce: Nonce) -> None:
    seat.nonce_hash, seat.nonce, seat.drawn_by = nonce.hash, nonce.text, nonce.drawn_by
    seat.save(update_fields=["nonce_hash", "nonce", "drawn_by"])
