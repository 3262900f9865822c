"""Controls of forms are the HTML that Django's own templates make of them."""

from __future__ import annotations

import re
from datetime import date

import pytest
from django import forms
from django.forms.renderers import DjangoTemplates, get_default_renderer
from django.utils import translation
from django.utils.safestring import SafeString

from accounts.controls import WRITERS, Controls
from accounts.forms import SignUpForm
from tournaments.pages.events.create_form import EventForm

GROUPS = [("", "–"), ("Europe", [("fr", "<Paris> & co"), (3, SafeString("<b>"))]), (None, 1234567), (True, "yes")]


class OddForm(forms.Form):
    """Form of all that is odd in one control or another."""

    name = forms.CharField(initial='"><script>', widget=forms.TextInput(attrs={"required": True, "data-x": False}))
    area = forms.CharField(initial="\nfirst & last", widget=forms.Textarea(attrs={"rows": 3}))
    empty = forms.CharField(widget=forms.Textarea, required=False)
    choice = forms.ChoiceField(choices=GROUPS, initial=3, widget=forms.Select(attrs={"data-<": "'"}))
    tick = forms.BooleanField(initial=True, help_text="a tick")
    number = forms.FloatField(initial=1234.5, localize=True)
    day = forms.DateField(initial=date(2026, 11, 21), widget=forms.DateInput(attrs={"type": "date"}))
    hidden = forms.CharField(widget=forms.HiddenInput, initial="x")
    radio = forms.ChoiceField(choices=[("a", "A"), ("b", "B")], widget=forms.RadioSelect)


def _tight(control: forms.BoundField) -> str:
    """Without the blanks between tags, which mean nothing there."""
    return re.sub(r">\s+<", "><", str(control)).strip()


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("form", [OddForm, EventForm, SignUpForm])
def test_controls_are_those_of_djangos_templates(form: type[forms.Form], language: str) -> None:
    with translation.override(language):
        for sent in (None, {"name": "<i>", "area": "", "seats": "9", "choice": "None", "empty": "1 < 2"}):
            ours, theirs = form(sent, renderer=Controls()), form(sent, renderer=DjangoTemplates())
            for own, other in zip(ours, theirs, strict=True):
                assert _tight(own) == _tight(other), own.name


def test_every_form_has_them() -> None:
    assert isinstance(get_default_renderer(), Controls)
    assert all(DjangoTemplates().get_template(name) for name in WRITERS)
