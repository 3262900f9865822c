"""What a rating pool knows of the entries of an event, of the version that would play."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from core.ratings import model
from core.ratings.lines import born_of, name_of
from tournaments.models import Entry, Rating, RatingPool
from tournaments.ratings import fold as rating


@dataclass(frozen=True, slots=True)
class RatedEntry:
    """An entry and its rating in the pool; version: whose it is, None for a person; None where nobody knows any."""

    entry: Entry
    rating: model.Rating | None
    version: int | None
    games: int

    @property
    def value(self) -> float | None:
        """The number that seeds it: mu - 3 sigma, to the hundredth."""
        return round(self.rating.shown, 2) if self.rating is not None else None


def rated(entries: Sequence[Entry], pool: RatingPool) -> Iterable[RatedEntry]:
    """Everybody with what the pool knows of them. entries: with player, bot and its active version, and version."""
    keys = _lines_of(entries, pool)
    rows = Rating.objects.filter(pool=pool, line__in=set(keys.values()))
    known: dict[int, dict[int, Rating]] = {}
    for row in rows:
        known.setdefault(row.line, {})[row.n] = row
    for entry in entries:
        own = known.get(keys.get(entry.pk, 0), {})
        yield _rated_entry(entry, keys.get(entry.pk, 0), own)


def _lines_of(entries: Sequence[Entry], pool: RatingPool) -> Mapping[int, int]:
    """How the pool names each entry: a bot, a person, or the seed that the same bot has in a ladder."""
    if pool.stage_id is None and pool.who == RatingPool.Who.PEOPLE:
        return {entry.pk: entry.player.line for entry in entries}
    bots = {entry.pk: entry.player.bot_id for entry in entries if entry.player.bot_id is not None}
    if pool.stage_id is None:
        return bots
    there = Rating.objects.filter(pool=pool, entry__player__bot__in=bots.values())
    lines = dict(there.values_list("entry__player__bot", "line"))
    return {entry: lines[bot] for entry, bot in bots.items() if bot in lines}


def _rated_entry(entry: Entry, line: int, own: Mapping[int, Rating]) -> RatedEntry:
    """The version that would play: its own rating, or what it would begin with after the one before it."""
    if not own:
        return RatedEntry(entry, None, None, 0)
    bot = entry.player.bot
    playing = entry.bot_version or (bot.active_version if bot is not None else None)
    n = playing.n if playing is not None else max(own)
    row = own.get(n)
    if row is not None:
        return RatedEntry(entry, model.Rating(row.mu, row.sigma), n if bot else None, row.events + row.pending)
    ratings = {name_of(line, each.n): model.Rating(each.mu, each.sigma) for each in own.values()}
    return RatedEntry(entry, born_of(rating.PARAMS)(name_of(line, n), ratings), n if bot else None, 0)
