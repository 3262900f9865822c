"""Notices of one's own: results that wait, one's place in an event; and what organisers hear of people."""

from __future__ import annotations

import pytest

from accounts.models import User
from tests.builders import clubs
from tests.builders import events as a
from tests.builders.registrations import an_event_with_registration, registered
from tests.tournaments.entries.test_links import link_of
from tests.tournaments.notifications.test_notices import playing, told, words
from tournaments.entries.people import withdraw_person
from tournaments.floor.player_actions import drop_out
from tournaments.invitations.answers import accept_invitation, decline_invitation
from tournaments.invitations.people import invite_person
from tournaments.models import Match, Notice, Registration, Seat, Tournament
from tournaments.notifications import consumer
from tournaments.presence.sitting_out import play_rounds, sit_out_rounds
from tournaments.presence.substitutes import replace_person
from tournaments.progress.run import start_tournament
from tournaments.registration.decide import approve_registrations, reject_registrations
from tournaments.scores.actions import Actor, dispute_result, submit_result

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def begun(db: None) -> None:
    """The reader of the outbox has begun: it reads what is told from now on."""
    consumer.notice_news()


def opponents(event: Tournament) -> tuple[Match, User, User]:
    """Return a called table of two, and the accounts of its sides 0 and 1."""
    match = clubs.tables_of(event)[0]
    names = [str(seat.entry) for seat in Seat.objects.filter(match=match).order_by("side")]
    return match, playing(event, names[0]), playing(event, names[1])


@pytest.mark.thorough
def test_a_reported_result_waits_for_the_other_side_and_a_dispute_is_told_to_both() -> None:
    match, one, other = opponents(clubs.a_called_night())
    consumer.notice_news()
    submit_result(match=match, actor=Actor(side=0), claim=clubs.totals(120, 90))
    assert "awaited" not in told(one)
    assert words(other)[-1] == f"Club night, round 1: a result of table {match.table_no} is reported. Is it right?"
    dispute_result(match=match, actor=Actor(side=1))
    assert told(one)[-1] == told(other)[-1] == "disputed"
    assert words(one)[-1].endswith(f"the sides of table {match.table_no} disagree. The organiser decides.")
    assert told(a.a_user()) == []


@pytest.mark.thorough
def test_a_result_that_a_scorer_enters_waits_for_nobody() -> None:
    event = clubs.a_called_night()
    match, one, other = opponents(event)
    submit_result(match=match, actor=Actor(user=event.created_by), claim=clubs.totals(120, 90))
    assert {"awaited", "disputed"} & {*told(one), *told(other)} == set()


@pytest.mark.thorough
def test_people_hear_of_their_byes_their_substitute_and_that_they_leave() -> None:
    event = clubs.a_club_night()
    aiko, ben, by = playing(event, "Aiko"), playing(event, "Ben"), event.created_by
    start_tournament(tournament=event, by=by)
    entry = clubs.person(event, "Aiko")
    sit_out_rounds(entry=entry, by=by, first=2)
    assert words(aiko)[-1] == "Club night: you sit out (round 2)."
    play_rounds(entry=entry, by=by, first=2)
    assert words(aiko)[-1] == "Club night: you play after all (round 2)."
    replace_person(entry=entry, by=by, name="Zoe")
    assert words(aiko)[-1] == "Club night: Zoe plays in your place."
    withdraw_person(entry=clubs.person(event, "Ben"), by=by)
    assert words(ben)[-1] == "Club night: the organiser noted that you leave."
    assert not Notice.objects.filter(kind="place").exclude(reader__in=[aiko, ben]).exists()


def test_people_without_a_confirmed_address_hear_what_becomes_of_their_registration() -> None:
    event = an_event_with_registration(chosen={"needs_approval": True})
    consumer.notice_news()
    ann, bob = a.a_user(), a.a_user()
    rows = [registered(event, "Ann", person=ann), registered(event, "Bob", person=bob)]
    assert not ann.mail_address
    approve_registrations(tournament=event, by=event.created_by, wanted=rows[:1])
    reject_registrations(tournament=event, by=event.created_by, wanted=rows[1:], reason="Members only.")
    assert told(ann) == ["approved"]
    assert told(bob) == ["refused"]
    assert "Members only" not in words(bob)[0], "the reason is on the page of the registration"
    assert Registration.objects.get(pk=rows[0].pk).entry is not None


@pytest.mark.thorough
def test_organisers_hear_of_answers_to_invitations_and_of_people_who_drop_out() -> None:
    event = clubs.a_club_night()
    by, ann, bob = event.created_by, a.a_user(), a.a_user()
    invited = [invite_person(tournament=event, by=by, username=each.username) for each in (ann, bob)]
    accept_invitation(invitation=invited[0], user=ann)
    decline_invitation(invitation=invited[1], user=bob)
    drop_out(link=link_of(event, "Aiko"))
    assert told(by)[-3:] == ["accepted", "declined", "dropped_out"]
    assert words(by)[-1] == "Club night: Aiko has dropped out."
    assert ann.username not in " ".join(words(by))
    assert "accepted" not in told(ann)
