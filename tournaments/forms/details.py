"""What an organiser may say anew of an event: its name and words, when and where."""

from __future__ import annotations

from datetime import UTC
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.zones import zone_named
from tournaments.forms.moments import WallClockField, placed
from tournaments.models import Tournament


class DetailsForm(forms.Form):
    """The words of an event; its times are those of the clock on its own wall."""

    name = forms.CharField(label=_("Name"), max_length=80, help_text=_("Its address stays as it is."))
    description = forms.CharField(
        label=_("Description"), required=False, max_length=2000, widget=forms.Textarea(attrs={"rows": 6})
    )
    starts_at = WallClockField(
        label=_("Begins"),
        required=False,
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        input_formats=["%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M"],
        help_text=_("When people are to come, in the event's time zone. Nothing begins by itself: you start it."),
    )
    venue = forms.CharField(
        label=_("Where"),
        required=False,
        max_length=120,
        help_text=_("Room, street, town. Empty: nowhere in particular."),
    )

    def __init__(self, data: Any = None, *, event: Tournament) -> None:
        self.event = event
        zone = zone_named(event.time_zone) or UTC
        starts = event.starts_at.astimezone(zone).replace(tzinfo=None) if event.starts_at else None
        said = {"name": event.name, "description": event.description, "starts_at": starts, "venue": event.venue}
        super().__init__(data, initial=said)

    def clean(self) -> dict[str, Any]:
        """The time in the event's zone."""
        data = {**(super().clean() or {}), "time_zone": self.event.time_zone}
        placed(self, data, ("starts_at",))
        data.pop("time_zone")
        return data
