"""Seats of a table of an event: each belongs to a player of the match, who may go on in another browser."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _

from tables.actions.dealing import deal_if_full
from tables.actions.locking import Locked, locked
from tables.actions.opening import take_seat
from tables.actions.sitters import Sitter, seat_of
from tables.errors import TableError
from tables.events.opened import name_at, seats_of
from tables.models import LiveSeat, LiveTable
from tables.play.shuffle import Nonce

S = LiveTable.State


def sit_reserved(table: LiveTable, sitter: Sitter, nonce: Nonce, indexes: Sequence[int]) -> LiveTable:
    """Sit down at one of the seats that belong to somebody, by their index; who sits there already changes nothing.

    From another browser they go on with the seat that they have. Raises TableError "table.unknown", "table.reserved"
    (none belongs to them), "table.two_seats", "table.wrong_state".
    """
    if not indexes:
        message = _("The seats of this table belong to players of an event. Open your private link, or sign in.")
        raise TableError(message, code="table.reserved")
    with locked(table.uuid) as at:
        own = seat_of(sitter, at.seats)
        if own is not None and own.index in indexes:
            return at.table
        if own is not None:
            message = _("You sit at this table already. One person has one seat.")
            raise TableError(message, code="table.two_seats")
        taken = {seat.index: seat for seat in at.seats}
        free = [index for index in indexes if index not in taken]
        if free:
            at.require(S.OPEN)
            take_seat(at, sitter, nonce, free[0], name=name_at(seats_of(table.uuid)[free[0]]))
        else:
            _move(at, taken[indexes[0]], sitter, nonce)
        at.table.events += 1
        deal_if_full(at)
        at.save()
    return at.table


def _move(at: Locked, seat: LiveSeat, sitter: Sitter, nonce: Nonce) -> None:
    """Let somebody go on at their seat from another browser."""
    at.require(S.OPEN, S.DEALING, S.PLAYING)
    if at.table.state == S.DEALING and not seat.nonce:
        # The browser before has announced a nonce that only it can show; without it the seat is free in a moment.
        message = _("The cards are being shuffled. Try again in ten seconds.")
        raise TableError(message, code="table.wrong_state", extra={"state": at.table.state})
    if at.table.state == S.OPEN:
        seat.nonce_hash, seat.nonce, seat.drawn_by = nonce.hash, nonce.text, nonce.drawn_by
    seat.user, seat.guest = sitter.user, sitter.guest
    seat.address_mark, seat.device_mark = sitter.address_mark, sitter.device_mark
    seat.save()
