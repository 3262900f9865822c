"""Fields for single rules of a game, by which a table differs from its preset."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from engine.game import OptionValue
from engine.games import PRESETS, option_table
from tournaments.pages.events.create_form import OPTION, option_field
from web.presets import preset_title


def sent_as(option: str, value: OptionValue) -> tuple[str, object]:
    """Return the field of a rule and its value, as a form sends it."""
    return OPTION + option, int(value) if isinstance(value, bool) else value


class RuleFields(forms.Form):
    """The rules of the game of one preset, each left alone until somebody chooses something else."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for info in option_table(PRESETS[self.shown_preset].game):
            self.fields[OPTION + info.id] = option_field(info)

    @property
    def shown_preset(self) -> str:
        """Return the preset whose rules are shown: the chosen one, else the first."""
        asked = str(self["preset"].value() or "")
        return asked if asked in PRESETS else next(iter(PRESETS))

    @property
    def rules_title(self) -> str:
        """Return the name of the preset whose rules are shown."""
        return preset_title(self.shown_preset)

    def rule_fields(self) -> list[forms.BoundField]:
        """Return the fields of single rules."""
        return [self[name] for name in self.fields if name.startswith(OPTION)]

    def are_rules_open(self) -> bool:
        """Return whether one of them is chosen or wrong: the page then shows them at once."""
        return any(field.errors or field.value() not in (None, "") for field in self.rule_fields())

    def refuse_unknown_rules(self) -> None:
        """Refuse a rule that the chosen game does not have, unless it was left alone."""
        for name in sorted(set(self.data) - set(self.fields)):
            if name.startswith(OPTION) and self.data[name] != "":
                text = _("%(preset)s has no rule “%(rule)s”. Leave it out, or choose one of the rules listed here.")
                shown = {"preset": self.rules_title, "rule": name.removeprefix(OPTION)[:60]}
                self.add_error(None, forms.ValidationError(text, params=shown, code="rules.unknown_option"))

    def chosen_rules(self) -> dict[str, OptionValue]:
        """Return the rules that differ from the preset."""
        chosen: dict[str, OptionValue] = {}
        for info in option_table(PRESETS[self.shown_preset].game):
            value = self.cleaned_data.get(OPTION + info.id)
            if value not in (None, ""):
                chosen[info.id] = bool(int(value)) if info.kind == "flag" else value
        return chosen
