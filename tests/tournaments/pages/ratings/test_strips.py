"""Strips of a leaderboard: every interval whole on one scale, also one that begins below zero."""

from __future__ import annotations

import re

import pytest

from tournaments.models import Rating
from tournaments.ratings.queries import Strength
from tournaments.templatetags.strips import Scale, scale_of, strip, strip_scale


def strength(mu: float, sigma: float) -> Strength:
    return Strength(Rating(n=1, mu=mu, sigma=sigma, value=mu - 3 * sigma), None)


@pytest.mark.parametrize("mu", [-30.0, 0.0, 25.0, 50.0, 71.5])
def test_the_whole_interval_is_on_the_scale(mu: float) -> None:
    found = [strength(mu, 6.5), strength(25.0, 8.0)]
    scale = scale_of(found)
    for each in found:
        places = [float(x) for x in re.findall(r'(?:x1|x2|cx)="(-?[\d.]+)%"', strip(each, scale))]
        assert places
        assert all(0 <= x <= 100 for x in places)


def test_a_scale_is_0_to_50_where_that_is_enough() -> None:
    assert scale_of([strength(25.0, 4.0)]) == Scale(0, 50)
    assert scale_of([]) == Scale(0, 50)


def test_the_head_names_the_ticks_of_a_scale_that_begins_below_zero() -> None:
    assert re.findall(r">(-?\d+)</text>", strip_scale(Scale(-15, 50))) == ["0", "25", "50"]
