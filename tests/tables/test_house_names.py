"""What people read where a bot of the house sits: its strength, and a number where several of one level sit there."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.utils.translation import override

from tables.errors import TableError
from tables.house import LEVELS, called
from tables.models import LiveSeat, LiveTable, number_seats
from tables.pages.guests import checked_name
from tests.tables.test_pages import view

HOUSE = [f"House (medium) {number}" for number in (1, 2, 3)]


@pytest.fixture
def against_three(db: None, django_capture_on_commit_callbacks: Any) -> tuple[LiveTable, Client]:
    """A table of a guest and three bots of one level."""
    client = Client()
    with django_capture_on_commit_callbacks(execute=True):
        client.post("/play/open/", {"preset": "hawaii", "seats": "4", "opponent": "3"})
    return LiveTable.objects.get(), client


def test_every_level_is_called_by_its_strength() -> None:
    names = [called(level.bot) for level in LEVELS.values()]
    assert names == [f"House ({word})" for word in ("beginner", "easy", "medium", "strong", "very strong")]
    assert called("Plum") == called("Plum", 2) == "Plum", "a name that somebody chose is read as it is"


def test_several_of_a_level_are_numbered(against_three: tuple[LiveTable, Client]) -> None:
    table, client = against_three
    assert [seat["name"] for seat in view(client, table)["seats"]] == ["Guest", *HOUSE]
    page = client.get(f"/play/{table.uuid}/").content.decode()
    assert all(f'<span class="rp-name">{name}</span>' in page for name in HOUSE)
    assert "House 3" not in page
    lobby = " ".join(client.get("/play/").content.decode().split())
    assert f"Guest, {', '.join(HOUSE)}" in lobby


def test_what_is_stored_is_the_name_of_the_bot(against_three: tuple[LiveTable, Client]) -> None:
    table, _client = against_three
    assert [seat.name for seat in table.seats.all()] == ["Guest", "House 3", "House 3", "House 3"]
    with override("fr"):
        assert "moyen" in table.numbered[1].called


def test_people_and_programs_keep_their_names() -> None:
    one, two = (LiveSeat(kind=kind, name="House 3") for kind in (LiveSeat.Kind.PERSON, LiveSeat.Kind.BOT))
    assert [seat.called for seat in number_seats([one, two])] == ["House 3", "House (medium)"]


@pytest.mark.django_db
@pytest.mark.parametrize(
    "name",
    [
        "House (medium)",
        "  house   (VERY strong) ",
        "House (medium) 2",
        "House\u3164(medium)",
        "House 3",
        "La maison (moyen)",
        "ハウス（ふつう）",
        "ハウス(ふつう) 1",
    ],
)
def test_nobody_sits_down_under_a_name_of_the_house(name: str) -> None:
    plan = {"preset": "koikoi_nintendo", "seats": "2", "opponent": "people", "name": name}
    refused = Client().post("/play/open/", plan, HTTP_ACCEPT="application/json")
    assert (refused.status_code, refused.json()["code"]) == (422, "table.name_taken")
    assert refused.json()["field"] == "name"
    assert not LiveTable.objects.exists()
    page = Client().post("/play/open/", plan)
    assert page.status_code == 422
    assert "A bot of the house is called" in page.content.decode()


@pytest.mark.parametrize("name", ["House", "Medium", "House of Plum", "The House (medium)"])
def test_names_that_only_remind_of_the_house_may_be_taken(name: str) -> None:
    assert checked_name(name) == name


@pytest.mark.parametrize("name", ["\u3164\u3164", "a\u3164", "\u115f\u1160", "\uffa0 \u2800", "  "])
def test_a_name_without_visible_characters_is_refused(name: str) -> None:
    with pytest.raises(TableError) as refused:
        checked_name(name)
    assert refused.value.code == "table.bad_name"
