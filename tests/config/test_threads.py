"""A thread serves one request after the other, never two at once, and a burst leaves few of them."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from django.core.signals import request_finished, request_started
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase

from config.turns import MAX_IDLE, InTurn, Thread
from tests.services.looping import run_async

pytestmark = pytest.mark.django_db
SCOPE = {"type": "http", "method": "GET", "path": "/healthz", "query_string": b"", "headers": []}


class Door(InTurn):
    """Notes which thread makes a page, and does `work` in it."""

    def __init__(self, work: Callable[[], object] = lambda: None, at_once: int = 100) -> None:
        super().__init__(at_once)
        self.threads: list[int] = []
        self.work = work

    def get_response(self, request: HttpRequest) -> HttpResponseBase:
        self.threads.append(threading.get_ident())
        self.work()
        return HttpResponse(request.path)

    async def ask(self, goes_away: asyncio.Event | None = None) -> int:
        """Return the status of an answer. goes_away: when the reader does, who stays without it."""
        is_asked, statuses = False, [0]
        gone = goes_away or asyncio.Event()

        async def receive() -> dict[str, Any]:
            nonlocal is_asked
            if is_asked:
                await gone.wait()
                return {"type": "http.disconnect"}
            is_asked = True
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message: dict[str, Any]) -> None:
            statuses.append(message.get("status", statuses[-1]))

        await self(SCOPE, receive, send)
        return statuses[-1]


class Streams(Door):
    """Answers with what is read while it is sent."""

    def __init__(self, answer: Callable[[], HttpResponseBase]) -> None:
        super().__init__()
        self.answer = answer

    def get_response(self, request: HttpRequest) -> HttpResponseBase:
        super().get_response(request)
        return self.answer()


def test_the_next_request_has_the_same_thread() -> None:
    door = Door()

    async def scene() -> list[int]:
        return [await door.ask() for _ in range(3)]

    assert run_async(scene) == [200] * 3
    assert len(set(door.threads)) == 1
    assert door.threads[0] != threading.get_ident()


def test_requests_at_once_have_threads_of_their_own_and_few_stay() -> None:
    both = threading.Barrier(MAX_IDLE + 2)
    door = Door(lambda: both.wait(60))

    async def scene() -> list[int]:
        return await asyncio.gather(*(door.ask() for _ in range(MAX_IDLE + 2)))

    assert run_async(scene) == [200] * (MAX_IDLE + 2)
    assert len(set(door.threads)) == MAX_IDLE + 2
    assert len(door._idle) == MAX_IDLE


def test_nobody_waits_for_the_work_of_a_reader_who_went_away() -> None:
    begun, may_end = threading.Event(), threading.Event()

    def work() -> None:
        if not begun.is_set():
            begun.set()
            may_end.wait(60)

    door = Door(work)

    async def scene() -> int:
        gone = asyncio.Event()
        first = asyncio.create_task(door.ask(gone))
        await asyncio.to_thread(begun.wait, 60)
        gone.set()
        try:
            return await asyncio.wait_for(door.ask(), 60)
        finally:
            may_end.set()
            await first

    assert run_async(scene) == 200
    assert len(set(door.threads)) == 2


def test_no_page_is_made_for_a_reader_who_left_before_their_turn() -> None:
    begun, may_end = threading.Event(), threading.Event()

    def work() -> None:
        begun.set()
        may_end.wait(60)

    door = Door(work, at_once=1)

    async def scene() -> list[int]:
        gone = asyncio.Event()
        first = asyncio.create_task(door.ask())
        await asyncio.to_thread(begun.wait, 60)
        second = asyncio.create_task(door.ask(gone))
        await asyncio.sleep(0)
        gone.set()
        for _ in range(20):  # until the going of the second one is heard
            await asyncio.sleep(0)
        may_end.set()
        return [await first, await second]

    assert run_async(scene) == [200, 0]
    assert len(door.threads) == 1


def test_a_request_begins_and_ends_in_the_thread_of_its_page() -> None:
    told: list[tuple[str, int]] = []

    def begins(**_known: object) -> None:
        told.append(("begins", threading.get_ident()))

    def ends(**_known: object) -> None:
        told.append(("ends", threading.get_ident()))

    door = Door()
    request_started.connect(begins)
    request_finished.connect(ends)
    try:
        assert run_async(door.ask) == 200
    finally:
        request_started.disconnect(begins)
        request_finished.disconnect(ends)
    assert told == [("begins", door.threads[0]), ("ends", door.threads[0])]


def test_a_page_that_is_read_while_it_is_sent_ends_its_request_afterwards() -> None:
    ended = threading.Event()

    class Pieces(StreamingHttpResponse):
        def close(self) -> None:
            super().close()
            ended.set()

    async def pieces() -> AsyncIterator[bytes]:
        for piece in (b"plum", b"cherry"):
            assert not ended.is_set()
            yield piece

    assert run_async(Streams(lambda: Pieces(pieces())).ask) == 200
    assert ended.is_set()


def test_nothing_more_is_read_of_a_page_whose_reader_left() -> None:
    read = 0

    async def scene() -> int:
        gone = asyncio.Event()

        async def pieces() -> AsyncIterator[bytes]:
            nonlocal read
            while read < 1000:
                read += 1
                gone.set()
                yield b"plum"
                await asyncio.sleep(0)

        return await Streams(lambda: StreamingHttpResponse(pieces())).ask(gone)

    assert run_async(scene) == 200
    assert read < 100


def test_what_breaks_while_a_page_is_sent_is_not_kept_quiet() -> None:
    async def pieces() -> AsyncIterator[bytes]:
        yield b"plum"
        raise LookupError

    with pytest.raises(LookupError):
        run_async(Streams(lambda: StreamingHttpResponse(pieces())).ask)


def test_a_thread_that_is_at_work_is_not_idle() -> None:
    may_end = threading.Event()
    thread = Thread()
    assert thread.is_idle()
    work = thread.submit(may_end.wait, 60)
    assert not thread.is_idle()
    may_end.set()
    assert work.result(60)
    assert thread.is_idle()
    thread.shutdown()


def test_only_requests_are_served() -> None:
    async def scene() -> None:
        with pytest.raises(ValueError, match="websocket"):
            await Door()({"type": "websocket"}, None, None)

    run_async(scene)
