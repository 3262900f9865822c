"""Five greetings: seen by the others in their language, muted by those who want none, few in an hour."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from tables.actions.greeting import GREETINGS, SHOWN_FOR
from tables.models import LiveTable
from tests.tables.players import again, folded
from tests.tables.test_pages import JSON, two_guests, view

pytestmark = pytest.mark.django_db


def greetings(client: Client, table: LiveTable, **query: Any) -> list[str]:
    return [(seat["greeting"] or {}).get("text", "") for seat in view(client, table, **query)["seats"]]


def greet(client: Client, table: LiveTable, name: str) -> Any:
    return client.post(f"/play/{table.uuid}/do/greet/", {"g": name}, **JSON)


def test_there_are_five_in_each_language() -> None:
    from django.utils import translation

    said = {}
    for language in ("en", "ja", "fr"):
        with translation.override(language):
            said[language] = {str(text) for text in GREETINGS.values()}
    assert [len(each) for each in said.values()] == [5, 5, 5]
    assert not said["en"] & said["ja"]
    assert not said["en"] & said["fr"]


def test_the_others_see_a_greeting_in_their_language() -> None:
    table, clients = two_guests()
    etag = clients[1].get(f"/play/{table.uuid}/view/").headers["ETag"]
    assert greet(clients[0], table, "luck").status_code == 200
    assert clients[1].get(f"/play/{table.uuid}/view/", headers={"If-None-Match": etag}).status_code == 200
    assert greetings(clients[1], table) == ["Good luck!", ""]
    french = clients[1].get(f"/play/{table.uuid}/", headers={"Accept-Language": "fr"}).content.decode()
    assert "live-greeting" in french
    assert "Good luck!" not in french
    assert "Good luck!" in view(Client(), table, part="1")["part"]["body"]


def test_it_goes_as_the_match_goes_on(django_capture_on_commit_callbacks: Any) -> None:
    table, clients = two_guests()
    greet(clients[0], table, "hello")
    for answered in range(SHOWN_FOR + 1):
        assert greetings(clients[1], table) == ["Hello!", ""], answered
        question = folded(again(table)).question
        assert question is not None
        address = f"/play/{table.uuid}/do/answer/"
        with django_capture_on_commit_callbacks(execute=True):
            clients[question.seat].post(address, {"n": question.n, "a": 0})
    assert greetings(clients[1], table) == ["", ""]


def test_who_mutes_sees_none_and_may_see_them_again() -> None:
    table, clients = two_guests()
    greet(clients[0], table, "well")
    for wanted in (["", ""], ["Well played!", ""]):
        clients[1].post(f"/play/{table.uuid}/do/mute/")
        assert greetings(clients[1], table) == wanted
        page = clients[1].get(f"/play/{table.uuid}/").content.decode()
        assert ("Well played!</small>" in page) is bool(wanted[0])


def test_what_is_no_greeting_and_who_has_no_seat() -> None:
    table, clients = two_guests()
    assert greet(clients[0], table, "<b>").json()["code"] == "table.bad_greeting"
    assert greet(Client(), table, "hello").json()["code"] == "table.not_seated"


def test_said_twice_is_said_once() -> None:
    table, clients = two_guests()
    greet(clients[0], table, "hello")
    events = again(table).events
    greet(clients[0], table, "hello")
    assert again(table).events == events


def test_nobody_greets_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tables.pages.doing.GREETINGS_PER_HOUR", 2)
    table, clients = two_guests()
    codes = [greet(clients[0], table, name).json().get("code", "") for name in ("hello", "luck", "bye")]
    assert codes == ["", "", "table.rate"]


def test_against_the_house_alone_there_is_nobody_to_greet() -> None:
    client = Client()
    client.post("/play/open/", {"preset": "koikoi_nintendo", "seats": "2", "opponent": "1"})
    table = LiveTable.objects.get()
    assert "do/greet/" not in client.get(f"/play/{table.uuid}/").content.decode()
    other, clients = two_guests()
    assert "do/greet/" in clients[0].get(f"/play/{other.uuid}/").content.decode()
