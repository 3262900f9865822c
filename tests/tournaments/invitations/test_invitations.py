"""Invitations: by link, by user name, by mail; accepted, declined, withdrawn; what each of them opens."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

import pytest
from django.core import mail
from django.utils import timezone

from accounts import sending
from accounts.models import User, WaitingLetter
from bots.models import AuditEvent
from core.errors import TournamentError
from tests.builders import events as a
from tests.services.databases import on_sqlite
from tournaments.entries.bots import enter_bot
from tournaments.entries.link_tokens import MAX_WRONG
from tournaments.events.create import create_tournament
from tournaments.invitations.addresses import RETENTION, purge_expired_addresses
from tournaments.invitations.answers import accept_invitation, accept_link, decline_invitation, read_invitation
from tournaments.invitations.links import end_invitation_link, invitation_token, make_invitation_link
from tournaments.invitations.people import (
    invite_addresses,
    invite_person,
    send_invitation_again,
    withdraw_invitation,
)
from tournaments.lifecycle.visibility import named_to, visible_to
from tournaments.models import Follow, Invitation, InvitationLink, Notice, Role, Tournament
from tournaments.notifications.consumer import notice_news
from tournaments.notifications.followed import calendar_events
from tournaments.people.event_lists import listed

pytestmark = pytest.mark.django_db
State = Invitation.State


@contextmanager
def refused(code: str) -> Iterator[None]:
    with pytest.raises(TournamentError) as caught:
        yield
    assert caught.value.code == code


def a_private_event(**changes: object) -> Tournament:
    """Make a private league that takes entries."""
    return a.an_open_event(visibility="private", **changes)


def a_link(event: Tournament, **changes: object) -> InvitationLink:
    return make_invitation_link(tournament=event, by=event.created_by, **changes)  # type: ignore[arg-type]


def sees(event: Tournament, user: User) -> bool:
    """Return whether the event is there for somebody, in each of the ways in which it can be."""
    of_page = Tournament.objects.filter(visible_to(user), pk=event.pk).exists()
    assert Tournament.objects.filter(named_to(user), pk=event.pk).exists() == of_page
    return of_page


@on_sqlite
def test_a_link_opens_a_private_event_to_those_who_accept_it() -> None:
    event, ann, ben = a_private_event(), a.a_user("ann"), a.a_user("ben")
    link = a_link(event)
    found = read_invitation(invitation_token(link).lower(), network="hall")
    assert found == link
    assert not sees(event, ann)
    for _click in range(2):
        assert accept_link(link=link, user=ann).state == State.ACCEPTED
    assert sees(event, ann)
    assert not sees(event, ben)
    assert event in listed(ann)
    assert event in calendar_events(ann)
    assert event not in listed(ben)
    assert Follow.objects.filter(user=ann, tournament=event).exists()
    link.refresh_from_db()
    assert link.uses == 1


def test_an_invited_author_enters_a_bot() -> None:
    event, ann = a_private_event(), a.a_user("ann")
    accept_link(link=a_link(event), user=ann)
    assert enter_bot(tournament=event, bot=a.a_bot(ann), by=ann).tournament == event


def test_a_used_up_an_expired_and_an_ended_link_say_so() -> None:
    event, ann, ben = a_private_event(), a.a_user("ann"), a.a_user("ben")
    one = a_link(event, max_uses=1)
    accept_link(link=one, user=ann)
    accept_link(link=one, user=ann)
    with refused("invitation.used_up"):
        accept_link(link=one, user=ben)
    old = a_link(event, expires_at=timezone.now() + timedelta(hours=1))
    InvitationLink.objects.filter(pk=old.pk).update(expires_at=timezone.now())
    with refused("invitation.expired"):
        accept_link(link=old, user=ben)
    gone = a_link(event)
    for _click in range(2):
        end_invitation_link(link=gone, by=event.created_by)
    with refused("invitation.link_ended"):
        accept_link(link=gone, user=ben)
    assert not sees(event, ben)
    assert sees(event, ann)


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("ends", ["by the organiser", "by time"])
def test_who_declined_comes_back_by_an_open_link_and_by_no_ended_one(ends: str) -> None:
    event, ann, ben = a_private_event(), a.a_user("ann"), a.a_user("ben")
    link = a_link(event)
    own = accept_link(link=link, user=ann)
    accept_link(link=link, user=ben)
    decline_invitation(invitation=own, user=ann)
    accept_link(link=link, user=ann)
    decline_invitation(invitation=own, user=ann)
    if ends == "by the organiser":
        end_invitation_link(link=link, by=event.created_by)
    else:
        InvitationLink.objects.filter(pk=link.pk).update(expires_at=timezone.now())
    code = "invitation.link_ended" if ends == "by the organiser" else "invitation.expired"
    with refused(code):
        accept_link(link=link, user=ann)
    with refused(code):
        accept_invitation(invitation=own, user=ann)
    assert not sees(event, ann)
    assert accept_link(link=link, user=ben).state == State.ACCEPTED  # who is in stays in
    assert accept_link(link=a_link(event), user=ann).state == State.ACCEPTED
    assert sees(event, ann)


def test_a_withdrawn_invitation_closes_the_event_and_no_link_opens_it_again() -> None:
    event, ann = a_private_event(), a.a_user("ann")
    link = a_link(event)
    invitation = accept_link(link=link, user=ann)
    for _click in range(2):
        withdraw_invitation(invitation=invitation, by=event.created_by)
    assert not sees(event, ann)
    assert event not in listed(ann)
    assert event not in calendar_events(ann)
    for other in (link, a_link(event)):
        with refused("invitation.revoked"):
            accept_link(link=other, user=ann)
    assert not sees(event, ann)
    invite_person(tournament=event, by=event.created_by, username="ann")
    assert sees(event, ann)


def test_who_is_invited_by_name_hears_of_it_looks_and_answers() -> None:
    event, ann = a_private_event(), a.a_user("ann")
    notice_news()  # the reader of the outbox has begun
    invitation = invite_person(tournament=event, by=event.created_by, username="@ann")
    notice_news()
    assert Notice.objects.get(reader=ann).what == "invited"
    assert sees(event, ann)
    assert event not in listed(ann)
    with refused("invitation.already_invited"):
        invite_person(tournament=event, by=event.created_by, username="ann")
    decline_invitation(invitation=invitation, user=ann)
    assert not sees(event, ann)
    with refused("invitation.declined"):
        invite_person(tournament=event, by=event.created_by, username="ann")
    accept_invitation(invitation=invitation, user=ann)
    assert sees(event, ann)


def test_nobody_accepts_the_invitation_of_somebody_else() -> None:
    event, ben = a_private_event(), a.a_user("ben")
    invitation = invite_person(tournament=event, by=event.created_by, username=a.a_user("ann").username)
    for act in (accept_invitation, decline_invitation):
        with refused("invitation.other_account"):
            act(invitation=invitation, user=ben)
    with refused("invitation.other_account"):
        decline_invitation(invitation=invitation, user=None)
    assert not sees(event, ben)


def test_who_cannot_be_invited_by_name() -> None:
    event = a_private_event()
    with refused("invitation.no_such_user"):
        invite_person(tournament=event, by=event.created_by, username="nobody-here")
    with refused("invitation.has_role"):
        invite_person(tournament=event, by=event.created_by, username=event.created_by.username)


def test_an_address_gets_a_mail_whose_link_one_account_accepts() -> None:
    event, ann, ben = a_private_event(), a.a_user("ann"), a.a_user("ben")
    typed = ["Ann@plum.example", "", " ann@PLUM.example"]
    made = invite_addresses(tournament=event, by=event.created_by, addresses=typed)
    assert len(made) == 1
    assert invite_addresses(tournament=event, by=event.created_by, addresses=["ann@plum.example"]) == []
    sending.send_waiting()
    (letter,) = mail.outbox
    assert letter.to == ["Ann@plum.example"]
    text = str(letter.body)
    assert event.name in text
    token = text.partition("/i/")[2].partition("/")[0]
    invitation = read_invitation(token, network="hall")
    assert isinstance(invitation, Invitation)
    assert accept_invitation(invitation=invitation, user=ann).email == ""
    assert sees(event, ann)
    with refused("invitation.other_account"):
        accept_invitation(invitation=invitation, user=ben)
    assert not sees(event, ben)


def test_a_mail_to_somebody_who_is_invited_already_makes_one_row() -> None:
    event, ann = a_private_event(), a.a_user("ann")
    invite_person(tournament=event, by=event.created_by, username="ann")
    (by_mail,) = invite_addresses(tournament=event, by=event.created_by, addresses=["ann@plum.example"])
    accept_invitation(invitation=by_mail, user=ann)
    assert Invitation.objects.get(tournament=event).user == ann


def test_a_withdrawn_address_is_erased_and_its_mail_not_sent() -> None:
    event, ann = a_private_event(), a.a_user("ann")
    (invitation,) = invite_addresses(tournament=event, by=event.created_by, addresses=["ann@plum.example"])
    send_invitation_again(invitation=invitation, by=event.created_by)
    assert WaitingLetter.objects.count() == 1
    assert withdraw_invitation(invitation=invitation, by=event.created_by).email == ""
    sending.send_waiting()
    assert mail.outbox == []
    with refused("invitation.revoked"):
        accept_invitation(invitation=invitation, user=ann)


def test_a_mail_is_sent_again_and_declined_without_an_account() -> None:
    event = a_private_event()
    (invitation,) = invite_addresses(tournament=event, by=event.created_by, addresses=["ann@plum.example"])
    sending.send_waiting()
    send_invitation_again(invitation=invitation, by=event.created_by)
    sending.send_waiting()
    assert len(mail.outbox) == 2
    decline_invitation(invitation=invitation, user=None)
    with refused("invitation.answered"):
        send_invitation_again(invitation=invitation, by=event.created_by)


def test_addresses_of_an_event_that_is_long_over_are_deleted() -> None:
    event = a_private_event()
    invite_addresses(tournament=event, by=event.created_by, addresses=["ann@plum.example"])
    assert purge_expired_addresses() == 0
    over = timezone.now() - RETENTION - timedelta(hours=1)
    Tournament.objects.filter(pk=event.pk).update(state=Tournament.State.FINISHED, finished_at=over)
    assert purge_expired_addresses() == 1
    assert purge_expired_addresses() == 0
    assert (Invitation.objects.get().email, Invitation.objects.get().state) == ("", State.REVOKED)


@pytest.mark.parametrize(
    ("addresses", "code"),
    [
        ([" ", ""], "invitation.no_address"),
        (["ann@plum.example", "no address"], "invitation.bad_address"),
        ([f"p{n}@plum.example" for n in range(101)], "invitation.too_many_addresses"),
    ],
)
def test_bad_addresses_invite_nobody(addresses: list[str], code: str) -> None:
    event = a_private_event()
    with refused(code):
        invite_addresses(tournament=event, by=event.created_by, addresses=addresses)
    assert not Invitation.objects.exists()
    assert not WaitingLetter.objects.exists()


def test_mails_of_one_account_are_limited_and_all_or_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tournaments.invitations.people.MAX_MAILS", 3)
    event = a_private_event()
    invite_addresses(tournament=event, by=event.created_by, addresses=["a@plum.example", "b@plum.example"])
    with refused("rate.limited"):
        invite_addresses(tournament=event, by=event.created_by, addresses=["c@plum.example", "d@plum.example"])
    assert Invitation.objects.count() == 2
    invite_addresses(tournament=event, by=event.created_by, addresses=["c@plum.example"])


def test_a_draft_is_shown_to_nobody_who_is_invited() -> None:
    by, ann = a.a_user(), a.a_user("ann")
    event = create_tournament(by=by, plan=a.a_plan(visibility="private"))
    link = a_link(event)
    with refused("invitation.not_announced"):
        accept_link(link=link, user=ann)
    with refused("invitation.draft"):
        invite_person(tournament=event, by=by, username="ann")
    Invitation.objects.create(tournament=event, user=ann, made_by=by, state=State.ACCEPTED)
    assert not sees(event, ann)
    assert event not in listed(ann)


def test_what_is_called_off_invites_nobody() -> None:
    event, ann = a_private_event(), a.a_user("ann")
    link = a_link(event)
    Tournament.objects.filter(pk=event.pk).update(state=Tournament.State.CANCELLED)
    with refused("invitation.event_over"):
        accept_link(link=link, user=ann)
    with refused("invitation.event_over"):
        a_link(event)
    end_invitation_link(link=link, by=event.created_by)


def test_only_who_runs_it_invites() -> None:
    event, scorer = a_private_event(), a.a_user("scorer")
    Role.objects.create(user=scorer, tournament=event, role=Role.Kind.SCORER)
    ann = a.a_user("ann")
    link, invitation = a_link(event), invite_person(tournament=event, by=event.created_by, username="ann")
    for by in (scorer, a.a_user(), ann):
        with refused("tournament.not_organiser"):
            make_invitation_link(tournament=event, by=by)
        with refused("tournament.not_organiser"):
            end_invitation_link(link=link, by=by)
        with refused("tournament.not_organiser"):
            invite_person(tournament=event, by=by, username="ann")
        with refused("tournament.not_organiser"):
            invite_addresses(tournament=event, by=by, addresses=["x@plum.example"])
        with refused("tournament.not_organiser"):
            withdraw_invitation(invitation=invitation, by=by)
        with refused("tournament.not_organiser"):
            send_invitation_again(invitation=invitation, by=by)


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"max_uses": 0}, "invitation.bad_uses"),
        ({"max_uses": 2_001}, "invitation.bad_uses"),
        ({"expires_at": timezone.now() - timedelta(days=1)}, "invitation.bad_expiry"),
        ({"note": "x" * 61}, "invitation.bad_note"),
    ],
)
def test_bounds_of_a_link(changes: dict[str, object], code: str) -> None:
    event = a_private_event()
    with refused(code):
        a_link(event, **changes)


def test_neither_the_database_nor_the_audit_holds_a_link_and_the_audit_no_address() -> None:
    event = a_private_event()
    link = a_link(event)
    (invitation,) = invite_addresses(tournament=event, by=event.created_by, addresses=["ann@plum.example"])
    accept_link(link=link, user=a.a_user("ben"))
    token = invitation_token(link)
    held = [*InvitationLink.objects.values(), *Invitation.objects.values()]
    acts = list(AuditEvent.objects.filter(verb__startswith="invitation."))
    assert {act.verb for act in acts} == {"invitation.link", "invitation.invite", "invitation.accept"}
    for text in (str(held), *(f"{act.before} {act.after}" for act in acts)):
        assert token not in text
        assert token.replace("-", "") not in text
    assert "plum.example" not in "".join(f"{act.before} {act.after}" for act in acts)
    assert {act.channel for act in acts} == {""}, "the event's public log says nothing of who is invited"
    assert invitation.digest


@pytest.mark.thorough
def test_guesses_are_counted_and_a_right_link_opens_all_the_same() -> None:
    token = invitation_token(a_link(a_private_event()))
    for _guess in range(MAX_WRONG):
        with refused("invitation.unknown"):
            read_invitation("aaaaa-aaaaa-aaaaa-aaaaa", network="hall")
    with refused("link.rate"):
        read_invitation("short", network="hall")
    assert read_invitation(token, network="hall")


def test_an_invitation_by_name_has_no_secret_that_an_empty_link_would_open() -> None:
    event = a_private_event()
    invite_person(tournament=event, by=event.created_by, username=a.a_user("ann").username)
    with refused("invitation.unknown"):
        read_invitation("", network="hall")
