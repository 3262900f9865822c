"""The live stream: numbers only, in order, after what was seen, and nothing of private events without a token."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Coroutine, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.core import signing
from django.db import connection, transaction

from activity import wake_ups
from activity.account_events import QueueChanged
from activity.journal import publish
from bots.models import Channel, Outbox
from tests.builders import events as a
from tests.services.looping import run_async
from tournaments import live, sse
from tournaments.domain_events.tournaments import TournamentCreated
from tournaments.live import Hub, Listener
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db(transaction=True)


class Client:
    """A browser's end of one stream."""

    def __init__(self, query: str, headers: dict[str, str] | None = None, method: str = "GET") -> None:
        listed = [(name.lower().encode(), value.encode()) for name, value in (headers or {}).items()]
        self.scope = {"type": "http", "method": method, "query_string": query.encode(), "headers": listed}
        self.status = 0
        self.body = b""
        self.grown = asyncio.Event()
        self._leave = asyncio.Event()
        self._task = asyncio.create_task(sse.events(self.scope, self._receive, self._send))

    async def _receive(self) -> dict[str, Any]:
        await self._leave.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: dict[str, Any]) -> None:
        self.status = message.get("status", self.status)
        self.body += message.get("body", b"")
        self.grown.set()

    async def until(self, condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(10):
            while not condition():
                await self.grown.wait()
                self.grown.clear()

    async def opened(self) -> None:
        """Until the stream has begun."""
        await self.until(lambda: b"retry" in self.body)

    async def events(self, count: int) -> list[dict[str, Any]]:
        """The data of the first `count` events, once they are there."""
        await self.until(lambda: self.body.count(b"data: ") >= count)
        return [json.loads(line[6:]) for line in self.body.splitlines() if line.startswith(b"data: ")]

    def ids(self) -> list[str]:
        return [line[4:].decode() for line in self.body.splitlines() if line.startswith(b"id: ")]

    async def leave(self) -> None:
        self._leave.set()
        async with asyncio.timeout(10):
            await self._task

    async def answered(self) -> int:
        async with asyncio.timeout(10):
            await self._task
        return self.status


def run(scene: Callable[[], Coroutine[Any, Any, None]]) -> None:
    run_async(scene)


def say(*channels: str, is_counted: bool = False) -> None:
    """Do what a transaction of some other process would do."""

    def act() -> None:
        try:
            with transaction.atomic():
                publish(*(TournamentCreated(channel) for channel in channels), is_counted=is_counted)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        pool.submit(act).result(10)


def test_a_listener_hears_the_version_now_and_then_each_newer_one(redis_url: str) -> None:
    event = a.an_open_event()
    now = Channel.objects.get(name=event.channel).version

    async def scene() -> None:
        client = Client(f"ch={event.channel}")
        assert await client.events(1) == [{"ch": event.channel, "ver": now}]
        await asyncio.to_thread(say, event.channel)
        heard = await client.events(2)
        assert heard[1] == {"ch": event.channel, "ver": now + 1}
        assert client.ids()[-1] == f"{event.channel}={now + 1}"
        await client.leave()

    run(scene)


def test_after_a_reconnect_only_newer_versions_come(redis_url: str) -> None:
    say("q:", "q:", "b:plum")

    async def scene() -> None:
        client = Client("ch=b:plum,q:", {"Last-Event-ID": "b:plum=1,q:=1"})
        assert await client.events(1) == [{"ch": "q:", "ver": 2}]
        assert client.ids() == ["b:plum=1,q:=2"]
        await client.leave()
        client = Client("ch=q:&seen=q:=2")
        await asyncio.to_thread(say, "q:")
        assert await client.events(1) == [{"ch": "q:", "ver": 3}]
        await client.leave()

    run(scene)


@pytest.mark.thorough
def test_without_redis_the_poll_finds_it(redis_url: str, settings: Any) -> None:
    settings.REDIS_URL = "unix:///nowhere/redis.sock"

    async def scene() -> None:
        client = Client("ch=q:")
        await client.opened()
        await asyncio.to_thread(say, "q:")
        assert await client.events(1) == [{"ch": "q:", "ver": 1}]
        await client.leave()

    run(scene)


def test_a_burst_reaches_a_listener_as_its_last_version(redis_url: str) -> None:
    async def scene() -> None:
        clients = [Client("ch=q:") for _ in range(20)]
        for client in clients:
            await client.opened()
        await asyncio.to_thread(say, *["q:"] * 200)
        for client in clients:
            heard = [each["ver"] for each in await client.events(1)]
            assert heard[-1] == 200
            assert heard == sorted(set(heard))
            await client.leave()

    run(scene)


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The first channel of each listener that versions are offered to, from now on; nothing is found by the poll."""
    found: list[str] = []
    offer_all = Listener.offer_all

    def noted(listener: Listener, versions: Mapping[str, int]) -> bool:
        found.append(listener.channels[0])
        return offer_all(listener, versions)

    monkeypatch.setattr(Listener, "offer_all", noted)
    monkeypatch.setattr(live, "POLL_S", 60.0)
    return found


def test_news_is_offered_to_those_who_listen_to_it_alone(redis_url: str, served: list[str]) -> None:
    say(*(f"b:bot-{number}" for number in range(20)))

    async def scene() -> None:
        clients = [Client(f"ch=b:bot-{number}") for number in range(20)]
        for client in clients:
            await client.events(1)
        served.clear()
        await asyncio.to_thread(say, "b:bot-7", "b:nobody-listens")
        assert await clients[7].events(2) == [{"ch": "b:bot-7", "ver": 1}, {"ch": "b:bot-7", "ver": 2}]
        assert served == ["b:bot-7"]
        for client in clients:
            await client.leave()

    run(scene)


def test_versions_that_a_wake_up_brings_are_offered_without_reading_the_outbox(
    redis_url: str, served: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "news_beside", lambda known, _channels: (known, {}))  # who reads finds nothing

    async def scene() -> None:
        client = Client("ch=b:plum,q:")
        await client.opened()
        # Until the wake-ups arrive.
        while b"data: " not in client.body:
            await asyncio.to_thread(say, "b:plum", is_counted=True)
        await asyncio.to_thread(say, "b:plum", "q:", "b:plum", is_counted=True)
        await client.until(lambda: b'"ch":"q:","ver":1' in client.body)
        await client.leave()

    run(scene)


@pytest.mark.parametrize("message", [b"1", b"", b'{"q:": 999999}', b"\xff", None])
def test_a_wake_up_that_no_web_process_has_signed_has_the_outbox_read(message: bytes | None) -> None:
    of_another_kind = signing.dumps({"q:": 9}).encode()
    assert live._versions_in(message if message is not None else of_another_kind) == {}


@pytest.mark.parametrize(("role", "heard"), [("", {"q:": 3}), ("worker", {})])
def test_a_worker_which_has_no_key_brings_no_versions(
    settings: Any, monkeypatch: pytest.MonkeyPatch, role: str, heard: dict[str, int]
) -> None:
    settings.ROLE = role
    sent: list[str] = []
    monkeypatch.setattr(wake_ups.redis_client(), "publish", lambda _channel, message: sent.append(message))
    assert wake_ups.wake_listeners({"q:": 3})
    assert [live._versions_in(message.encode()) for message in sent] == [heard]


def test_what_was_numbered_before_and_is_committed_later_is_heard_at_once(redis_url: str, served: list[str]) -> None:
    async def scene() -> None:
        early, late = Client("ch=b:early"), Client("ch=b:late")
        for client in (early, late):
            await client.opened()
        is_written, may_end = threading.Event(), threading.Event()

        def act() -> None:
            with transaction.atomic():
                publish(TournamentCreated("b:late"))
                is_written.set()
                assert may_end.wait(10)
            connection.close()

        with ThreadPoolExecutor(1) as pool:
            done = pool.submit(act)
            await asyncio.to_thread(is_written.wait, 10)
            if connection.vendor == "postgresql":
                await asyncio.to_thread(say, "b:early")
                assert await early.events(1) == [{"ch": "b:early", "ver": 1}]
            may_end.set()
            await asyncio.to_thread(done.result, 10)
        assert await late.events(1) == [{"ch": "b:late", "ver": 1}]
        for client in (early, late):
            await client.leave()

    run(scene)


def test_after_more_news_than_are_read_at_once_everybody_is_looked_after(redis_url: str, served: list[str]) -> None:
    async def scene() -> None:
        clients = [Client("ch=b:first"), Client("ch=b:last")]
        for client in clients:
            await client.opened()
        await asyncio.to_thread(say, "b:first", *["q:"] * (live.MAX_ROWS + 1), "b:last")
        for client in clients:
            assert len(await client.events(1)) == 1
            await client.leave()

    run(scene)


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("", 400),
        ("ch=", 400),
        ("ch=x:1", 400),
        ("ch=t:a b", 400),
        ("ch=" + ",".join(f"b:{n}" for n in range(9)), 400),
        ("ch=t:no-such-event", 404),
        ("ch=m:00000000-0000-0000-0000-000000000000", 404),
    ],
)
def test_channels_that_are_none_are_refused(query: str, status: int) -> None:
    async def scene() -> None:
        assert await Client(query).answered() == status

    run(scene)


def test_only_get_is_answered() -> None:
    async def scene() -> None:
        assert await Client("ch=q:", method="POST").answered() == 405

    run(scene)


def test_a_private_event_needs_a_token_of_its_own(redis_url: str) -> None:
    event = a.an_open_event(visibility="private")
    public = a.an_open_event(name="Public league")
    token = sse.live_token([event.channel])
    wrong = sse.live_token([public.channel])

    async def scene() -> None:
        assert await Client(f"ch={event.channel}").answered() == 404
        assert await Client(f"ch={event.channel}&token={wrong}").answered() == 404
        assert await Client(f"ch={event.channel}&token={token}x").answered() == 404
        client = Client(f"ch={event.channel}&token={token}")
        assert await client.events(1)
        await client.leave()

    run(scene)


def test_a_draft_is_nobody_s_business() -> None:
    event = a.an_open_event()
    Tournament.objects.update(state="draft")

    async def scene() -> None:
        assert await Client(f"ch={event.channel}").answered() == 404

    run(scene)


def test_versions_of_a_channel_are_in_commit_order_without_a_gap() -> None:
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _each: say("t:plum", "m:1"), range(40)))
    versions = list(Outbox.objects.filter(channel="t:plum").order_by("version").values_list("version", flat=True))
    assert versions == list(range(1, 41))


def test_an_outbox_row_needs_the_transaction_that_causes_it() -> None:
    with pytest.raises(transaction.TransactionManagementError):
        publish(QueueChanged("q:"))


def test_the_last_listener_can_leave_although_a_library_keeps_the_first_cancellation_for_itself(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Act as a client of Redis did now and then: its reader went on, and the leaver waited for it for good."""

    async def deaf_once(hub: Hub) -> None:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            await asyncio.Event().wait()

    monkeypatch.setattr(Hub, "_hear", deaf_once)
    monkeypatch.setattr(live, "ASKED_AGAIN_S", 0.01)

    async def scene() -> None:
        listener = Client("ch=q:")
        await listener.opened()
        await asyncio.sleep(0)
        await listener.leave()

    run(scene)
