"""Ratings that entries have when they join a stage, kept with it: a tie-break by them must not move with what follows.

The pool is the one in which results of the stage's own tables are rated, of bots or of people. What a person's or a
bot's table there says is taken as it is, mu to the hundredth.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Final

from tournaments.matches.results import BY_RATING
from tournaments.models import Entry, RatingPool, Stage
from tournaments.ratings.entries import rated

HUNDREDTHS: Final = 100


def strengths_of(stage: Stage, entries: Iterable[Entry]) -> dict[int, str]:
    """What to keep of those who join, by entry; those without a rating are left out."""
    if BY_RATING not in stage.tie_breaks:
        return {}
    rows = Entry.objects.filter(pk__in=[entry.pk for entry in entries])
    listed = list(rows.select_related("player__bot__active_version", "bot_version"))
    people = [entry for entry in listed if entry.player.bot_id is None]
    bots = [entry for entry in listed if entry.player.bot_id is not None]
    return _known(stage, people, RatingPool.Who.PEOPLE) | _known(stage, bots, RatingPool.Who.BOTS)


def _known(stage: Stage, entries: Sequence[Entry], who: str) -> dict[int, str]:
    pools = RatingPool.objects.filter(stage=None, who=who, preset=stage.preset, seats=stage.seats_pref)
    pool = pools.order_by("-sides").first() if entries else None
    found = rated(entries, pool) if pool is not None else ()
    return {
        line.entry.pk: str(Fraction(round(line.rating.mu * HUNDREDTHS), HUNDREDTHS))
        for line in found
        if line.rating is not None
    }
