"""Form of a rehearsal: how many play, and how long things take."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.simulation.actions import MAX_ENTRIES, MAX_MINUTES, MIN_ENTRIES, Question


class RehearsalForm(forms.Form):
    """Form in which everything may be left empty: the entries so far, five minutes a deal, ten between matches."""

    entries = forms.IntegerField(
        label=_("Entries"),
        required=False,
        min_value=MIN_ENTRIES,
        max_value=MAX_ENTRIES,
    )
    deal_minutes = forms.FloatField(
        label=_("Minutes per deal"), required=False, min_value=0.1, max_value=MAX_MINUTES, initial=5
    )
    match_minutes = forms.FloatField(
        label=_("Or minutes per match"),
        required=False,
        min_value=0.1,
        max_value=MAX_MINUTES,
        help_text=_("If you fill this in, it is used instead."),
    )
    change_minutes = forms.FloatField(
        label=_("Minutes between two rounds"), required=False, min_value=0, max_value=MAX_MINUTES, initial=10
    )
    tables = forms.IntegerField(
        label=_("Tables available"),
        required=False,
        min_value=1,
        max_value=MAX_ENTRIES,
        help_text=_("Leave empty if there are enough. With fewer tables a round is played in turns."),
    )
    tables_an_arbiter = forms.IntegerField(
        label=_("Tables per arbiter"), required=False, min_value=1, max_value=MAX_ENTRIES, initial=8
    )

    def question(self) -> Question:
        """Return what was asked; what was left empty is the usual."""
        return Question(**{name: value for name, value in self.cleaned_data.items() if value is not None})
