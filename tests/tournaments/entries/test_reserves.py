"""A substitute who is known here is that person: a reserve takes the board, nobody becomes their own twin."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.builders.boards import a_running_night, stage_of
from tests.builders.clubs import person
from tests.builders.teams import teams
from tests.tournaments.progress.test_people import refused
from tournaments.entries.people import withdraw_person
from tournaments.entries.substitutes import substitute
from tournaments.models import Entry, Member, Player, Seat, Tournament

pytestmark = pytest.mark.django_db


def boards_now(event: Tournament, team: str) -> dict[int, str]:
    """Return the members of a team by number."""
    rows = Member.objects.filter(team=teams(event)[team], until_round=None).order_by("number")
    return dict(rows.values_list("number", "person__player__name"))


def named(event: Tournament, name: str, *, member: str = "Cr1", team: str = "Cranes") -> Member:
    """Name somebody for a member, as the form does: by a name."""
    return substitute(team=teams(event)[team], by=event.created_by, member=person(event, member), name=name)


def sitting(event: Tournament, team: str) -> set[str]:
    """Return the players at the drawn tables of a team."""
    seats = Seat.objects.filter(match__stage=stage_of(event), entry=teams(event)[team])
    return set(seats.values_list("player__name", flat=True))


@pytest.mark.thorough
@pytest.mark.parametrize("typed", ["Cr4", "  cr4 "])
def test_a_reserve_who_is_named_takes_the_board(typed: str) -> None:
    event = a_running_night(people=4)
    Player.objects.filter(name="Cr4").update(club="Lyon")
    before = Entry.objects.filter(tournament=event).count()
    member = named(event, typed)
    assert (member.person.player.name, member.number) == ("Cr4", 1)
    assert Entry.objects.filter(tournament=event).count() == before
    assert boards_now(event, "Cranes") == {1: "Cr4", 2: "Cr2", 3: "Cr3", 4: "Cr1"}
    assert sitting(event, "Cranes") == {"Cr4", "Cr2", "Cr3"}
    assert person(event, "Cr1").state == Entry.State.PARTNERED
    back = named(event, "Cr1", member="Cr4")
    assert back.number == 1
    assert boards_now(event, "Cranes")[4] == "Cr4"


@pytest.mark.thorough
def test_a_reserve_is_chosen_from_the_list_as_well(client: Client) -> None:
    event = a_running_night(people=4)
    team = teams(event)["Cranes"]
    client.force_login(event.created_by, backend="django.contrib.auth.backends.ModelBackend")
    page = client.get(f"/t/{event.slug}/partners/?team={team.uuid}").content.decode()
    assert "Cr4 (reserve)" in page
    sent = {"team": team.uuid, "member": person(event, "Cr2").uuid, "person": person(event, "Cr4").uuid}
    client.post(f"/t/{event.slug}/partners/substitute/", sent)
    client.post(f"/t/{event.slug}/partners/substitute/", sent)  # a second click changes nothing
    assert boards_now(event, "Cranes") == {1: "Cr1", 2: "Cr4", 3: "Cr3", 4: "Cr2"}


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("name", ["Cr2", "Bo1", "Bo4"])
def test_whoever_plays_already_cannot_be_a_substitute(name: str) -> None:
    event = a_running_night(people=4)
    before = boards_now(event, "Cranes"), boards_now(event, "Boars")
    with refused("entry.duplicate"):
        named(event, name)
    assert (boards_now(event, "Cranes"), boards_now(event, "Boars")) == before
    assert Entry.objects.filter(tournament=event, player__name=name).count() == 1


@pytest.mark.thorough
def test_whoever_was_replaced_comes_back_as_themselves() -> None:
    event = a_running_night()
    named(event, "Newcomer")
    assert person(event, "Cr1").state == Entry.State.WITHDRAWN
    member = named(event, "Cr1", member="Cr2")
    assert (member.person, member.number) == (person(event, "Cr1"), 2)


@pytest.mark.thorough
def test_a_name_that_two_people_have_is_asked_about() -> None:
    event = a_running_night()
    for name in ("Twin", "Twin"):
        player = Player.objects.create(name=name, kind=Player.Kind.HUMAN)
        entry = Entry.objects.create(tournament=event, player=player, entered_by=event.created_by)
        withdraw_person(entry=entry, by=event.created_by)
    with refused("entry.duplicate"):
        named(event, "Twin")


@pytest.mark.thorough
def test_somebody_new_is_entered() -> None:
    event = a_running_night(people=4)
    assert named(event, "Newcomer").number == 1
    assert boards_now(event, "Cranes") == {1: "Newcomer", 2: "Cr2", 3: "Cr3", 4: "Cr4"}
