"""The leaderboards: per preset and shape of table, the rating of every bot version with its interval."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.core.cache import cache
from django.db.models import F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Greatest, JSONObject

from accounts.models import User
from bots.models import Bot, BotVersion
from core.ratings import model, ties
from tournaments.lifecycle.display_names import OF_VERSION, bots_named, prefixed
from tournaments.lifecycle.json_lists import Listed
from tournaments.models import Rating, RatingEvent, RatingPool

# Named by the fold, so it is never wrong; the hour only empties the cache of boards that nobody folds any more.
CACHE_S = 3600
OF_RATING: Final = ("pool", "line", "n", "version", "value", "mu", "sigma", "events", "pending")
# What an object of a query has of a rating, and of where it was won, for `strength_in`.
OF_STRENGTH: Final = {name: name for name in ("n", "mu", "sigma", "value")}
OF_POOL: Final = {name: f"pool__{name}" for name in ("preset", "seats", "sides")}
# A trend is over this number of deal sets.
TREND = 10
# Versions that the list of boards names of each.
LEADERS: Final = 4
# Ratings begin at the middle of this scale.
SCALE = 50.0


@dataclass(frozen=True, slots=True)
class Board:
    """A leaderboard. matches: deal sets that are counted, all legs of one as one."""

    pool: RatingPool
    preset: str
    seats: int
    sides: int
    matches: int

    @property
    def query(self) -> str:
        """The query of its page's address."""
        return query_of(self.seats, self.sides)


def query_of(seats: int, sides: int) -> str:
    """Return the query of a leaderboard's address."""
    return f"seats={seats}" + (f"&sides={sides}" if sides < seats else "")


@dataclass(frozen=True, slots=True)
class Span:
    """An interval and its mean on a line from 0 to 1."""

    low: float
    mean: float
    high: float


@dataclass(frozen=True, slots=True)
class Strength:
    """A rating with its trend: the change of the value over the last deal sets, None before the first one."""

    row: Rating
    trend: float | None

    @property
    def value(self) -> float:
        """The number that lists rank by."""
        return self.row.value

    @property
    def reach(self) -> float:
        """Half of the 95 % interval: the mean ± so much."""
        return self.high - self.row.mu

    @property
    def games(self) -> int:
        """Deal sets counted in."""
        return self.row.events + self.row.pending

    @property
    def low(self) -> float:
        """Lower end of the 95 % interval."""
        return model.Rating(self.row.mu, self.row.sigma).interval[0]

    @property
    def high(self) -> float:
        """Upper end of it."""
        return model.Rating(self.row.mu, self.row.sigma).interval[1]

    @property
    def span(self) -> Span:
        """The interval as it is drawn."""
        low, mean, high = (min(1.0, max(0.0, each / SCALE)) for each in (self.low, self.row.mu, self.high))
        return Span(low, mean, high)


@dataclass(frozen=True, slots=True)
class Place:
    """One version. rank_low, rank_high: the first and last rank it may have, with 95 % for the whole board ("1-3")."""

    strength: Strength
    rank_low: int
    rank_high: int

    @property
    def ranks(self) -> str:
        """The rank, or the ranks that cannot be told apart: "1–3"."""
        same = self.rank_low == self.rank_high
        return str(self.rank_low) if same else f"{self.rank_low}–{self.rank_high}"


@dataclass(frozen=True, slots=True)
class Leader:
    """One of the first versions of a board. bot: with what its line shows; strength: without its pool."""

    bot: Bot
    strength: Strength


def boards() -> list[Board]:
    """Return the leaderboards there are, the busiest first. One query."""
    one = Subquery(Rating.objects.filter(pool=OuterRef("pk")).order_by().values("pk")[:1])  # not all of them
    pools = RatingPool.objects.alias(one=one).filter(one__isnull=False, stage=None, who=RatingPool.Who.BOTS)
    found = [Board(pool, pool.preset, pool.seats, pool.sides, pool.seq) for pool in pools]
    return sorted(found, key=lambda board: (-board.matches, board.preset, board.seats, board.sides))


def with_trend(rows: QuerySet[Rating]) -> QuerySet[Rating]:
    """Add `mu_was` and `sigma_was` to ratings: before the last deal sets that are settled."""
    since = Greatest(OuterRef("events") - (TREND - 1), 1)
    then = RatingEvent.objects.filter(pool=OuterRef("pool"), line=OuterRef("line"), n=OuterRef("n"), nth=since)
    return rows.annotate(mu_was=Subquery(then.values("mu_before")), sigma_was=Subquery(then.values("sigma_before")))


def strength_of(row: Rating) -> Strength:
    """Return a rating as pages show it, read with its trend."""
    annotated = vars(row)
    if annotated.get("mu_was") is None:
        return Strength(row, None)
    return Strength(row, row.value - model.Rating(annotated["mu_was"], annotated["sigma_was"]).shown)


def rows_of(
    board: Board, *, words: str = "", owner: User | None = None, active: bool = False, fewest: int = 0
) -> QuerySet[Rating]:
    """Return the versions of a board, the best first. words: in the name of the bot or its owner; owner: theirs alone.

    active: those that their bots play with now; fewest: those with at least that many deal sets.
    """
    rows = with_trend(Rating.objects.filter(pool=board.pool, version__isnull=False))
    if words:
        named = bots_named(words)
        by_name = Q(version__bot__name__holds=words) | Q(version__bot__owner__username__holds=words)
        rows = rows.filter(by_name if named is None else Q(version__bot__in=named))
    if owner is not None:
        rows = rows.filter(version__bot__owner=owner)
    if active:
        rows = rows.filter(version=F("version__bot__active_version"))
    if fewest:
        rows = rows.annotate(counted=F("events") + F("pending")).filter(counted__gte=fewest)
    rows = rows.select_related("version__bot__owner").only(*OF_RATING, *prefixed("version", OF_VERSION))
    return rows.order_by("-value", "line", F("n").desc())


def places(board: Board, rows: Sequence[Rating]) -> list[Place]:
    """Return these rows with their ranks among all. One query, spared while no further result is folded in."""
    named = hashlib.sha256(repr([(row.mu, row.sigma) for row in rows]).encode()).hexdigest()
    key = f"{_key(board.pool)}:{named}"
    ranks: list[tuple[int, int]] | None = cache.get(key)
    if ranks is None:
        everybody = _everybody(board.pool)
        ranks = [everybody.ranks_of(model.Rating(row.mu, row.sigma)) for row in rows]
        cache.set(key, ranks, CACHE_S)
    return [Place(strength_of(row), *own) for row, own in zip(rows, ranks, strict=True)]


def place_of(strength: Strength) -> tuple[Place, int]:
    """Return the ranks of one rating, read with its pool, and how many are rated there. One query, spared as above."""
    everybody = _everybody(strength.row.pool)
    ranks = everybody.ranks_of(model.Rating(strength.row.mu, strength.row.sigma))
    return Place(strength, *ranks), len(everybody.mu)


def leaderboard(board: Board, *, limit: int) -> list[Place]:
    """Return the first rows. Two queries."""
    return places(board, list(rows_of(board)[:limit]))


def leaders_of(found: Sequence[Board]) -> dict[int, list[Leader]]:
    """Return the first `LEADERS` versions of each of these boards, by the key of its pool. One query."""
    of_bot = {name: f"version__bot__{name}" for name in ("slug", "name", "emblem_card", "emblem_colour")}
    rows = Rating.objects.filter(pool=OuterRef("pk"), version__isnull=False).order_by("-value", "line", "-n")
    best = rows.values(it=JSONObject(**OF_STRENGTH, **of_bot))[:LEADERS]
    pools = RatingPool.objects.filter(pk__in=[board.pool.pk for board in found]).annotate(best=Listed(best))
    return {pk: [_leader(item) for item in items] for pk, items in pools.values_list("pk", "best")}


def _leader(item: dict[str, Any]) -> Leader:
    bot = Bot(**{name: item[name] for name in ("slug", "name", "emblem_card", "emblem_colour")})
    return Leader(bot, strength_in(item))


def strength_in(item: dict[str, Any]) -> Strength:
    """Return a rating that a query gave as an object with n, mu, sigma, value and what it has of `OF_POOL`."""
    pool = RatingPool(**{name: item[name] for name in OF_POOL if name in item})
    return Strength(Rating(pool=pool, **{name: item[name] for name in OF_STRENGTH}), None)


def strengths_of(version: BotVersion) -> dict[str, Strength]:
    """Return how strong a version is by preset, each on the public leaderboard where it has played most. One query."""
    on_boards = Rating.objects.filter(version=version, pool__stage=None, pool__who=RatingPool.Who.BOTS)
    rows = on_boards.select_related("pool").order_by("events", "-pool_id")
    return {row.pool.preset: Strength(row, None) for row in rows}


def _key(pool: RatingPool) -> str:
    """Name the board as it was folded last."""
    return f"ladder:ties:{pool.pk}:{pool.folded_at}".replace(" ", "_")


def _everybody(pool: RatingPool) -> ties.Board:
    """Return all ratings of the board, and how far apart two must be to be told apart."""
    key = _key(pool)
    cached: ties.Board | None = cache.get(key)
    if cached is None:
        rows = Rating.objects.filter(pool=pool).values_list("mu", "sigma")
        cached = ties.board_of([model.Rating(mu, sigma) for mu, sigma in rows])
        cache.set(key, cached, CACHE_S)
    return cached


def live_channel(preset: str) -> str:
    """Return the channel of a preset's leaderboards, on which every batch of folded results is published."""
    return f"l:{preset}"
