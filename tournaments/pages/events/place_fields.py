"""Fields of the form about where matches are played."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.lifecycle.field_words import CHOICES, LABELS
from tournaments.models import Stage


class PlaceFields(forms.Form):
    """Whether people meet in a hall or on this site, the clock of the tables here, and who else may sit there."""

    where = forms.ChoiceField(
        label=LABELS["where"],
        required=False,
        choices=list(CHOICES["where"].items()),
        initial=Stage.Where.HALL,
        help_text=_("On this site a table waits for the players of each match as soon as you call its round."),
    )
    site_clock = forms.ChoiceField(
        label=LABELS["site_clock"],
        required=False,
        choices=list(CHOICES["site_clock"].items()),
        initial=Stage.SiteClock.LIVE,
        help_text=_("Whose time is over has left the match. Has no meaning at tables of your own."),
    )

    admits_programs = forms.BooleanField(
        label=LABELS["admits_programs"],
        required=False,
        help_text=_(
            "Programs that play from their owners' machines, under the clock above. Only in an event of people and bots"
            " that is played on this site."
        ),
    )

    def place(self) -> dict[str, Any]:
        """Return what was chosen; the usual where nothing was asked."""
        data = self.cleaned_data
        return {
            "where": data.get("where") or Stage.Where.HALL,
            "site_clock": data.get("site_clock") or Stage.SiteClock.LIVE,
            "admits_programs": bool(data.get("admits_programs")),
        }
