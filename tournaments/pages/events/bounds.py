"""Bounds of numbers that depend on other choices: a field shows and refuses by what the service allows."""

from __future__ import annotations

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.utils.translation import gettext as _


def bound(form: forms.Form, name: str, low: int, high: int) -> None:
    """Let a number of this form go from low to high, in what the page says and suggests, and in what it refuses."""
    field = form.fields[name]
    if not isinstance(field, forms.IntegerField):
        raise TypeError(f"{name} is no number")
    # The class's own bounds go: two of one kind would both refuse.
    others = [each for each in field.validators if not isinstance(each, MinValueValidator | MaxValueValidator)]
    field.min_value, field.max_value = low, high
    field.validators = [*others, MinValueValidator(low), MaxValueValidator(high)]
    field.widget.attrs |= {"min": low, "max": high}
    bounds = _("From %(low)s to %(high)s.") % {"low": low, "high": high}
    field.help_text = f"{field.help_text} {bounds}" if field.help_text else bounds
