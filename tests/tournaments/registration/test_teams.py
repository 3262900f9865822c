"""Teams that register: the captain names members, each confirms or declines, whole teams are entered."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from core.errors import TournamentError
from tests.builders import events as a
from tests.builders.registrations import (
    PAIRS,
    SENDER,
    an_event_with_registration,
    fresh,
    letters,
    registered,
)
from tests.services.databases import on_sqlite
from tournaments.entries.team_building import members_of
from tournaments.models import Entry, RegisteredTeam, Registration, TeamPlace, Tournament
from tournaments.registration.letters import path_of, path_of_place
from tournaments.registration.own import withdraw_registration
from tournaments.registration.register import Details, confirm
from tournaments.registration.status import Status, status_of
from tournaments.registration.team_places import release_held_places
from tournaments.registration.teams import add_member, decline_place, join_team, name_team, remove_member

pytestmark = pytest.mark.django_db
P = TeamPlace.State


@contextmanager
def refused(code: str) -> Iterator[None]:
    with pytest.raises(TournamentError) as caught:
        yield
    assert caught.value.code == code


def a_pairs_event(*, places: int = 4, **changes: object) -> Tournament:
    """Make an event of pairs that takes registrations. places: of pairs."""
    return an_event_with_registration(places=places, **{**PAIRS, **changes})


def join(
    place: TeamPlace, name: str, *, email: str = "", person: object = None, mailed: bool = False, **more: object
) -> Registration:
    details = Details(name=name, email=email, **more)  # type: ignore[arg-type]
    return join_team(place=read(place), person=person, details=details, sender=SENDER, is_mailed=mailed)  # type: ignore[arg-type]


def read(place: TeamPlace) -> TeamPlace:
    return TeamPlace.objects.select_related("team__captain", "team__tournament", "registration").get(pk=place.pk)


def pairs(event: Tournament) -> list[list[str]]:
    rows = Entry.objects.filter(tournament=event, members__isnull=False).distinct().order_by("pk")
    return [[member.person.player.name for member in members_of(team)] for team in rows]


@pytest.mark.thorough
def test_a_partner_who_was_asked_by_mail_confirms_and_both_are_entered_together() -> None:
    event = a_pairs_event()
    own = registered(event, "Aiko")
    place = add_member(registration=own, name="Ben", email="Ben@example.org")
    assert add_member(registration=own, name="Ben", email="ben@example.org") == place
    assert not pairs(event)
    assert ("Ben@example.org", "Aiko wants to play with you – Autumn cup") in letters()
    row = join(place, "Ben", email="ben@example.org", mailed=True)
    assert status_of(fresh(row)) is Status.ENTERED
    assert pairs(event) == [["Aiko", "Ben"]]
    assert (read(place).state, read(place).email) == (P.CONFIRMED, "")
    with refused("team.place_taken"):
        join(place, "Ben", email="ben@example.org", mailed=True)


@pytest.mark.thorough
def test_a_link_that_is_passed_on_needs_a_confirmed_mail_or_an_account() -> None:
    event = a_pairs_event()
    by_mail = add_member(registration=registered(event, "Aiko"), name="Ben")
    row = join(by_mail, "Benjamin", email="ben@example.org")
    assert (row.state, read(by_mail).state) == (Registration.State.UNCONFIRMED, P.INVITED)
    confirm(row)
    by_account = add_member(registration=registered(event, "Chiyo"), name="Dai")
    join(by_account, "Dai", person=a.a_user())
    assert pairs(event) == [["Aiko", "Benjamin"], ["Chiyo", "Dai"]]


@pytest.mark.thorough
def test_a_place_is_held_until_entries_close_and_then_goes_to_who_waits() -> None:
    event = a_pairs_event(places=2)
    own = registered(event, "Aiko")
    place = add_member(registration=own, name="Ben")
    others = [registered(event, name) for name in ("Chiyo", "Dai", "Emi")]
    assert [status_of(fresh(row)) for row in others] == [Status.ENTERED, Status.ENTERED, Status.WAITING]
    Tournament.objects.filter(pk=event.pk).update(entries_close_at=timezone.now() - timedelta(minutes=1))
    assert release_held_places() == 1
    assert status_of(fresh(others[2])) is Status.ENTERED
    assert read(place).is_held is False


@pytest.mark.thorough
def test_who_was_held_a_place_has_it_before_those_who_wait() -> None:
    event = a_pairs_event(places=2)
    place = add_member(registration=registered(event, "Aiko"), name="Ben", email="ben@example.org")
    others = [registered(event, name) for name in ("Chiyo", "Dai", "Emi")]
    row = join(place, "Ben", email="ben@example.org", mailed=True)
    assert status_of(fresh(row)) is Status.ENTERED
    assert status_of(fresh(others[2])) is Status.WAITING
    assert pairs(event) == [["Aiko", "Ben"]]


@pytest.mark.thorough
def test_declined_replaced_and_withdrawn() -> None:
    declined_replaced_and_withdrawn()


def declined_replaced_and_withdrawn() -> None:
    """A place is declined, offered to somebody else, left and offered once more; the captain withdraws."""
    event = a_pairs_event(places=2)
    own = registered(event, "Aiko")
    place = add_member(registration=own, name="Ben")
    decline_place(place=read(place))
    decline_place(place=read(place))
    with refused("team.place_taken"):
        join(place, "Ben", email="ben@example.org")
    second = add_member(registration=own, name="Chiyo")
    with refused("team.size"):
        add_member(registration=own, name="Dai")
    row = join(second, "Chiyo", person=a.a_user())
    with refused("team.place_taken"):
        decline_place(place=read(second))
    withdraw_registration(registration=fresh(row))
    assert not pairs(event)
    assert read(second).state == P.DECLINED
    third = add_member(registration=own, name="Emi")
    join(third, "Emi", person=a.a_user())
    assert pairs(event) == [["Aiko", "Emi"]]
    remove_member(registration=fresh(own), place=third)
    assert not pairs(event)
    assert sorted(event.entries.values_list("player__name", "state")) == [
        ("Aiko", "entered"),
        ("Chiyo", "withdrawn"),
        ("Emi", "entered"),
    ]
    withdraw_registration(registration=fresh(own))
    assert not RegisteredTeam.objects.exists()


@pytest.mark.thorough
def test_nobody_is_in_two_teams() -> None:
    event, ben = a_pairs_event(), a.a_user()
    first = add_member(registration=registered(event, "Aiko"), name="Ben")
    captain = registered(event, "Chiyo")
    second = add_member(registration=captain, name="Ben")
    row = join(first, "Ben", person=ben)
    with refused("team.two_teams"):
        join(second, "Ben", person=ben)
    with refused("team.not_now"):
        add_member(registration=fresh(row), name="Dai")
    assert pairs(event) == [["Aiko", "Ben"]]


@pytest.mark.thorough
def test_partners_keep_the_rule_about_ages() -> None:
    event = a_pairs_event(age_gap=20)
    own = registered(event, "Aiko", born=1950)
    place = add_member(registration=own, name="Ben", email="ben@example.org")
    with refused("partners.too_close"):
        join(place, "Ben", email="ben@example.org", born=1960, mailed=True)
    assert not Registration.objects.filter(name="Ben").exists()
    join(place, "Ben", email="ben@example.org", born=1970, mailed=True)
    assert pairs(event) == [["Aiko", "Ben"]]


@pytest.mark.thorough
@on_sqlite
def test_a_team_changes_on_sqlite_too() -> None:
    declined_replaced_and_withdrawn()


@pytest.mark.thorough
def test_a_team_of_boards_has_a_name_and_reserves() -> None:
    event = an_event_with_registration(
        kind="swiss", seats=2, boards=2, team_score="sum", partners="entered", min_entries=2
    )
    own = registered(event, "Aiko")
    name_team(registration=own, name="Kyoto A")
    for name in ("Ben", "Chiyo"):
        join(add_member(registration=own, name=name), name, person=a.a_user())
    team = RegisteredTeam.objects.select_related("entry__player").get()
    assert team.entry is not None
    assert team.entry.player.name == "Kyoto A"
    assert pairs(event) == [["Aiko", "Ben", "Chiyo"]]
    with refused("team.name_invalid"):
        name_team(registration=fresh(own), name="x" * 61)


@pytest.mark.thorough
def test_pages_without_an_account_or_script() -> None:
    a_pair_comes_together_by_pages()


@pytest.mark.thorough
@on_sqlite
def test_pages_without_an_account_or_script_on_sqlite_too() -> None:
    a_pair_comes_together_by_pages()


def a_pair_comes_together_by_pages() -> None:
    """The captain names a partner, passes the link on; it is taken by the link of the mail alone."""
    client, event = Client(), a_pairs_event()
    own = registered(event, "Aiko")
    page = path_of(own)
    assert "I play with" in client.get(page).content.decode()
    client.post(page, {"act": "invite", "member": "Ben", "email": "ben@example.org"})
    place = TeamPlace.objects.get()
    link = path_of_place(read(place))
    assert link in client.get(page).content.decode()
    guest = Client()
    shown = guest.get(link)
    # Passed on in a chat, the link shows the name alone; by the mail the address stands there already.
    assert "ben@example.org" not in shown.content.decode()
    assert "ben@example.org" in guest.get(path_of_place(read(place), mailed=True)).content.decode()
    assert shown.status_code == 200
    assert "no-store" in shown.headers["Cache-Control"]
    assert place.state == P.INVITED
    # The captain has this link, too: it proves nothing of the mail.
    captain = client.post(link, {"act": "join", "name": "Ben", "email": "ben@example.org"})
    assert captain.headers["Location"].endswith("/register/sent/")
    assert not pairs(event)
    letters()
    mailed = path_of_place(read(place), mailed=True)
    assert mailed not in client.get(page).content.decode()
    answer = guest.post(mailed, {"act": "join", "name": "Ben", "email": "ben@example.org"})
    assert answer.headers["Location"].startswith(f"/t/{event.slug}/register/")
    assert pairs(event) == [["Aiko", "Ben"]]
    mine = guest.get(answer.headers["Location"]).content.decode()
    assert "Aiko &amp; Ben" in mine
    assert link not in mine
    assert guest.get(f"/t/{event.slug}/register/team/made-up/").status_code == 404
    other = a_pairs_event()
    assert guest.get(link.replace(event.slug, other.slug)).status_code == 404
    client.force_login(event.created_by)
    assert "team: Aiko" in client.get(f"/t/{event.slug}/registrations/").content.decode()
    for path in ("", "entries/", "partners/", "log/"):
        assert b"ben@example.org" not in guest.get(f"/t/{event.slug}/{path}").content
