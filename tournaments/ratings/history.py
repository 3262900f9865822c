"""A bot's rating over time, at the ends of rounds, its record against another bot, and its steps."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from fractions import Fraction
from functools import reduce
from itertools import groupby
from math import inf
from operator import itemgetter, or_
from typing import Any, Final
from uuid import UUID

from django.db.models import JSONField, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import JSONObject
from django.utils.dateparse import parse_datetime

from bots.models import Bot
from core.ratings import model
from core.ratings.curve import Curve, curve_of, thinned
from core.standings.shares import Observation, ShareEstimate, mean_place_share
from tournaments.matches.schedule import seats_named
from tournaments.models import Match, Rating, RatingEvent, RatingPool, Seat, Tournament
from tournaments.ratings.queries import Strength

# Up to this number of results all are read.
MAX_READ: Final = 600
# Of more than that about this many, spread evenly: three for each point that is shown.
SAMPLED: Final = 180
MAX_POINTS: Final = 60
# Below this number of rounds or days each result is a point: a curve has at least that many.
MIN_ENDS: Final = 3
MAX_MATCHES: Final = 5_000
OF_POOL: Final = ("id", "preset", "seats", "sides")
Meeting = tuple[int, int | None, int, int]
"""A match at which two sat: (match, its deal set, the own place, the place of the other)."""


@dataclass(frozen=True, slots=True)
class Point:
    """The standing of a bot at the end of a round (of a ladder: of a day). event: its name, where it is public.

    games: deal sets of that version until then. match: the first leg of the last of them; None where it is not public.
    """

    rating: model.Rating
    version: int
    games: int
    at: datetime | None
    event: str
    slug: str
    round: int | None
    match: UUID | None = None

    @property
    def interval(self) -> tuple[float, float]:
        """The interval in which the strength lay with 95 %."""
        return self.rating.interval

    @property
    def reach(self) -> float:
        """Half of that interval: ± so much."""
        return self.rating.interval[1] - self.rating.mu


@dataclass(frozen=True, slots=True)
class Earned:
    """What a version earned on public leaderboards. everywhere: its ratings, the best first; games: all deal sets."""

    everywhere: tuple[Strength, ...]
    games: int

    @property
    def best(self) -> Strength:
        """Its best rating."""
        return self.everywhere[0]


@dataclass(frozen=True, slots=True)
class History:
    """A bot in one of the pools it is rated in. pools: all of them, the most played first; is_by_result: each point is
    one result, not the end of a round.

    now: the rating of its active version there, or of the newest one that is rated.
    """

    pools: tuple[RatingPool, ...]
    pool: RatingPool
    points: tuple[Point, ...]
    curve: Curve | None
    now: Strength
    is_by_result: bool = False

    @property
    def first(self) -> float:
        """The mean at the first point."""
        return self.points[0].rating.mu if self.points else self.now.row.mu


def history_of(bot: Bot, wanted: str = "", *, best: bool = False) -> History | None:
    """Return the history in the pool of that number, else in the one it played most in; None before the first result.

    best: else in the one where its active version has the best rating, which lists of bots show. One query; one more
    for a bot that was read without its `rated_in`.
    """
    rows: dict[RatingPool, list[dict[str, Any]]] = {}
    for item in _rated(bot):
        rows.setdefault(_pool(item), []).append(item)
    if not rows:
        return None
    pools = tuple(sorted(rows, key=lambda pool: (-sum(item["games"] for item in rows[pool]), pool.pk)))
    default = max(pools, key=lambda pool: _best(rows[pool], bot)) if best else pools[0]
    pool = next((each for each in pools if str(each.pk) == wanted), default)
    points, is_by_result = _points(pool, bot, {item["n"]: item["games"] for item in rows[pool]})
    now = max(rows[pool], key=lambda item: (item["version"] == bot.active_version_id, item["n"]))
    curve = curve_of([point.rating for point in points])
    return History(pools, pool, points, curve, _strength(pool, now), is_by_result)


def earned_by_version(bot: Bot) -> dict[int, Earned]:
    """Return what each rated version of a bot earned, by its key. One query; none for one read with its `rated_in`."""
    rows: dict[int, list[dict[str, Any]]] = {}
    for item in _rated(bot):
        rows.setdefault(item["version"], []).append(item)
    found = {}
    for version, items in rows.items():
        items.sort(key=itemgetter("value"), reverse=True)
        everywhere = tuple(_strength(_pool(item), item) for item in items)
        found[version] = Earned(everywhere, sum(_games(item) for item in items))
    return found


def _rated(bot: Bot) -> list[dict[str, Any]]:
    prefetched: list[dict[str, Any]] | None = vars(bot).get("rated_in")
    return [row["it"] for row in rated_in(bot.pk)] if prefetched is None else prefetched


def _games(item: dict[str, Any]) -> int:
    return int(item["games"] + item["pending"])


def _best(items: Iterable[dict[str, Any]], bot: Bot) -> float:
    """Return the rating of the active version among these, minus infinity where it has none."""
    return max((item["value"] for item in items if item["version"] == bot.active_version_id), default=-inf)


def _pool(item: dict[str, Any]) -> RatingPool:
    of_pool = {name: item[name] for name in OF_POOL}
    return RatingPool(who=RatingPool.Who.BOTS, folded_at=_moment(item["folded_at"]), **of_pool)


def _strength(pool: RatingPool, item: dict[str, Any]) -> Strength:
    row = Rating(pool=pool, n=item["n"], events=item["games"], pending=item["pending"])
    row.mu, row.sigma, row.value = item["mu"], item["sigma"], item["value"]
    return Strength(row, None)


def rated_in(line: int | OuterRef) -> QuerySet[Rating, Any]:
    """Return what is known of each rating of a bot (by its id) on public leaderboards, as one value: `it`."""
    rows = Rating.objects.filter(pool__stage=None, pool__who=RatingPool.Who.BOTS, line=line)
    own = {name: name for name in ("n", "mu", "sigma", "value", "pending")}
    pool = {"id": "pool_id", "folded_at": "pool__folded_at"} | {name: f"pool__{name}" for name in OF_POOL[1:]}
    return rows.values(it=JSONObject(games="events", version="version_id", **own, **pool))


def _points(pool: RatingPool, bot: Bot, games: dict[int, int]) -> tuple[tuple[Point, ...], bool]:
    """Return the ends of rounds, thinned out, and False; all results and True where too few rounds are over.

    games: deal sets of each version, of which some are read.
    """
    first = Match.objects.filter(deal_set=OuterRef("deal_set"), leg=1)
    event = {name: f"stage__tournament__{name}" for name in ("slug", "name", "visibility")}
    # One JSON value instead of a join for each column: the sub-query runs once a row.
    first_event = first.values(it=JSONObject(round="round__number", at="finished_at", match="uuid", **event))
    rows = RatingEvent.objects.filter(_some_of(games), pool=pool, line=bot.pk)
    rows = rows.annotate(first_event=Subquery(first_event[:1], output_field=JSONField())).order_by("deal_set")
    found = list(rows.values_list("n", "nth", "mu_after", "sigma_after", "first_event"))
    ends = [list(group)[-1] for _key, group in groupby(found, key=_end)]
    is_by_result = len(ends) < MIN_ENDS
    shown = found if is_by_result else ends
    return tuple(_point(*shown[at]) for at in thinned(len(shown), MAX_POINTS)), is_by_result


def _some_of(games: dict[int, int]) -> Q:
    """Filter all results of a bot if they are few; else every k-th of each version, by number, which an index finds."""
    results = sum(games.values())
    if results <= MAX_READ:
        return Q()
    # Backwards from the last: the newest result is always among them.
    every = -(-results // SAMPLED)
    parts = (Q(n=n, nth__in=list(range(last, 0, -every))) for n, last in games.items() if last)
    return reduce(or_, parts)


def _end(row: tuple[Any, ...]) -> tuple[str, object, int]:
    """Group results of one round of one event and one version; of a ladder those of one day."""
    n, _nth, _mu, _sigma, context = row
    event = context or {}
    return event.get("slug", ""), event.get("round") or str(event.get("at"))[:10], n


def _point(n: int, nth: int, mu: float, sigma: float, context: dict[str, Any] | None) -> Point:
    event = context or {}
    shown = (model.Rating(mu, sigma), n, nth, _moment(event.get("at")))
    if event.get("visibility") != Tournament.Visibility.PUBLIC:
        return Point(*shown, "", "", event.get("round"))
    return Point(*shown, event["name"], event["slug"], event.get("round"), UUID(event["match"]))


def _moment(text: str | None) -> datetime | None:
    """Read a moment as the database writes it in JSON: SQLite without its zone, which is UTC."""
    found = parse_datetime(text) if text else None
    return found.replace(tzinfo=UTC) if found is not None and found.tzinfo is None else found


@dataclass(frozen=True, slots=True)
class Versus:
    """Two bots against each other. ahead, level, behind: matches; share: the mean of what a match was worth.

    1 for the better place, 1/2 for the same one; its interval is clustered on deal sets.
    """

    other: Bot
    ahead: int
    level: int
    behind: int
    share: ShareEstimate

    @property
    def matches(self) -> int:
        """All matches."""
        return self.share.games

    @property
    def deal_sets(self) -> int:
        """The deal sets that they are clustered on."""
        return self.share.clusters


def versus(bot: Bot, other: Bot) -> Versus:
    """Compare at every match at which both sat on different sides, the last 5,000; not of private events. One query."""
    theirs = Seat.objects.filter(match=OuterRef("match"), bot_version__bot=other).order_by("index")
    seats = Seat.objects.filter(bot_version__bot=bot, match__state=Match.State.CONFIRMED)
    seats = seats.filter(match__seats__bot_version__bot=other)
    seats = seats.exclude(match__stage__tournament__visibility=Tournament.Visibility.PRIVATE)
    # Copies hold matches that are counted in their original already.
    seats = seats.filter(match__stage__tournament__copy_mask=None).order_by("-match", "index")
    rows = seats.annotate(
        their_place=Subquery(theirs.values("place")[:1]), their_side=Subquery(theirs.values("side")[:1])
    )
    read = rows.values_list("match", "match__deal_set", "place", "side", "their_place", "their_side")
    first: dict[int, tuple[Any, ...]] = {}
    # A bot may hold several seats of a match, and the join repeats them: twice as many rows are read, the first kept.
    for match, *figures in read[: 2 * MAX_MATCHES]:
        first.setdefault(match, tuple(figures))
    apart = ((match, *figures) for match, figures in first.items() if figures[2] != figures[4])
    return versus_of(other, [(match, deal_set, own, theirs) for match, deal_set, own, _, theirs, _ in apart])


def versus_of(other: Bot, met: Iterable[Meeting]) -> Versus:
    """Return the record of somebody against another bot, of the matches at which both sat on different sides."""
    observed = [_observed(*each) for each in met]
    values = [each.share for each in observed]
    counts = (values.count(Fraction(1)), values.count(Fraction(1, 2)), values.count(Fraction(0)))
    return Versus(other, *counts, mean_place_share(observed))


def _observed(match: int, deal_set: int | None, own: int, theirs: int) -> Observation:
    share = Fraction(1, 2) if own == theirs else Fraction(own < theirs)
    return Observation(f"set {deal_set}" if deal_set else f"match {match}", share)


@dataclass(frozen=True, slots=True)
class Step:
    """One deal set. match: its first leg. against: who else sat there, in the order of the seats."""

    event: RatingEvent
    match: Match | None
    against: tuple[Seat, ...]

    @property
    def before(self) -> float:
        """The value before it."""
        return model.Rating(self.event.mu_before, self.event.sigma_before).shown

    @property
    def after(self) -> float:
        """The value after it."""
        return model.Rating(self.event.mu_after, self.event.sigma_after).shown

    @property
    def change(self) -> float:
        """The change of the value."""
        return self.after - self.before


def events_of(pool: RatingPool, line: int, n: int | None = None) -> QuerySet[RatingEvent]:
    """Return what was counted of one version, or of all versions of its line (n None), the newest first."""
    rows = RatingEvent.objects.filter(pool=pool, line=line)
    return (rows if n is None else rows.filter(n=n)).order_by("-deal_set")


def steps(events: Sequence[RatingEvent], *, own: Sequence[int], by: str) -> list[Step]:
    """Return the same with matches and opponents. Two queries.

    own: the keys of the rated one; by: the column of a seat that they are in.
    """
    rows = Match.objects.filter(deal_set__in=[event.deal_set for event in events], leg=1)
    matches = {match.deal_set_id: match for match in rows.prefetch_related(seats_named())}
    found = []
    for event in events:
        match = matches.get(event.deal_set)
        seats = list(match.seats.all()) if match is not None else []
        others = {seat.side: seat for seat in seats if getattr(seat, by) not in own}
        found.append(Step(event, match, tuple(others.values())))
    return found
