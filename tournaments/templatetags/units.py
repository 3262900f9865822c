"""What a match's points are in the game's own words: `10 points are 1 kan`, `-32.5 kan`."""

from fractions import Fraction

from django import template
from django.utils.translation import gettext

from engine.game import Preset
from engine.games import PRESETS
from engine.words import Words
from tournaments.replay import facts
from tournaments.replay.table import LETTERS

register = template.Library()


def words_of(preset: Preset | None) -> Words:
    """The words of a preset's game; none for a preset that is no longer known."""
    return facts.words_of(preset.game) if preset is not None else Words()


@register.filter
def preset_name(preset: str) -> str:
    """The name of a preset; its id where it is no longer known."""
    return PRESETS[preset].name if preset in PRESETS else preset


@register.filter
def account_of(preset: Preset | None) -> str:
    """A sentence on what the points of a match are; empty where the game has none."""
    said = words_of(preset).account
    return gettext(said) if said else ""


@register.filter
def in_units(points: object, preset: Preset | None) -> str:
    """An amount of points in the larger unit that the game counts in, `-32.5 kan`; empty where it has none.

    points: a whole number, or an exact amount as text (`-95/3`).
    """
    words = words_of(preset)
    if words.unit_points == 1 or points is None:
        return ""
    shown = f"{float(Fraction(str(points)) / words.unit_points):.1f}".removesuffix(".0")
    return f"{shown} {gettext(words.unit)}".replace("-", "\N{MINUS SIGN}")


@register.filter
def letter(side: int) -> str:
    """The letter of a team, as at the table of its replay."""
    return LETTERS[side]
