"""Formats that go on by results, as an organiser chooses them and as everybody reads them."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from bots.jobs.process import Process
from tests.builders import events as a
from tests.tournaments.progress.test_advancing import play_on
from tournaments.matches import play
from tournaments.models import Stage, Tournament
from tournaments.progress import derive
from tournaments.progress.draws import next_round

pytestmark = pytest.mark.django_db(transaction=True)
FORM = {
    "name": "Plum cup",
    "preset": "hawaii",
    "seats": 2,
    "rounds": 3,
    "legs": "single",
    "min_entries": 2,
    "max_entries": 8,
    "entries_per_owner": 2,
    "visibility": "public",
    "clock": "standard",
}


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize(
    ("kind", "more", "said"),
    [
        ("swiss", {}, "3 Swiss rounds in which equal scores meet"),
        ("pods", {"seats": 4}, "3 Swiss rounds in which equal scores meet"),
        ("single_elim", {"third_place": "on"}, "1 advances from each table"),
        ("single_elim", {"seats": 4, "advance": 2}, "2 advance from each table"),
        ("double_elim", {}, "entries that lose twice are out"),
        ("lives", {"seats": 3}, "3 lives each"),
    ],
)
def test_an_organiser_chooses_a_format_and_the_page_says_it(
    client: Client, kind: str, more: dict[str, Any], said: str
) -> None:
    client.force_login(a.a_user())
    answer = client.post("/t/new/", {**FORM, "kind": kind, **more}, follow=True)
    assert Stage.objects.get().kind == kind, answer.content.decode()
    assert said in answer.content.decode()


def test_a_match_for_third_place_where_there_is_none_is_refused_in_the_form(client: Client) -> None:
    client.force_login(a.a_user())
    answer = client.post("/t/new/", {**FORM, "kind": "swiss", "third_place": "on"})
    assert answer.status_code == 422
    assert not Tournament.objects.exists()


@pytest.mark.thorough
def test_rounds_tell_who_sits_out_and_that_another_follows(client: Client, process: Process) -> None:  # the fixture
    event = a.a_running_event(bots=5, kind="swiss", rounds=2)
    page = client.get(f"/t/{event.slug}/rounds/").content.decode()
    assert "Byes: Bot" in page
    assert "The next round is drawn" in page
    process.seconds = 0.1
    play.play_batch(process)
    derive.derive_waiting()
    next_round.advance_waiting()
    assert "Round 2" in client.get(f"/t/{event.slug}/rounds/").content.decode()
    play_on(process)
    page = client.get(f"/t/{event.slug}/rounds/").content.decode()
    assert "The next round is drawn" not in page
    assert client.get(f"/t/{event.slug}/standings/").status_code == 200
