"""Streams of programs, mounted beside Django like `/events/` (`config.routing`): no thread waits for anything.

Django judges the request (`streams`): token, limits, parameters, refusals. Once it is admitted, its feed is asked only
when the live hub says that its channel has news, or when a clock of the table runs out.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

import structlog
from django.db import DatabaseError
from django.utils import timezone

from tables.api.present import in_thread, present_here
from tables.api.streams import OPENING, Opening, written
from tables.api.watching import watch_here
from tables.programs.lines import HEARTBEAT, SSE_HEARTBEAT
from tournaments import streams
from tournaments.live import Listener
from tournaments.sse import Receive, Send, answer, hub_here, until_gone

PATH: Final = re.compile(r"/api/v1/bot/(?:tables/[0-9a-f-]{36}/)?stream")
HEARTBEAT_S: Final = 6.0
MAX_STREAM_S: Final = 3600.0
"""Then the stream ends, and its program opens another one."""
PER_PROGRAM: Final = 32
"""Streams that one program may hold open in this process: twelve tables, its own, and some that a network has cut."""
AGAIN_S: Final = 1.0
MIN_WAIT_S: Final = 0.05
_open: Counter[int] = Counter()
log = structlog.get_logger(__name__)


def is_stream(scope: Mapping[str, Any]) -> bool:
    """Return whether a request is for a stream of a program."""
    return scope["type"] == "http" and scope["method"] == "GET" and PATH.fullmatch(scope["path"]) is not None


async def stream(scope: Mapping[str, Any], receive: Receive, send: Send, django: Any) -> None:
    """Serve a stream as an ASGI application; django: the application that judges the request."""
    opening, held = Opening(), list[dict[str, Any]]()

    async def hold(message: dict[str, Any]) -> None:
        held.append(message)

    await django({**scope, OPENING: opening}, receive, hold)
    if opening.feed is None:
        for message in held:
            await send(message)
        return
    if _open[opening.owner] >= PER_PROGRAM:
        await _refuse(send, f"Your program has {PER_PROGRAM} streams open, and that is the limit. Close some of them.")
        return
    _open[opening.owner] += 1
    try:
        with streams.counted(scope):
            await _Sender(opening, receive, send).run(_headers(held))
    except streams.TooMany:
        await _refuse(send, f"{streams.PER_ADDRESS} streams are open at this address, and that is the limit.")
    finally:
        _open[opening.owner] -= 1
        # Dropped at zero: a process that runs for months has seen very many programs.
        if _open[opening.owner] <= 0:
            del _open[opening.owner]


async def _refuse(send: Send, text: str) -> None:
    await answer(send, 429, text, (b"retry-after", str(streams.RETRY_AFTER_S).encode()))


def _headers(held: list[dict[str, Any]]) -> list[tuple[bytes, bytes]]:
    """Return the headers that Django has set, without the length of an answer that goes on."""
    start = next(message for message in held if message["type"] == "http.response.start")
    kept = [(name, value) for name, value in start["headers"] if name.lower() != b"content-length"]
    return [*kept, (b"x-accel-buffering", b"no")]


class _Sender:
    """One stream while it is open."""

    def __init__(self, opening: Opening, receive: Receive, send: Send) -> None:
        assert opening.feed is not None
        self._opening, self._feed = opening, opening.feed
        self._receive, self._send = receive, send
        self._until = time.monotonic() + MAX_STREAM_S
        self._beat_at = time.monotonic() + HEARTBEAT_S
        self._due = True
        self._is_refused = False

    async def run(self, headers: list[tuple[bytes, bytes]]) -> None:
        """Send everything that is new until the client goes, the feed ends, its token does, or an hour is over."""
        await self._send({"type": "http.response.start", "status": 200, "headers": headers})
        listener = Listener((self._feed.channel,), {})
        gone = asyncio.create_task(until_gone(self._receive))
        # Without this a stream whose client has gone would wait for the next heartbeat.
        gone.add_done_callback(lambda _gone: listener.wake())
        try:
            async with (
                present_here().noted(self._opening.program),
                watch_here().over(self._opening.token, lambda: self._end(listener)),
                hub_here().listening(listener),
            ):
                while not gone.done() and not self._is_ended():
                    await self._turn(listener)
        finally:
            gone.cancel()
        await self._send({"type": "http.response.body", "body": b"", "more_body": False})

    def _end(self, listener: Listener) -> None:
        """End the stream: its token does not hold any more."""
        self._is_refused = True
        listener.wake()

    def _is_ended(self) -> bool:
        return self._is_refused or self._feed.is_over or time.monotonic() >= self._until

    async def _turn(self, listener: Listener) -> None:
        """Send what is new if there may be something, then wait for news, the next clock, or the next heartbeat."""
        if self._due:
            self._due = not await self._look()
            if self._due:
                await asyncio.sleep(AGAIN_S)
                return
        if self._feed.is_over:
            return
        news = await listener.next_versions(self._wait_s())
        listener.sent |= news
        self._due = bool(news) or (self._feed.due_at is not None and self._feed.due_at <= timezone.now())
        if time.monotonic() >= self._beat_at:
            await self._write(SSE_HEARTBEAT if self._opening.is_sse else HEARTBEAT)

    async def _look(self) -> bool:
        """Send what is new; False where the database is away: it is asked again."""
        try:
            lines = await in_thread(self._feed.fresh)
        except DatabaseError as lost:
            log.warning("program.no_database", reason=str(lost))
            return False
        if lines:
            await self._write(b"".join(written(line, self._opening.is_sse) for line in lines))
        return True

    def _wait_s(self) -> float:
        waits = [self._beat_at - time.monotonic()]
        if self._feed.due_at is not None:
            waits.append((self._feed.due_at - timezone.now()).total_seconds())
        # A little at least: a clock that has just run out may need another look.
        return max(MIN_WAIT_S, min(waits))

    async def _write(self, content: bytes) -> None:
        self._beat_at = time.monotonic() + HEARTBEAT_S
        await self._send({"type": "http.response.body", "body": content, "more_body": True})
