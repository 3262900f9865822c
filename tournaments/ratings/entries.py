"""Entries of an event with what a rating pool knows of them, of the version that would play.

Ratings that entries have when they join a stage are stored with it: a tie-break by them must not move later.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from core.ratings import model
from core.ratings.lines import born_of, name_of
from tournaments.matches.records.results import BY_RATING
from tournaments.models import Entry, Rating, RatingPool, Stage
from tournaments.ratings import fold as rating


@dataclass(frozen=True, slots=True)
class RatedEntry:
    """An entry and its rating in the pool; version: of a bot, None for a person; rating: None where none is known."""

    entry: Entry
    rating: model.Rating | None
    version: int | None
    games: int

    @property
    def value(self) -> float | None:
        """The number that seeds it: mu - 3 sigma, to the hundredth."""
        return round(self.rating.shown, 2) if self.rating is not None else None


def rated(entries: Sequence[Entry], pool: RatingPool) -> Iterable[RatedEntry]:
    """Yield everybody with what the pool knows of them.

    entries: with player, bot and its active version, and version.
    """
    keys = _lines_of(entries, pool)
    rows = Rating.objects.filter(pool=pool, line__in=set(keys.values()))
    known: dict[int, dict[int, Rating]] = {}
    for row in rows:
        known.setdefault(row.line, {})[row.n] = row
    for entry in entries:
        own = known.get(keys.get(entry.pk, 0), {})
        yield _rated_entry(entry, keys.get(entry.pk, 0), own)


def _lines_of(entries: Sequence[Entry], pool: RatingPool) -> Mapping[int, int]:
    """Return the pool's name for each entry: a bot, a person, or the seed that the same bot has in a ladder."""
    if pool.stage_id is None and pool.who == RatingPool.Who.PEOPLE:
        return {entry.pk: entry.player.line for entry in entries}
    bots = {entry.pk: entry.player.bot_id for entry in entries if entry.player.bot_id is not None}
    if pool.stage_id is None:
        return bots
    there = Rating.objects.filter(pool=pool, entry__player__bot__in=bots.values())
    lines = dict(there.values_list("entry__player__bot", "line"))
    return {entry: lines[bot] for entry, bot in bots.items() if bot in lines}


def _rated_entry(entry: Entry, line: int, own: Mapping[int, Rating]) -> RatedEntry:
    """Return the rating of the version that would play, or what it would begin with after the one before it."""
    if not own:
        return RatedEntry(entry, None, None, 0)
    bot = entry.player.bot
    playing = entry.bot_version or (bot.active_version if bot is not None else None)
    n = playing.n if playing is not None else max(own)
    row = own.get(n)
    if row is not None:
        return RatedEntry(entry, model.Rating(row.mu, row.sigma), n if bot else None, row.events + row.pending)
    ratings = {name_of(line, each.n): model.Rating(each.mu, each.sigma) for each in own.values()}
    # A version that has not played yet is born of its predecessor, as the fold will do it (decision 0043).
    return RatedEntry(entry, born_of(rating.PARAMS)(name_of(line, n), ratings), n if bot else None, 0)


HUNDREDTHS: Final = 100


def strengths_of(stage: Stage, entries: Iterable[Entry]) -> dict[int, str]:
    """Return what to store of those who join, by entry, mu to the hundredth; those without a rating are left out.

    The pool is the one in which results of the stage's own tables are rated, of bots or of people.
    """
    if BY_RATING not in stage.tie_breaks:
        return {}
    rows = Entry.objects.filter(pk__in=[entry.pk for entry in entries])
    listed = list(rows.select_related("player__bot__active_version", "bot_version"))
    people = [entry for entry in listed if entry.player.bot_id is None]
    bots = [entry for entry in listed if entry.player.bot_id is not None]
    return _known(stage, people, RatingPool.Who.PEOPLE) | _known(stage, bots, RatingPool.Who.BOTS)


def _known(stage: Stage, entries: Sequence[Entry], who: str) -> dict[int, str]:
    # Several numbers of sides (teams or not) have pools of their own: the one with the most sides rates single players.
    pools = RatingPool.objects.filter(stage=None, who=who, preset=stage.preset, seats=stage.seats_pref)
    pool = pools.order_by("-sides").first() if entries else None
    found = rated(entries, pool) if pool is not None else ()
    return {
        line.entry.pk: str(Fraction(round(line.rating.mu * HUNDREDTHS), HUNDREDTHS))
        for line in found
        if line.rating is not None
    }
