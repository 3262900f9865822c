"""The leaderboard: per preset and number of seats, the mean place share of every bot version with its interval."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass

from django.core.cache import cache
from django.db.models import Count, Max

from bots.models import BotVersion
from tournaments.interchange.event_ids import MARK
from tournaments.models import Match, Seat
from tournaments.selectors.results import SEAT_COLUMNS, counted, results_from
from tournaments.standings.model import Scoring, Spec
from tournaments.standings.shares import Observation, ShareEstimate, mean_place_share, place_shares

KEPT_S = 3600


@dataclass(frozen=True, slots=True)
class Board:
    """A leaderboard there is: matches finished at this preset with this many seats."""

    preset: str
    seats: int
    matches: int


@dataclass(frozen=True, slots=True)
class Place:
    """One version. rank_low, rank_high: the ranks its interval does not exclude ("1-3")."""

    version: BotVersion
    estimate: ShareEstimate
    rank_low: int
    rank_high: int

    @property
    def ranks(self) -> str:
        """The rank, or the ranks that cannot be told apart: "1–3"."""
        same = self.rank_low == self.rank_high
        return str(self.rank_low) if same else f"{self.rank_low}–{self.rank_high}"


def boards() -> list[Board]:
    """The leaderboards there are, the busiest first. One query."""
    finished = Match.objects.filter(state=Match.State.CONFIRMED, deal_set__isnull=False).exclude(
        stage__tournament__visibility="private"
    )
    finished = finished.exclude(stage__tournament__policies__has_key=MARK)
    rows = finished.order_by().values_list("stage__preset", "seats_n").annotate(n=Count("pk"))
    found = [Board(preset, seats, matches) for preset, seats, matches in rows]
    return sorted(found, key=lambda board: (-board.matches, board.preset, board.seats))


def leaderboard(preset: str, seats: int, *, limit: int | None = None) -> list[Place]:
    """Best mean place share first. Three queries, two of them spared while no further match is finished."""
    estimates = _estimates(preset, seats)
    order = sorted(estimates, key=lambda pk: (-(estimates[pk].mean or 0.0), pk))[:limit]
    versions = BotVersion.objects.select_related("bot__owner").in_bulk(order)
    ranks = _ranks(estimates)
    return [Place(versions[pk], estimates[pk], *ranks[pk]) for pk in order if pk in versions]


def _estimates(preset: str, seats: int) -> dict[int, ShareEstimate]:
    rows = Seat.objects.filter(counted(), match__stage__preset=preset, match__seats_n=seats)
    newest = rows.aggregate(n=Count("pk"), last=Max("match__finished_at"))
    key = f"ladder:{preset}:{seats}:{newest['n']}:{newest['last']}".replace(" ", "_")
    kept = cache.get(key)
    if kept is None:
        kept = _compute(list(rows.values(*SEAT_COLUMNS, "bot_version_id")))
        cache.set(key, kept, KEPT_S)
    return dict(kept)


def _compute(rows: list[dict[str, object]]) -> dict[int, ShareEstimate]:
    """Per version. Sides of one version at one table would meet themselves: such matches say nothing."""
    seen: dict[int, list[Observation]] = defaultdict(list)
    scoring = {str(row["match__uuid"]): Scoring(str(row["match__stage__scoring"])) for row in rows}
    for result in results_from(rows, Counter(), who="bot_version_id"):
        if len({seat.entry for seat in result.seats}) < len({(seat.entry, seat.side) for seat in result.seats}):
            continue
        for version, share in place_shares(result, Spec(scoring=scoring[result.match])).items():
            seen[int(version)].append(share)
    return {version: mean_place_share(shares) for version, shares in seen.items()}


def _ranks(estimates: dict[int, ShareEstimate]) -> dict[int, tuple[int, int]]:
    """Lowest and highest rank of each: those surely above it, and those not surely below it."""
    bounds = {pk: _bounds(each) for pk, each in estimates.items()}
    ranks = {}
    for pk, (low, high) in bounds.items():
        surely_above = sum(1 for other, span in bounds.items() if other != pk and span[0] > high)
        maybe_above = sum(1 for other, span in bounds.items() if other != pk and span[1] >= low)
        ranks[pk] = (surely_above + 1, maybe_above + 1)
    return ranks


def _bounds(estimate: ShareEstimate) -> tuple[float, float]:
    if estimate.low is None or estimate.high is None:
        return (0.0, 1.0)
    return (estimate.low, estimate.high)
