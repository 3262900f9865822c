"""Seasons: their table follows their events in all that happens to these, and a whole rebuild gives the same rows."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.errors import TournamentError
from tests.builders import events as a
from tests.builders.clubs import a_called_night, close_event, tables_of, totals
from tests.builders.seasons import a_finished_event, a_season, counted, in_order, rows_of
from tournaments.models import Season, SeasonEvent, Standing, Tournament
from tournaments.scores.actions import Actor, submit_result
from tournaments.seasons.events import accept_event, add_event, remove_event, weigh_event
from tournaments.seasons.queries import event_lines, next_event
from tournaments.seasons.set_up import DivisionPlan, SeasonPlan, change_season, plan_of
from tournaments.seasons.updating import differences, follow_news, update

pytestmark = pytest.mark.django_db


def test_an_event_that_is_over_gives_points_by_place() -> None:
    by = a.a_user()
    season, event = a_season(by), a_finished_event(by, in_order("Aiko", "Ben", "Chiyo"))
    add_event(season=season, by=by, slug=f"/t/{event.slug}/")
    assert rows_of(season) == [(1, "Aiko", 2500), (2, "Ben", 1800), (3, "Chiyo", 1500)]


def test_those_who_share_a_place_get_the_mean_of_the_places() -> None:
    by = a.a_user()
    season, event = a_season(by), a_finished_event(by, {"Aiko": 1, "Ben": 2, "Chiyo": 2, "Dai": 4})
    add_event(season=season, by=by, slug=event.slug)
    assert rows_of(season) == [(1, "Aiko", 2500), (2, "Ben", 1650), (2, "Chiyo", 1650), (4, "Dai", 1200)]


@pytest.mark.thorough
def test_the_best_results_count_by_weight_and_decay() -> None:
    by = a.a_user()
    season = a_season(by, place_points=(1000, 600, 300), best=2, decay="event", loss=10)
    for days, names in enumerate((("Aiko", "Ben"), ("Ben", "Aiko"), ("Aiko", "Ben"))):
        event = a_finished_event(by, in_order(*names), days=days)
        add_event(season=season, by=by, slug=event.slug, weight=200 if days == 1 else 100)
    # Aiko: 10 x 0.81, 6 x 2 x 0.9, 10; the first is dropped. Ben: 6 x 0.81 dropped, 10 x 2 x 0.9, 6.
    assert rows_of(season) == [(1, "Ben", 2400), (2, "Aiko", 2080)]


@pytest.mark.thorough
def test_a_real_event_counts_when_it_ends_and_its_correction_changes_the_table() -> None:
    event = a_called_night(people=4, rounds=1)
    by = event.created_by
    season = a_season(by, measure="points")
    add_event(season=season, by=by, slug=event.slug)
    follow_news()
    assert rows_of(season) == []
    for number, table in enumerate(tables_of(event)):
        submit_result(match=table, actor=Actor(user=by), claim=totals(140 + 10 * number, 80 - 10 * number))
    close_event(tournament=event, by=by)
    follow_news()
    assert Tournament.objects.get(pk=event.pk).state == "finished"
    assert sorted(total for _rank, _name, total in rows_of(season)) == [7000, 8000, 14000, 15000]
    assert differences(season) == []


def test_a_changed_final_ranking_is_read_again() -> None:
    by = a.a_user()
    season, event = a_season(by), a_finished_event(by, in_order("Aiko", "Ben"))
    add_event(season=season, by=by, slug=event.slug)
    Standing.objects.filter(entry__tournament=event, entry__player__name="Aiko").update(rank=2, row=3)
    Standing.objects.filter(entry__tournament=event, entry__player__name="Ben").update(rank=1, row=1)
    SeasonEvent.objects.filter(season=season).update(is_stale=True)
    assert update(season.pk)
    assert rows_of(season)[0] == (1, "Ben", 2500)
    assert not update(season.pk)


def test_one_name_is_one_person_whatever_its_case_and_width() -> None:
    by = a.a_user()
    season = a_season(by)
    counted(
        season,
        [
            a_finished_event(by, in_order("Aiko Sato", "Élodie")),
            a_finished_event(by, in_order("aiko  ｓato", "Elodie"), days=1),
        ],
    )
    update(season.pk)
    assert [name for _rank, name, _total in rows_of(season)] == ["aiko  ｓato", "Elodie", "Élodie"]


def test_who_does_not_organise_the_event_asks_for_it() -> None:
    by, other = a.a_user(), a.a_user()
    season, event = a_season(by), a_finished_event(other, in_order("Aiko", "Ben"))
    row = add_event(season=season, by=by, slug=event.slug)
    assert (row.state, rows_of(season)) == ("asked", [])
    with pytest.raises(TournamentError) as refusal:
        accept_event(row=row, by=by)
    assert refusal.value.code == "tournament.not_organiser"
    accept_event(row=row, by=other)
    assert len(rows_of(season)) == 2
    remove_event(row=row, by=other)
    assert rows_of(season) == []
    with pytest.raises(TournamentError) as refusal:
        remove_event(row=row, by=other)
    assert refusal.value.code == "season.event_gone"


def test_a_private_event_counts_only_in_a_private_season() -> None:
    by, stranger = a.a_user(), a.a_user()
    season = a_season(by)
    event = a_finished_event(by, in_order("Aiko", "Ben"), name="Secret night", visibility="private")
    add_event(season=season, by=by, slug=event.slug)
    assert rows_of(season) == []
    assert event_lines(season, stranger, role="") == []
    assert [line.is_hidden for line in event_lines(season, by, role="owner")] == [True]
    change_season(season=season, by=by, plan=replace(plan_of(season), visibility="private"))
    assert len(rows_of(season)) == 2
    with pytest.raises(TournamentError) as refusal:
        add_event(season=a_season(stranger), by=stranger, slug=event.slug)
    assert refusal.value.code == "season.no_such_event"


def test_weights_rules_and_divisions_change_the_table_at_once() -> None:
    by = a.a_user()
    season, event = a_season(by), a_finished_event(by, in_order("Aiko", "Ben"))
    row = add_event(season=season, by=by, slug=event.slug)
    weigh_event(row=row, by=by, weight=50)
    assert rows_of(season) == [(1, "Aiko", 1250), (2, "Ben", 900)]
    plan = replace(plan_of(season), measure="field", divisions=(DivisionPlan("A", down=1), DivisionPlan("B", up=1)))
    change_season(season=season, by=by, plan=plan)
    season.refresh_from_db()
    assert rows_of(season) == [(1, "Aiko", 100), (2, "Ben", 50)]
    assert {each.division.name for each in season.people.all()} == {"B"}
    assert differences(season) == []


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"name": "  "}, "name"),
        ({"place_points": ()}, "place_points"),
        ({"place_points": (100, 200)}, "place_points"),
        ({"other_points": 100, "place_points": (50,)}, "place_points"),
        ({"best": 101}, "best"),
        ({"decay": "month", "loss": 0}, "loss"),
        ({"decay": "year"}, "decay"),
        ({"measure": "beauty"}, "measure"),
        ({"visibility": "some"}, "visibility"),
        ({"divisions": ()}, "divisions"),
    ],
)
def test_bad_rules_are_refused_by_field(changes: dict[str, object], field: str) -> None:
    with pytest.raises(TournamentError) as refusal:
        a_season(None, **changes)
    assert (refusal.value.code, refusal.value.extra["field"]) == ("season.bad_plan", field)
    assert not Season.objects.exists()


def test_strangers_change_nothing() -> None:
    by, stranger = a.a_user(), a.a_user()
    season, event = a_season(by), a_finished_event(by, in_order("Aiko", "Ben"))
    row = add_event(season=season, by=by, slug=event.slug)
    for act in (
        lambda: add_event(season=season, by=stranger, slug=event.slug),
        lambda: remove_event(row=row, by=stranger),
        lambda: weigh_event(row=row, by=stranger, weight=1),
        lambda: change_season(season=season, by=stranger, plan=SeasonPlan("Mine now")),
    ):
        with pytest.raises(TournamentError) as refusal:
            act()
        assert refusal.value.code == "season.not_organiser"


def test_the_next_event_is_the_earliest_that_comes() -> None:
    by = a.a_user()
    season = a_season(by)
    late, early = a.an_open_event(), a.an_open_event()
    for event, days in ((late, 9), (early, 3)):
        Tournament.objects.filter(pk=event.pk).update(starts_at=f"2030-01-0{days}T18:00:00Z")
    counted(season, [late, early])
    assert next_event(event_lines(season, None, role="")) == early
