"""The form of a new table: rules, seats, opponents and clock."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any, Final

from django import forms
from django.utils.text import get_text_list
from django.utils.translation import gettext_lazy as _

from bots.models import BotVersion
from engine.game import OptionValue
from engine.games import PRESETS
from tables.actions.opening import TablePlan
from tables.actions.opponents import bot_version
from tables.house import LEVELS, MIDDLE
from tables.jobs.levels import version_of_level
from tables.pages.rule_fields import RuleFields
from tables.play.clocks import CLOCKS
from tables.play.seating import MAX_SEATS, can_seat, seats_of
from tables.play.shuffle import MAX_PHRASE
from web.presets import preset_title

PEOPLE: Final = "people"
BOTS_AFTER: Final = timedelta(minutes=2)
"""An open table's empty seats are filled with house bots after this time, where that was chosen."""
SUITS: Final = {2: "koikoi_nintendo", 3: "hawaii", 4: "oibana", 5: "oibana", 6: "oibana", 7: "oibana"}
"""The preset that suits a number of people; another one where this cannot be played."""


def preset_for(people: int) -> str:
    """Return the preset that suits a number of people."""
    wanted = SUITS.get(people, "hawaii")
    return wanted if can_seat(wanted, people) else next(preset for preset in PRESETS if can_seat(preset, people))


def _presets() -> list[tuple[str, Any]]:
    return [(preset.id, preset_title(preset.id)) for preset in PRESETS.values()]


def _opponents() -> list[tuple[str, Any]]:
    levels = [(level.id, level.name) for level in LEVELS.values()]
    return [(str(_("The house’s players")), levels), (PEOPLE, _("People: a friend, or anybody who comes"))]


def _other_number(preset: str, options: Mapping[str, OptionValue]) -> str:
    """Say by how many people these rules can be played. options: those that differ from the preset."""
    found = seats_of(preset, options)
    if not found:
        return str(_("These rules are for another number of players. Choose another number."))
    shown = {"preset": preset_title(preset), "numbers": _numbers(found)}
    if options:
        return _("These rules are for %(numbers)s players: choose another number.") % shown
    return _("%(preset)s is for %(numbers)s players: choose another number.") % shown


def _numbers(found: Sequence[int]) -> str:
    is_range = len(found) > 2 and found[-1] - found[0] == len(found) - 1
    if is_range:
        return _("%(low)s to %(high)s") % {"low": found[0], "high": found[-1]}
    return str(get_text_list([str(number) for number in found]))


class TableForm(RuleFields):
    """Rules, seats, opponents and clock of a new table."""

    preset = forms.ChoiceField(label=_("Rules"), choices=_presets)
    seats = forms.TypedChoiceField(label=_("Players"), choices=[(n, n) for n in range(2, MAX_SEATS + 1)], coerce=int)
    opponent = forms.ChoiceField(label=_("Against"), choices=_opponents, initial=MIDDLE)
    bot = forms.SlugField(required=False, widget=forms.HiddenInput)
    clock = forms.ChoiceField(
        label=_("Clock"),
        initial="casual",
        choices=[
            ("casual", _("none")),
            ("live", _("3 minutes and 10 seconds a move")),
            ("days", _("3 days a move")),
        ],
    )
    listed = forms.BooleanField(label=_("Show it in the list of open tables"), required=False)
    fill = forms.BooleanField(label=_("Fill empty seats with house players after two minutes"), required=False)
    rated = forms.BooleanField(
        label=_("Rated"),
        required=False,
        help_text=_("The result moves your ratings. Only for people with an account, with a clock."),
    )
    phrase = forms.CharField(
        label=_("Your part in the shuffle"),
        required=False,
        max_length=MAX_PHRASE,
        help_text=_("Type anything. It enters the shuffle, and the proof shows it. Left empty, we draw for you."),
    )

    def clean(self) -> dict[str, Any]:
        """Check that this number of people can play by these rules."""
        data: dict[str, Any] = super().clean() or {}
        self.refuse_unknown_rules()
        is_known = bool(data.get("preset") and data.get("seats")) and not self.errors
        if is_known and not can_seat(data["preset"], data["seats"], self.chosen_rules()):
            self.add_error("seats", _other_number(data["preset"], self.chosen_rules()))
        return data

    def plan(self) -> TablePlan:
        """Return what was chosen. Raises TableError for a bot that cannot play."""
        data = self.cleaned_data
        return TablePlan(
            preset=data["preset"],
            seats=data["seats"],
            options=self.chosen_rules(),
            clock=CLOCKS[data["clock"]],
            rated=data["rated"],
            listed=data["listed"] and data["opponent"] == PEOPLE,
            bots=self._bots(),
            bots_after=BOTS_AFTER if data["fill"] and data["opponent"] == PEOPLE else None,
        )

    def _bots(self) -> list[BotVersion]:
        data = self.cleaned_data
        others = data["seats"] - 1
        if data["bot"]:
            return [bot_version(data["bot"], data["preset"])] * others
        if data["opponent"] == PEOPLE:
            # Installed by this process: the sweep, which fills the seats later, may make no bot.
            version_of_level(MIDDLE)
            return []
        return [version_of_level(data["opponent"])] * others
