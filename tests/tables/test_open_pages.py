"""Open pages say that somebody is there, many at once, and hear whether the table has changed."""

from __future__ import annotations

import asyncio
from contextlib import closing
from datetime import timedelta
from html import unescape
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.db import OperationalError, connection
from django.test import Client
from django.utils import timezone

from tables.actions.leaving import leave
from tables.api import open_pages
from tables.models import LiveSeat, LiveTable
from tables.play.clocks import CLOCKS
from tables.view.open_pages import PATH, WATCHES, OpenPage, note_open, page_of
from tests.services.databases import on_both
from tests.services.looping import run_async
from tests.tables.players import a_table, folded, guest
from tests.tables.programs.building import Stream
from tests.tables.test_pages import JSON, two_guests

LONG_AGO = timedelta(minutes=2)


def pages_of(table: LiveTable) -> list[OpenPage]:
    """The open pages of those who sit at a table."""
    return [OpenPage(table.pk, seat.pk, "en") for seat in table.seats.order_by("index")]


def went_away(*seats: int) -> None:
    LiveSeat.objects.filter(pk__in=seats).update(seen_at=timezone.now() - LONG_AGO)


def stay(table: LiveTable) -> None:
    """Have everybody at a table seen for an hour to come: a test on a slow machine may take longer than AWAY_AFTER."""
    table.seats.update(seen_at=timezone.now() + timedelta(hours=1))


def is_seen(seat: int) -> bool:
    """Whether somebody has been seen at a seat just now."""
    return LiveSeat.objects.filter(pk=seat, seen_at__gt=timezone.now() - LONG_AGO / 2).exists()


def ask(address: str, etag: str = "", **more: Any) -> Stream:
    """Ask as a page does, through the whole ASGI application. Returns what came."""

    async def scene() -> Stream:
        asked = Stream(urlsplit(address).path, "", urlsplit(address).query, if_none_match=etag)
        asked.scope |= more
        await asked.ended()
        return asked

    return run_async(scene)


@pytest.mark.django_db(transaction=True)
def test_a_page_hears_that_it_shows_the_present_view_until_something_happens() -> None:
    table, clients = two_guests()
    stay(table)
    question = folded(table).question
    assert question is not None
    waiting, address = clients[1 - question.seat], f"/play/{table.uuid}/"
    shown = waiting.get(address).content.decode()
    here = unescape(shown.split('data-here="')[1].split('"')[0])
    view = waiting.get(f"{address}view/?part")
    seat = table.seats.get(index=1 - question.seat).pk
    went_away(seat)

    same = ask(here, view["ETag"])
    assert (same.status, same.body) == (304, b"")
    assert same.headers["cache-control"] == "private, no-store"
    assert is_seen(seat)

    clients[question.seat].post(f"{address}do/answer/", {"n": question.n, "a": 0}, **JSON)
    changed = ask(here, view["ETag"])
    assert (changed.status, changed.body) == (200, b'{"changed": true}')
    assert ask(here, waiting.get(f"{address}view/?part")["ETag"]).status == 304


@on_both
@pytest.mark.django_db
@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_view_of_a_page_is_the_one_that_a_look_would_bring(database: str, language: str) -> None:
    table, clients = two_guests()
    stay(table)
    clients.append(Client())
    pages = [*pages_of(table), OpenPage(table.pk, WATCHES, "en")]
    looks = [each.get(f"/play/{table.uuid}/view/", HTTP_ACCEPT_LANGUAGE=language) for each in clients]
    found = note_open([OpenPage(page.table, page.seat, language) for page in pages])
    assert list(found.values()) == [look["ETag"] for look in looks]


@pytest.mark.django_db
def test_who_does_not_say_so_is_away_and_those_who_watch_are_at_no_seat() -> None:
    table, _sitters = a_table(clock=CLOCKS["live"])
    plum, crane = pages_of(table)
    before = note_open([plum, crane])
    went_away(crane.seat)
    after = note_open([plum, OpenPage(table.pk, WATCHES, "en")])
    assert after[plum] != before[plum]
    assert (is_seen(plum.seat), is_seen(crane.seat)) == (True, False)
    assert note_open([plum, crane])[plum] == before[plum], "and back again"


@pytest.mark.django_db
def test_many_pages_take_as_many_statements_as_one(django_assert_num_queries: Any) -> None:
    pages = [page for _each in range(12) for page in pages_of(a_table()[0])]
    for some in (pages[:1], pages):
        with django_assert_num_queries(4 + 2):  # and the savepoint of the test's transaction
            assert len(note_open(some)) == len(some)


@pytest.mark.django_db
def test_a_page_has_to_look_where_a_time_is_over_or_its_table_is_gone() -> None:
    table, _sitters = a_table(clock=CLOCKS["live"])
    page = pages_of(table)[0]
    assert page in note_open([page])
    LiveTable.objects.filter(pk=table.pk).update(deadline_at=timezone.now() - LONG_AGO)
    assert note_open([page]) == {}
    assert note_open([OpenPage(0, 0, "en")]) == {}


@pytest.mark.django_db
def test_who_has_left_is_seen_no_more() -> None:
    people = [guest("Plum"), guest("Crane")]
    table, _sitters = a_table(sitters=people)
    page = pages_of(table)[1]
    before = note_open([page])[page]
    leave(table, people[1])
    assert note_open([page]).get(page) != before
    LiveSeat.objects.filter(pk=page.seat).delete()
    assert page in note_open([page])


@pytest.mark.django_db(transaction=True)
def test_a_seat_that_another_process_notes_is_not_waited_for() -> None:
    plum, crane = pages_of(a_table()[0])
    went_away(plum.seat, crane.seat)
    with closing(connection.copy()) as other, other.cursor() as cursor:
        cursor.execute("BEGIN")
        cursor.execute("UPDATE tables_liveseat SET seen_at = seen_at WHERE id = %s", [plum.seat])
        assert set(note_open([plum, crane])) == {plum, crane}
        cursor.execute("ROLLBACK")
    assert (is_seen(plum.seat), is_seen(crane.seat)) == (False, True)


@pytest.mark.django_db
def test_what_was_not_made_here_or_long_ago_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    page = pages_of(a_table()[0])[0]
    assert page_of(page.address.split("page=")[1]) == page
    for address in (PATH, f"{PATH}?page=1:2:3", f"{page.address}x"):
        refused = ask(address)
        assert (refused.status, refused.lines[0]["code"]) == (404, "not_found")
    assert ask(page.address, method="POST").status == 405
    monkeypatch.setattr("tables.view.open_pages.TOKEN_S", -1)
    assert ask(page.address).status == 404


def test_a_database_that_is_away_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def lost(_pages: Any) -> Any:
        raise OperationalError("gone")

    monkeypatch.setattr(open_pages, "note_open", lost)
    refused = ask(OpenPage(1, 1, "en").address)
    assert (refused.status, refused.lines[0]["code"], refused.headers["retry-after"]) == (503, "server.busy", "2")


def test_those_who_ask_within_a_second_are_answered_together(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[set[OpenPage]] = []

    def noted(pages: set[OpenPage]) -> dict[OpenPage, str]:
        asked.append(pages)
        return {page: f'"{page.seat}"' for page in pages}

    monkeypatch.setattr(open_pages, "note_open", noted)
    pages = [OpenPage(1, seat, "en") for seat in range(1, 6)]

    async def scene() -> None:
        gathering = open_pages.Gathering()
        waiting = [asyncio.create_task(gathering.etag_of(page)) for page in (*pages, pages[0])]
        await asyncio.sleep(0)
        waiting.pop().cancel()  # one page is closed meanwhile
        assert await asyncio.gather(*waiting) == [f'"{page.seat}"' for page in pages]
        assert await gathering.etag_of(pages[0]) == '"1"'

    run_async(scene)
    assert asked == [set(pages), {pages[0]}]
