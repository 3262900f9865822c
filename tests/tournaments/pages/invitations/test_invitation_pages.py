"""Pages of invitations: the organiser's, what a link opens, the list of one's own; roles and dashboard of a league."""

from __future__ import annotations

import re

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from accounts.models import User
from tests.builders import events as a
from tests.builders.clubs import a_called_night, tables_of
from tests.services.databases import on_sqlite
from tournaments.events.create import create_tournament
from tournaments.invitations.links import end_invitation_link, invitation_token, make_invitation_link
from tournaments.invitations.people import invite_addresses, invite_person
from tournaments.models import Entry, Invitation, InvitationLink, Role, Tournament
from tournaments.scores.renewed_slips import renew_slip
from tournaments.scores.slips import slip_token

pytestmark = pytest.mark.django_db
BACKEND = "django.contrib.auth.backends.ModelBackend"


def as_one(user: User | None) -> Client:
    client = Client()
    if user is not None:
        client.force_login(user, backend=BACKEND)
    return client


def text(answer: object) -> str:
    assert isinstance(answer, HttpResponse)
    return answer.content.decode()


def a_league(**changes: object) -> Tournament:
    return a.an_open_event(visibility="private", **changes)


def shown_link(client: Client, event: Tournament, **form: str) -> str:
    """Make a link on the page and return its path, as the page shows it."""
    answer = client.post(f"/t/{event.slug}/invitations/link/", form, follow=True)
    found = re.search(r'value="http://testserver(/i/[^"]+)"', text(answer))
    assert found is not None
    return found[1]


@pytest.mark.thorough
@on_sqlite
def test_from_the_link_to_an_entry_by_way_of_a_new_account() -> None:
    event = a_league()
    path = shown_link(as_one(event.created_by), event, uses="5", days="7", note="Lyon")
    guest = Client()
    assert guest.get(f"/t/{event.slug}/").status_code == 404
    opened = guest.get(path)
    assert opened["Location"] == "/i/"
    assert opened["Referrer-Policy"] == "no-referrer"
    landing = text(guest.get("/i/"))
    assert event.name in landing
    assert path not in landing
    signup = re.search(r'href="(/signup/\?next=[^"]+)"', landing)
    assert signup is not None
    form = {"username": "kimo", "password1": "cherry-rain-88", "password2": "cherry-rain-88", "next": "/i/"}
    assert guest.post("/signup/", form)["Location"] == "/i/"
    assert guest.post("/i/accept/")["Location"] == f"/t/{event.slug}/"
    for page in ("", "entries/", "feed/"):
        assert guest.get(f"/t/{event.slug}/{page}").status_code == 200
    assert guest.post("/i/accept/")["Location"] == f"/t/{event.slug}/"
    assert guest.get("/i/")["Location"] == f"/t/{event.slug}/"
    kimo = User.objects.get(username="kimo")
    bot = a.a_bot(kimo)
    guest.post(f"/t/{event.slug}/do/enter/", {"bot": bot.slug})
    assert Entry.objects.get(tournament=event, player__bot=bot).state == Entry.State.ENTERED
    assert event.name in text(guest.get("/t/"))
    assert event.name in text(guest.get("/"))
    assert guest.get(f"/api/v1/tournaments/{event.slug}").status_code == 200
    assert as_one(a.a_user()).get(f"/t/{event.slug}/").status_code == 404


@pytest.mark.thorough
def test_the_organiser_sees_who_accepted_and_withdraws_it() -> None:
    event, ann = a_league(), a.a_user("ann")
    owner, guest = as_one(event.created_by), as_one(ann)
    guest.get(shown_link(owner, event))
    guest.post("/i/accept/")
    here = f"/t/{event.slug}/invitations/"
    page = owner.get(here)
    assert "ann" in text(page)
    assert "no-store" in page["Cache-Control"]
    invitation = Invitation.objects.get(user=ann)
    for _click in range(2):
        assert owner.post(f"{here}withdraw/", {"invitation": str(invitation.uuid)}).status_code == 302
    assert guest.get(f"/t/{event.slug}/").status_code == 404
    assert guest.get(f"/api/v1/tournaments/{event.slug}").status_code == 404
    assert event.name not in text(guest.get("/t/?when="))
    assert "withdrawn your invitation" in text(guest.get("/i/"))


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("what", ["ended", "expired", "used up", "unknown", "nothing"])
def test_a_link_that_cannot_be_used_says_why_and_names_no_event(what: str) -> None:
    event = a_league(name="Hidden plum evening")
    link = make_invitation_link(tournament=event, by=event.created_by, max_uses=1)
    token = invitation_token(link)
    words = {"ended": "has ended this link", "expired": "has expired", "used up": "used as often"}
    guest = as_one(a.a_user("ann"))
    if what == "ended":
        end_invitation_link(link=link, by=event.created_by)
    elif what == "expired":
        InvitationLink.objects.update(expires_at=link.made_at)
    elif what == "used up":
        InvitationLink.objects.update(uses=1)
    if what != "nothing":
        guest.get(f"/i/{token if what in words else 'made-up'}/")
    for answer in (guest.get("/i/"), guest.post("/i/accept/")):
        assert answer.status_code == 404
        assert event.name not in text(answer)
        assert words.get(what, "This browser holds no invitation") in text(answer)
    assert guest.get(f"/t/{event.slug}/").status_code == 404


def test_an_invitation_of_a_mail_taken_by_another_account_says_so() -> None:
    event, ben = a_league(), a.a_user("ben")
    (invitation,) = invite_addresses(tournament=event, by=event.created_by, addresses=["ann@plum.example"])
    Invitation.objects.filter(pk=invitation.pk).update(user=a.a_user("ann"), state=Invitation.State.ACCEPTED)
    guest = as_one(ben)
    session = guest.session
    session["invitation"] = ["mail", invitation.pk]
    session.save()
    assert "Another account has accepted" in text(guest.get("/i/"))
    assert guest.post("/i/decline/").status_code == 404
    assert Invitation.objects.get().state == Invitation.State.ACCEPTED


@pytest.mark.thorough
def test_my_invitations_are_accepted_and_declined_and_nobody_elses() -> None:
    event, ann = a_league(), a.a_user("ann")
    invitation = invite_person(tournament=event, by=event.created_by, username="ann")
    guest, rival = as_one(ann), as_one(a.a_user("ben"))
    assert event.name in text(guest.get("/me/invitations/"))
    assert event.name not in text(rival.get("/me/invitations/"))
    here = f"/me/invitations/{invitation.uuid}"
    assert rival.post(f"{here}/accept/").status_code == 404
    assert guest.get(f"/t/{event.slug}/").status_code == 200
    assert guest.post(f"{here}/decline/")["Location"] == "/me/invitations/"
    assert guest.get(f"/t/{event.slug}/").status_code == 404
    assert guest.post(f"{here}/accept/")["Location"] == f"/t/{event.slug}/"
    assert guest.get(f"/t/{event.slug}/").status_code == 200
    assert guest.post(f"{here}/sing/").status_code == 404


@pytest.mark.thorough
def test_only_organisers_open_the_page_of_invitations() -> None:
    event, scorer, ann = a_league(), a.a_user("scorer"), a.a_user("ann")
    Role.objects.create(user=scorer, tournament=event, role=Role.Kind.SCORER)
    invite_person(tournament=event, by=event.created_by, username="ann")
    link = make_invitation_link(tournament=event, by=event.created_by)
    here = f"/t/{event.slug}/invitations/"
    for person in (scorer, ann, a.a_user(), None):
        client = as_one(person)
        for path in (here, f"{here}{link.uuid}/"):
            assert client.get(path).status_code in (302, 404)
        for verb in ("link", "end", "person", "mail", "again", "withdraw"):
            assert client.post(f"{here}{verb}/", {"user": "ann"}).status_code in (302, 404)
    assert (InvitationLink.objects.count(), Invitation.objects.count()) == (1, 1)
    other = as_one(a_league(name="Another").created_by)
    assert other.get(f"{here}{link.uuid}/").status_code == 404


def test_a_refused_form_comes_back_with_what_was_typed() -> None:
    event = a_league()
    owner, here = as_one(event.created_by), f"/t/{event.slug}/invitations/"
    answer = owner.post(f"{here}mail/", {"addresses": "ann@plum.example\nnot an address"})
    assert answer.status_code == 422
    assert "not an address" in text(answer)
    assert "ann@plum.example" in text(answer)
    assert "invitation.bad_address" in text(answer)
    answer = owner.post(f"{here}person/", {"user": "nobody-here"})
    assert "invitation.no_such_user" in text(answer)
    assert not Invitation.objects.exists()


def test_a_link_is_printed_with_its_code() -> None:
    event = a_league()
    link = make_invitation_link(tournament=event, by=event.created_by)
    owner, path = as_one(event.created_by), f"/t/{event.slug}/invitations/{link.uuid}/"
    page = text(owner.get(path))
    assert "<svg" in page
    assert invitation_token(link) in page
    end_invitation_link(link=link, by=event.created_by)
    assert owner.get(path).status_code == 404


@pytest.mark.thorough
def test_the_owner_of_a_league_gives_roles_and_runs_it_from_its_dashboard() -> None:
    event, ann = a_league(), a.a_user("ann")
    owner = as_one(event.created_by)
    roles = text(owner.get(f"/t/{event.slug}/roles/"))
    assert roles.index('<option value="scorer"') < roles.index('<option value="owner"'), "the least is offered first"
    owner.post(f"/t/{event.slug}/desk/give-role/", {"user": "ann", "role": "director"})
    director = as_one(ann)
    page = text(director.get(f"/t/{event.slug}/desk/"))
    for name in ("tournament-invitations", "tournament-roles", "tournament-audit"):
        assert reverse(name, args=[event.slug]) in page
    assert "Cancel the event" not in page
    assert director.get(f"/t/{event.slug}/invitations/").status_code == 200
    assert director.post(f"/t/{event.slug}/desk/call/").status_code == 404
    for person in (a.a_user(), None):
        assert as_one(person).get(f"/t/{event.slug}/roles/").status_code in (302, 404)


def test_announcing_a_private_event_does_not_say_that_everybody_sees_it() -> None:
    by = a.a_user()
    event = create_tournament(by=by, plan=a.a_plan(visibility="private"))
    owner = as_one(by)
    assert "Everybody can see" not in text(owner.get(f"/t/{event.slug}/"))
    answer = text(owner.post(f"/t/{event.slug}/do/publish/", follow=True))
    assert "its page is public" not in answer
    assert "the people you invite" in answer


@pytest.mark.thorough
def test_a_renewed_slip_no_longer_opens_a_private_event() -> None:
    event = a_called_night(visibility="private")
    match = tables_of(event)[0]
    phone = Client()
    phone.get(f"/e/{slip_token(match, 0)}/")
    assert phone.get(f"/t/{event.slug}/").status_code == 200
    renew_slip(match=match, side=0, by=event.created_by)
    assert phone.get(f"/t/{event.slug}/").status_code == 404


def test_a_public_event_has_nothing_private_of_invitations_on_its_pages() -> None:
    event = a.an_open_event()
    invite_person(tournament=event, by=event.created_by, username=a.a_user("ann").username)
    invite_addresses(tournament=event, by=event.created_by, addresses=["hush@plum.example"])
    rival = as_one(a.a_user("ben"))
    for tab in ("", "entries/", "feed/"):
        page = text(rival.get(f"/t/{event.slug}/{tab}"))
        assert "hush@plum.example" not in page
        assert ">ann<" not in page
