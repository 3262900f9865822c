"""People: signing up, logging in and being locked out, preferences, passwords."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from axes.models import AccessAttempt
from django.conf import settings
from django.contrib.auth.hashers import MD5PasswordHasher
from django.core.exceptions import ValidationError
from django.test import Client, override_settings
from django.utils import timezone

from accounts import services
from accounts.models import User
from bots import receivers
from bots.models import AuditEvent, Meter
from tests.builders import events as a
from tournaments.operations import purge

pytestmark = pytest.mark.django_db
Become = Callable[[User | None], Client]


def test_signing_up_logs_in_and_offers_two_next_actions(client: Client) -> None:
    form = {"username": "Kimo", "password1": "plum-blossom-77", "password2": "plum-blossom-77"}
    page = client.post("/signup/", form, follow=True).content.decode()
    assert "Welcome, Kimo" in page
    assert "Upload a bot" in page
    assert "Create a tournament" in page


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ({"username": "kimo x", "password1": "plum-blossom-77"}, "Use 2 to 30 letters"),
        ({"username": "hanami", "password1": "plum-blossom-77"}, "This name is taken"),
        ({"username": "TAKEN", "password1": "plum-blossom-77"}, "This name is taken"),
        ({"username": "kimo", "password1": "password"}, "too common"),
        ({"username": "kimo", "password1": "kimo"}, "too short"),
    ],
)
def test_a_bad_sign_up_is_refused(client: Client, form: dict[str, str], words: str) -> None:
    a.a_user("taken")
    answer = client.post("/signup/", {**form, "password2": form["password1"]})
    assert answer.status_code == 422
    assert words in answer.content.decode()
    assert User.objects.count() == 1


def test_two_names_that_differ_by_case_alone_are_one_however_they_come_at_once() -> None:
    services.sign_up(username="Kimo", password="plum-blossom-77")
    for name in ("kimo", "KIMO", "Kimo"):
        with pytest.raises(ValidationError) as refused:
            services.sign_up(username=name, password="plum-blossom-77")  # both forms had looked before either was kept
        assert refused.value.code == "name.taken"
    assert User.objects.count() == 1


def test_too_many_wrong_passwords_lock_the_account_for_that_address(client: Client) -> None:
    a.a_user("kimo")
    for _ in range(settings.AXES_FAILURE_LIMIT - 1):
        answer = client.post("/login/", {"username": "kimo", "password": "wrong"})
        assert "auth.wrong" in answer.content.decode()
    locked = client.post("/login/", {"username": "kimo", "password": "wrong"})
    assert locked.status_code == settings.AXES_HTTP_RESPONSE_CODE
    assert "auth.locked" in locked.content.decode()
    still = client.post("/login/", {"username": "kimo", "password": "plum-blossom-77"})
    assert "auth.locked" in still.content.decode()


def test_language_and_theme_follow_the_account(as_user: Become) -> None:
    user = a.a_user("kimo")
    client = as_user(user)
    client.post("/me/", {"display_name": "Kimo K.", "language": "fr"})
    page = client.post("/me/display/", {"theme": "dark", "letter_keys": ""}, follow=True).content.decode()
    assert re.search(r'<html\s+lang="fr"\s+data-theme="dark"\s+data-no-keys', page)
    assert "Kimo K." in page
    assert client.post("/me/display/", {"theme": "pink"}).status_code == 422


def test_anonymous_readers_choose_a_language_and_stay_where_they_are(client: Client) -> None:
    answer = client.post("/i18n/setlang/", {"language": "ja", "next": "/rules/"})
    assert answer.headers["Location"] == "/rules/"
    assert '<html lang="ja"' in client.get("/rules/").content.decode()


def test_a_new_password_keeps_this_session_and_ends_the_others(as_user: Become) -> None:
    user = a.a_user("kimo")
    other = Client()
    other.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    client = as_user(user)
    form = {"old_password": "plum-blossom-77", "new_password1": "cherry-rain-88", "new_password2": "cherry-rain-88"}
    assert "Your password is changed" in client.post("/me/password/", form, follow=True).content.decode()
    assert client.get("/me/").status_code == 200
    assert other.get("/me/").status_code == 302


def test_logging_out_needs_a_post(as_user: Become) -> None:
    client = as_user(a.a_user("kimo"))
    assert client.get("/logout/").status_code == 405
    client.post("/logout/")
    assert client.get("/me/").status_code == 302


@pytest.mark.parametrize(("cookie", "shown"), [("Asia/Tokyo", "Asia/Tokyo"), ("../etc/passwd", "UTC"), ("", "UTC")])
def test_an_empty_field_for_the_zone_names_that_of_the_browser(as_user: Become, cookie: str, shown: str) -> None:
    client = as_user(a.a_user("kimo"))
    client.cookies["zone"] = cookie
    assert f'placeholder="{shown}"' in client.get("/me/").content.decode()


def test_signing_up_and_a_new_password_are_written_down_and_the_password_is_not(client: Client) -> None:
    form = {"username": "Kimo", "password1": "plum-blossom-77", "password2": "plum-blossom-77"}
    client.post("/signup/", form)
    new = {"old_password": "plum-blossom-77", "new_password1": "cherry-rain-88", "new_password2": "cherry-rain-88"}
    client.post("/me/password/", new)
    for _twice in range(2):
        client.post("/me/", {"display_name": "Kimo K.", "time_zone": "Asia/Tokyo"})
    events = list(AuditEvent.objects.order_by("id"))
    assert [event.verb for event in events] == ["account.sign_up", "account.password", "account.profile"]
    assert {event.actor for event in events} == {User.objects.get()}
    assert events[2].after == {"display_name": "Kimo K.", "changed": ["display_name", "time_zone"]}
    assert "plum-blossom" not in str([(event.before, event.after) for event in events])


@pytest.mark.parametrize(("what", "path"), [("signup", "/signup/"), ("login", "/login/")])
def test_too_many_forms_from_one_address_have_to_wait_and_other_addresses_not(
    what: str, path: str, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bots.receivers.TRIES", {what: 3})
    for n in range(3):
        assert client.post(path, {"username": f"nobody{n}", "password": "x"}).status_code in (200, 422)
    limited = client.post(path, {"username": "nobody", "password": "x"})
    assert limited.status_code == 429
    assert 0 < int(limited.headers["Retry-After"]) <= 3600
    page = limited.content.decode()
    assert "rate.limited" in page
    assert "Wait 60 minutes" in page
    assert client.get(path).status_code == 200
    assert client.post(path, {"username": "nobody", "password": "x"}, REMOTE_ADDR="192.0.2.7").status_code != 429
    same_house = [client.post(path, {}, REMOTE_ADDR=f"2001:db8::{n}").status_code for n in range(1, 5)]
    assert same_house[-1] == 429
    assert "192.0.2.7" not in str(list(Meter.objects.values("name")))
    Meter.objects.update(began_at=timezone.now() - timedelta(hours=2))
    assert client.post(path, {}).status_code != 429


def test_a_locked_account_says_when_to_come_back(client: Client) -> None:
    for _ in range(settings.AXES_FAILURE_LIMIT):
        locked = client.post(
            "/login/", {"username": "kimo", "password": "wrong"}, HTTP_X_REQUESTED_WITH="XMLHttpRequest"
        )
    assert (locked.status_code, locked.headers["Retry-After"]) == (429, "900")
    assert "Access-Control-Allow-Origin" not in locked.headers
    assert "Wait 15 minutes" in locked.content.decode()


class CountingHasher(MD5PasswordHasher):
    """Counts how often a password is worked on."""

    worked = 0

    def encode(self, password: str, salt: str) -> str:
        """The same hash, counted."""
        CountingHasher.worked += 1
        return super().encode(password, salt)


@override_settings(PASSWORD_HASHERS=["tests.accounts.test_accounts.CountingHasher"])
def test_logging_in_tells_nobody_whether_a_name_exists(client: Client) -> None:
    a.a_user("kimo")
    gone = a.a_user("gone")
    User.objects.filter(pk=gone.pk).update(is_active=False)
    held = a.a_user("held")
    User.objects.filter(pk=held.pk).update(is_active=False, suspended_at=timezone.now(), suspended_reason="Spam")
    answers = set()
    for name in ("kimo", "nobody", "gone", "held"):
        CountingHasher.worked = 0
        password = "plum-blossom-77" if name == "gone" else "wrong"
        answer = client.post("/login/", {"username": name, "password": password})
        page = answer.content.decode().replace(name, "NAME")
        page = re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", page)
        answers.add((answer.status_code, CountingHasher.worked, page))
    assert len(answers) == 1


@pytest.mark.thorough
def test_a_name_is_locked_for_the_64_of_ipv6_and_tried_so_often_from_the_48(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def log_in(address: str, name: str = "kimo") -> int:
        return client.post("/login/", {"username": name, "password": "wrong"}, REMOTE_ADDR=address).status_code

    codes = [log_in(f"2001:db8:1:2::{n:x}") for n in range(1, settings.AXES_FAILURE_LIMIT + 1)]
    assert codes[-1] == 429
    assert log_in("2001:db8:1:2:ffff::1") == 429
    assert log_in("2001:db8:1:3::1") == 200, "the next /64"
    monkeypatch.setitem(receivers.TRIES, "login_name", 12)
    codes = [log_in(f"2001:db8:1:{n:x}::1") for n in range(4, 16)]
    assert (codes[0], codes[-1]) == (200, 429), "one name from one /48"
    assert log_in("2001:db8:1:4::1", "other") == 200
    assert log_in("2001:db8:2:4::1") == 200


def test_failed_log_ins_are_swept(client: Client) -> None:
    for name in ("kimo", "nobody"):
        client.post("/login/", {"username": name, "password": "wrong"})
    old = AccessAttempt.objects.get(username="kimo")
    AccessAttempt.objects.filter(pk=old.pk).update(attempt_time=timezone.now() - timedelta(minutes=16))
    purge.tidy()
    assert list(AccessAttempt.objects.values_list("username", flat=True)) == ["nobody"]


PLAIN = ("password", "Password1!", "P@ssw0rd2024", "qwertyuiop", "12345678", "sunshine-99", "!!letmein!!", "hanafuda",
         "Hanami2026", "aaaaaaaa", "abcdefghij", "dragon12345")  # fmt: skip


@pytest.mark.parametrize("password", PLAIN)
def test_a_password_that_is_on_everybodys_list_is_refused(password: str, client: Client) -> None:
    form = {"username": "kimo", "password1": password, "password2": password}
    assert client.post("/signup/", form).status_code == 422
    assert not User.objects.exists()


@pytest.mark.parametrize(
    "password", ["plum-blossom-77", "correct horse battery", "x9#kQ2!vLm", "梅に鶯と月見で一杯", "iris-and-crane"]
)
def test_a_password_of_ones_own_is_taken(password: str, client: Client) -> None:
    form = {"username": "kimo", "password1": password, "password2": password}
    assert client.post("/signup/", form).status_code == 302
