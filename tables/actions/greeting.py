"""Greetings: five fixed ones, which every reader sees in their own language. There is no chat."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tables.actions.locking import locked
from tables.actions.sitters import Sitter, own_seat
from tables.errors import TableError
from tables.models import LiveSeat, LiveTable

GREETINGS: Final[Mapping[str, Promise]] = MappingProxyType(
    {
        # Translators: what players at a table may say to each other.
        "hello": gettext_lazy("Hello!"),
        "luck": gettext_lazy("Good luck!"),
        "well": gettext_lazy("Well played!"),
        "thanks": gettext_lazy("Thank you!"),
        "bye": gettext_lazy("Goodbye!"),
    }
)
SHOWN_FOR: Final = 4
"""Answers of the table after which a greeting is no longer shown."""
S = LiveTable.State


def greet(table: LiveTable, sitter: Sitter, name: str) -> LiveTable:
    """Say one of GREETINGS to the others. Said twice before somebody answers, it is said once.

    Raises TableError "table.unknown", "table.not_seated", "table.wrong_state", "table.bad_greeting".
    """
    if name not in GREETINGS:
        raise TableError(_("Choose one of the greetings."), code="table.bad_greeting", extra={"field": "g"})
    with locked(table.uuid) as at:
        seat = own_seat(sitter, at.seats)
        at.require(S.PLAYING, S.FINISHED)
        if (seat.greeting, seat.greeted_after) == (name, at.table.answered):
            return at.table
        seat.greeting, seat.greeted_after = name, at.table.answered
        seat.save(update_fields=["greeting", "greeted_after"])
        at.table.events += 1
        at.save()
    return at.table


def greeting_of(table: LiveTable, seat: LiveSeat) -> str:
    """Return what a seat says now, in the reader's language; "" for nothing."""
    if not seat.greeting or table.answered > (seat.greeted_after or 0) + SHOWN_FOR:
        return ""
    return str(GREETINGS.get(seat.greeting, ""))
