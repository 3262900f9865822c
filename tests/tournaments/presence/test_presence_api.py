"""The API of presence: the same acts and refusals as the desk."""

from __future__ import annotations

import pytest

from tests.builders.clubs import a_called_night, a_club_night, person
from tests.builders.keys import Caller, problem
from tests.tournaments.presence.test_sitting_out import choose, link_of
from tests.tournaments.progress.test_people import with_role
from tournaments.entries.links import link_token
from tournaments.entries.people import withdraw_person
from tournaments.models import Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.thorough]


def at(event: Tournament, name: str = "") -> str:
    """The address of an event, or of somebody's entry."""
    entry = f"/entries/{person(event, name).uuid}" if name else ""
    return f"/api/v1/tournaments/{event.slug}{entry}"


def test_byes_are_asked_listed_and_taken_back() -> None:
    event = a_called_night(rounds=4)
    ann, ben = Caller(event.created_by), f"{at(event, 'Ben')}/byes"
    assert ann.get(ben).json()["items"] == []
    made = ann.post(ben, {"first": 2, "last": 3}).json()["items"]
    assert made == [
        {"round": 2, "worth": "1/2", "is_drawn": False},
        {"round": 3, "worth": "0", "is_drawn": False},
    ]
    assert Caller(None).get(ben).json()["items"] == made
    assert ann.delete(f"{ben}/3").status_code == 204
    assert [row["round"] for row in ann.get(ben).json()["items"]] == [2]
    assert problem(ann.post(ben, {"first": 1})) == (422, "presence.round_drawn")
    assert problem(Caller(with_role(event, "scorer")).post(ben, {"first": 4}))[0] == 403
    assert problem(Caller(event.created_by, "read").post(ben, {"first": 4})) == (403, "auth.scope_missing")


def test_coming_back_arriving_and_a_substitute() -> None:
    event = a_called_night(rounds=4)
    ann = Caller(event.created_by)
    withdraw_person(entry=person(event, "Ben"), by=event.created_by)
    assert problem(ann.post(f"{at(event)}/entries", {"name": "Ben"}, Idempotency_Key="k")) == (422, "entry.left")
    assert ann.patch(at(event, "Ben"), {"state": "active"}).json()["state"] == "active"
    found = ann.post(f"{at(event, 'Ben')}:substitute", {"name": "Gen"})
    assert (found.status_code, found.json()["name"]) == (200, "Gen")
    early = a_club_night(rounds=4, name="Another")
    assert Caller(early.created_by).patch(at(early, "Ben"), {"arrives": 3}).status_code == 200
    byes = Caller(None).get(f"{at(early, 'Ben')}/byes").json()["items"]
    assert [(row["round"], row["worth"]) for row in byes] == [(1, "0"), (2, "0")]


def test_the_rules_are_read_by_all_and_changed_by_organisers() -> None:
    event = a_called_night(rounds=4)
    ann, here = Caller(event.created_by), f"{at(event)}/presence"
    assert Caller(None).get(here).json() == {
        "bye_worth": "1/2",
        "bye_limit": 1,
        "bye_until": 0,
        "byes_by_players": False,
        "late_worth": "0",
        "walkover": "mean",
        "walkover_share": 50,
        "no_show_limit": 0,
        "substitutes_keep_points": True,
    }
    assert ann.patch(here, {"bye_limit": 2, "no_show_limit": 3}).json()["no_show_limit"] == 3
    assert problem(ann.patch(here, {"walkover": "full"})) == (422, "presence.frozen")
    assert problem(Caller(with_role(event, "scorer")).patch(here, {"bye_limit": 3}))[0] == 403


def test_people_ask_by_their_link() -> None:
    event = a_called_night(rounds=4)
    link, phone = link_token(link_of(event, "Ben")), Caller(None)
    asked = {"link": link, "first": 2}
    assert problem(phone.post("/api/v1/my-day:sit-out", asked)) == (422, "presence.not_by_players")
    choose(event, byes_by_players=True)
    assert phone.post("/api/v1/my-day:sit-out", asked).status_code == 200
    assert [row["round"] for row in phone.get(f"{at(event, 'Ben')}/byes").json()["items"]] == [2]
    assert phone.post("/api/v1/my-day:play-on", asked).status_code == 200
    assert problem(phone.post("/api/v1/my-day:sit-out", {"link": link}))[0] == 400
