"""People: signing up, logging in and being locked out, preferences, passwords."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.conf import settings
from django.test import Client

from accounts.models import User
from tests.pipeline import builders as a

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
    form = {"display_name": "Kimo K.", "language": "fr", "theme": "dark", "letter_keys": ""}
    page = client.post("/me/", form, follow=True).content.decode()
    assert '<html lang="fr" data-theme="dark" data-no-keys' in page
    assert "Kimo K." in page
    assert client.post("/me/", {**form, "theme": "pink"}).status_code == 422


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
    assert "The password is changed" in client.post("/me/password/", form, follow=True).content.decode()
    assert client.get("/me/").status_code == 200
    assert other.get("/me/").status_code == 302


def test_logging_out_needs_a_post(as_user: Become) -> None:
    client = as_user(a.a_user("kimo"))
    assert client.get("/logout/").status_code == 405
    client.post("/logout/")
    assert client.get("/me/").status_code == 302
