"""Seasons as pages and programs read them: lists, a page of a table, the events."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from accounts.alphabet import ByName
from accounts.models import User
from activity.domain_events import class_of
from activity.models import AuditEvent
from tournaments.lifecycle.visibility import visible_to as events_visible_to
from tournaments.models import (
    Season,
    SeasonDivision,
    SeasonEvent,
    SeasonIdentity,
    SeasonPerson,
    SeasonRole,
    Tournament,
)
from tournaments.models.club import club_key
from tournaments.seasons.access import label, named_to, visible_to
from tournaments.seasons.identity import identities_of
from tournaments.seasons.results import OVER, is_shown_by

T = Tournament.State
COMING = (T.PUBLISHED, T.REGISTRATION, T.RUNNING, T.PAUSED)
ROWS = 50
LEADERS = 3
"""Who of a season its list shows."""


def season_list(viewer: User | None, *, words: str = "", when: str = "") -> QuerySet[Season]:
    """Return the seasons that a list names: public ones, and those the viewer runs. The running ones first.

    when: "open", "closed", "mine" or "". With `people_n`, `events_n`.
    """
    runs = Exists(SeasonRole.objects.filter(season=OuterRef("pk"), user=viewer)) if viewer is not None else Q(pk__in=[])
    public = Q(visibility=Tournament.Visibility.PUBLIC)
    rows = Season.objects.filter(Q(runs) if when == "mine" else public | Q(runs))
    if when in Season.State.values:
        rows = rows.filter(state=when)
    if words:
        rows = rows.filter(name__icontains=words)
    people = SeasonPerson.objects.filter(season=OuterRef("pk"), events_n__gt=0).order_by()
    events = SeasonEvent.objects.filter(season=OuterRef("pk"), counts=True).order_by()
    people_n = Subquery(people.values("season").annotate(n=Count("pk")).values("n"))
    events_n = Subquery(events.values("season").annotate(n=Count("pk")).values("n"))
    rows = rows.annotate(people_n=Coalesce(people_n, 0), events_n=Coalesce(events_n, 0))
    # "open" sorts behind "closed" by its letters, so descending puts what runs first.
    return rows.order_by("-state", "-id")


def leaders_of(seasons: Sequence[Season]) -> dict[int, list[SeasonPerson]]:
    """Return the first three of the highest division with results, by the season. One query."""
    rows = SeasonPerson.objects.filter(season__in=seasons, row__range=(1, LEADERS), division__isnull=False)
    found: dict[int, list[SeasonPerson]] = {}
    for row in rows.select_related("bot").order_by("division__position", "row"):
        own = found.setdefault(row.season_id, [])
        if not own or own[0].division_id == row.division_id:
            own.append(row)
    return found


def season_for(slug: str, viewer: User | None) -> Season:
    """Return a season that the viewer may open, with `viewer_role`. One query. Raises Season.DoesNotExist."""
    rows = Season.objects.filter(visible_to(viewer), slug=slug).select_related("created_by", "previous")
    mine = SeasonRole.objects.filter(season=OuterRef("pk"), user=viewer).values("role")[:1]
    if viewer is None:
        return rows.get()
    season = rows.annotate(role_here=Subquery(mine)).get()
    season.viewer_role = season.role_here
    return season


@dataclass(frozen=True, slots=True)
class EventLine:
    """An event of a season as a reader may know it. event: None for one that they may not open.

    counts: its results are in the table. weight, decay: hundredths and ten-thousandths.
    """

    row: SeasonEvent
    event: Tournament | None

    @property
    def counts(self) -> bool:
        """True once its results are in the table."""
        return self.row.counts

    @property
    def is_over(self) -> bool:
        """True for one whose results count, or would if the season might show them."""
        return self.row.tournament.state in OVER

    @property
    def is_hidden(self) -> bool:
        """True for one that is more private than the season, so that it does not count."""
        return not is_shown_by(self.row.season, self.row.tournament)


def event_lines(season: Season, viewer: User | None, *, role: str) -> list[EventLine]:
    """Return the events of a season, as far as the viewer may know of them, the newest first. Two queries.

    Who runs the season also sees those that were asked for, and those that are too private to count. Others see none of
    these, and no draft.
    """
    rows = list(season.events.select_related("tournament", "added_by").order_by("-pk"))
    keys = [row.tournament_id for row in rows]
    open_to = set(
        Tournament.objects.filter(events_visible_to(viewer), pk__in=keys).values_list("pk", flat=True) if keys else ()
    )
    found = []
    for row in rows:
        row.season = season
        may_open = row.tournament_id in open_to
        is_public = row.state == SeasonEvent.State.IN and is_shown_by(season, row.tournament)
        if role or (is_public and (may_open or row.counts)):
            found.append(EventLine(row, row.tournament if may_open else None))
    return sorted(found, key=_newest_first)


def _newest_first(line: EventLine) -> tuple[bool, float, int]:
    event = line.row.tournament
    at = event.starts_at or event.finished_at or event.created_at
    return event.state in OVER, -at.timestamp(), -line.row.pk


def next_event(lines: Sequence[EventLine]) -> Tournament | None:
    """Return the event that comes next, or runs now: the earliest that the reader may open."""
    coming = [line.event for line in lines if line.event is not None and line.event.state in COMING]
    running = [event for event in coming if event.state in (T.RUNNING, T.PAUSED)]
    dated = sorted((event for event in coming if event.starts_at is not None), key=lambda event: str(event.starts_at))
    return next(iter([*running, *dated, *coming]), None)


def table_rows(division: SeasonDivision, *, words: str = "", club: str = "") -> QuerySet[SeasonPerson]:
    """Return the rows of a division's table, the best first. words: in the name; club: in the club, in any spelling."""
    rows = SeasonPerson.objects.filter(division=division, row__gt=0).select_related("user", "bot")
    return _found(rows, words, club).order_by("row")


def _found(rows: QuerySet[SeasonPerson], words: str, club: str) -> QuerySet[SeasonPerson]:
    """Filter by words in the name and in the club. One query if a club is asked for."""
    if words:
        rows = rows.filter(name__icontains=words)
    if club:
        wanted, spellings = club_key(club), rows.order_by().values_list("club", flat=True).distinct()
        rows = rows.filter(club__in=[each for each in spellings if wanted in club_key(each)])
    return rows


def divisions_of(season: Season) -> list[SeasonDivision]:
    """Return the divisions, the highest first. One query. `has_rows`: whether somebody is in its table."""
    rows = SeasonPerson.objects.filter(division=OuterRef("pk"), row__gt=0)
    return list(season.divisions.annotate(has_rows=Exists(rows)).order_by("position"))


def waiting_at(event: Tournament) -> list[SeasonEvent]:
    """Return the seasons that count an event or ask for it, for its organisers. One query."""
    return list(event.in_seasons.select_related("season", "added_by").order_by("state", "pk"))


def run_without(event: Tournament, person: User) -> list[Season]:
    """Return the open seasons that somebody runs and that do not name an event, the newest first. One query."""
    rows = Season.objects.filter(roles__user=person, state=Season.State.OPEN).exclude(events__tournament=event)
    return list(rows.order_by("-pk")[:ROWS])


def seasons_naming(event: Tournament, viewer: User | None) -> list[Season]:
    """Return the seasons that an event belongs to, and that its page may name. One query."""
    rows = Season.objects.filter(named_to(viewer), events__tournament=event, events__state=SeasonEvent.State.IN)
    return [row for row in rows.order_by("pk") if is_shown_by(row, event)]


def person_of(season: Season, uuid: UUID) -> SeasonPerson | None:
    """Return somebody of a season (with the season); for the address of a person who was merged, whom they are part of.

    None if there is nobody. One query, two more for a merged person.
    """
    people = SeasonPerson.objects.select_related("division", "user", "bot").filter(season=season)
    found = people.filter(uuid=uuid).first()
    if found is None:
        said = SeasonIdentity.objects.filter(season=season, source_uuid=uuid, undone_at=None)
        merged = said.values_list("source", flat=True).first()
        found = people.filter(key=identities_of(season).root(merged)).first() if merged is not None else None
    if found is not None:
        found.season = season
    return found


def everybody(season: Season, *, words: str = "") -> QuerySet[SeasonPerson]:
    """Return the people of a season by name, for who runs it."""
    rows = SeasonPerson.objects.filter(season=season, row__gt=0).select_related("division", "user", "bot")
    if words:
        rows = rows.filter(name__icontains=words)
    return rows.order_by(ByName("name"), "pk")


def log_of(season: Season, *, limit: int = 50) -> list[tuple[AuditEvent, str, Sequence[str]]]:
    """Return what was done in a season, the newest first: the row, what it says, and of what. One query."""
    rows = AuditEvent.objects.filter(subject=label(season)).select_related("actor").order_by("-pk")[:limit]
    found = []
    for row in rows:
        kind = class_of(row.verb)
        words = str(kind.words) if kind is not None and kind.words else row.verb
        found.append((row, words, kind.details(row.subject, row.after, {}) if kind is not None else ()))
    return found


def whole_table(season: Season, *, words: str = "", club: str = "") -> QuerySet[SeasonPerson]:
    """Return the rows of all divisions, the highest first. words, club: as `table_rows`."""
    rows = SeasonPerson.objects.filter(season=season, row__gt=0).select_related("division", "user", "bot")
    return _found(rows, words, club).order_by("division__position", "row")
