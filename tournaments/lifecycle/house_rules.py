"""House rules of a stage: the options in which its rules differ from the preset that they are named after, in words."""

from __future__ import annotations

import json
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine.game import OptionInfo, OptionValue, Ruleset
from engine.games import GAMES, PRESETS, option_table, ruleset
from tournaments.models import Stage
from web.presets import preset_title


@dataclass(frozen=True, slots=True)
class HouseRule:
    """One option. name: of the rule; here, usual: what holds here and in the preset, in words; value: as programs
    have it.
    """

    id: str
    name: str
    here: str
    usual: str
    value: OptionValue


def rules_at(stage: Stage) -> Ruleset:
    """Return the rules of a stage whose ruleset is at hand."""
    return Ruleset.from_json(json.loads(stage.ruleset.canonical))


def house_rules(stage: Stage) -> tuple[HouseRule, ...]:
    """Return the house rules, in the order of the game's own table; none where the preset is no longer known."""
    # By the hash first: most events play a preset as it is, and lists show many.
    if stage.preset not in PRESETS or stage.ruleset.sha256 == ruleset(stage.preset).hash.removeprefix("sha256:"):
        return ()
    rules, base = rules_at(stage), ruleset(stage.preset)
    return tuple(
        _rule(info, getattr(rules.options, info.id), getattr(base.options, info.id))
        for info in option_table(rules.game)
        if getattr(rules.options, info.id) != getattr(base.options, info.id)
    )


def _rule(info: OptionInfo, here: OptionValue, usual: OptionValue) -> HouseRule:
    return HouseRule(info.id, _(info.meaning), meaning_of(info, here), meaning_of(info, usual), here)


def meaning_of(info: OptionInfo, value: OptionValue) -> str:
    """Return a value of an option in words; a number as it is."""
    position = info.allowed.index(value) if value in info.allowed else -1
    return _(info.meanings[position]) if 0 <= position < len(info.meanings) else str(value)


def preset_name(stage: Stage) -> str:
    """Return the name of the preset; of one that is no longer known the name of the game."""
    if stage.preset in PRESETS:
        return preset_title(stage.preset)
    return str(_(GAMES[stage.ruleset.game].words.title)) if stage.ruleset.game in GAMES else stage.preset


def rules_name(stage: Stage) -> str:
    """Return what the rules of a stage are called: "Paradise Factors, with 3 house rules"."""
    n = len(house_rules(stage))
    if not n:
        return preset_name(stage)
    text = ngettext("%(preset)s, with %(n)d house rule", "%(preset)s, with %(n)d house rules", n)
    return text % {"preset": preset_name(stage), "n": n}
