"""Invitations by the API: of organisers, and of those who are invited."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from accounts.tokens import make_token
from tests.builders import events as a
from tournaments.invitations.people import invite_person
from tournaments.models import Invitation, InvitationLink, Tournament

pytestmark = pytest.mark.django_db


def as_key(user: User, *scopes: str) -> Client:
    key = make_token(user=user, name="test", scopes=scopes)[1]
    return Client(headers={"Authorization": f"Bearer {key}"})


def here(event: Tournament) -> str:
    return f"/api/v1/tournaments/{event.slug}"


def post(client: Client, path: str, **body: Any) -> Any:
    return client.post(path, body, content_type="application/json")


def test_a_link_is_made_shown_once_accepted_and_ended() -> None:
    event, ann = a.an_open_event(visibility="private"), a.a_user("ann")
    owner, guest = as_key(event.created_by, "event:write"), as_key(ann, "bot:write", "read")
    made = post(owner, f"{here(event)}/invitation-links", max_uses=1, note="Lyon")
    assert made.status_code == 201
    assert made["Cache-Control"] == "no-store"
    token = made.json()["address"].rstrip("/").rpartition("/")[2]
    listing = owner.get(f"{here(event)}/invitation-links")
    assert token not in listing.content.decode()
    assert guest.get(here(event)).status_code == 404
    for _again in range(2):
        accepted = post(guest, "/api/v1/invitations:accept", link=token)
        assert accepted.json()["state"] == "accepted"
    assert guest.get(here(event)).status_code == 200
    assert guest.get("/api/v1/me/invitations").json()["items"][0]["event"] == event.slug
    rival = as_key(a.a_user("ben"), "bot:write")
    assert post(rival, "/api/v1/invitations:accept", link=token).json()["code"] == "invitation.used_up"
    path = f"{here(event)}/invitation-links/{made.json()['uuid']}"
    assert owner.delete(path).status_code == 204
    assert owner.get(path).json()["address"] is None


@pytest.mark.thorough
def test_people_are_invited_withdrawn_and_nobody_else_reads_the_list() -> None:
    event, ann = a.an_open_event(visibility="private"), a.a_user("ann")
    owner, guest = as_key(event.created_by, "event:write"), as_key(ann, "event:write", "read")
    path = f"{here(event)}/invitations"
    assert post(owner, path, user="ann").status_code == 201
    assert post(owner, path, emails=["ben@plum.example"]).status_code == 201
    assert post(owner, path, user="ann", emails=["x@plum.example"]).status_code in (400, 422)
    assert post(owner, path, user="ann").json()["code"] == "invitation.already_invited"
    rows = owner.get(path).json()["items"]
    assert {row["user"] or row["email"] for row in rows} == {"ann", "ben@plum.example"}
    for client in (guest, as_key(a.a_user(), "event:write"), Client()):
        assert client.get(path).status_code == 404
        assert post(client, path, user="ann").status_code == 404
        assert client.get(f"{here(event)}/invitation-links").status_code == 404
    uuid = next(row["uuid"] for row in rows if row["user"] == "ann")
    answer = post(guest, f"/api/v1/me/invitations/{uuid}:accept")
    assert answer.json()["state"] == "accepted"
    assert post(owner, f"{path}/{uuid}:withdraw").json()["state"] == "revoked"
    assert guest.get(here(event)).status_code == 404
    assert post(guest, f"/api/v1/me/invitations/{uuid}:accept").status_code == 404


def test_a_key_without_the_scope_and_another_person_change_nothing() -> None:
    event, ann = a.an_open_event(visibility="private"), a.a_user("ann")
    invitation = invite_person(tournament=event, by=event.created_by, username="ann")
    path = f"/api/v1/me/invitations/{invitation.uuid}:decline"
    assert post(as_key(ann, "read"), path).status_code == 403
    assert post(as_key(a.a_user(), "event:write"), path).status_code == 404
    assert post(as_key(event.created_by, "read"), f"{here(event)}/invitation-links").status_code == 403
    assert Invitation.objects.get().state == Invitation.State.OPEN
    assert not InvitationLink.objects.exists()
