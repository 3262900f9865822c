"""Form that deletes an account."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _


class LeavingForm(forms.Form):
    """Form of the password, and a box to confirm that it is meant."""

    password = forms.CharField(
        label=_("Password"),
        strip=False,
        max_length=4096,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )
    sure = forms.BooleanField(label=_("Delete my account permanently. Nobody can restore it."))
