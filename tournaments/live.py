"""One hub per web process: receives the wake-up, reads the versions of the channels listened to, wakes listeners.

The wake-up is Redis pub/sub; a poll each second is the safety net, so a lost wake-up (or a lost Redis) costs a second.
A listener's queue is the newest version per channel, so it is bounded and a slow reader skips instead of lagging.

Where many listen, news is published a few at a time and at most twice a second each: hundreds of writes at one moment
would keep every page of this process waiting, and a page that has news twice a second is live to any eye.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections.abc import AsyncIterator, Mapping
from typing import Final

import redis
import redis.asyncio
import structlog
from asgiref.sync import sync_to_async
from django.conf import settings
from django.db import DatabaseError, close_old_connections, connection

from activity.wake_ups import LISTENERS
from bots.models import Channel
from tournaments import streams

# The safety net of a lost wake-up; also how often a database that is away is asked again.
POLL_S: Final = 1.0
# A task that was cancelled and goes on is cancelled again after this time.
ASKED_AGAIN_S: Final = 1.0
# Names in one IN: SQLite bounds the values of a statement.
CHUNK: Final = 500
# Listeners that are served at one moment.
SLICE: Final = 25
# Listeners that are served in a second while there are few, ...
MAX_OFFERS_PER_S: Final = 1000
# ... and the longest time that serving all of them takes, however many there are.
SPREAD_S: Final = 0.5
log = structlog.get_logger(__name__)


class Listener:
    """One open page: its channels, the versions it has been sent, those it is still to be sent."""

    def __init__(self, channels: tuple[str, ...], seen: dict[str, int]) -> None:
        self.channels = channels
        self.sent = {channel: seen.get(channel, -1) for channel in channels}
        self.newest: dict[str, int] = {}
        self._news = asyncio.Event()

    def offer_all(self, versions: Mapping[str, int]) -> bool:
        """Note the versions of its channels; older ones than were sent are ignored. Returns whether there is news."""
        fresh = {
            channel: versions[channel]
            for channel in self.channels
            if versions.get(channel, -1) > max(self.sent[channel], self.newest.get(channel, -1))
        }
        self.newest |= fresh
        if fresh:
            self._news.set()
        return bool(fresh)

    def wake(self) -> None:
        """End the present wait, so that the waiting code looks again."""
        self._news.set()

    async def next_frames(self, timeout_s: float) -> bytes:
        """The frames of everything new, joined; empty after `timeout_s` without news or after `wake`."""
        fresh = await self.next_versions(timeout_s)
        return b"".join(self._frame(channel, version) for channel, version in sorted(fresh.items()))

    async def next_versions(self, timeout_s: float) -> dict[str, int]:
        """Return the channels with news and their versions, not noted as sent; none after `timeout_s`, or `wake`."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(timeout_s):  # no task of its own: this runs for every listener at all news
                await self._news.wait()
        # Cleared before the news are taken: what comes in between sets it again and is not missed.
        self._news.clear()
        fresh, self.newest = self.newest, {}
        return fresh

    def _frame(self, channel: str, version: int) -> bytes:
        self.sent[channel] = version
        seen = ",".join(f"{name}={number}" for name, number in self.sent.items() if number >= 0)
        data = json.dumps({"ch": channel, "ver": version}, separators=(",", ":"))
        return f"id: {seen}\nevent: change\ndata: {data}\n\n".encode()


class Hub:
    """All listeners of one event loop. Its two tasks run only while somebody listens."""

    def __init__(self) -> None:
        self.listeners: set[Listener] = set()
        self._rung = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    @contextlib.asynccontextmanager
    async def listening(self, listener: Listener) -> AsyncIterator[None]:
        """Serve a listener while the block runs; the last one to go ends the hub's tasks."""
        self.listeners.add(listener)
        if not self._tasks:
            self._tasks = [asyncio.create_task(self._offer_forever()), asyncio.create_task(self._hear_for_ever())]
        self._rung.set()
        try:
            yield
        finally:
            self.listeners.discard(listener)
            if not self.listeners:
                await self._rest()

    async def _rest(self) -> None:
        """End the tasks, asking again until they do: a library may take the first cancellation for its own."""
        tasks, self._tasks = self._tasks, []
        running = set(tasks)
        while running:
            for task in running:
                task.cancel()
            _ended, running = await asyncio.wait(running, timeout=ASKED_AGAIN_S)
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _offer_forever(self) -> None:
        published_at = float("-inf")
        while True:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._rung.wait(), POLL_S)
            # Before the versions are read, for the same reason.
            self._rung.clear()
            if time.monotonic() - published_at > streams.PUBLISH_EVERY_S:
                published_at = time.monotonic()
                await sync_to_async(streams.publish_count)()
            try:
                await self.offer()
            except DatabaseError as lost:
                log.warning("live.no_database", reason=str(lost))
                await asyncio.sleep(POLL_S)

    async def offer(self) -> None:
        """Offer every listener the present versions of its channels."""
        wanted = sorted({channel for listener in self.listeners for channel in listener.channels})
        versions = await sync_to_async(versions_of)(wanted)
        all_of_them = tuple(self.listeners)
        slices = [all_of_them[start : start + SLICE] for start in range(0, len(all_of_them), SLICE)]
        for each in slices:
            if sum(listener.offer_all(versions) for listener in each):
                # A pause after each slice that had news: other tasks of this process run in it.
                await asyncio.sleep(min(len(each) / MAX_OFFERS_PER_S, SPREAD_S / len(slices)))

    async def _hear_for_ever(self) -> None:
        """Wake the hub whenever Redis says that the outbox has grown; without Redis the poll does."""
        while True:
            try:
                await self._hear()
            except (redis.RedisError, OSError) as lost:
                log.info("live.no_bell", reason=str(lost))
                await asyncio.sleep(POLL_S)

    async def _hear(self) -> None:
        client = redis.asyncio.Redis.from_url(settings.REDIS_URL, socket_connect_timeout=2, protocol=2)
        async with client, client.pubsub(ignore_subscribe_messages=True) as subscriber:
            await subscriber.subscribe(LISTENERS)
            async for _message in subscriber.listen():
                # What the message says is of no interest: versions are read from the database, where they are in order.
                self._rung.set()


def versions_of(channels: list[str]) -> dict[str, int]:
    """Return the newest version of each channel that has one. A channel's row lock made them in commit order."""
    # A thread of its own, outside of Django's requests: it opens and closes its connection itself.
    close_old_connections()
    try:
        found: dict[str, int] = {}
        for start in range(0, len(channels), CHUNK):
            rows = Channel.objects.filter(name__in=channels[start : start + CHUNK])
            found.update(rows.values_list("name", "version"))
        return found
    finally:
        connection.close()
