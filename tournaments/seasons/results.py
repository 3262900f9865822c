"""Results of events as seasons read them: which events count, and what is kept of each entry."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date
from typing import Final

from django.db.models import Q

from accounts.zones import zone_named
from core.seasons.model import FULL_DECAY, POINT
from core.seasons.totals import divided
from tournaments.models import Member, Season, SeasonEvent, SeasonResult, Tournament
from tournaments.ranking.event_ranking import ranking_of
from tournaments.seasons.won import Won, won_in

OVER: Final = (Tournament.State.FINISHED, Tournament.State.ARCHIVED)
OPENNESS: Final = (Tournament.Visibility.PUBLIC, Tournament.Visibility.UNLISTED, Tournament.Visibility.PRIVATE)
"""The more open first. An event counts in a season that is no more open than the event."""
COLUMNS: Final = ("team_id", "place", "shared", "field", "points", "share")
ROWS_AT_ONCE: Final = 1_000


def counting(season: Season) -> Q:
    """Filter the events of a season that count: they are over, belong to it, and may be shown by it."""
    open_enough = OPENNESS[: OPENNESS.index(Tournament.Visibility(season.visibility)) + 1]
    return Q(
        state=SeasonEvent.State.IN,
        tournament__state__in=OVER,
        tournament__visibility__in=open_enough,
        tournament__is_challenge=False,
    )


def is_shown_by(season: Season, event: Tournament) -> bool:
    """Return whether a season may show an event at all: it is no more open than the event."""
    return OPENNESS.index(Tournament.Visibility(event.visibility)) <= OPENNESS.index(
        Tournament.Visibility(season.visibility)
    )


def day_of(event: Tournament) -> date:
    """Return the day of an event that is over, where it took place."""
    at = event.starts_at or event.finished_at or event.created_at
    return at.astimezone(zone_named(event.time_zone) or UTC).date()


@dataclass(frozen=True, slots=True)
class _Fact:
    """What is kept of one entry, in the order of `COLUMNS`."""

    entry: int
    figures: tuple[int | None, int, int, int, int, int]


def read_event(row: SeasonEvent, *, counts: bool) -> bool:
    """Bring the results of one event up to date. counts: of `counting`. Returns whether any differed."""
    wanted = {fact.entry: fact.figures for fact in _facts(row.tournament)} if counts else {}
    stored = {each.entry_id: each for each in SeasonResult.objects.filter(event=row)}
    gone = [each.pk for entry, each in stored.items() if entry not in wanted]
    new = [SeasonResult(event=row, entry_id=entry, **_named(wanted[entry])) for entry in wanted.keys() - stored.keys()]
    changed = []
    for entry in wanted.keys() & stored.keys():
        each, figures = stored[entry], wanted[entry]
        if tuple(getattr(each, name) for name in COLUMNS) != figures:
            for name, value in _named(figures).items():
                setattr(each, name, value)
            changed.append(each)
    SeasonResult.objects.filter(pk__in=gone).delete()
    SeasonResult.objects.bulk_create(sorted(new, key=lambda each: each.entry_id), batch_size=ROWS_AT_ONCE)
    SeasonResult.objects.bulk_update(changed, list(COLUMNS), batch_size=ROWS_AT_ONCE)
    differs = bool(gone or new or changed) or row.counts != counts
    row.counts = counts
    return differs


def _named(figures: tuple[int | None, int, int, int, int, int]) -> dict[str, int | None]:
    return dict(zip(COLUMNS, figures, strict=True))


def _facts(event: Tournament) -> list[_Fact]:
    """Return the results of an event: of teams, one for each member. Disqualified entries have none."""
    lines = [line for line in ranking_of(event).lines if line.rank is not None]
    places, won = Counter(line.rank for line in lines), won_in(event)
    members = _members([line.entry.pk for line in lines])
    found: dict[int, _Fact] = {}
    for line in lines:
        entry, rank = line.entry.pk, line.rank or 0
        won_here = won.get(entry, Won())
        figures = (rank, places[rank], len(lines), won_here.points * POINT, _share(won_here))
        team = entry if entry in members else None
        for person in members.get(entry, [entry]):
            # A substitute may have sat in two teams: the better place counts.
            found.setdefault(person, _Fact(person, (team, *figures)))
    return list(found.values())


def _share(won: Won) -> int:
    return divided(won.victories * FULL_DECAY, won.deals) if won.deals > 0 else 0


def _members(entries: Iterable[int]) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    rows = Member.objects.filter(team__in=list(entries)).order_by("team", "number", "pk")
    for team, person in rows.values_list("team", "person"):
        if person not in found.setdefault(team, []):
            found[team].append(person)
    return found
