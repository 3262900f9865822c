"""Letters that wait: a dead mail server holds up no page, a refusal nobody else, and two senders send nothing twice."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client, override_settings
from django.utils import timezone

from accounts import sending
from accounts.addresses import ask_for_address, confirm_address, link_token
from accounts.models import User, WaitingLetter
from accounts.posting import Kind, due, notify_if_waiting, post
from accounts.resetting import ask_for_reset
from accounts.sending import send_waiting
from tests.builders import events as a
from tests.services.mail_server import MailServer

pytestmark = pytest.mark.django_db
AWAY = {"EMAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend", "EMAIL_HOST": "127.0.0.1", "EMAIL_PORT": 1}


@pytest.fixture
def kimo() -> User:
    """Somebody with a confirmed address."""
    user = a.a_user("kimo")
    user.email, user.email_confirmed_at = "kimo@example.org", timezone.now()
    user.save()
    return user


def waiting() -> list[tuple[str, str]]:
    return list(WaitingLetter.objects.order_by("pk").values_list("kind", "error"))


@override_settings(**AWAY)
def test_a_mail_server_that_is_away_breaks_no_page(kimo: User) -> None:
    client = Client()
    client.force_login(kimo, backend="django.contrib.auth.backends.ModelBackend")
    wanted = {"address": "new@example.org", "password": "plum-blossom-77"}
    assert client.post("/me/mail/", wanted).status_code == 302
    assert send_waiting() == 0
    page = client.get("/me/mail/").content.decode()
    assert "We will retry automatically" in page
    assert "mail.waits" in page
    kimo.refresh_from_db()
    assert client.post(f"/me/mail/confirm/{link_token(kimo)}/").status_code == 200
    kimo.refresh_from_db()
    assert kimo.mail_address == "new@example.org"
    assert waiting() == [("changed", "")], "the link that nobody needs any more is not sent"


@override_settings(**AWAY)
def test_once_the_server_does_not_answer_the_others_wait_untried(kimo: User) -> None:
    for _ in range(3):
        ask_for_reset(address=kimo.email)
    assert send_waiting() == 0
    assert sorted(WaitingLetter.objects.values_list("tries", flat=True)) == [0, 0, 1]


def test_one_refused_address_keeps_no_other_letter_waiting(kimo: User, smtp_server: MailServer) -> None:
    other = a.a_user("other")
    smtp_server.answer = lambda address: "451 later" if address == "later@example.org" else ""
    ask_for_address(user=other, address="later@example.org")
    ask_for_reset(address=kimo.email)
    assert send_waiting() == 1
    assert [mail["To"] for mail in smtp_server.taken] == ["kimo@example.org"]
    assert waiting() == [("confirm", "mail.waits")]


def test_an_address_that_no_mail_can_be_written_to_is_given_up_alone(kimo: User, smtp_server: MailServer) -> None:
    post(Kind.PASSWORD, address="x@" + "ü" * 80 + ".example", user=kimo)
    ask_for_reset(address=kimo.email)
    assert send_waiting() == 1
    assert waiting() == [("password", "mail.refused")]


def test_a_letter_that_somebody_has_claimed_is_not_sent_again_until_the_claim_is_over(
    kimo: User, smtp_server: MailServer
) -> None:
    ask_for_reset(address=kimo.email)
    ((pk, tries),) = due().values_list("pk", "tries")
    assert sending._claim(pk, tries) is not None
    assert sending._claim(pk, tries) is None, "somebody else is at it"
    assert send_waiting() == 0
    WaitingLetter.objects.update(due_at=timezone.now())  # who claimed it has died
    assert send_waiting() == 1
    assert len(smtp_server.taken) == 1


def test_who_has_closed_the_account_gets_no_letter(kimo: User, smtp_server: MailServer) -> None:
    ask_for_address(user=kimo, address="new@example.org")
    kimo.refresh_from_db()
    confirm_address(link_token(kimo))
    ask_for_address(user=kimo, address="third@example.org")
    post(Kind.PASSWORD, address="new@example.org", user=kimo)
    User.objects.update(is_active=False)
    assert send_waiting() == 3
    assert smtp_server.taken == []


def test_letters_are_kept_for_a_day_and_those_that_are_given_up_ring_for_nobody(kimo: User) -> None:
    post(Kind.CHANGED, address="old@example.org", user=kimo)
    WaitingLetter.objects.update(due_at=None, error="mail.given_up")
    assert not due().exists()
    notify_if_waiting()
    assert WaitingLetter.objects.count() == 1
    WaitingLetter.objects.update(asked_at=timezone.now() - timedelta(hours=25))
    notify_if_waiting()
    assert not WaitingLetter.objects.exists()
