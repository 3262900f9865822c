"""Who acts at a table: a person with an account, a guest's session, or a remote program; and which seat is theirs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from django.utils.translation import gettext as _

from accounts.models import User
from bots.models import BotVersion
from tables.errors import TableError
from tables.models import LiveSeat


@dataclass(frozen=True, slots=True)
class Sitter:
    """Somebody who sits down or acts. name: as the others see it.

    One of user, guest and program is set; of a program user is its owner.

    address_mark, device_mark: of `LiveSeat`, where a browser sits down.
    """

    name: str
    user: User | None = None
    guest: UUID | None = None
    program: BotVersion | None = None
    address_mark: str = ""
    device_mark: str = ""

    @property
    def kind(self) -> LiveSeat.Kind:
        """Return the kind of seat that they take."""
        return LiveSeat.Kind.PROGRAM if self.program is not None else LiveSeat.Kind.PERSON

    def has(self, seat: LiveSeat) -> bool:
        """Return whether a seat is theirs."""
        if self.program is not None:
            return seat.kind == LiveSeat.Kind.PROGRAM and seat.bot_version_id == self.program.pk
        if seat.kind != LiveSeat.Kind.PERSON:
            return False
        # A guest who has signed in since goes on as the same person: both ids are good.
        by_account = self.user is not None and seat.user_id == self.user.pk
        return by_account or (self.guest is not None and seat.guest == self.guest)


def seat_of(sitter: Sitter | None, seats: Iterable[LiveSeat]) -> LiveSeat | None:
    """Return the seat of somebody; None if they have none."""
    return next((seat for seat in seats if sitter is not None and sitter.has(seat)), None)


def own_seat(sitter: Sitter, seats: Iterable[LiveSeat]) -> LiveSeat:
    """Return the seat of somebody. Raises TableError "table.not_seated"."""
    found = seat_of(sitter, seats)
    if found is None:
        message = _("You have no seat at this table. Sit down first, or watch.")
        raise TableError(message, code="table.not_seated")
    return found
