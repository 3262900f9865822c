"""The table of a season from the results of its events: the same rows, however often it is made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final
from uuid import UUID

from accounts.alphabet import name_key
from core.seasons.model import Decay, Event, Measure, Result, Rules, Total
from core.seasons.table import ranks
from core.seasons.totals import decays, total
from tournaments.models import Season, SeasonDivision, SeasonEvent, SeasonPerson, SeasonResult
from tournaments.seasons.identity import Identities, identities_of, key_of
from tournaments.seasons.results import ROWS_AT_ONCE, day_of

DERIVED: Final = (
    *("division_id", "name", "club", "user_id", "bot_id", "total", "rank", "shared", "row"),
    *("events_n", "counted_n", "wins", "best_place"),
)
"""Columns of a person that are worked out here; the division only of those whom nobody put into one."""


def rules_of(season: Season) -> Rules:
    """Return the rules of a season as the arithmetic reads them."""
    return Rules(
        measure=Measure(season.measure),
        places=tuple(season.place_points),
        others=season.other_points,
        best=season.best,
        decay=Decay(season.decay),
        loss=season.loss,
    )


def events_of(rows: Sequence[SeasonEvent]) -> dict[int, Event]:
    """Return the events that count, by the key of their row."""
    return {row.pk: Event(row.pk, row.weight, day_of(row.tournament), row.tournament_id) for row in rows if row.counts}


@dataclass(frozen=True, slots=True)
class Sat:
    """A result and who it is of, as stored. own: the key of the player (`identity.key_of`)."""

    pk: int
    result: Result
    entry: UUID
    own: str
    name: str
    club: str
    user: int | None
    bot: int | None
    person: int | None


@dataclass(slots=True)
class _Someone:
    """A person while the table is made. results: with the newest event first."""

    key: str
    sat: list[Sat] = field(default_factory=list)

    def shown(self, events: Mapping[int, Event]) -> Sat | None:
        """Return the result whose name is shown: the newest of the name that the person goes by, else the newest."""

        def newest(sat: Sat) -> tuple[int, int, int]:
            event = events[sat.result.event]
            return event.day.toordinal(), event.number, -sat.pk

        own = [each for each in self.sat if each.own == self.key]
        return max(own or self.sat, key=newest, default=None)


def sat_in(season: Season) -> list[Sat]:
    """Return all results of a season that count. One query."""
    rows = SeasonResult.objects.filter(event__season=season, event__counts=True).order_by("pk")
    found = rows.values_list(
        *("pk", "event", "place", "shared", "field", "points", "share", "person", "entry__uuid"),
        *("entry__player__name", "entry__player__club", "entry__player__user", "entry__player__bot"),
    )
    return [
        Sat(
            pk,
            Result(event, place, shared, of, points, share),
            entry,
            key_of(name, user, bot),
            name,
            club,
            user,
            bot,
            by,
        )
        for pk, event, place, shared, of, points, share, by, entry, name, club, user, bot in found
    ]


def write_table(season: Season) -> bool:
    """Bring the people of a season, and their rows, up to date. Needs its lock. Returns whether any differed."""
    rows = list(season.events.filter(counts=True).select_related("tournament"))
    events, rules = events_of(rows), rules_of(season)
    left = decays(rules, events.values())
    changed = _write_decays(rows, left)
    sat, who = sat_in(season), identities_of(season)
    people = _gather(sat, who)
    stored = {each.key: each for each in SeasonPerson.objects.filter(season=season)}
    chosen = {key: each.division_id for key, each in stored.items() if each.is_assigned}
    for key in chosen:
        if who.root(key) == key:
            people.setdefault(key, _Someone(key))
    divisions = {key: found for key in people if (found := who.division(key, chosen)) is not None}
    totals = {key: total(rules, [each.result for each in someone.sat], events, left) for key, someone in people.items()}
    columns = _columns(season, people, totals, stored, events, divisions)
    changed |= _write_people(season, columns, stored)
    _point(sat, who, season)
    return changed


def _write_decays(rows: Sequence[SeasonEvent], left: Mapping[int, int]) -> bool:
    changed = [row for row in rows if row.decay != left[row.pk]]
    for row in changed:
        row.decay = left[row.pk]
    SeasonEvent.objects.bulk_update(changed, ["decay"])
    return bool(changed)


def _gather(sat: Sequence[Sat], who: Identities) -> dict[str, _Someone]:
    people: dict[str, _Someone] = {}
    for each in sat:
        key = who.person_of(each.entry, each.own)
        people.setdefault(key, _Someone(key)).sat.append(each)
    return people


def _columns(
    season: Season,
    people: Mapping[str, _Someone],
    totals: Mapping[str, Total],
    stored: Mapping[str, SeasonPerson],
    events: Mapping[int, Event],
    divisions: Mapping[str, int],
) -> dict[str, dict[str, Any]]:
    """Return the derived columns of everybody, by key. divisions: of those for whom somebody chose one."""
    lowest = season.divisions.order_by("-position").values_list("pk", flat=True)[0]
    found: dict[str, dict[str, Any]] = {}
    by_division: dict[int, list[str]] = {}
    for key, someone in people.items():
        row, division = stored.get(key), divisions.get(key, lowest)
        by_division.setdefault(division, []).append(key)
        shown = someone.shown(events)
        named = (
            {"name": shown.name, "club": shown.club, "user_id": shown.user, "bot_id": shown.bot}
            if shown is not None
            else {name: getattr(row, name) for name in ("name", "club", "user_id", "bot_id")}
        )
        found[key] = {"division_id": division, **named, **_figures(totals[key])}
    for keys in by_division.values():
        placed = ranks({key: totals[key].order for key in keys})
        # Who is level stands in the order of names; the key tells two of one name apart, the same way each time.
        keys.sort(key=lambda key: (placed[key].rank, name_key(found[key]["name"]), key))
        for number, key in enumerate(keys, 1):
            found[key] |= {"rank": placed[key].rank, "shared": placed[key].shared, "row": number}
    return found


def _figures(found: Total) -> dict[str, int]:
    return {
        "total": found.amount,
        "events_n": found.events,
        "counted_n": len(found.counted),
        "wins": found.wins,
        "best_place": found.best_place,
    }


def _write_people(season: Season, columns: Mapping[str, dict[str, Any]], stored: Mapping[str, SeasonPerson]) -> bool:
    gone = [row.pk for key, row in stored.items() if key not in columns]
    new = [SeasonPerson(season=season, key=key, **columns[key]) for key in sorted(columns.keys() - stored.keys())]
    changed = []
    for key in columns.keys() & stored.keys():
        row, wanted = stored[key], columns[key]
        if any(getattr(row, name) != wanted[name] for name in DERIVED):
            for name in DERIVED:
                setattr(row, name, wanted[name])
            changed.append(row)
    SeasonResult.objects.filter(person__in=gone).update(person=None)
    SeasonPerson.objects.filter(pk__in=gone).delete()
    SeasonPerson.objects.bulk_create(new, batch_size=ROWS_AT_ONCE)
    SeasonPerson.objects.bulk_update(changed, [name.removesuffix("_id") for name in DERIVED], batch_size=ROWS_AT_ONCE)
    return bool(gone or new or changed)


def _point(sat: Sequence[Sat], who: Identities, season: Season) -> None:
    """Let each result name its person."""
    keys = dict(SeasonPerson.objects.filter(season=season).values_list("key", "pk"))
    wanted = ((each, keys[who.person_of(each.entry, each.own)]) for each in sat)
    moved = [SeasonResult(pk=each.pk, person_id=person) for each, person in wanted if each.person != person]
    SeasonResult.objects.bulk_update(moved, ["person"], batch_size=ROWS_AT_ONCE)


def lowest_of(season: Season) -> SeasonDivision:
    """Return the lowest division."""
    return SeasonDivision.objects.filter(season=season).order_by("-position")[0]
