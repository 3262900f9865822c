"""Forms of programs: what one states, and what is played against one."""

from __future__ import annotations

from typing import Any, Final

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from bots.services.creating import REMOTE_MARK
from engine.games import PRESETS
from tables.actions.opening import MAX_TABLES, TablePlan
from tables.models import Program
from tables.play.clocks import CLOCKS
from tables.play.seating import can_seat
from tables.play.shuffle import MAX_PHRASE
from tables.programs.registry import ProgramPlan
from web.presets import preset_title

SEATS: Final = [(number, number) for number in range(2, 8)]
SEATS_N: Final = 2
"""Players where a person plays against a program; more of them meet at a table that somebody opens."""
CLOCK_NAMES: Final[dict[str, str | Promise]] = {
    "casual": _("no clock"),
    "live": _("3 minutes and 10 seconds a move"),
    "days": _("3 days a move"),
    "remote": _("clock for programs: 10 seconds, plus 1 second a move"),
}


def _presets() -> list[tuple[str, Any]]:
    return [(preset.id, preset_title(preset.id)) for preset in PRESETS.values()]


class ProgramForm(forms.Form):
    """A program, new or changed."""

    name = forms.CharField(
        label=_("Name"),
        min_length=2,
        max_length=60 - len(REMOTE_MARK),
        help_text=_("We add “(remote)”, so that everybody sees where it plays."),
    )
    presets = forms.MultipleChoiceField(label=_("It plays"), choices=_presets, widget=forms.CheckboxSelectMultiple)
    seats_min = forms.TypedChoiceField(label=_("Fewest players"), choices=SEATS, coerce=int, initial=2)
    seats_max = forms.TypedChoiceField(label=_("Most players"), choices=SEATS, coerce=int, initial=2)
    clocks = forms.MultipleChoiceField(
        label=_("Clocks"), choices=list(CLOCK_NAMES.items()), widget=forms.CheckboxSelectMultiple, initial=list(CLOCKS)
    )
    tables_most = forms.TypedChoiceField(
        label=_("Tables at a time"),
        choices=[(number, number) for number in range(1, MAX_TABLES + 1)],
        coerce=int,
        initial=1,
    )
    takes = forms.ChoiceField(
        label=_("It takes challenges of"),
        choices=Program.Takes.choices,
        initial=Program.Takes.ANYBODY,
        help_text=_("You yourself may always challenge it."),
    )
    plays_ladder = forms.BooleanField(
        label=_("Pair it with programs of its strength, rated"), required=False, initial=True
    )

    def plan(self) -> ProgramPlan:
        """Return what was stated."""
        return ProgramPlan(**{name: value for name, value in self.cleaned_data.items() if name != "name"})


def filled(program: Program) -> dict[str, Any]:
    """Return what the form shows of a program."""
    names = [name for name in ProgramForm.base_fields if name != "name"]
    own = {name: getattr(program, name) for name in names}
    return {**own, "name": program.bot.name.removesuffix(REMOTE_MARK)}


class PlayForm(forms.Form):
    """A match against a program: among what it states."""

    preset = forms.ChoiceField(label=_("Rules"))
    clock = forms.ChoiceField(label=_("Clock"))
    phrase = forms.CharField(
        label=_("Your part in the shuffle"),
        required=False,
        max_length=MAX_PHRASE,
        help_text=_("Type anything. It enters the shuffle, and the proof shows it. Left empty, we draw for you."),
    )

    def __init__(self, *args: Any, program: Program, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        presets = [(preset, preset_title(preset)) for preset in program.presets if can_seat(preset, SEATS_N)]
        clocks = [(clock, CLOCK_NAMES[clock]) for clock in program.clocks if clock != "remote"]
        for name, choices in (("preset", presets), ("clock", clocks)):
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)
            field.choices = choices

    def plan(self) -> TablePlan:
        """Return what was chosen."""
        data = self.cleaned_data
        return TablePlan(preset=data["preset"], seats=SEATS_N, clock=CLOCKS[data["clock"]])


def can_be_played(program: Program) -> bool:
    """Return whether a person can play against a program."""
    has_clock = any(clock != "remote" for clock in program.clocks)
    return has_clock and program.seats_min <= SEATS_N and any(can_seat(preset, SEATS_N) for preset in program.presets)
