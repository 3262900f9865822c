"""One hub per web process: receives the wake-up, reads what is new, wakes those who listen to it.

The wake-up is Redis pub/sub. It brings the new versions, or the newest rows of the outbox are read after it, so that an
answer at one of a thousand tables costs the same as at one of two. Once a second the versions of all channels listened
to are read: a lost wake-up, a lost Redis, and versions that have no row of the outbox (those of notices) cost a second.
A listener's queue is the newest version per channel, so it is bounded and a slow reader skips instead of lagging.

Where many listen, news is published a few at a time and at most twice a second each: hundreds of writes at one moment
would keep every page of this process waiting, and a page that has news twice a second is live to any eye.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from typing import Final

import redis
import redis.asyncio
import structlog
from asgiref.sync import sync_to_async
from django.conf import settings
from django.core import signing
from django.db import DatabaseError, close_old_connections, connection

from activity.wake_ups import LISTENERS, LISTENERS_SALT
from bots.models import Channel, Outbox
from tournaments import streams

# The safety net of a lost wake-up; also how often a database that is away is asked again.
POLL_S: Final = 1.0
# Rows that are read again: a transaction that took a lower number may be committed after one with a higher number.
OVERLAP: Final = 100
# Rows of the outbox that are read at once; after more of them the versions of all channels are read instead.
MAX_ROWS: Final = 1000
# Asked after every write: Django took several times as long to write it as the database to answer it.
NEWEST: Final = "SELECT id, channel, version FROM bots_outbox WHERE id > %s ORDER BY id DESC LIMIT %s"
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

Rows = frozenset[int]
"""Numbers of rows of the outbox."""


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
        self._of_channel: defaultdict[str, set[Listener]] = defaultdict(set)
        self._arrived: set[Listener] = set()
        self._rows: Rows = frozenset()
        self._rung = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    @contextlib.asynccontextmanager
    async def listening(self, listener: Listener) -> AsyncIterator[None]:
        """Serve a listener while the block runs; the last one to go ends the hub's tasks."""
        self._add(listener)
        if not self._tasks:
            self._tasks = [asyncio.create_task(self._offer_forever()), asyncio.create_task(self._hear_for_ever())]
        self._rung.set()
        try:
            yield
        finally:
            self._remove(listener)
            if not self.listeners:
                await self._rest()

    def _add(self, listener: Listener) -> None:
        self.listeners.add(listener)
        self._arrived.add(listener)
        for channel in listener.channels:
            self._of_channel[channel].add(listener)

    def _remove(self, listener: Listener) -> None:
        self.listeners.discard(listener)
        self._arrived.discard(listener)
        for channel in listener.channels:
            self._of_channel[channel].discard(listener)
            if not self._of_channel[channel]:
                del self._of_channel[channel]

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
        published_at = looked_at = float("-inf")
        while True:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._rung.wait(), POLL_S)
            # Before the versions are read, for the same reason.
            self._rung.clear()
            now = time.monotonic()
            if now - published_at > streams.PUBLISH_EVERY_S:
                published_at = now
                await sync_to_async(streams.publish_count)()
            try:
                if now - looked_at < POLL_S and await self._offer_news():
                    continue
                looked_at = now
                await self.offer()
            except DatabaseError as lost:
                log.warning("live.no_database", reason=str(lost))
                await asyncio.sleep(POLL_S)

    async def offer(self) -> None:
        """Offer every listener the present versions of its channels."""
        self._arrived.clear()
        self._rows, versions = await sync_to_async(versions_now)(sorted(self._of_channel))
        await self._serve(tuple(self.listeners), versions)

    async def _offer_news(self) -> bool:
        """Offer what is new to those who listen to it, and the present versions to those who have just come.

        Returns whether that was all: False after more news than are read at once.
        """
        arrived, self._arrived = self._arrived, set()
        names = sorted({channel for listener in arrived for channel in listener.channels})
        found = await sync_to_async(news_beside)(self._rows, names)
        if found is None:
            return False
        self._rows, versions = found
        await self._serve(tuple((arrived | self._who_listens(versions)) & self.listeners), versions)
        return True

    async def _serve(self, concerned: tuple[Listener, ...], versions: Mapping[str, int]) -> None:
        slices = [concerned[start : start + SLICE] for start in range(0, len(concerned), SLICE)]
        for each in slices:
            if sum(listener.offer_all(versions) for listener in each) and len(slices) > 1:
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
            async for message in subscriber.listen():
                if versions := _versions_in(message["data"]):
                    await self._serve(tuple(self._who_listens(versions)), versions)
                else:
                    self._rung.set()

    def _who_listens(self, channels: Iterable[str]) -> set[Listener]:
        return set().union(*(self._of_channel.get(channel, ()) for channel in channels))


def _versions_in(message: bytes) -> dict[str, int]:
    """Return the versions that a wake-up of a web process brings; none where the outbox has to be read for them."""
    try:
        found: dict[str, int] = signing.loads(message.decode("ascii", "replace"), salt=LISTENERS_SALT)
    except signing.BadSignature:
        return {}
    return found


def versions_now(channels: list[str]) -> tuple[Rows, dict[str, int]]:
    """Return the newest rows of the outbox, and the version of each channel that has one.

    A channel's row lock made its versions in commit order.
    """
    with _own_connection():
        # First: a row that is written in between is read with the next news.
        newest = Outbox.objects.order_by("-pk").values_list("pk", flat=True)[:OVERLAP]
        return frozenset(newest), _versions_of(channels)


def news_beside(known: Rows, channels: list[str]) -> tuple[Rows, dict[str, int]] | None:
    """Return the newest rows of the outbox, and the versions of those that are not `known` and of `channels`; None if
    more came than are read at once.
    """
    with _own_connection():
        with connection.cursor() as cursor:
            cursor.execute(NEWEST, [max(known, default=0) - OVERLAP, MAX_ROWS])
            rows: list[tuple[int, str, int]] = cursor.fetchall()
        if len(rows) == MAX_ROWS:
            return None
        # From old to new: the last version of a channel stays.
        versions = {channel: version for pk, channel, version in reversed(rows) if pk not in known}
        return frozenset(pk for pk, _channel, _version in rows) or known, versions | _versions_of(channels)


@contextlib.contextmanager
def _own_connection() -> Iterator[None]:
    """Open and close the connection: this thread is outside of Django's requests."""
    close_old_connections()
    try:
        yield
    finally:
        connection.close()


def _versions_of(channels: list[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for start in range(0, len(channels), CHUNK):
        rows = Channel.objects.filter(name__in=channels[start : start + CHUNK])
        found.update(rows.values_list("name", "version"))
    return found
