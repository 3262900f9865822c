"""Calendars (RFC 5545) of an event's moments, for programs that show calendars.

Moments are written in UTC, which is the same moment in every zone and every summer; the zone of the event stands
beside them for programs that show it. The same appointments are always the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from icalendar import STATUS, Calendar, Event

from core.printable import without_hidden

MAKER: Final = "-//Hanami//hanafuda tournaments//EN"
REFRESH: Final = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Appointment:
    """An appointment. uid: the same for ever. starts, ends: aware; ends None: a moment. called_off: shown struck
    out.
    """

    uid: str
    summary: str
    starts: datetime
    ends: datetime | None = None
    description: str = ""
    url: str = ""
    called_off: bool = False
    venue: str = ""


def calendar(uid: str, name: str, appointments: Iterable[Appointment], *, zone: str = "UTC") -> bytes:
    """Write the calendar file. uid: the same for ever; zone: in which programs may show it."""
    made = Calendar.new(prodid=MAKER, uid=uid, name=_line(name), refresh_interval=REFRESH)
    made.add("X-WR-TIMEZONE", zone)
    made.add("METHOD", "PUBLISH")
    for each in sorted(appointments, key=lambda item: (item.starts, item.uid)):
        made.add_component(_event(each))
    return bytes(made.to_ical())


def _line(text: str) -> str:
    """Return a text on one line, without control characters."""
    return without_hidden(" ".join(text.split()))


def _event(each: Appointment) -> Event:
    starts = each.starts.astimezone(UTC).replace(microsecond=0)
    ends = each.ends.astimezone(UTC).replace(microsecond=0) if each.ends else None
    return Event.new(
        uid=each.uid,
        # Not the moment of writing: the same appointments must be the same bytes, or every refresh looks like a change.
        stamp=starts,
        start=starts,
        end=ends if ends and ends > starts else None,
        summary=_line(each.summary),
        description="\n".join(map(_line, each.description.splitlines())) or None,
        url=each.url or None,
        location=_line(each.venue) or None,
        status=STATUS.CANCELLED if each.called_off else STATUS.CONFIRMED,
    )
