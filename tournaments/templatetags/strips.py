"""`{% strip strength scale %}`: intervals of ratings drawn on one scale, as wide as their column."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from tournaments.ratings.queries import SCALE, Strength

register = template.Library()
STEP: Final = 25
"""Ticks stand at its multiples: 25 is where ratings begin."""
GRAIN: Final = 5
"""The ends of a scale are multiples of it, so that a new result seldom moves all strips."""


@dataclass(frozen=True, slots=True)
class Scale:
    """The line that ratings are drawn on. low, high: its ends, in rating points."""

    low: int
    high: int

    def at(self, value: float) -> str:
        """Return where a value lies on the line, as CSS and SVG write it: "37.5%"."""
        return f"{100 * (value - self.low) / (self.high - self.low):.1f}%"

    @property
    def ticks(self) -> list[tuple[int, str]]:
        """Return (value, place) of the ticks."""
        first = math.ceil(self.low / STEP) * STEP
        return [(value, self.at(value)) for value in range(first, self.high + 1, STEP)]


def scale_of(strengths: Iterable[Strength]) -> Scale:
    """Return a scale that holds the whole interval of each of these ratings, and 0 to 50 at least."""
    found = list(strengths)
    low = min((min(each.low, each.value) for each in found), default=0.0)
    high = max((each.high for each in found), default=SCALE)
    return Scale(
        min(0, math.floor(low / GRAIN) * GRAIN),
        max(int(SCALE), math.ceil(high / GRAIN) * GRAIN),
    )


@register.simple_tag
def scale_of_one(strength: Strength) -> Scale:
    """Return the scale for a rating that is drawn alone."""
    return scale_of([strength])


@register.simple_tag
def strip(strength: Strength, scale: Scale) -> SafeString:
    """Draw the 95 % interval and the mean of a rating, and a tick at the value that ranks it; decoration."""
    ticks = format_html_join(
        "", '<line class="tick" x1="{0}" x2="{0}" y1="3" y2="11"/>', ((x,) for _, x in scale.ticks)
    )
    return format_html(
        '<svg class="strip" height="14" aria-hidden="true" focusable="false"><line x2="100%" y1="7" y2="7"/>{0}'
        '<line class="reach" x1="{1}" x2="{2}" y1="7" y2="7"/><line class="bound" x1="{4}" x2="{4}" y1="1" y2="13"/>'
        '<circle cx="{3}" cy="7" r="4"/></svg>',
        ticks,
        scale.at(strength.low),
        scale.at(strength.high),
        scale.at(strength.row.mu),
        scale.at(strength.value),
    )


@register.simple_tag
def strip_scale(scale: Scale) -> SafeString:
    """Draw the scale itself, for the head of the column."""
    tick = '<text x="{0}" y="10">{1}</text><line x1="{0}" x2="{0}" y1="14" y2="19"/>'
    ticks = format_html_join("", tick, ((place, value) for value, place in scale.ticks))
    return format_html(
        '<svg class="strip scale" height="20" aria-hidden="true" focusable="false">'
        '<line x2="100%" y1="19" y2="19"/>{}</svg>',
        ticks,
    )
