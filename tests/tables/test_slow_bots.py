"""A bot that does not answer is said to be slow, with what can be done; nobody else is."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from tables.models import LiveTable
from tables.pages.looking import SLOW_AFTER
from tests.tables.players import again, folded
from tests.tables.test_pages import opened, two_guests, view

pytestmark = pytest.mark.django_db
SLOW = "House (beginner) is slow to answer. The table waits for it"
LEAVE = "you may leave the table below."
LATER = SLOW_AFTER + timedelta(seconds=1)


@pytest.fixture
def against_the_house(django_capture_on_commit_callbacks: Any) -> tuple[LiveTable, Client]:
    """A table whose bot is asked; no worker is there."""
    client = Client()
    with django_capture_on_commit_callbacks(execute=True):
        table = opened(client, opponent="1")
        while again(table).bot_asked_at is None:
            question = folded(again(table)).question
            assert question is not None
            client.post(f"/play/{table.uuid}/do/answer/", {"n": question.n, "a": 0})
    return again(table), client


def asked_earlier(table: LiveTable, by: timedelta = LATER) -> LiveTable:
    """Let what is asked now have been asked so long ago."""
    LiveTable.objects.filter(pk=table.pk).update(asked_at=timezone.now() - by)
    return again(table)


def told(client: Client, table: LiveTable) -> str:
    page = " ".join(client.get(f"/play/{table.uuid}/").content.decode().split())
    return page.partition('id="live-told" role="status">')[2].partition("</p>")[0].strip()


def test_a_bot_that_does_not_answer_is_said_to_be_slow(against_the_house: tuple[LiveTable, Client]) -> None:
    table, client = against_the_house
    asked_earlier(table, SLOW_AFTER - timedelta(seconds=5))
    assert told(client, table).endswith("> House (beginner) is to move. </span>")
    asked_earlier(table)
    assert told(client, table) == f"{SLOW}; {LEAVE}"
    assert "Leave the table" in client.get(f"/play/{table.uuid}/").content.decode()
    assert told(Client(), table) == f"{SLOW}.", "who watches has no seat to leave"


def test_the_words_for_later_stand_ready_for_the_script(against_the_house: tuple[LiveTable, Client]) -> None:
    table, client = against_the_house
    asked_earlier(table, timedelta(0))
    assert f'<span data-slow=" {SLOW}; {LEAVE} ' in told(client, table)


def test_the_view_is_the_same_for_a_bot_that_is_slow(against_the_house: tuple[LiveTable, Client]) -> None:
    """Its page says so itself: nothing has changed that it would have to fetch."""
    table, client = against_the_house
    address = f"/play/{table.uuid}/view/"
    known = client.get(address).headers["ETag"]
    asked_earlier(table)
    assert client.get(address, HTTP_IF_NONE_MATCH=known).status_code == 304
    assert SLOW in view(client, table, part="1")["part"]["told"]


def test_a_fragment_of_the_page_is_another_one_for_a_bot_that_is_slow(
    against_the_house: tuple[LiveTable, Client],
) -> None:
    table, client = against_the_house
    asked_earlier(table, timedelta(0))
    address, fragment = f"/play/{table.uuid}/", {"X-Fragment": "true"}
    known = client.get(address, headers=fragment).headers["ETag"]
    again = {**fragment, "If-None-Match": known}
    assert client.get(address, headers=again).status_code == 304
    asked_earlier(table)
    assert client.get(address, headers=again).status_code == 200


def test_a_bot_whose_event_is_paused_is_not_slow(against_the_house: tuple[LiveTable, Client]) -> None:
    table, client = against_the_house
    asked_earlier(table)
    LiveTable.objects.update(paused_at=timezone.now(), bot_asked_at=None)
    assert told(client, table).startswith("The event is paused")


def test_a_person_is_never_slow() -> None:
    table, clients = two_guests()
    asked_earlier(table)
    question = folded(again(table)).question
    assert question is not None
    name = ("Plum", "Crane")[question.seat]
    assert told(clients[1 - question.seat], table) == f"{name} is to move."
