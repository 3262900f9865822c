"""A season is the same however its table is made: step by step, all at once, or by a script of its own."""

from __future__ import annotations

import random
from contextlib import suppress
from dataclasses import replace
from datetime import date

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from accounts.models import User
from core.errors import TournamentError
from core.seasons.model import Decay, Event, Measure, Result, Rules, Status
from core.seasons.totals import decays, total
from tests.builders import events as a
from tests.builders.seasons import a_finished_event, a_season, counted
from tests.tournaments.seasons.independent import stored_rows, table_of
from tournaments.models import Season, SeasonEvent, SeasonPerson, Standing, Tournament
from tournaments.seasons.people import assign_division, merge_people, undo_identity
from tournaments.seasons.set_up import DivisionPlan, change_season, plan_of
from tournaments.seasons.updating import differences, mark, update

pytestmark = pytest.mark.django_db


def some_ranks(lots: random.Random, people: list[str], least: int, most: int) -> dict[str, int]:
    """Return the ranks of some people; one place in five is shared with the one before."""
    there = lots.sample(people, lots.randint(least, most))
    ranks: dict[str, int] = {}
    last = 1
    for place, name in enumerate(there, 1):
        last = last if place > 1 and lots.random() < 0.2 else place
        ranks[name] = last
    return ranks


def a_generated_season(events: int, people: int, *, sizes: tuple[int, int], decay: str = "month") -> Season:
    """Make a season of that many events and people; everybody sat in one at least."""
    lots = random.Random(16)  # the same season each time
    by = a.a_user()
    season = a_season(
        by,
        best=7,
        decay=decay,
        loss=3,
        other_points=50,
        divisions=(DivisionPlan("A", down=5), DivisionPlan("B", up=5)),
    )
    names = [f"Person {number:04}" for number in range(people)]
    users = dict(zip(names[::50], (a.a_user() for _name in names[::50]), strict=True))
    nights, share = [], -(-people // events)
    for number in range(events):
        must = names[number * share : (number + 1) * share]
        ranks = some_ranks(lots, [name for name in names if name not in must], *sizes)
        first = len(ranks) + 1
        ranks |= {name: first + at for at, name in enumerate(must)}
        # Nobody may make more than a few events an hour.
        by = a.a_user() if number % 15 == 0 else by
        nights.append(a_finished_event(by, ranks, name=f"Night {number}", days=3 * number, users=users))
    counted(season, nights, weights=[lots.choice((100, 100, 150, 50)) for _night in nights])
    update(season.pk)
    return season


@pytest.mark.thorough
def test_a_season_of_a_dozen_events_is_what_a_script_of_its_own_finds() -> None:
    season = a_generated_season(12, 60, sizes=(5, 20), decay="event")
    assert stored_rows(season) == table_of(season)
    assert differences(season) == []


@pytest.mark.slow
def test_a_season_of_a_hundred_events_and_five_thousand_people(client: Client) -> None:
    season = a_generated_season(100, 5_000, sizes=(20, 80))
    assert season.people.filter(row__gt=0).count() == 5_000
    assert stored_rows(season) == table_of(season)
    # A correction of the oldest event is found without reading the others.
    oldest = season.events.order_by("pk")[0].tournament
    rows = list(Standing.objects.filter(stage__tournament=oldest).order_by("row"))
    for row, rank in zip(rows, reversed([row.rank for row in rows]), strict=True):
        Standing.objects.filter(pk=row.pk).update(rank=rank)
    mark(Tournament.objects.filter(pk=oldest.pk))
    update(season.pk)
    assert stored_rows(season) == table_of(season)
    assert differences(season) == []
    assert client.get(f"/seasons/{season.slug}/?division=2&page=60").status_code == 200


@pytest.mark.slow
class Steps(TestCase):
    """Anything may happen to the events, in any order: the table is that of a whole rebuild."""

    @settings(max_examples=12, deadline=None)
    @given(lots=st.randoms(use_true_random=False))
    def test_step_by_step_is_all_at_once(self, lots: random.Random) -> None:
        by = a.a_user()
        season = a_season(by, best=2, decay="event", loss=10, divisions=(DivisionPlan("A", down=1), DivisionPlan("B")))
        people = ["Aiko", "Ben", "Chiyo", "Dai", "Emi"]
        steps = (_add, _correct, _call_off, _weigh, _hide, _merge, _assign, _undo, _change, _drop)
        for number in range(10):
            lots.choice(steps)(season, by, lots, people, number)
            season.refresh_from_db()
            update(season.pk)
        before = stored_rows(season)
        assert differences(season) == []
        assert before == stored_rows(season)


def _add(season: Season, by: User, lots: random.Random, people: list[str], number: int) -> None:
    counted(season, [a_finished_event(by, some_ranks(lots, people, 2, 5), days=number)])


def _some(season: Season, lots: random.Random) -> SeasonEvent | None:
    rows = list(season.events.select_related("tournament").order_by("pk"))
    return lots.choice(rows) if rows else None


def _correct(season: Season, by: User, lots: random.Random, people: list[str], number: int) -> None:
    if row := _some(season, lots):
        standings = list(Standing.objects.filter(stage__tournament=row.tournament).order_by("row"))
        ranks = [each.rank for each in standings]
        lots.shuffle(ranks)
        for each, rank in zip(standings, ranks, strict=True):
            Standing.objects.filter(pk=each.pk).update(rank=rank)
        mark(Tournament.objects.filter(pk=row.tournament_id))


def _call_off(season: Season, by: User, lots: random.Random, people: list[str], number: int) -> None:
    if row := _some(season, lots):
        state = lots.choice(("finished", "running", "archived"))
        Tournament.objects.filter(pk=row.tournament_id).update(state=state)
        mark(Tournament.objects.filter(pk=row.tournament_id))


def _hide(season: Season, by: User, lots: random.Random, people: list[str], number: int) -> None:
    if row := _some(season, lots):
        Tournament.objects.filter(pk=row.tournament_id).update(visibility=lots.choice(("public", "private")))
        mark(Tournament.objects.filter(pk=row.tournament_id))


def _weigh(season: Season, by: User, lots: random.Random, people: list[str], number: int) -> None:
    if row := _some(season, lots):
        SeasonEvent.objects.filter(pk=row.pk).update(weight=lots.choice((50, 100, 200)))
        Season.objects.filter(pk=season.pk).update(is_stale=True)


def _merge(season: Season, by: User, lots: random.Random, people: list[str], number: int) -> None:
    rows = list(SeasonPerson.objects.filter(season=season).order_by("pk"))
    if len(rows) > 1:
        one, other = lots.sample(rows, 2)
        with suppress(TournamentError):  # they sat in one event
            merge_people(season=season, by=by, source=str(one.uuid), target=str(other.uuid))


def _undo(season: Season, by: User, lots: random.Random, people: list[str], number: int) -> None:
    if rows := list(season.identities.filter(undone_at=None).order_by("pk")):
        undo_identity(row=lots.choice(rows), by=by)


def _assign(season: Season, by: User, lots: random.Random, people: list[str], number: int) -> None:
    if rows := list(season.people.order_by("pk")):
        person = str(lots.choice(rows).uuid)
        assign_division(season=season, by=by, person=person, division=lots.choice((1, 2)))


def _change(season: Season, by: User, lots: random.Random, people: list[str], number: int) -> None:
    plan = replace(plan_of(season), best=lots.randint(0, 3), measure=lots.choice(("places", "field")))
    plan = plan if plan.measure == "field" else replace(plan, place_points=(1000, 600, 300))
    change_season(season=season, by=by, plan=plan)


def _drop(season: Season, by: User, lots: random.Random, people: list[str], number: int) -> None:
    if row := _some(season, lots):
        row.delete()
        Season.objects.filter(pk=season.pk).update(is_stale=True)


def test_amounts_are_exact_and_rounded_away_from_zero() -> None:
    events = {at: Event(at, 150, date(2027, 1 + at, 31 if at in (0, 2) else 28), at) for at in range(3)}
    rules = Rules(Measure.POINTS, best=2, decay=Decay.MONTH, loss=10)
    left = decays(rules, events.values())
    assert left == {2: 10_000, 1: 9_000, 0: 8_100}
    results = [Result(0, 1, 1, 4, points=-333), Result(1, 2, 1, 4, points=1), Result(2, 3, 1, 4, points=33)]
    found = total(rules, results, events, left)
    assert [(line.amount, line.status) for line in found.lines] == [
        (50, Status.COUNTED),  # 0.33 x 1.5 = 0.495
        (1, Status.COUNTED),  # 0.01 x 1.5 x 0.9 = 0.0135
        (-405, Status.DROPPED),  # -3.33 x 1.5 x 0.81 = -4.04595
    ]
    assert (found.amount, found.events, found.wins, found.best_place) == (51, 3, 1, 1)


@pytest.mark.thorough
def test_operators_compare_and_put_right(capsys: pytest.CaptureFixture[str]) -> None:
    season = a_generated_season(2, 6, sizes=(2, 3))
    SeasonPerson.objects.filter(season=season, row=1).update(total=1)
    with pytest.raises(CommandError):
        call_command("rebuild_seasons", season.slug, check=True)
    assert SeasonPerson.objects.filter(season=season, total=1).exists()
    with pytest.raises(CommandError):
        call_command("rebuild_seasons")
    call_command("rebuild_seasons")
    assert "0 rows differed" in capsys.readouterr().out
    assert stored_rows(season) == table_of(season)
