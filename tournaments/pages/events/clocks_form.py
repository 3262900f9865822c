"""Form fields of a clock: which one, and the figures of a custom one."""

from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _

from bots.runner.spec import BOUNDS, CLOCKS, CUSTOM, STANDARD
from tournaments.lifecycle.field_words import LABELS
from tournaments.lifecycle.time_limits import NAMES, REASONS, clock_text

FIGURES: Final = {name: LABELS[name] for name in BOUNDS}


class ClockFields(forms.Form):
    """Fields of a clock; the standard one if none is chosen. Figures left empty are those of the standard clock."""

    clock = forms.ChoiceField(
        label=LABELS["clock"],
        initial=STANDARD.id,
        required=False,
        widget=forms.RadioSelect,
        help_text=_("CPU time of the bot, so a busy machine costs nobody anything. Fixed once the event starts."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["clock"]
        if isinstance(field, forms.ChoiceField):
            field.choices = [*((clock.id, _shown(clock.id)) for clock in CLOCKS.values()), (CUSTOM, _shown(CUSTOM))]
        for name, label in FIGURES.items():
            self.fields[name] = _figure(label, *BOUNDS[name])

    def clean_clock(self) -> str:
        """Return the clock; the standard one if none is chosen."""
        return str(self.cleaned_data["clock"] or STANDARD.id)

    def clean(self) -> dict[str, Any]:
        """Refuse figures beside a named clock, where they would be lost in silence."""
        data = super().clean() or {}
        # Figures that came with the form as it was shown are not typed: going back from "custom" is allowed.
        typed = [name for name, figure in self.figures(data).items() if self.initial.get(name) != figure]
        if data.get("clock", CUSTOM) != CUSTOM and typed:
            text = _("These fields are for a custom clock. Choose “Custom”, or leave them empty.")
            self.add_error("clock", forms.ValidationError(text, code="clock.figures"))
        return data

    def figures(self, data: dict[str, Any] | None = None) -> dict[str, object]:
        """Return the figures that were given; none beside a named clock once the form is clean."""
        found = self.cleaned_data if data is None else data
        if data is None and found["clock"] != CUSTOM:
            return {}
        return {name: found[name] for name in FIGURES if found.get(name) is not None}

    def clock_figures(self) -> list[forms.BoundField]:
        """Return the fields of the figures, for a template."""
        return [self[name] for name in FIGURES]

    def figures_open(self) -> bool:
        """Return whether the page shows the figures at once: some are given, or one is wrong."""
        return any(self[name].errors or self[name].value() not in (None, "") for name in FIGURES)


def _shown(name: str) -> str:
    name_text = f"{NAMES[name]}: {clock_text(CLOCKS[name])}." if name in CLOCKS else f"{NAMES[name]}."
    return f"{name_text} {REASONS[name]}"


def _figure(label: Any, low: int, high: int) -> forms.IntegerField:
    return forms.IntegerField(
        label=label,
        required=False,
        min_value=low,
        max_value=high,
        help_text=_("From %(low)s to %(high)s.") % {"low": low, "high": high},
    )
