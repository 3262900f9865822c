"""Moments that organisers type: the time on the wall clock of their event."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import MAXYEAR, MINYEAR, UTC, datetime, tzinfo
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from accounts.zones import zone_named


class WallClockField(forms.DateTimeField):
    """A date and a time without a zone; `placed` puts it into the event's."""

    widget = forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")
    input_formats = ("%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M")

    def to_python(self, value: Any) -> datetime | None:
        """Return the moment as it was typed, naive."""
        if value in self.empty_values:
            return None
        for form in self.input_formats:
            try:
                found = datetime.strptime(str(value).strip(), form)  # noqa: DTZ007  # `placed` gives it its zone
            except ValueError:
                continue
            if MINYEAR < found.year < MAXYEAR:  # the first and the last have no room for another zone
                return found
        raise ValidationError(self.error_messages["invalid"], code="invalid")


def placed(form: forms.Form, data: dict[str, Any], names: Iterable[str]) -> None:
    """Put these fields of a form into the zone of its field `time_zone`; an hour that is skipped there is an error."""
    zone = zone_named(data.get("time_zone") or "") or UTC
    for name in names:
        typed = data.get(name)
        if typed is None or typed.tzinfo is not None:
            continue
        if is_skipped(typed, zone):
            text = _("In %(zone)s the clocks skip this time (summer time begins). Choose another one.")
            form.add_error(name, ValidationError(text, params={"zone": str(zone)}, code="time.skipped"))
        else:
            data[name] = typed.replace(tzinfo=zone)


def is_skipped(typed: datetime, zone: tzinfo) -> bool:
    """Return whether the clocks of a zone never show this time. Of an hour that comes twice the first one is meant."""
    # Through UTC and back: a time that the clocks skip comes back as another one.
    there = typed.replace(tzinfo=zone)
    return there.astimezone(UTC).astimezone(zone).replace(tzinfo=None) != typed
