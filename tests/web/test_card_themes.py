"""Looks of cards: chosen by people for their account, by visitors for their browser, and kept on every page."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from accounts.models import User
from bots.models import AuditEvent
from tests.builders import events as a

pytestmark = pytest.mark.django_db
PLACES = ("/rules/", "/rules/hawaii/", "/rules/hawaii/gaji-block/")


def themes(client: Client, *paths: str) -> set[str]:
    """The sprites that these pages show cards of; emblems have one of their own."""
    pages = [client.get(path).content.decode() for path in paths or PLACES]
    return {name for page in pages for name in re.findall(r"cards/(\w+)[.\w]*\.svg", page)} - {"emblems"}


def test_a_visitor_s_choice_stays_in_the_browser(client: Client) -> None:
    assert themes(client) == {"classic"}
    answer = client.post("/me/cards/", {"cards": "contrast", "next": "/rules/#cards"})
    assert (answer.status_code, answer["Location"]) == (302, "/rules/#cards")
    assert answer.cookies["cards"]["samesite"] == "Lax"
    assert themes(client) == {"contrast"}
    assert 'data-sprite="' in client.get("/rules/hawaii/gaji-block/").content.decode()
    assert themes(Client()) == {"classic"}


@pytest.mark.thorough
def test_a_person_s_choice_goes_where_they_log_in(client: Client) -> None:
    person = a.a_user("lani")
    client.force_login(person, backend="django.contrib.auth.backends.ModelBackend")
    assert client.post("/me/cards/", {"cards": "text"}).status_code == 302
    assert themes(client) == {"text"}
    assert User.objects.get(pk=person.pk).cards == "text"
    other = Client()
    other.force_login(person, backend="django.contrib.auth.backends.ModelBackend")
    assert themes(other) == {"text"}
    form = {"theme": "system", "letter_keys": "on", "cards": "contrast"}
    assert client.post("/me/display/", form).status_code == 302
    assert themes(other) == {"contrast"}
    assert client.post("/me/display/", form | {"cards": "pictures"}).status_code == 302
    assert themes(other) == {"pictures"}, "without numbers"
    assert themes(Client()) == {"classic"}


def test_what_is_no_theme_changes_nothing(client: Client) -> None:
    answer = client.post("/me/cards/", {"cards": "../site/icon", "next": "//elsewhere.example/"}, follow=True)
    assert answer.redirect_chain == [("/rules/", 302)]
    assert "cards.unknown" in answer.content.decode()
    client.cookies["cards"] = "../../secret"
    assert themes(client) == {"classic"}
    assert client.get("/me/cards/").status_code == 405


def test_the_audit_says_that_it_changed_and_not_how(client: Client) -> None:
    person = a.a_user("kimo")
    client.force_login(person, backend="django.contrib.auth.backends.ModelBackend")
    before = AuditEvent.objects.count()
    client.post("/me/cards/", {"cards": "text"})
    client.post("/me/cards/", {"cards": "text"})
    assert AuditEvent.objects.count() == before + 1
    assert AuditEvent.objects.latest("id").after == {"changed": ["cards"]}


def backs(client: Client) -> set[str]:
    """The backs that a replay shows, in its markup and for its script."""
    page = client.get("/rules/hawaii/gaji-block/").content.decode()
    return {*re.findall(r"svg#(back[-\w]*)", page), *re.findall(r'data-back="([-\w]+)"', page)}


@pytest.mark.thorough
def test_backs_are_chosen_with_the_pictures(client: Client) -> None:
    assert backs(client) == {"back"}
    assert client.post("/me/cards/", {"cards": "classic", "backs": "black"}).status_code == 302
    assert backs(client) == {"back-dark"}
    client.post("/me/cards/", {"cards": "contrast"})
    assert (backs(client), themes(client)) == ({"back-dark"}, {"contrast"}), "what is not asked for stays"
    assert backs(Client()) == {"back"}
    person = a.a_user("noe")
    client.force_login(person, backend="django.contrib.auth.backends.ModelBackend")
    client.post("/me/cards/", {"cards": "text", "backs": "red"})
    assert backs(client) == {"back"}
    assert client.post("/me/cards/", {"cards": "text", "backs": "../x"}, follow=True).redirect_chain
    assert User.objects.get(pk=person.pk).backs == "red"
    assert 'value="red" checked' in client.get("/rules/").content.decode()
