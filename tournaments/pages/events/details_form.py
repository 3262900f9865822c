"""Form of what an organiser may change of an event: its name and words, when and where."""

from __future__ import annotations

from datetime import UTC, datetime, tzinfo
from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.zones import zone_named
from tournaments.events.edit import BEFORE
from tournaments.lifecycle.field_words import LABELS
from tournaments.models import Tournament
from tournaments.pages.events.moments import WallClockField, placed

MOMENTS: Final = ("starts_at", "entries_close_at")


class DetailsForm(forms.Form):
    """The words of an event, and until it starts the hour at which entries close.

    Its times are those of the clock on its own wall; one that was left as it was shown stays as it is, to the second.
    """

    name = forms.CharField(label=LABELS["name"], max_length=80, help_text=_("Its address stays as it is."))
    description = forms.CharField(
        label=LABELS["description"], required=False, max_length=2000, widget=forms.Textarea(attrs={"rows": 6})
    )
    starts_at = WallClockField(
        label=LABELS["starts_at"],
        required=False,
        help_text=_("When the event begins, in its own time zone. Nothing starts automatically: you start the event."),
    )
    entries_close_at = WallClockField(
        label=LABELS["entries_close_at"],
        required=False,
        help_text=_(
            "In the event's time zone. Leave empty to close entries when you start the event. A later "
            "time reopens entries that have closed."
        ),
    )
    venue = forms.CharField(
        label=LABELS["venue"],
        required=False,
        max_length=120,
        help_text=_("Room, street, town. Leave empty if there is no particular place."),
    )

    def __init__(self, data: Any = None, *, event: Tournament) -> None:
        self.event = event
        zone = zone_named(event.time_zone) or UTC
        values = {name: getattr(event, name) for name in ("name", "description", "venue")}
        super().__init__(data, initial={**values, **{name: _shown(getattr(event, name), zone) for name in MOMENTS}})
        # Once it has started nobody enters any more: the field would do nothing.
        if event.state not in BEFORE:
            del self.fields["entries_close_at"]

    def clean(self) -> dict[str, Any]:
        """Return the times in the event's zone."""
        data = {**(super().clean() or {}), "time_zone": self.event.time_zone}
        for name in MOMENTS:
            # What the field shows has no seconds, and stands for two moments when clocks go back: a moment that nobody
            # changed keeps its own.
            if name in data and name not in self.changed_data:
                data[name] = getattr(self.event, name)
        placed(self, data, MOMENTS)
        data.pop("time_zone")
        return data


def _shown(at: datetime | None, zone: tzinfo) -> datetime | None:
    """Return the moment as the field shows it: to the minute, what the clocks of the zone say then."""
    return at.astimezone(zone).replace(tzinfo=None, second=0, microsecond=0) if at is not None else None
