"""Addresses for mail: asked for, confirmed by a link from the mail itself, changed, taken away."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from accounts.addresses import ask_for_address, confirm_address, link_token, remove_address
from accounts.errors import AccountError
from accounts.models import User, WaitingLetter
from accounts.sending import send_waiting
from bots import receivers
from bots.models import AuditEvent
from tests.services.mail_server import MailServer

pytestmark = pytest.mark.django_db
BACKEND = "django.contrib.auth.backends.ModelBackend"
PASSWORD = "plum-blossom-77"


@pytest.fixture
def kiri() -> User:
    return User.objects.create_user("kiri", password=PASSWORD, language="en")


@pytest.fixture
def mine(kiri: User) -> Client:
    """A browser in which kiri is logged in."""
    client = Client()
    client.force_login(kiri, backend=BACKEND)
    return client


def wish(address: str, password: str = PASSWORD) -> dict[str, str]:
    """The form that asks for an address."""
    return {"address": address, "password": password}


def fresh(user: User) -> User:
    return User.objects.get(pk=user.pk)


def link_in(server: MailServer) -> str:
    """The path that the newest mail asks to open."""
    body = server.taken[-1].get_body(("plain",))
    assert body is not None
    found = re.search(r"https?://[^/]+(/me/mail/confirm/\S+)", body.get_content())
    assert found is not None
    return found[1]


def refused(code: str, token: str) -> None:
    with pytest.raises(AccountError) as error:
        confirm_address(token)
    assert error.value.code == code


def test_an_address_counts_once_its_reader_has_pressed_the_button(
    kiri: User, mine: Client, smtp_server: MailServer
) -> None:
    elsewhere = Client(enforce_csrf_checks=True)
    mine.post("/me/mail/", wish("kiri@plum.example"))
    assert (fresh(kiri).mail_address, fresh(kiri).email_wanted) == ("", "kiri@plum.example")
    assert smtp_server.taken == [], "the page waits for no mail server"
    assert "about to send the mail" in mine.get("/me/mail/").content.decode()
    assert send_waiting() == 1
    assert smtp_server.taken[0]["To"] == "kiri@plum.example"
    assert "Open the link in the mail" in mine.get("/me/mail/").content.decode()
    path = link_in(smtp_server)
    page = elsewhere.get(path)
    assert page.status_code == 200
    assert fresh(kiri).mail_address == "", "programs look at links, too"
    token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page.content.decode())
    assert token is not None
    assert elsewhere.post(path, {"csrfmiddlewaretoken": token[1]}).status_code == 200
    assert fresh(kiri).mail_address == "kiri@plum.example"
    assert elsewhere.get(path).status_code == 410, "it was used"
    assert "kiri@" not in str(list(AuditEvent.objects.values("before", "after", "subject")))


def test_an_open_session_alone_changes_no_address_and_takes_none_away(kiri: User, mine: Client) -> None:
    ask_for_address(user=kiri, address="kiri@plum.example")
    confirm_address(link_token(fresh(kiri)))
    for given in ("", "wrong"):
        for path in ("/me/mail/", "/me/mail/forget/"):
            answer = mine.post(path, wish("thief@plum.example", given))
            assert answer.status_code == 422
            assert ("account.wrong_password" in answer.content.decode()) == bool(given)
    assert (fresh(kiri).mail_address, fresh(kiri).email_wanted) == ("kiri@plum.example", "")
    assert mine.post("/me/mail/forget/", {"password": PASSWORD, "address": "not an address"}).status_code == 302
    assert fresh(kiri).mail_address == ""


def test_nobody_guesses_the_password_in_an_open_session_from_wherever(
    mine: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(receivers.TRIES, "own_password", 2)
    paths = ("/me/mail/", "/me/mail/forget/", "/me/password/", "/me/delete/")
    codes = [
        mine.post(path, wish("thief@plum.example", "wrong"), REMOTE_ADDR=f"192.0.2.{at}").status_code
        for at, path in enumerate(paths)
    ]
    assert codes == [422, 422, 429, 429]
    assert mine.get("/me/mail/").status_code == 200


def test_another_address_replaces_the_first_once_it_is_confirmed_and_the_first_is_told(
    kiri: User, smtp_server: MailServer
) -> None:
    ask_for_address(user=kiri, address="kiri@plum.example")
    confirm_address(link_token(fresh(kiri)))
    ask_for_address(user=kiri, address="new@plum.example")
    assert fresh(kiri).mail_address == "kiri@plum.example"
    confirm_address(link_token(fresh(kiri)))
    assert fresh(kiri).mail_address == "new@plum.example"
    send_waiting()
    assert [mail["To"] for mail in smtp_server.taken] == ["kiri@plum.example"], "no link that nobody waits for"
    assert "another address" in str(smtp_server.taken[-1]["Subject"])


def test_a_link_is_good_for_a_day_for_one_wish(kiri: User) -> None:
    ask_for_address(user=kiri, address="kiri@plum.example")
    first = link_token(fresh(kiri))
    with time_machine.travel(timezone.now() + timedelta(hours=24, minutes=1)):
        refused("address.link_old", first)
    ask_for_address(user=kiri, address="other@plum.example")
    refused("address.link_dead", first)
    second = link_token(fresh(kiri))
    remove_address(user=kiri)
    refused("address.link_dead", second)
    refused("address.link_dead", second[:-2] + "xx")
    refused("address.link_dead", "made-up")
    assert fresh(kiri).mail_address == ""


def test_a_mail_that_is_refused_is_said_and_can_be_asked_for_again(
    kiri: User, mine: Client, smtp_server: MailServer
) -> None:
    smtp_server.answer = lambda _address: "550 nobody of that name"
    assert mine.post("/me/mail/", wish("kiri@plum.example")).status_code == 302
    assert send_waiting() == 0
    page = mine.get("/me/mail/").content.decode()
    assert "its address was refused" in page
    assert "mail.refused" in page
    smtp_server.answer = lambda _address: ""
    assert mine.post("/me/mail/", wish("kiri@plum.example")).status_code == 302
    assert send_waiting() == 1
    assert not WaitingLetter.objects.exists()
    with pytest.raises(AccountError, match="already"):
        confirm_address(link_token(fresh(kiri)))
        ask_for_address(user=kiri, address="kiri@plum.example")


def test_nobody_is_flooded_with_links(mine: Client, smtp_server: MailServer) -> None:
    found = []
    for _ in range(7):
        found.append(mine.post("/me/mail/", wish("victim@plum.example")).status_code)
        send_waiting()
    assert found == [302] * 5 + [422] * 2
    assert len(smtp_server.taken) == 5


def test_it_is_taken_away_at_once_and_twice_is_once(kiri: User, mine: Client) -> None:
    ask_for_address(user=kiri, address="kiri@plum.example")
    confirm_address(link_token(fresh(kiri)))
    for _ in range(2):
        assert mine.post("/me/mail/forget/", {"password": PASSWORD}).status_code == 302
    assert (fresh(kiri).email, fresh(kiri).email_confirmed_at) == ("", None)
    assert "no-store" in mine.get("/me/mail/").headers["Cache-Control"]
    assert Client().get("/me/mail/").status_code == 302
