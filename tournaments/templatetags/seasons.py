"""Figures of seasons in templates."""

from __future__ import annotations

from django import template

from core.seasons.model import FULL_DECAY, FULL_WEIGHT, POINT
from tournaments.seasons.figures import shown

register = template.Library()


@register.filter
def season_points(value: int) -> str:
    """Hundredths of a point, as in "7.5"."""
    return shown(value, POINT)


@register.filter
def season_weight(value: int) -> str:
    """A weight in percent, as in "1.5"."""
    return shown(value, FULL_WEIGHT)


@register.filter
def season_decay(value: int) -> str:
    """What is left of the worth, as in "0.81"."""
    return shown(value, FULL_DECAY)
