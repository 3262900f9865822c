"""Few pages are made at a time, the others wait their turn: forty that come at once are ready sooner so.

Django gives each request a thread. All threads of a process share one interpreter lock, and whoever comes back from a
query waits for it up to 5 ms, ten queries a page: many at once finish late, together (decision 0071 has the figures).
Work that takes long does not hold up the others: it gives its turn back and goes on.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final
from weakref import WeakKeyDictionary

from django.core.handlers.asgi import ASGIHandler
from django.http import HttpRequest
from django.http.response import HttpResponseBase

LONGEST_S: Final = 0.1
"""So long a turn lasts: twice the time in which 95 of 100 pages are made."""


class _Turn:
    """One turn, given back once: at its end or when its time is over, whichever comes first."""

    def __init__(self, turns: asyncio.Semaphore) -> None:
        self._turns, self._is_held = turns, True

    def give_back(self) -> None:
        if self._is_held:
            self._is_held = False
            self._turns.release()


class Turns:
    """So many at once, first come, first served; longest_s: after how many seconds a turn no longer counts."""

    def __init__(self, at_once: int, longest_s: float = LONGEST_S) -> None:
        self._at_once, self._longest_s = at_once, longest_s
        self._of_loop: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Semaphore] = WeakKeyDictionary()

    @asynccontextmanager
    async def one(self) -> AsyncIterator[None]:
        """Wait for a turn and have it for what is done inside."""
        loop = asyncio.get_running_loop()
        turns = self._of_loop.setdefault(loop, asyncio.Semaphore(self._at_once))
        await turns.acquire()
        turn = _Turn(turns)
        timer = loop.call_later(self._longest_s, turn.give_back)
        try:
            yield
        finally:
            timer.cancel()
            turn.give_back()


class InTurn(ASGIHandler):
    """Django, whose pages are made in turns. Reading a body and sending an answer, which wait for a client, need none.

    at_once: pages that a process makes at a time.
    """

    def __init__(self, at_once: int) -> None:
        super().__init__()
        self._turns = Turns(at_once)

    async def run_get_response(self, request: HttpRequest) -> HttpResponseBase:
        """As Django does it, in turn."""
        async with self._turns.one():
            response: HttpResponseBase = await super().run_get_response(request)
            return response
