"""The form of an event that is there, as a browser sends it back."""

from __future__ import annotations

from typing import Any

from tournaments.models import Tournament
from tournaments.pages.events.set_up_form import SetUpForm


def fields_of(event: Tournament) -> dict[str, Any]:
    """Return what a browser sends of the form as it is shown: what is filled in and not disabled."""
    form = SetUpForm(event=event)
    shown: dict[str, Any] = {"row_version": str(event.row_version)}
    for bound in form:
        value = bound.value()
        if not bound.field.disabled and value not in (None, "", False):
            shown[bound.name] = "on" if value is True else value
    return shown
