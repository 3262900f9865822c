"""Fields of the form that are about brackets."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.lifecycle.field_words import LABELS


class BracketFields(forms.Form):
    """What is played besides the bracket, and when its matches start."""

    third_place = forms.BooleanField(
        label=LABELS["third_place"], required=False, help_text=_("Only for single elimination at two seats.")
    )
    consolation = forms.BooleanField(
        label=LABELS["consolation"],
        required=False,
        help_text=_(
            "Those who lose in the first round play on in a knock-out of their own. Only for single elimination at two"
            " seats."
        ),
    )
    flows = forms.BooleanField(
        label=LABELS["flows"],
        required=False,
        initial=True,
        help_text=_("Only for brackets. Without it the next round is drawn once every match of a round is over."),
    )
