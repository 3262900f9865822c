"""Confirmed matches as the plain values from which standings are folded."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, Final

from django.db.models import Exists, OuterRef, Q, QuerySet

from core.standings.model import NO_SHOW, Forfeit, MatchResult, Scoring, SeatResult, Spec
from tournaments.models import Match, ResultReport, Seat, Stage

# With no more finished matches of a stage than this, they are all looked at.
FEW: Final = 200
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
    "match__stage__edition",
)


def results_of(stage: Stage, *, among: Iterable[int] | None = None) -> list[MatchResult]:
    """Return every confirmed match of a stage but extra deals, raw as recorded; entries by their UUID. Two queries.

    among: ids of entries; only the matches in which one of them sat. Four queries, by keys: of a long stage
    nothing else is looked at.
    """
    legs = Match.objects.filter(stage=stage, extra=0).exclude(state=Match.State.VOID)
    over = legs.filter(state=Match.State.CONFIRMED)
    if among is None:
        seats = Seat.objects.filter(match__in=over)
        legs = legs.filter(deal_set__in=over.values("deal_set"))
    else:
        sets = _sat(over, list(among))
        seats = Seat.objects.filter(match__in=list(sets))
        legs = legs.filter(deal_set__in={each for each in sets.values() if each is not None})
    # Legs that are void do not count: a deal set with one leg cancelled is complete with the others.
    counts = Counter(legs.values_list("deal_set__uuid", flat=True))
    return results_from(seats.values(*SEAT_COLUMNS, "entry__uuid"), counts, who="entry__uuid")


def _sat(over: QuerySet[Match], among: list[int]) -> dict[int, int | None]:
    """Return confirmed matches in which one of these entries sat, each with its deal set. Two queries.

    The matches are counted first, by an index: of an entry that waits for very many matches and finished few, the few
    are looked at; of one of many entries its own seats are.
    """
    # One more than FEW is read: that there are more is known without counting them all.
    few = dict(over.order_by("-finished_at", "-pk").values_list("pk", "deal_set")[: FEW + 1])
    if len(few) <= FEW:
        there = Seat.objects.filter(match__in=list(few), entry__in=among).order_by()
        return {match: few[match] for match in there.values_list("match", flat=True)}
    sat = over.filter(seats__entry__in=among).order_by()
    return dict(sat.values_list("pk", "deal_set").distinct())


def results_from(rows: Iterable[dict[str, Any]], legs: Counter[Any], *, who: str) -> list[MatchResult]:
    """Build match results from seat rows. legs: matches per deal set; who: the column that names the ranked one."""
    tables: dict[int, list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        tables[row["match_id"]].append(row)
    return [_result(seats, legs, who) for seats in tables.values()]


def _result(seats: list[dict[str, Any]], legs: Counter[Any], who: str) -> MatchResult:
    first = seats[0]
    deal_set = first["match__deal_set__uuid"]
    came = {row["side"] for row in seats if not is_no_show(row)}
    return MatchResult(
        match=str(first["match__uuid"]),
        round=first["match__round__number"] or 1,
        table=first["match__table_no"] or 1,
        seats=tuple(_seat(row, who) for row in sorted(seats, key=lambda row: int(row["index"]))),
        deal_set=str(deal_set or ""),
        leg=first["match__leg"],
        legs=max(1, legs.get(deal_set, 1)) if deal_set else 1,
        is_played=first["match__stage__edition"] == 1 or len(came) > 1,
    )


def is_no_show(row: Mapping[str, Any]) -> bool:
    """Return whether nobody sat on this seat, from its row."""
    return bool(row["fault"]) and row["fault"]["code"] == NO_SHOW


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
    """Return the rules for places at a table that a stage plays by."""
    return Spec(scoring=Scoring(stage.scoring), edition=stage.edition)


def counted() -> Q:
    """Filter the seats the leaderboard counts: of bots, in finished matches of events not private, no extra deal."""
    return Q(match__state=Match.State.CONFIRMED, match__extra=0, bot_version__isnull=False) & ~Q(
        match__stage__tournament__visibility="private"
    )


def ruled() -> Exists:
    """Return, for a match, whether its result was decided with a reason, after a dispute or as a correction.

    Imported results have a reason too, but nobody's side: what was said at a table here always names it (or null).
    """
    # `body__has_key` works on both databases; the key is there with null where an organiser entered the result.
    reports = ResultReport.objects.filter(
        match=OuterRef("pk"), state=ResultReport.State.CONFIRMED, body__has_key="side"
    )
    return Exists(reports.filter(source=ResultReport.Source.PEOPLE).exclude(reason=""))
