"""Teams that register by the API: the captain's own team, the places that they offer, the answers."""

from __future__ import annotations

from typing import Any

import pytest

from tests.builders import events as a
from tests.builders.keys import Caller, problem
from tests.builders.registrations import PAIRS, an_event_with_registration, letters
from tests.services.databases import on_sqlite
from tournaments.models import Registration, TeamPlace, Tournament

pytestmark = pytest.mark.django_db


def mine(event: Tournament) -> str:
    return f"/api/v1/tournaments/{event.slug}/registrations/mine"


def a_captain(event: Tournament, name: str = "Aiko") -> Caller:
    """Register somebody with an account."""
    caller = Caller(a.a_user())
    assert caller.post(mine(event), {"name": name}).status_code == 200
    return caller


def letters_of(link: str) -> str:
    """Return what an address carries."""
    return link.rstrip("/").rpartition("/")[2]


def answer(caller: Caller, verb: str, link: str, **more: object) -> Any:
    return caller.post(f"/api/v1/team-places:{verb}", {"link": letters_of(link), **more})


def a_pair_comes_together() -> None:
    """Name the team, ask a partner, who looks and joins; rename it, take the partner out, withdraw."""
    event = an_event_with_registration(**PAIRS)
    ann, ben = a_captain(event), Caller(a.a_user())
    here = f"{mine(event)}/team"
    empty = ann.get(here).json()
    assert (empty["is_captain"], empty["captain"], empty["may_change"], empty["places"]) == (True, "Aiko", True, [])
    place = ann.post(f"{here}/places", {"name": "Ben"}).json()
    assert ann.post(f"{here}/places", {"name": "Ben"}).json() == place
    assert (place["state"], place["is_held"]) == ("invited", True)
    seen = answer(Caller(None), "look", place["link"]).json()
    assert seen == {
        "event": event.slug,
        "event_name": event.name,
        "team": "",
        "captain": "Aiko",
        "name": "Ben",
        "state": "invited",
    }
    joined = answer(ben, "join", place["link"], name="Ben")
    assert (joined.status_code, joined.json()["state"]) == (200, "confirmed"), joined.content
    assert answer(ben, "join", place["link"], name="Ben").status_code == 200
    team = ann.get(here).json()
    assert (team["is_captain"], team["size"], [each["link"] for each in team["places"]]) == (True, 2, [None])
    assert team["entry"] is not None
    assert ben.get(here).json()["is_captain"] is False
    renamed = ann.patch(here, {"name": "Moons"}).json()
    assert renamed["name"] == "Moons"
    listed = Caller(None).get(f"/api/v1/tournaments/{event.slug}/teams").json()["items"]
    assert [each["name"] for each in listed] == ["Moons"]
    assert problem(ben.patch(here, {"name": "Suns"})) == (422, "team.not_now")
    assert ann.delete(f"{here}/places/{place['id']}").status_code == 204
    assert problem(ben.get(f"{here}/places"))[0] == 405
    assert ben.get(mine(event)).json()["status"] == "entered"
    assert ann.delete(mine(event)).status_code == 204
    assert problem(ann.get(here))[0] == 404
    assert not event.entries.filter(members__isnull=False).exists()


@pytest.mark.thorough
def test_a_pair_comes_together() -> None:
    a_pair_comes_together()


@pytest.mark.thorough
@on_sqlite
def test_a_pair_comes_together_on_sqlite_too() -> None:
    a_pair_comes_together()


@pytest.mark.thorough
def test_a_place_is_declined_by_its_link_alone() -> None:
    event = an_event_with_registration(**PAIRS)
    ann = a_captain(event)
    place = ann.post(f"{mine(event)}/team/places", {"name": "Ben", "email": "ben@example.org"}).json()
    assert ("ben@example.org", "Aiko wants to play with you – Autumn cup") in letters()
    for _twice in range(2):
        assert answer(Caller(None), "decline", place["link"]).json()["state"] == "declined"
    assert TeamPlace.objects.get().email == ""
    assert problem(answer(Caller(a.a_user()), "join", place["link"], name="Ben")) == (422, "team.place_taken")


@pytest.mark.thorough
def test_nobody_but_the_captain_changes_a_team_and_no_link_is_guessed() -> None:
    event, other = an_event_with_registration(**PAIRS), an_event_with_registration(**PAIRS)
    ann, rival, stranger = a_captain(event), a_captain(event, "Rival"), Caller(a.a_user())
    place = ann.post(f"{mine(event)}/team/places", {"name": "Ben"}).json()
    for caller in (rival, stranger):
        assert problem(caller.delete(f"{mine(event)}/team/places/{place['id']}"))[0] == 404
    assert problem(stranger.get(f"{mine(event)}/team"))[0] == 404
    assert problem(Caller(None).get(f"{mine(event)}/team"))[0] == 401
    assert problem(a_captain(other).delete(f"{mine(other)}/team/places/{place['id']}"))[0] == 404
    assert rival.get(f"{mine(event)}/team").json()["places"] == []
    assert problem(answer(Caller(None), "join", place["link"], name="Ben"))[0] == 401
    assert problem(answer(stranger, "join", "made-up.link", name="Ben")) == (422, "team.no_place")
    assert problem(answer(stranger, "leave", place["link"]))[0] == 404
    assert problem(answer(stranger, "join", place["link"])) == (422, "entry.name_invalid")
    assert problem(answer(Caller(a.a_user(), "read"), "join", place["link"], name="Ben"))[0] == 403
    assert TeamPlace.objects.get().state == TeamPlace.State.INVITED
    assert Registration.objects.filter(tournament=event).count() == 2
    alone = an_event_with_registration()
    assert problem(a_captain(alone).get(f"{mine(alone)}/team"))[0] == 404
    assert problem(a_captain(alone, "Emi").post(f"{mine(alone)}/team/places", {"name": "Ben"})) == (
        422,
        "team.not_now",
    )
