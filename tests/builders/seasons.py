"""Builders for seasons: events that are over, made of rows alone, and a season that counts them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final

from accounts.models import User
from tests.builders import events as a
from tournaments.events.create import create_tournament
from tournaments.models import Entry, Player, Season, SeasonEvent, Stage, StageEntry, Standing, Tournament
from tournaments.seasons.events import add_event
from tournaments.seasons.people import assign_division, merge_people, separate_person, undo_identity
from tournaments.seasons.set_up import DivisionPlan, SeasonPlan, create_season

FIRST_DAY = datetime(2027, 1, 10, 18, 0, tzinfo=UTC)
SEASON_FIELDS: Final[dict[str, str]] = {
    "name": "Club league",
    "visibility": "public",
    "measure": "places",
    "place_points": "10 6.5 3",
    "other_points": "1",
    "best": "2",
    "decay": "",
    "loss": "",
    "d-TOTAL_FORMS": "2",
    "d-INITIAL_FORMS": "1",
    "d-0-name": "First",
    "d-0-down": "1",
    "d-1-name": "Second",
    "d-1-up": "1",
}
"""The form of a new season as a browser sends it."""


def a_finished_event(
    by: User,
    ranks: Mapping[str, int],
    *,
    name: str = "Club night",
    days: int = 0,
    clubs: Mapping[str, str] | None = None,
    users: Mapping[str, User] | None = None,
    **changes: object,
) -> Tournament:
    """Make an event of people that is over, without its matches. ranks: by name; days: after `FIRST_DAY`."""
    event = create_tournament(by=by, plan=a.a_plan(name=name, who="people", kind="swiss", rounds=2, **changes))
    at = FIRST_DAY + timedelta(days=days)
    Tournament.objects.filter(pk=event.pk).update(
        state=Tournament.State.FINISHED, starts_at=at, started_at=at, finished_at=at + timedelta(hours=4)
    )
    event.refresh_from_db()
    stage = event.stages.get()
    Stage.objects.filter(pk=stage.pk).update(state=Stage.State.CLOSED)
    players = Player.objects.bulk_create(
        Player(name=each, kind="human", club=(clubs or {}).get(each, ""), user=(users or {}).get(each))
        for each in ranks
    )
    entries = Entry.objects.bulk_create(
        Entry(tournament=event, player=player, seed=seed, state=Entry.State.ACTIVE, entered_by=by)
        for seed, player in enumerate(players, 1)
    )
    StageEntry.objects.bulk_create(
        StageEntry(stage=stage, entry=entry, seed=seed) for seed, entry in enumerate(entries, 1)
    )
    ordered = sorted(zip(entries, ranks.values(), strict=True), key=lambda pair: pair[1])
    Standing.objects.bulk_create(
        Standing(stage=stage, entry=entry, rank=rank, row=row, input_hash="0" * 64)
        for row, (entry, rank) in enumerate(ordered, 1)
    )
    return event


def in_order(*names: str) -> dict[str, int]:
    """Return ranks without shared places."""
    return {name: rank for rank, name in enumerate(names, 1)}


def a_season(by: User | None = None, **changes: object) -> Season:
    """Make a season of usual rules."""
    return create_season(by=by or a.a_user(), plan=SeasonPlan(**{"name": "Club league", **changes}))  # type: ignore[arg-type]


def counted(season: Season, events: Sequence[Tournament], *, weights: Sequence[int] = ()) -> list[SeasonEvent]:
    """Put events into a season without their organisers; the table is not brought up to date."""
    return SeasonEvent.objects.bulk_create(
        SeasonEvent(season=season, tournament=event, added_by=season.created_by, weight=weights[at] if weights else 100)
        for at, event in enumerate(events)
    )


def rows_of(season: Season) -> list[tuple[int, str, int]]:
    """Return the table as (rank, name, total in hundredths), division by division."""
    rows = season.people.filter(row__gt=0).order_by("division__position", "row")
    return list(rows.values_list("rank", "name", "total"))


def a_long_season(name: str) -> Season:
    """Make a season of two divisions, three nights with long names, and one event that waits for its organiser."""
    by = a.a_user("season-" + "w" * 50)
    season = a_season(
        by,
        name=name,
        best=2,
        decay=Season.Decay.EVENT,
        loss=10,
        divisions=(DivisionPlan("First " + "w" * 50, down=1), DivisionPlan("Second", up=1)),
    )
    people = [f"Player {'w' * 50} {number}" for number in range(4)]
    clubs = dict.fromkeys(people, "Club " + "w" * 50)
    for days in range(3):
        night = a_finished_event(by, in_order(*people[days:]), name=f"Night {'w' * 60} {days}", days=days, clubs=clubs)
        add_event(season=season, by=by, slug=night.slug)
    other = a_finished_event(a.a_user(), in_order("Aiko"), name="Asked for")
    add_event(season=season, by=by, slug=other.slug)
    return season


def a_season_with_a_history(name: str) -> Season:
    """Make a season in which names were merged, told apart and taken back, and one event waits for its organiser."""
    by, guest = a.a_user(), a.a_user("asked-" + "w" * 50)
    season = a_season(by, name=name, divisions=(DivisionPlan("First", down=1), DivisionPlan("Second", up=1)))
    long = "Wilhelmina " + "w" * 49
    nights = (("Élodie", "Ben", long), ("Elodie", long, "Ben"), ("Zoë", "Ben", long), ("Zoe", "Guest", "Ben"))
    clubs = dict.fromkeys(("Ben", "Guest"), "Club " + "w" * 50)
    for days, names in enumerate(nights):
        users = {"Guest": guest}
        night = a_finished_event(by, in_order(*names), name=f"Night {days}", days=days, clubs=clubs, users=users)
        add_event(season=season, by=by, slug=night.slug)
    who = {person.name: str(person.uuid) for person in season.people.all()}
    merge_people(season=season, by=by, source=who["Elodie"], target=who["Élodie"])
    entry = season.people.get(name=long).results.order_by("pk")[0].entry
    undo_identity(row=separate_person(season=season, by=by, entry=str(entry.uuid)), by=by)
    assign_division(season=season, by=by, person=who["Ben"], division=1)
    other = a_finished_event(a.a_user(), in_order("Aiko"), name="Asked for " + "w" * 50)
    add_event(season=season, by=by, slug=other.slug)
    return season
