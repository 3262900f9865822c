"""Highlights of an event that is over: its best deal, who made most yaku, where the first two met last.

Read from the records of its matches and kept for an hour, under the version of the event: a correction makes another.
Only keys of rows are kept, no names: a name that is erased is gone from the page at once.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.core.cache import cache

from tournaments.models import Match, ResultReport, Seat, Tournament

MAX_MATCHES: Final = 120
"""Matches whose records are read for one page, about half a millisecond each; of a larger event there are none."""
CACHE_S: Final = 3600


@dataclass(frozen=True, slots=True)
class BestDeal:
    """The most points that a side made in one deal. entries: keys of the side; number: of the deal, from 1."""

    match: str
    number: int
    points: int
    entries: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class MostYaku:
    """Who made most yaku over all deals. entries: keys of entries with the same number."""

    count: int
    entries: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Highlights:
    """What is worth a look; None where the records do not say. deciding: the last match of the first two."""

    deciding: str = ""
    best: BestDeal | None = None
    yaku: MostYaku | None = None


@dataclass(frozen=True, slots=True)
class _Sat:
    """Who sat where in a match: keys of entries by side."""

    uuid: str
    sides: Mapping[int, tuple[int, ...]]

    @property
    def entries(self) -> set[int]:
        """Return everybody at the table."""
        return {entry for own in self.sides.values() for entry in own}


def highlights_of(event: Tournament, version: int, first: Sequence[int]) -> Highlights:
    """Return the highlights. version: of the event's channel; first: keys of the two best entries, fewer without two.

    Two queries, none while they are kept.
    """
    key = f"highlights:{event.pk}:{version}"
    kept: Highlights | None = cache.get(key)
    if kept is None:
        kept = _read(event, set(first))
        cache.set(key, kept, CACHE_S)
    return kept


def _read(event: Tournament, first: set[int]) -> Highlights:
    tables = _tables(event)
    if not tables or len(tables) > MAX_MATCHES:
        return Highlights()
    met = [pk for pk, table in tables.items() if len(first) == 2 and first <= table.entries]
    deciding = tables[max(met)].uuid if met else ""
    reports = ResultReport.objects.filter(match__in=tables, state=ResultReport.State.CONFIRMED).select_related("record")
    deals = [(tables[report.match_id], _deals(report)) for report in reports.order_by("match")]
    return Highlights(deciding, _best(deals), _yaku(deals))


def _tables(event: Tournament) -> dict[int, _Sat]:
    """Return who sat where in every match that counts, by its key; one more than can be read tells that it is large."""
    rows = Seat.objects.filter(match__stage__tournament=event, match__state=Match.State.CONFIRMED, entry__isnull=False)
    found: dict[int, _Sat] = {}
    sides: dict[int, dict[int, tuple[int, ...]]] = {}
    columns = ("match", "match__uuid", "side", "entry")
    for match, uuid, side, entry in rows.order_by("match", "index").values_list(*columns)[: 8 * MAX_MATCHES]:
        own = sides.setdefault(match, {})
        if entry not in own.get(side, ()):
            own[side] = (*own.get(side, ()), entry)
        found[match] = _Sat(str(uuid), own)
    return found


def _deals(report: ResultReport) -> list[Mapping[str, Any]]:
    """Return the deals of a report, each with its `score` by side and, where a record says so, its `lines`."""
    if report.record is None:
        return [{"score": score} for score in report.body.get("by_deal", ())]
    data = report.record.data()
    document = json.loads(data) if data else {}
    views = document.get("view", {}).get("deals", ())
    scores = document.get("record", {}).get("deals", ())
    # zip: a record that was kept without its view has scores alone.
    lines = [view.get("lines", ()) for view in views] or [()] * len(scores)
    return [{"score": deal.get("score") or (), "lines": own} for deal, own in zip(scores, lines, strict=False)]


def _best(deals: Iterable[tuple[_Sat, Sequence[Mapping[str, Any]]]]) -> BestDeal | None:
    """Return the first deal with the most points; None where nobody made any."""
    best: BestDeal | None = None
    for table, own in deals:
        for number, deal in enumerate(own, start=1):
            for side, points in enumerate(deal["score"]):
                if int(points) > (best.points if best else 0):
                    best = BestDeal(table.uuid, number, int(points), table.sides.get(side, ()))
    return best if best is not None and best.entries else None


def _yaku(deals: Iterable[tuple[_Sat, Sequence[Mapping[str, Any]]]]) -> MostYaku | None:
    made: Counter[int] = Counter()
    for table, own in deals:
        for deal in own:
            for side, _name in set(_makers(deal.get("lines", ()))):
                made.update(table.sides.get(side, ()))
    most = max(made.values(), default=0)
    return MostYaku(most, tuple(entry for entry, count in made.items() if count == most)) if most else None


def _makers(lines: Iterable[Mapping[str, Any]]) -> Iterator[tuple[int, str]]:
    """Yield (side, yaku) for each yaku of a deal; one that costs several others stands in as many lines."""
    for line in lines:
        if line.get("yaku"):
            by = line.get("by")
            yield int(by if by is not None else line["side"]), str(line["yaku"])
