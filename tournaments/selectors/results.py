"""Confirmed matches as the plain values that standings are folded from."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Any

from django.db.models import Q

from tournaments.models import Match, Seat, Stage
from tournaments.standings.model import Forfeit, MatchResult, Scoring, SeatResult, Spec

SEAT_COLUMNS = (
    "match_id",
    "match__uuid",
    "match__round__number",
    "match__table_no",
    "match__deal_set__uuid",
    "match__leg",
    "index",
    "side",
    "raw_points",
    "raw_victories",
    "place",
    "fault",
    "match__stage__scoring",
)


def results_of(stage: Stage, *, among: Iterable[int] | None = None) -> list[MatchResult]:
    """Every confirmed match of a stage, raw as recorded; entries by their UUID. Two queries.

    among: ids of entries; only the matches in which one of them sat. Three queries, by keys: of a long stage nothing
    else is looked at.
    """
    legs = Match.objects.filter(stage=stage).exclude(state=Match.State.VOID)
    over = legs.filter(state=Match.State.CONFIRMED)
    if among is None:
        seats = Seat.objects.filter(match__in=over)
        legs = legs.filter(deal_set__in=over.values("deal_set"))
    else:
        sat = over.filter(seats__entry__in=list(among)).order_by()
        sets = dict(sat.values_list("pk", "deal_set").distinct())
        seats = Seat.objects.filter(match__in=list(sets))
        legs = legs.filter(deal_set__in={each for each in sets.values() if each is not None})
    counts = Counter(legs.values_list("deal_set__uuid", flat=True))
    return results_from(seats.values(*SEAT_COLUMNS, "entry__uuid"), counts, who="entry__uuid")


def results_from(rows: Iterable[dict[str, Any]], legs: Counter[Any], *, who: str) -> list[MatchResult]:
    """Match results from seat rows. legs: matches per deal set; who: the column that names the ranked one."""
    tables: dict[int, list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        tables[row["match_id"]].append(row)
    return [_result(seats, legs, who) for seats in tables.values()]


def _result(seats: list[dict[str, Any]], legs: Counter[Any], who: str) -> MatchResult:
    first = seats[0]
    deal_set = first["match__deal_set__uuid"]
    return MatchResult(
        match=str(first["match__uuid"]),
        round=first["match__round__number"] or 1,
        table=first["match__table_no"] or 1,
        seats=tuple(_seat(row, who) for row in sorted(seats, key=lambda row: int(row["index"]))),
        deal_set=str(deal_set or ""),
        leg=first["match__leg"],
        legs=max(1, legs.get(deal_set, 1)) if deal_set else 1,
    )


def _seat(row: dict[str, Any], who: str) -> SeatResult:
    fault = row["fault"]
    return SeatResult(
        entry=str(row[who]),
        seat=row["index"],
        side=row["side"],
        points=row["raw_points"] or 0,
        victories=row["raw_victories"],
        place=row["place"] if row["match__stage__scoring"] == Stage.Scoring.PLACE else None,
        forfeit=Forfeit(str(fault["code"]), int(fault["deal"]), int(fault["move"])) if fault else None,
    )


def spec_of(stage: Stage) -> Spec:
    """The rules for places at a table that a stage plays by."""
    return Spec(scoring=Scoring(stage.scoring))


def counted() -> Q:
    """Which seats the leaderboard counts: of bots, in finished matches of events that are not private."""
    return Q(match__state=Match.State.CONFIRMED, bot_version__isnull=False) & ~Q(
        match__stage__tournament__visibility="private"
    )
