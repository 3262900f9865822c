"""Templates of events: the form comes filled in, and sent as it is it makes a draft."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.builders import events as a
from tournaments.models import Tournament
from tournaments.pages.events.create_form import EventForm
from tournaments.pages.events.templates import TEMPLATES, Room, initial_of

pytestmark = pytest.mark.django_db


def sent(initial: dict[str, object]) -> dict[str, object]:
    """Return what a browser sends of the form that a template fills in."""
    form = EventForm(initial=initial)
    values = {name: form[name].value() for name in form.fields}
    return {name: value for name, value in values.items() if value not in (None, False, "")}


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("key", TEMPLATES)
def test_every_template_makes_a_draft_as_it_is(client: Client, key: str) -> None:
    client.force_login(a.a_user())
    page = client.get("/t/new/", {"template": key})
    assert page.status_code == 200
    initial = page.context["form"].initial
    answer = client.post("/t/new/", sent({"name": f"Event {key}", "visibility": "public", **initial}))
    assert answer.status_code == 302, answer.context["form"].errors
    assert Tournament.objects.get().created_by.username


@pytest.mark.parametrize(
    ("people", "pools", "pairs", "matches", "rounds", "tables", "cut"),
    [
        (144, 9, 72, 252, 7, 36, 16),
        (40, 4, 20, 40, 5, 8, 8),
        (41, 4, 20, 40, 5, 8, 8),
        (26, 2, 13, 36, 7, 6, 4),
        (16, 1, 8, 28, 7, 4, 4),
        (416, 26, 208, 728, 7, 104, 16),
    ],
)
def test_hawaii_fits_the_room(
    people: int, pools: int, pairs: int, matches: int, rounds: int, tables: int, cut: int
) -> None:
    room = Room(people)
    found = (room.pools, room.pairs, room.matches, room.rounds, room.tables, room.cut)
    assert found == (pools, pairs, matches, rounds, tables, cut)


@pytest.mark.thorough
def test_hawaii_of_144_says_what_comes_of_it(client: Client) -> None:
    client.force_login(a.a_user())
    page = client.get("/t/new/", {"template": "hawaii2016", "people": "144"}).content.decode()
    assert "144 people: 9 pools x 8 pairs, 252 matches, 7 rounds, 36 tables at once" in page
    assert "double elimination of 16, 30 to 31 matches" in page
    _values, sentence = initial_of("hawaii2016", "forty")
    assert sentence.startswith("144 people")
    assert initial_of("nothing", "40") == ({}, "")


def test_hawaii_becomes_pools_of_pairs_and_a_knock_out(client: Client) -> None:
    client.force_login(a.a_user())
    initial, _sentence = initial_of("hawaii2016", "144")
    client.post("/t/new/", sent({**initial, "name": "Hawaii 144", "visibility": "public"}))
    event = Tournament.objects.get()
    pools, final = event.stages.order_by("order")
    assert (event.partners, pools.kind, pools.groups_n, pools.seats_pref) == ("drawn", "round_robin", 9, 4)
    assert (final.kind, final.waits) == ("double_elim", True)
    way = pools.ways_out.get()
    assert (way.first, way.last, way.most) == (1, 2, 16)
    assert event.partner_draws.get().commitment.startswith("sha256:")
