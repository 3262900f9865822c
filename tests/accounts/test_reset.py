"""A forgotten password: a link by mail, once, for a day; nobody learns from it who has an account."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.core import mail
from django.test import Client, override_settings
from django.utils import timezone

from accounts.models import User, WaitingLetter
from accounts.posting import notify_if_waiting
from accounts.resetting import ask_for_reset, link_of
from accounts.sending import BACK_OFF, send_waiting
from bots.models import AuditEvent
from tests.builders import events as a

pytestmark = pytest.mark.django_db
NEW = {"new_password1": "cherry-rain-88", "new_password2": "cherry-rain-88"}


@pytest.fixture
def kimo() -> User:
    """Somebody with a confirmed address."""
    user = a.a_user("kimo")
    user.email, user.email_confirmed_at = "kimo@example.org", timezone.now()
    user.save()
    return user


def mailed_path() -> str:
    """The path of the link in the one mail that was sent."""
    assert len(mail.outbox) == 1
    found = re.search(r"https?://[^/\s]+(/reset/\S+)", str(mail.outbox[0].body))
    assert found is not None
    return found[1]


def test_a_link_sets_a_new_password_once_and_ends_every_session(client: Client, kimo: User) -> None:
    elsewhere = Client()
    elsewhere.force_login(kimo, backend="django.contrib.auth.backends.ModelBackend")
    assert client.post("/reset/", {"address": "KIMO@example.org"}).headers["Location"] == "/reset/sent/"
    assert mail.outbox == []
    assert send_waiting() == 1
    assert mail.outbox[0].to == ["kimo@example.org"]
    assert "kimo" in str(mail.outbox[0].body)
    opened = client.get(mailed_path(), follow=True)
    form = opened.request["PATH_INFO"]
    assert mailed_path() not in opened.content.decode()
    assert client.post(form, {**NEW, "new_password2": "other"}).status_code == 422
    done = client.post(form, NEW, follow=True).content.decode()
    assert "kimo has a new password" in done
    assert elsewhere.get("/me/").status_code == 302
    dead = Client().get(mailed_path())
    assert client.post("/login/", {"username": "kimo", "password": "cherry-rain-88"}).status_code == 302
    assert (dead.status_code, "reset.link_dead" in dead.content.decode()) == (410, True)
    assert AuditEvent.objects.filter(verb="account.reset", actor=kimo).count() == 1


def test_the_answer_is_the_same_whoever_has_the_address(client: Client, kimo: User) -> None:
    waits = a.a_user("waits")
    waits.email_wanted = "waits@example.org"
    waits.save()
    gone = a.a_user("gone")
    gone.email, gone.email_confirmed_at, gone.is_active = "gone@example.org", timezone.now(), False
    gone.save()
    answers = set()
    for name in ("kimo", "waits", "gone", "nobody"):
        answer = client.post("/reset/", {"address": f"{name}@example.org"}, follow=True)
        page = re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", answer.content.decode())
        answers.add((answer.status_code, tuple(answer.redirect_chain), page))
    assert len(answers) == 1
    assert send_waiting() == 4
    assert [sent.to for sent in mail.outbox] == [["kimo@example.org"]]


def test_a_link_is_dead_after_a_day_and_after_logging_in(client: Client, kimo: User) -> None:
    path = link_of(kimo)
    assert client.get(path).status_code == 302
    with override_settings(PASSWORD_RESET_TIMEOUT=-1):
        assert Client().get(path).status_code == 410
    client.post("/login/", {"username": "kimo", "password": "plum-blossom-77"})
    assert Client().get(path).status_code == 410
    assert Client().get("/reset/x/y/").status_code == 410


def test_too_many_wishes_have_to_wait_whether_or_not_somebody_has_the_address(client: Client, kimo: User) -> None:
    for name in ("kimo", "nobody"):
        codes = [client.post("/reset/", {"address": f"{name}@example.org"}).status_code for _ in range(6)]
        assert codes == [302] * 5 + [429]
    assert client.post("/reset/", {"address": "no address"}).status_code == 422
    assert client.get("/reset/").status_code == 200


@override_settings(EMAIL_BACKEND="django.core.mail.backends.smtp.EmailBackend", EMAIL_HOST="127.0.0.1", EMAIL_PORT=1)
def test_a_mail_server_that_is_down_is_tried_again_for_half_an_hour_and_then_given_up(kimo: User) -> None:
    ask_for_reset(address=kimo.email)
    for wait in BACK_OFF:
        assert send_waiting() == 0
        row = WaitingLetter.objects.get()
        assert row.due_at is not None
        assert (row.error, row.due_at > timezone.now() + wait / 2) == ("mail.waits", True)
        WaitingLetter.objects.update(due_at=timezone.now())
    assert send_waiting() == 0
    assert WaitingLetter.objects.values_list("error", "due_at").get() == ("mail.given_up", None)
    assert sum(BACK_OFF, timedelta()) < timedelta(hours=1)


def test_wishes_nobody_waits_for_any_more_are_forgotten(kimo: User) -> None:
    ask_for_reset(address=kimo.email)
    notify_if_waiting()
    assert WaitingLetter.objects.count() == 1
    WaitingLetter.objects.update(asked_at=timezone.now() - timedelta(hours=2))
    notify_if_waiting()
    assert not WaitingLetter.objects.exists()
