"""A new password: what ends with the old one, and who hears of it."""

from __future__ import annotations

import pytest
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from accounts.errors import AccountError
from accounts.models import SignIn, User, WaitingLetter
from accounts.resetting import link_of
from accounts.sending import send_waiting
from accounts.sessions import purge_expired_sessions
from accounts.tokens import live, make_token, read_token
from bots.models import AuditEvent
from tests.builders import events as a
from tests.services.mail_server import MailServer

pytestmark = pytest.mark.django_db
OLD, NEW = "plum-blossom-77", "cherry-rain-88"
CHANGED = {"old_password": OLD, "new_password1": NEW, "new_password2": NEW}
SET = {"new_password1": NEW, "new_password2": NEW}


@pytest.fixture
def kimo() -> User:
    """Somebody with a confirmed address and a token."""
    user = a.a_user("kimo")
    user.email, user.email_confirmed_at = "kimo@example.org", timezone.now()
    user.save()
    return user


@pytest.fixture
def key(kimo: User) -> str:
    return make_token(user=kimo, name="my laptop", scopes=["read"])[1]


def logged_in(password: str = OLD) -> Client:
    client = Client()
    assert client.post("/login/", {"username": "kimo", "password": password}).status_code == 302
    return client


def form_of(client: Client) -> str:
    """Return the address that the form of a link is sent to."""
    return str(client.get(link_of(User.objects.get(username="kimo")), follow=True).request["PATH_INFO"])


@pytest.mark.parametrize("way", ["changed", "by a link"])
def test_tokens_end_with_the_old_password_where_the_tick_is_left(kimo: User, key: str, way: str) -> None:
    client = logged_in() if way == "changed" else Client()
    path, form = ("/me/password/", CHANGED) if way == "changed" else (form_of(client), SET)
    page = client.get(path).content.decode()
    assert "Revoke my tokens, too" in page
    assert "checked" in page
    assert "Your tokens no longer work" in client.post(path, {**form, "tokens": "on"}, follow=True).content.decode()
    with pytest.raises(AccountError, match="revoked"):
        read_token(key)
    assert AuditEvent.objects.filter(verb="token.revoke", actor=kimo).count() == 1


@pytest.mark.parametrize("way", ["changed", "by a link"])
def test_tokens_go_on_where_the_tick_is_taken_out(kimo: User, key: str, way: str) -> None:
    client = logged_in() if way == "changed" else Client()
    path, form = ("/me/password/", CHANGED) if way == "changed" else (form_of(client), SET)
    assert "tokens no longer work" not in client.post(path, form, follow=True).content.decode()
    assert read_token(key).user == kimo


def test_who_has_no_token_is_asked_nothing(kimo: User) -> None:
    client = logged_in()
    assert "Revoke my tokens" not in client.get("/me/password/").content.decode()
    client.post("/me/password/", {**CHANGED, "tokens": "on"})
    assert not live(kimo).exists()


def test_a_wrong_old_password_ends_no_token(kimo: User, key: str) -> None:
    answer = logged_in().post("/me/password/", {**CHANGED, "old_password": "wrong", "tokens": "on"})
    assert answer.status_code == 422
    assert read_token(key).user == kimo


def test_after_a_link_no_device_is_shown_as_logged_in_that_is_not(kimo: User) -> None:
    before = logged_in()
    assert SignIn.objects.filter(user=kimo).count() == 1
    client = Client()
    client.post(form_of(client), SET)
    assert before.get("/me/").status_code == 302
    assert Session.objects.exists(), "the sessions that open nothing are still stored"
    page = logged_in(NEW).get("/me/data/").content.decode()
    assert page.count("this device") == 1
    assert "/me/sessions/" not in page


def test_whoever_reads_the_mail_of_the_account_hears_of_it(kimo: User, smtp_server: MailServer) -> None:
    logged_in().post("/me/password/", CHANGED)
    assert send_waiting() == 1
    assert (smtp_server.taken[0]["To"], "new password" in str(smtp_server.taken[0]["Subject"])) == (
        "kimo@example.org",
        True,
    )
    assert "kimo" in str(smtp_server.taken[0])
    User.objects.update(email="", email_confirmed_at=None)
    client = Client()
    client.post(form_of(client), SET)
    assert not WaitingLetter.objects.exists()


def test_sessions_that_are_over_are_forgotten_with_what_they_held(kimo: User) -> None:
    client, phone = logged_in(), Client()
    phone.post("/login/", {"username": "kimo", "password": OLD})
    Session.objects.filter(session_key=phone.session.session_key).update(expire_date=timezone.now())
    assert purge_expired_sessions() == 1
    assert purge_expired_sessions() == 0
    assert [row.secret for row in SignIn.objects.all()] == [client.session.session_key]
    assert client.get("/me/").status_code == 200
