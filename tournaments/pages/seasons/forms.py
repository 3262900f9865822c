"""Forms of seasons: its rules, its divisions, its events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django import forms
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from core.seasons.model import FULL_WEIGHT, POINT
from tournaments.models import Season, Tournament
from tournaments.seasons.figures import read, shown
from tournaments.seasons.set_up import MAX_BEST, MAX_DIVISIONS, MAX_MOVES, USUAL_POINTS, DivisionPlan, SeasonPlan

BESIDE: Final[Mapping[str, str]] = {
    "season.no_such_event": "event",
    "season.has_already": "event",
    "season.bad_weight": "weight",
}
"""Fields by the code of the refusal that stands beside them."""


class SmallUnits(forms.CharField):
    """A number with a fraction, stored as a whole number of a small unit."""

    def __init__(self, *, unit: int, **kwargs: Any) -> None:
        self.unit = unit
        attrs = {"inputmode": "decimal", "autocomplete": "off"}
        super().__init__(max_length=20, widget=forms.TextInput(attrs=attrs), **kwargs)

    def prepare_value(self, value: Any) -> Any:
        """Return the number as it is written; what somebody sent stays as it came."""
        return shown(value, self.unit) if isinstance(value, int) else value

    def clean(self, value: Any) -> int:
        """Return the number in small units."""
        text = str(super().clean(value) or "0")
        try:
            return read(text, self.unit)
        except ValueError as refused:
            message = _now("Write a number with at most two places, for example 7.5.")
            raise forms.ValidationError(message, code="invalid") from refused


class PointsList(forms.CharField):
    """Points by place, apart by spaces, stored as hundredths."""

    def prepare_value(self, value: Any) -> Any:
        """Return the list as it is written."""
        return "  ".join(shown(each, POINT) for each in value) if isinstance(value, list | tuple) else value

    def clean(self, value: Any) -> tuple[int, ...]:
        """Return the list in hundredths."""
        # A comma may be a decimal point, so that numbers are parted by spaces and semicolons.
        words = str(super().clean(value) or "").replace(";", " ").split()
        try:
            return tuple(read(word, POINT) for word in words)
        except ValueError as refused:
            message = _now("Write numbers with a space between them, for example 10 8 6 5 4 3 2 1.")
            raise forms.ValidationError(message, code="invalid") from refused


class SeasonForm(forms.Form):
    """The rules of a season. It checks shape only; the service checks the rest."""

    name = forms.CharField(label=_("Name"), max_length=80, help_text=_("For example “Club league 2027”."))
    description = forms.CharField(
        label=_("What people should know (optional)"),
        required=False,
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    visibility = forms.ChoiceField(
        label=_("Who can see it"),
        choices=(
            (Tournament.Visibility.PUBLIC, _("everybody")),
            (Tournament.Visibility.UNLISTED, _("anyone with the address")),
            (Tournament.Visibility.PRIVATE, _("the people in its table and who runs it")),
        ),
        help_text=_("An event counts only in a season that is no more public than the event."),
    )
    measure = forms.ChoiceField(label=_("An event gives"), choices=Season.Measure.choices)
    place_points = PointsList(
        label=_("Points for place 1, 2, 3 and so on"),
        required=False,
        max_length=1000,
        help_text=_("Only for a list of points by place. Put a space between the numbers."),
    )
    other_points = SmallUnits(
        unit=POINT,
        label=_("Points for every other place"),
        required=False,
        help_text=_("For taking part, behind the places of the list."),
    )
    best = forms.IntegerField(
        label=_("Results of a person that count"),
        required=False,
        min_value=0,
        max_value=MAX_BEST,
        help_text=_("The best ones. 0 counts all."),
    )
    decay = forms.ChoiceField(label=_("Older results lose worth"), choices=Season.Decay.choices, required=False)
    loss = forms.IntegerField(
        label=_("How much each time, in percent"),
        required=False,
        min_value=0,
        max_value=99,
        help_text=_("Of what is left: 10 leaves 90%, then 81%."),
    )

    def plan(self, divisions: Sequence[DivisionPlan]) -> SeasonPlan:
        """Return what was chosen."""
        data = dict(self.cleaned_data)
        return SeasonPlan(
            **{**data, "best": data["best"] or 0, "loss": data["loss"] or 0, "divisions": tuple(divisions)}
        )


def initial_of(plan: SeasonPlan) -> dict[str, Any]:
    """Return a plan as the form shows it."""
    names = ("name", "description", "visibility", "measure", "other_points", "best", "decay", "loss")
    return {**{name: getattr(plan, name) for name in names}, "place_points": plan.place_points or USUAL_POINTS}


class DivisionForm(forms.Form):
    """One division. An empty row is left out."""

    name = forms.CharField(label=_("Name of the division"), required=False, max_length=60)
    up = forms.IntegerField(label=_("Go up"), required=False, min_value=0, max_value=MAX_MOVES)
    down = forms.IntegerField(label=_("Go down"), required=False, min_value=0, max_value=MAX_MOVES)
    remove = forms.BooleanField(label=_("Remove this division"), required=False)


DivisionForms = forms.formset_factory(
    DivisionForm, extra=1, max_num=MAX_DIVISIONS, absolute_max=MAX_DIVISIONS, validate_max=True
)


def division_forms(divisions: Sequence[DivisionPlan], data: Any = None) -> Any:
    """Return the forms of the divisions that are there, and an empty one."""
    known = [{"name": each.name, "up": each.up, "down": each.down} for each in divisions]
    return DivisionForms(data, initial=known, prefix="d")


def divisions_in(formset: Any) -> list[DivisionPlan]:
    """Return the divisions as they were sent; a season without any has one."""
    found = []
    for number, form in enumerate(formset.forms):
        data = form.cleaned_data
        is_new = number >= formset.initial_form_count()
        empty = not (data.get("name") or data.get("up") or data.get("down"))
        if data and not data.get("remove") and not (is_new and empty):
            found.append(DivisionPlan(data.get("name") or "", data.get("up") or 0, data.get("down") or 0))
    return found or [DivisionPlan()]


class AddEventForm(forms.Form):
    """An event for the season."""

    event = forms.CharField(
        label=_("Address of the event"),
        max_length=300,
        help_text=_("Copy it from the event's page, or write its last part."),
    )
    weight = SmallUnits(
        unit=FULL_WEIGHT,
        label=_("Weight"),
        required=False,
        initial=FULL_WEIGHT,
        help_text=_("1 is a usual event, 2 counts twice, 0.5 half."),
    )
