"""Figures of seasons in templates."""

from __future__ import annotations

from django import template

from core.seasons.model import FULL_DECAY, FULL_WEIGHT, POINT
from tournaments.models import Season, Tournament
from tournaments.models.club import club_key
from tournaments.seasons.figures import shown

register = template.Library()


@register.simple_tag
def season_club(club: str, season: Season) -> str:
    """Return the address of a club's page if a page of the season may lead there, else "".

    Pages of clubs know public events alone, so a link from a season that is not public could lead nowhere.
    """
    return club_key(club) if season.visibility == Tournament.Visibility.PUBLIC else ""


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
