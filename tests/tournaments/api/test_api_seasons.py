"""A season by the API alone: made, filled, explained, people merged and moved, closed, and the next one."""

from __future__ import annotations

import pytest

from accounts.models import User
from tests.builders import events as a
from tests.builders.keys import Caller, problem
from tests.builders.seasons import a_finished_event, a_season, in_order
from tournaments.models import Season
from tournaments.seasons.events import add_event
from tournaments.seasons.set_up import DivisionPlan

pytestmark = pytest.mark.django_db
PLAN = {
    "name": "The year",
    "place_points": ["10", "6.5", "3"],
    "divisions": [{"name": "A", "down": 1}, {"name": "B", "up": 1}],
}


def two_nights(by: User) -> list[str]:
    """Make two events of one organiser; Élodie is spelled in two ways. Returns their addresses."""
    nights = (("Aiko", "Elodie", "Ben"), ("Élodie", "Aiko", "Ben"))
    clubs = {"Aiko": "Lyon", "Ben": "LYON"}
    return [a_finished_event(by, in_order(*names), days=days, clubs=clubs).slug for days, names in enumerate(nights)]


@pytest.mark.thorough
def test_a_season_by_the_api_alone() -> None:
    by = a.a_user()
    ann = Caller(by)
    made = ann.post("/api/v1/seasons", PLAN).json()
    here = f"/api/v1/seasons/{made['slug']}"
    assert (made["state"], made["previous"]) == ("open", None)
    for event in two_nights(by):
        assert ann.post(f"{here}/events", {"event": event}).json()["state"] == "in"
    pair = ann.get(f"{here}/alike").json()["items"][0]
    assert {pair["one"]["name"], pair["other"]["name"]} == {"Elodie", "Élodie"}
    both = {"one": pair["one"]["person"], "other": pair["other"]["person"]}
    assert ann.post(f"{here}:merge", both).status_code == 200
    table = Caller(None).get(f"{here}/table").json()["items"]
    assert [(row["rank"], row["total"]) for row in table] == [(1, "16.5"), (1, "16.5"), (3, "6")]
    assert [row["name"] for row in Caller(None).get(f"{here}/table?club=lyo").json()["items"]] == ["Aiko", "Ben"]
    said = ann.get(f"{here}/identities").json()["items"]
    assert [(each["kind"], each["made_by"], each["undone_at"]) for each in said] == [("same", by.username, None)]
    assert ann.post(f"{here}:undo", {"identity": said[0]["identity"]}).status_code == 200
    assert ann.get(f"{here}/identities").json()["items"][0]["undone_at"] is not None
    clubs = Caller(None).get(f"{here}/clubs").json()["items"]
    assert [(club["name"], club["people"], club["total"]) for club in clubs] == [("LYON", 2, "22.5")]
    assert Caller(None).get("/api/v1/clubs?q=lyo").json()["items"] == [{"key": "lyon", "name": "LYON", "entries": 4}]


@pytest.mark.thorough
def test_an_entry_is_told_apart_by_what_explains_a_total_and_a_season_leads_on() -> None:
    by = a.a_user()
    season = a_season(by, name="The year", divisions=(DivisionPlan("A", down=1), DivisionPlan("B", up=1)))
    for event in two_nights(by):
        add_event(season=season, by=by, slug=event)
    ann, here = Caller(by), f"/api/v1/seasons/{season.slug}"
    ben = season.people.get(name="Ben")
    entries = [each["entry"] for each in ann.get(f"{here}/people/{ben.uuid}").json()["results"]]
    assert ann.post(f"{here}:separate", {"entry": entries[1]}).status_code == 200
    assert season.people.filter(name="Ben").count() == 2
    assert ann.post(f"{here}:assign", {"person": str(ben.uuid), "division": 1}).status_code == 200
    moves = ann.get(f"{here}/moves").json()["items"]
    assert [(each["name"], each["division"], each["next_division"]) for each in moves] == [
        ("Ben", 1, 2),
        ("Aiko", 2, 1),
    ]
    ann.post(f"{here}:close", {})
    for _twice in range(2):
        following = ann.post(f"{here}:next", {"name": "The next year"}).json()
        assert (following["name"], following["previous"]) == ("The next year", season.slug)
    assert Season.objects.count() == 2
    open_ones = Caller(None).get("/api/v1/seasons?state=open").json()["items"]
    assert [each["name"] for each in open_ones] == ["The next year"]


def test_who_is_who_is_for_those_who_run_the_season() -> None:
    by = a.a_user()
    season = a_season(by)
    event = a_finished_event(by, in_order("Aiko"), visibility="unlisted")
    add_event(season=season, by=by, slug=event.slug)
    here = f"/api/v1/seasons/{season.slug}"
    for path in ("identities", "alike", "moves"):
        assert problem(Caller(None).get(f"{here}/{path}")) == (401, "auth.needed"), path
        assert problem(Caller(a.a_user()).get(f"{here}/{path}")) == (404, "not_found"), path
