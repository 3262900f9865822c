"""The leaderboards: per preset and shape of table, the rating of every bot version with its interval."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from django.core.cache import cache
from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Greatest

from accounts.models import User
from tournaments.models import Rating, RatingEvent, RatingPool
from tournaments.ratings import model

KEPT_S = 3600
TREND = 10
"""A trend is over so many deal sets."""
SCALE = 50.0
"""Ratings begin at the middle of this scale."""


@dataclass(frozen=True, slots=True)
class Board:
    """A leaderboard there is. matches: deal sets that are counted, all legs of one as one."""

    pool: RatingPool
    preset: str
    seats: int
    sides: int
    matches: int

    @property
    def query(self) -> str:
        """How its page is asked for."""
        return f"seats={self.seats}" + (f"&sides={self.sides}" if self.sides < self.seats else "")


@dataclass(frozen=True, slots=True)
class Span:
    """An interval and its mean on a line from 0 to 1."""

    low: float
    mean: float
    high: float


@dataclass(frozen=True, slots=True)
class Strength:
    """How strong somebody is. trend: how the value changed over the last deal sets, None before the first one."""

    row: Rating
    trend: float | None

    @property
    def value(self) -> float:
        """What lists rank by."""
        return self.row.value

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
        """To be drawn."""
        low, mean, high = (min(1.0, max(0.0, each / SCALE)) for each in (self.low, self.row.mu, self.high))
        return Span(low, mean, high)


@dataclass(frozen=True, slots=True)
class Place:
    """One version. rank_low, rank_high: the ranks its interval does not exclude ("1-3")."""

    strength: Strength
    rank_low: int
    rank_high: int

    @property
    def ranks(self) -> str:
        """The rank, or the ranks that cannot be told apart: "1–3"."""
        same = self.rank_low == self.rank_high
        return str(self.rank_low) if same else f"{self.rank_low}–{self.rank_high}"


def boards() -> list[Board]:
    """The leaderboards there are, the busiest first. One query."""
    rated = Rating.objects.filter(pool=OuterRef("pk"))
    pools = RatingPool.objects.filter(Exists(rated), stage=None)
    found = [Board(pool, pool.preset, pool.seats, pool.sides, pool.seq) for pool in pools]
    return sorted(found, key=lambda board: (-board.matches, board.preset, board.seats, board.sides))


def with_trend(rows: QuerySet[Rating]) -> QuerySet[Rating]:
    """Ratings with `mu_was` and `sigma_was`: before the last deal sets that are settled."""
    since = Greatest(OuterRef("events") - (TREND - 1), 1)
    then = RatingEvent.objects.filter(pool=OuterRef("pool"), line=OuterRef("line"), n=OuterRef("n"), nth=since)
    return rows.annotate(mu_was=Subquery(then.values("mu_before")), sigma_was=Subquery(then.values("sigma_before")))


def strength_of(row: Rating) -> Strength:
    """A rating as pages show it, read with its trend."""
    kept = vars(row)
    if kept.get("mu_was") is None:
        return Strength(row, None)
    return Strength(row, row.value - model.Rating(kept["mu_was"], kept["sigma_was"]).shown)


def rows_of(board: Board, *, words: str = "", owner: User | None = None) -> QuerySet[Rating]:
    """The versions of a board, the best first. words: in the name of the bot or its owner; owner: theirs alone."""
    rows = with_trend(Rating.objects.filter(pool=board.pool, version__isnull=False))
    if words:
        rows = rows.filter(Q(version__bot__name__icontains=words) | Q(version__bot__owner__username__icontains=words))
    if owner is not None:
        rows = rows.filter(version__bot__owner=owner)
    return rows.select_related("version__bot__owner").order_by("-value", "line", F("n").desc())


def places(board: Board, rows: Sequence[Rating]) -> list[Place]:
    """These rows with their ranks among all. One query, spared while no further result is folded in."""
    lows, highs = _bounds(board)
    found = []
    for row in rows:
        strength = strength_of(row)
        surely_above = len(lows) - bisect_right(lows, strength.high)
        maybe_above = len(highs) - bisect_left(highs, strength.low)
        found.append(Place(strength, surely_above + 1, max(1, maybe_above)))
    return found


def leaderboard(board: Board, *, limit: int) -> list[Place]:
    """The first rows. Two queries."""
    return places(board, list(rows_of(board)[:limit]))


def _bounds(board: Board) -> tuple[list[float], list[float]]:
    """The lower and the upper ends of all intervals, each in order."""
    key = f"ladder:{board.pool.pk}:{board.pool.folded_at}".replace(" ", "_")
    kept: tuple[list[float], list[float]] | None = cache.get(key)
    if kept is None:
        spans = [
            model.Rating(mu, sigma).interval
            for mu, sigma in Rating.objects.filter(pool=board.pool).values_list("mu", "sigma")
        ]
        kept = sorted(low for low, _high in spans), sorted(high for _low, high in spans)
        cache.set(key, kept, KEPT_S)
    return kept
