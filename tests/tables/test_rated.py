"""Rated tables: they move the ratings of people, are shown before and after, and look out for one person twice."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from accounts.models import User
from tables.actions.leaving import leave
from tables.actions.opening import TablePlan, open_table, sit_down
from tables.actions.sitters import Sitter
from tables.errors import TableError
from tables.jobs.levels import version_of_level
from tables.jobs.sweep import sweep
from tables.models import LiveSeat, LiveTable
from tables.play.clocks import CLOCKS
from tables.play.shuffle import of_service
from tables.view.alike import newest_alike
from tables.view.rated import ratings_after, ratings_at
from tests.services.databases import on_both
from tests.tables.players import a_table, again, at_random, guest, play_on
from tournaments.models import Rating, RatingEvent, RatingPool
from tournaments.people.ratings import ratings_of
from tournaments.ratings import fold as rating
from tournaments.ratings import pools

pytestmark = [pytest.mark.django_db, on_both]
RATED = TablePlan(preset="koikoi_nintendo", seats=2, rated=True, clock=CLOCKS["live"])


def people(*names: str) -> list[Sitter]:
    return [Sitter(name, user=User.objects.get_or_create(username=name)[0]) for name in names]


def played(sitters: list[Sitter], captured: Any, seed: int = 1, **more: Any) -> LiveTable:
    """A whole match at a rated table, recorded."""
    with captured(execute=True):
        table, _sat = a_table(sitters=sitters, clock=CLOCKS["live"], rated=True, **more)
        play_on(table, sitters, at_random(seed))
    table = again(table)
    assert table.match is not None
    return table


def folded() -> RatingPool:
    """The only pool of people, folded, as a fold of everything has it."""
    RatingPool.objects.update(folded_at=None)
    pools.fold_stale()
    pool = RatingPool.objects.get(who=RatingPool.Who.PEOPLE)
    assert rating.differences(pool) == []
    return pool


@pytest.mark.thorough
def test_a_rated_match_moves_the_ratings_of_both(django_capture_on_commit_callbacks: Any) -> None:
    both = people("plum", "crane")
    table = played(both, django_capture_on_commit_callbacks)
    pool = folded()
    assert (pool.preset, pool.seats, pool.sides, pool.seq) == ("koikoi_nintendo", 2, 2, 1)
    assert table.match is not None
    ranks = [seat.place for seat in table.match.seats.order_by("index")]
    values = [own.now.mu for sitter in both if sitter.user is not None for own in ratings_of(sitter.user)]
    assert len(values) == 2
    assert (values[0] > values[1]) == (ranks[0] < ranks[1])  # type: ignore[operator]
    again_at = played(both, django_capture_on_commit_callbacks, seed=2)
    assert folded().seq == 2
    changes = ratings_after(again_at, list(again_at.seats.order_by("index")))
    assert all(each.is_counted and each.change for each in changes)
    assert RatingEvent.objects.filter(deal_set=again_at.match_id or 0).count() == 2


@pytest.mark.thorough
def test_a_table_that_is_not_rated_moves_nothing(django_capture_on_commit_callbacks: Any) -> None:
    both = people("plum", "crane")
    with django_capture_on_commit_callbacks(execute=True):
        table, _sat = a_table(sitters=both, clock=CLOCKS["live"])
        play_on(table, both, at_random(1))
    pools.fold_stale()
    assert not Rating.objects.filter(pool__who=RatingPool.Who.PEOPLE).exists()


@pytest.mark.thorough
def test_partners_are_rated_as_a_side(django_capture_on_commit_callbacks: Any) -> None:
    four = people("plum", "crane", "moon", "rain")
    played(four, django_capture_on_commit_callbacks, preset="hawaii", options={"rounds": 1, "teams": "2x2"})
    pool = folded()
    assert (pool.seats, pool.sides) == (4, 2)
    assert Rating.objects.filter(pool=pool).count() == 4


def test_who_leaves_a_rated_match_has_lost_it(django_capture_on_commit_callbacks: Any) -> None:
    both = people("plum", "crane")
    with django_capture_on_commit_callbacks(execute=True):
        table, _sat = a_table(sitters=both, clock=CLOCKS["live"], rated=True)
        leave(table, both[0])
    folded()
    assert both[0].user is not None
    assert both[1].user is not None
    (left,), (stayed,) = ratings_of(both[0].user), ratings_of(both[1].user)
    assert left.now.mu < stayed.now.mu


@pytest.mark.thorough
def test_ratings_stand_beside_a_table_before_it_is_dealt(django_capture_on_commit_callbacks: Any) -> None:
    both = people("plum", "crane")
    played(both, django_capture_on_commit_callbacks)
    folded()
    table = open_table(both[0], replace(RATED, listed=True), of_service())
    (shown,) = ratings_at(table, list(table.seats.all()))
    assert both[0].user is not None
    assert shown.value == ratings_of(both[0].user)[0].row.value
    page = Client().get("/play/").content.decode()
    assert "rated" in page
    page = Client().get(f"/play/{table.uuid}/").content.decode()
    assert "The result of this table moves these ratings." in page


def test_seats_of_a_rated_table_are_not_filled_with_bots() -> None:
    (plum,) = people("plum")
    for plan in (replace(RATED, bots_after=timedelta(minutes=2)), replace(RATED, bots=[version_of_level("3")])):
        with pytest.raises(TableError) as refused:
            open_table(plum, plan, of_service())
        assert refused.value.code == "table.bots_rated"


def test_one_account_has_one_seat_at_a_rated_table() -> None:
    (plum,) = people("plum")
    table = open_table(plum, RATED, of_service())
    sit_down(table, plum, of_service())
    sit_down(table, Sitter("Another", user=plum.user, guest=guest().guest), of_service())
    assert LiveSeat.objects.filter(table=table).count() == 1


def opened(client: Client, **fields: str) -> LiveTable:
    plan = {"preset": "koikoi_nintendo", "seats": "2", "opponent": "people", "clock": "live", "rated": "on", **fields}
    answer = client.post("/play/open/", plan)
    assert answer.status_code == 302, answer.content.decode()
    return LiveTable.objects.get(uuid=answer.headers["Location"].split("/")[2])


def test_the_form_offers_rated_tables_to_those_with_an_account() -> None:
    client = Client()
    assert 'name="rated"' not in client.get("/play/").content.decode()
    client.force_login(User.objects.create(username="plum"))
    assert 'name="rated"' in client.get("/play/").content.decode()
    assert opened(client).rated
    refused = client.post("/play/open/", {"preset": "koikoi_nintendo", "seats": "2", "opponent": "3", "rated": "on"})
    assert refused.status_code == 422
    assert "people play people" in refused.content.decode()


@pytest.mark.thorough(keep=1)
def test_two_seats_of_one_browser_are_flagged_and_nothing_is_refused() -> None:
    staff = User.objects.create(username="ops", is_staff=True)
    client = Client()
    for name in ("plum", "crane"):
        client.force_login(User.objects.create(username=name))
        if name == "plum":
            table = opened(client)
        else:
            client.post(f"/play/{table.uuid}/do/sit/")
    assert again(table).state == "playing"
    (found,) = newest_alike(10)
    assert (found.table.pk, found.is_device) == (table.pk, True)
    assert [seat.name for seat in found.seats] == ["plum", "crane"]
    assert client.get("/play/alike/").status_code == 404
    client.force_login(staff)
    page = client.get("/play/alike/").content.decode()
    assert "one browser" in page
    with time_machine.travel(timezone.now() + timedelta(days=31), tick=False):
        assert sweep().emptied == 2
        assert newest_alike(10) == []


@pytest.mark.thorough(keep=1)
def test_two_browsers_at_one_address_are_flagged_by_it() -> None:
    one, two = Client(REMOTE_ADDR="192.0.2.7"), Client(REMOTE_ADDR="192.0.2.7")
    far = Client(REMOTE_ADDR="198.51.100.9")
    for client, name in ((one, "plum"), (two, "crane"), (far, "moon")):
        client.force_login(User.objects.create(username=name))
    table, other = opened(one), opened(one)
    two.post(f"/play/{table.uuid}/do/sit/")
    far.post(f"/play/{other.uuid}/do/sit/")
    (found,) = newest_alike(10)
    assert (found.table.pk, found.is_device) == (table.pk, False)


def test_marks_are_stored_at_rated_tables_only() -> None:
    client = Client()
    client.post("/play/open/", {"preset": "koikoi_nintendo", "seats": "2", "opponent": "people", "clock": "casual"})
    assert LiveSeat.objects.get().device_mark == ""


@pytest.mark.thorough
def test_a_persons_page_says_how_often_they_left(django_capture_on_commit_callbacks: Any) -> None:
    both = people("plum", "crane")
    played(both, django_capture_on_commit_callbacks)
    with django_capture_on_commit_callbacks(execute=True):
        table, _sat = a_table(sitters=both, clock=CLOCKS["live"])
        leave(table, both[0])
    assert "Left 1 of 2 matches" in Client().get("/u/plum/").content.decode()
    assert "Left 0 of 2 matches" in Client().get("/u/crane/").content.decode()
