"""Turns of pages: few are made at a time, the others wait; forty that come at once are ready sooner so.

Django gives each request a thread. All threads of a process share one interpreter lock, and anyone who comes back from
a query waits for it up to 5 ms, ten queries a page: many at once finish late, together (decision 0071 has the figures).
Work that takes long does not hold up the others: it gives its turn back and goes on; at once where it says so.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Coroutine
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import asynccontextmanager, closing
from functools import partial
from typing import Any, Final, cast
from weakref import WeakKeyDictionary

from asgiref.sync import ThreadSensitiveContext, sync_to_async
from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler, ASGIRequest, get_script_prefix
from django.core.signals import request_started
from django.db import close_old_connections
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import set_script_prefix

from web.one_at_a_time import takes_long

MAX_SECONDS: Final = 0.1
"""Seconds that a turn lasts: twice the time in which 95 of 100 pages are made."""


MAX_IDLE: Final = 8
"""Threads that wait for a request."""


LARGE: Final = 64 * 1024
FILES: Final = re.compile(r"/(files|records)/")
"""Requests with a body of more bytes, and those for files of events, are heavy: of them one at a time queues with the
pages. Twenty programs that fetched every file of a league made pages wait for a second (benchmarks.hostile)."""


class _Turn:
    """One turn, given back once: at its end, when its time is over or when it is told to, whichever comes first."""

    def __init__(self) -> None:
        self._acquired: list[asyncio.Semaphore] = []

    async def take(self, turns: asyncio.Semaphore) -> None:
        await turns.acquire()
        self._acquired.append(turns)

    def release(self) -> None:
        # Three may release it, each once or not at all: what is popped is not released again.
        while self._acquired:
            self._acquired.pop().release()


class Turns:
    """Turns for `at_once` pages at a time, first come, first served; longest_s: after how many seconds a turn no longer
    counts.
    """

    def __init__(self, at_once: int, longest_s: float = MAX_SECONDS) -> None:
        self._at_once, self._longest_s = at_once, longest_s
        # A semaphore belongs to one loop; tests have one each.
        self._of_loop: WeakKeyDictionary[asyncio.AbstractEventLoop, tuple[asyncio.Semaphore, asyncio.Semaphore]]
        self._of_loop = WeakKeyDictionary()

    def are_taken(self, *, is_heavy: bool = False) -> bool:
        """Return whether a page that comes now waits for others."""
        turns, of_heavy = self._of_this_loop()
        return turns.locked() or (is_heavy and of_heavy.locked())

    @asynccontextmanager
    async def one(self, *, is_heavy: bool = False) -> AsyncIterator[None]:
        """Wait for a turn and have it for what is done inside. is_heavy: of such, one at a time queues with others."""
        loop, (turns, of_heavy) = asyncio.get_running_loop(), self._of_this_loop()
        turn, timer = _Turn(), None
        try:
            if is_heavy:
                # First the heavy one's turn: a heavy request that waits must not keep a page's.
                await turn.take(of_heavy)
            await turn.take(turns)
            timer = loop.call_later(self._longest_s, turn.release)
            # The page is made in another thread; a semaphore of asyncio may be released in its loop only.
            takes_long.set(partial(loop.call_soon_threadsafe, turn.release))
            yield
        finally:
            if timer is not None:
                timer.cancel()
            turn.release()

    def _of_this_loop(self) -> tuple[asyncio.Semaphore, asyncio.Semaphore]:
        loop = asyncio.get_running_loop()
        if loop not in self._of_loop:
            self._of_loop[loop] = asyncio.Semaphore(self._at_once), asyncio.Semaphore(1)
        return self._of_loop[loop]


class Thread(ThreadPoolExecutor):
    """A thread that works for one request at a time; it begins with the first work, not with a body that is read."""

    def __init__(self) -> None:
        super().__init__(max_workers=1, thread_name_prefix="page")
        self._last: Future[Any] | None = None

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Let it do something after what it does now."""
        self._last = super().submit(fn, *args, **kwargs)
        return self._last

    def is_idle(self) -> bool:
        """Return whether it has nothing to do."""
        return self._last is None or self._last.done()


class InTurn(ASGIHandler):
    """Django, whose pages are made in turns. Reading a body and sending an answer, which wait for a client, need none.

    at_once: pages that a process makes at a time.
    """

    def __init__(self, at_once: int) -> None:
        super().__init__()
        self._turns = Turns(at_once)
        self._idle: list[Thread] = []

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Serve a request in a thread of its own, which serves another one afterwards.

        Django starts a thread for each: with its connection object, 1 ms of the 4 that a small page takes.
        """
        if scope["type"] != "http":
            raise ValueError(f"pages are asked for by HTTP, not by {scope['type']}")
        # The last one first: few are warm, and what a burst has left ends.
        thread = self._idle.pop() if self._idle else Thread()
        try:
            async with ThreadSensitiveContext(executor=thread):
                await self.handle(scope, receive, send)
        finally:
            # Whose reader went away may be at work still: the next request would wait for it.
            if thread.is_idle() and len(self._idle) < MAX_IDLE:
                self._idle.append(thread)
            else:
                thread.shutdown(wait=False)

    def load_middleware(self, is_async: bool = False) -> None:
        """Load the middleware so that it, the view and the error page of a request run in its one thread: all are
        written so.

        Django's asynchronous chain hands error pages to a small pool of other threads. The request's thread keeps its
        database connection while it waits for them, they wait for another one, and the process stands still.
        """
        super().load_middleware(is_async=False)

    async def handle(self, scope: Any, receive: Any, send: Any) -> None:
        """Serve a request as Django does, with one change of threads for a page in place of three.

        Django tells that a request begins and ends in two more, and has two tasks for each. After every one the loop
        waits for the interpreter lock, up to 5 ms where another thread is at work.
        """
        try:
            body = await self.read_body(receive)
        except RequestAborted:
            return
        with closing(body):
            set_script_prefix(get_script_prefix(scope))
            request, response = self.create_request(scope, body)
            if request is not None:
                response = await self._in_turn(request, receive)
            if response is not None:
                await self._send(response, receive, send)

    async def _in_turn(self, request: HttpRequest, receive: Any) -> HttpResponseBase | None:
        """Return the page; None where its reader went away before their turn."""
        # While it is made nobody listens: it is made to its end in any case.
        is_heavy = _is_heavy(request)
        has_to_wait = self._turns.are_taken(is_heavy=is_heavy)
        listening = asyncio.create_task(self.listen_for_disconnect(receive)) if has_to_wait else None
        try:
            async with self._turns.one(is_heavy=is_heavy):
                return None if listening and listening.done() else await self.run_get_response(request)
        finally:
            if listening is not None:
                listening.cancel()
                await asyncio.gather(listening, return_exceptions=True)

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        """Return the page, made in the request's thread."""
        return await sync_to_async(self._made)(request)

    def _made(self, request: HttpRequest) -> HttpResponseBase:
        """Make a page, and end its request unless parts of the page are still to be read."""
        request_started.send(sender=type(self), scope=cast(ASGIRequest, request).scope)
        response = self.get_response(request)
        if response.streaming:
            close_old_connections()  # now, not when all is sent: a client that reads slowly would keep one of few
        else:
            response.close()
        return response

    async def _send(self, response: HttpResponseBase, receive: Any, send: Any) -> None:
        try:
            if response.streaming:
                # The server takes what is sent to nobody at once: a large file would be read to its end.
                await self._while_there(self.send_response(response, send), receive)
            else:
                await self.send_response(response, send)
        finally:
            if not response.closed:
                await sync_to_async(response.close)()

    async def _while_there(self, sending: Coroutine[Any, Any, None], receive: Any) -> None:
        """Send until all is sent or the client goes away. Raises what breaks while it is sent."""
        tasks = asyncio.create_task(sending), asyncio.create_task(self.listen_for_disconnect(receive))
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            outcome, _gone = await asyncio.gather(*tasks, return_exceptions=True)
        if isinstance(outcome, Exception):
            raise outcome


def _is_heavy(request: HttpRequest) -> bool:
    """Return whether the request sends or wants much: a large body, as it announces it, or a file of an event."""
    length = str(request.META.get("CONTENT_LENGTH") or 0)
    return FILES.search(request.path) is not None or (length.isdecimal() and int(length) > LARGE)
