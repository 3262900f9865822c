"""A season's table made once more, from the rows of events alone and in another way: decimals, dictionaries, no models
of the table and none of its code.
"""

from __future__ import annotations

import unicodedata
from collections import Counter, defaultdict
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from tournaments.models import Season, SeasonIdentity, Standing

CENT = Decimal("0.01")
Row = tuple[int, int, str, str, str, int, int]


def cents(value: Decimal) -> Decimal:
    """Round to hundredths, halves away from zero."""
    return value.quantize(CENT, ROUND_HALF_UP)


def table_of(season: Season) -> list[Row]:
    """Return (division, rank, key, name, total, events, counted), sorted: of one-stage events, measure "places"."""
    results = _results(season)
    people: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for each in results:
        people[each["person"]].append(each)
    scored = []
    for key, own in people.items():
        by_event: dict[int, dict[str, Any]] = {}
        for each in own:
            known = by_event.get(each["event"])
            if known is None or (each["brings"], -each["rank"]) > (known["brings"], -known["rank"]):
                by_event[each["event"]] = each
        amounts = sorted((each["brings"] for each in by_event.values()), reverse=True)
        counted = amounts[: season.best] if season.best else amounts
        shown = max([each for each in own if each["own"] == key] or own, key=lambda each: (each["day"], each["event"]))
        scored.append((sum(counted, Decimal(0)), counted, key, shown["name"], len(by_event)))
    assigned = _divisions_of(season)
    lowest = season.divisions.count()
    rows: list[Row] = []
    for total, counted, key, name, events in scored:
        division = assigned.get(key, lowest)
        better = sum(
            1
            for other in scored
            if assigned.get(other[2], lowest) == division and (other[0], other[1]) > (total, counted)
        )
        rows.append((division, better + 1, key, name, str(total), events, len(counted)))
    return sorted(rows)


def _divisions_of(season: Season) -> dict[str, int]:
    """Return the division of everybody for whom somebody chose one: a merged person brings theirs along."""
    assigned: dict[str, int] = dict(season.people.filter(is_assigned=True).values_list("key", "division__position"))
    said = SeasonIdentity.objects.filter(season=season, undone_at=None, kind="same").order_by("pk")
    merges = list(said.values_list("source", "target", "division__position"))
    brought = {source: division for source, _target, division in merges}

    def of(key: str, own: int | None) -> int | None:
        parts = (of(source, brought[source]) for source, target, _division in merges if target == key)
        return own or next((each for each in parts if each is not None), None)

    keys = {*assigned, *(target for _source, target, _division in merges)}
    return {key: found for key in keys if (found := of(key, assigned.get(key))) is not None}


def _results(season: Season) -> list[dict[str, Any]]:
    inside = {
        row.tournament_id: row
        for row in season.events.select_related("tournament")
        if row.state == "in" and row.tournament.state in ("finished", "archived")
    }
    days: dict[int, Any] = {pk: row.tournament.starts_at for pk, row in inside.items()}
    ordered = sorted(inside, key=lambda pk: (days[pk].date(), pk), reverse=True)
    left = {}
    for later, pk in enumerate(ordered):
        share = Decimal(100 - season.loss) / 100
        months = _months(days[pk], days[ordered[0]])
        steps = {"": 0, "event": later, "month": months}[season.decay]
        left[pk] = (share**steps).quantize(Decimal("0.0001"), ROUND_HALF_UP)
    rows = Standing.objects.filter(stage__tournament__in=inside, after_round=0)
    fields = ("stage__tournament", "rank", "entry__uuid", "entry__player__name", "entry__player__user")
    stored = list(rows.values_list(*fields))
    same = Counter((event, rank) for event, rank, *_rest in stored)
    said = SeasonIdentity.objects.filter(season=season, undone_at=None).values_list("source", "target")
    merged = dict(said)
    found = []
    for event, rank, _uuid, name, user in stored:
        plain = " ".join(unicodedata.normalize("NFKC", name).casefold().split())
        own = f"u:{user}" if user else f"n:{plain}"
        person = own
        while person in merged:
            person = merged[person]
        worth = [_points(season, place) for place in range(rank, rank + same[event, rank])]
        given = cents(sum(worth, Decimal(0)) / len(worth))
        brings = cents(given * inside[event].weight / 100 * left[event])
        found.append(
            {"event": event, "day": days[event].date(), "rank": rank, "own": own, "person": person, "name": name,
             "brings": brings}
        )  # fmt: skip
    return found


def _points(season: Season, place: int) -> Decimal:
    points = season.place_points
    return Decimal(points[place - 1] if place <= len(points) else season.other_points) / 100


def _months(first: Any, last: Any) -> int:
    months = 0
    year, month = first.year, first.month
    while True:
        month += 1
        if month == 13:
            year, month = year + 1, 1
        if (year, month, first.day) > (last.year, last.month, last.day):
            return months
        months += 1


def stored_rows(season: Season) -> list[Row]:
    """Return the stored table in the same form."""
    rows = season.people.filter(row__gt=0, events_n__gt=0).select_related("division")
    return sorted(
        (
            *(row.division.position, row.rank, row.key, row.name),
            *(str(cents(Decimal(row.total) / 100)), row.events_n, row.counted_n),
        )
        for row in rows
    )
