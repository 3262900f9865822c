"""Spread of points in past matches, from which a rehearsal makes up its results."""

from __future__ import annotations

from collections import defaultdict
from statistics import fmean
from typing import Final

from tournaments.models import Match, Seat, Stage, Tournament

LOOKED_AT: Final = 900
ENOUGH: Final = 60


def past_scores(stage: Stage) -> tuple[float, tuple[float, ...]] | None:
    """Return the mean points of a side, and each side's distance from the mean of its match; None if too few are known.

    Of the newest matches of public events under the same rules at tables of the same size. Two queries.
    """
    matches = Match.objects.filter(
        state=Match.State.CONFIRMED,
        stage__ruleset=stage.ruleset_id,
        stage__tournament__visibility=Tournament.Visibility.PUBLIC,
        seats_n=stage.seats_pref,
    )
    # About LOOKED_AT seats: of larger tables fewer matches are read.
    newest = list(matches.order_by("-pk").values_list("pk", flat=True)[: LOOKED_AT // stage.seats_pref])
    seats = Seat.objects.filter(match__in=newest, outcome=Seat.Outcome.PLAYED, raw_points__isnull=False)
    sides: dict[int, dict[int, int]] = defaultdict(dict)
    for match, side, points in seats.order_by("match", "side").values_list("match", "side", "raw_points"):
        sides[match][side] = int(points or 0)
    whole = [list(found.values()) for found in sides.values() if len(found) > 1]
    apart = tuple(points - fmean(each) for each in whole for points in each)
    if len(apart) < ENOUGH:
        return None
    return fmean(points for each in whole for points in each), apart
