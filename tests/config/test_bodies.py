"""Bodies that are too large, too slow or too many are refused at the ASGI door, and nothing of them stays."""

from __future__ import annotations

import asyncio
import json
import zlib
from functools import partial
from typing import Any

import pytest
from django.test import Client

from config.asgi import application
from config.bodies import Bodies, Limits
from tests.builders.clubs import a_called_night, tables_of
from tests.services.looping import run_async
from tests.tournaments.pages.floor.test_desk import a_phone

pytestmark = pytest.mark.django_db(transaction=True)
CHUNK = b"#" * 65536


class Upload:
    """A client that sends chunks for as long as it is asked for more."""

    def __init__(self, headers: list[tuple[bytes, bytes]]) -> None:
        self.taken = 0
        self.status = 0
        self._answered = asyncio.Event()
        base = [(b"host", b"localhost"), (b"content-type", b"application/x-www-form-urlencoded")]
        self.scope: dict[str, Any] = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": "POST",
            "scheme": "http",
            "path": "/login/",
            "raw_path": b"/login/",
            "query_string": b"",
            "root_path": "",
            "client": ("127.0.0.1", 5000),
            "server": ("localhost", 80),
            "headers": [*base, *headers],
        }

    async def receive(self) -> dict[str, Any]:
        if self.taken >= 100 * len(CHUNK):
            await self._answered.wait()
            return {"type": "http.disconnect"}
        self.taken += len(CHUNK)
        return {"type": "http.request", "body": CHUNK, "more_body": self.taken < 100 * len(CHUNK)}

    async def send(self, message: dict[str, Any]) -> None:
        self.status = message.get("status", self.status)
        if message["type"] == "http.response.body" and not message.get("more_body"):
            self._answered.set()

    async def run(self) -> int:
        async with asyncio.timeout(20):
            await application(self.scope, self.receive, self.send)
        return self.status


def test_a_large_body_is_answered_before_it_is_read() -> None:
    async def scene() -> None:
        upload = Upload([(b"content-length", b"6553600")])
        assert await upload.run() == 413

    run_async(scene)


def test_a_large_body_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[int] = []
    monkeypatch.setattr("django.core.handlers.asgi.tempfile.SpooledTemporaryFile", _watching(written))

    async def scene() -> None:
        for headers in ([(b"content-length", b"6553600")], [(b"transfer-encoding", b"chunked")]):
            assert await Upload(headers).run() in (411, 413)

    run_async(scene)
    assert sum(written) < 10 * len(CHUNK)


def _watching(written: list[int]) -> Any:
    from tempfile import SpooledTemporaryFile

    class Watched(SpooledTemporaryFile[bytes]):
        def write(self, data: Any) -> int:
            written.append(len(data))
            return super().write(data)

    return Watched


BOMB = zlib.compress(b'"' + b"a" * 5_000_000 + b'"')


@pytest.mark.parametrize(
    "said",
    [
        [b"application/json; charset=zlib"],
        [b'application/json; charset="bz2"'],
        [b"multipart/form-data; boundary=x; CHARSET = hex"],
        [b"application/json", b"text/plain; charset=zlib"],
    ],
)
def test_a_body_that_names_a_codec_is_not_decoded_by_it(said: list[bytes]) -> None:
    async def scene() -> None:
        upload = Upload([(b"content-type", value) for value in said] + [(b"content-length", b"%d" % len(BOMB))])
        upload.scope["path"], upload.scope["raw_path"] = "/api/v1/bots", b"/api/v1/bots"
        assert await upload.run() == 415
        assert upload.taken == 0

    run_async(scene)


def test_utf_8_may_be_named() -> None:
    async def scene() -> None:
        upload = Upload([(b"content-type", b"application/json; charset=UTF-8"), (b"content-length", b"6553600")])
        assert await upload.run() == 413, "and then how long it is counts"

    run_async(scene)


class Slow(Upload):
    """A client that sends what it is told to, with pauses; it goes on only while it is read."""

    def __init__(self, parts: list[tuple[float, bytes]], length: int, path: str = "/login/", **more: Any) -> None:
        super().__init__([(b"content-length", b"%d" % length), *more.pop("headers", [])])
        self.scope |= {"path": path, "raw_path": path.encode(), "client": ("192.0.2.1", 5000), **more}
        self._parts = list(parts)
        self.body = b""
        self.headers: dict[bytes, bytes] = {}

    async def receive(self) -> dict[str, Any]:
        if not self._parts:
            await self._answered.wait()
            return {"type": "http.disconnect"}
        pause, part = self._parts.pop(0)
        await asyncio.sleep(pause)
        self.taken += len(part)
        return {"type": "http.request", "body": part, "more_body": bool(self._parts)}

    async def send(self, message: dict[str, Any]) -> None:
        self.body += message.get("body", b"")
        self.headers |= dict(message.get("headers", ()))
        await super().send(message)


FOREVER = (3600.0, b"")


async def echo(scope: Any, receive: Any, send: Any) -> None:
    """Reads a body as Django does, and says how long it was; waits for `scope["may_end"]`, if there is one."""
    taken = 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        taken += len(message["body"])
        if not message.get("more_body"):
            break
    if "may_end" in scope:
        await scope["may_end"].wait()
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": str(taken).encode()})


async def sent(bodies: Bodies, upload: Slow) -> int:
    await bodies.within(10**9, echo, upload.scope, upload.receive, upload.send)
    return upload.status


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize(
    "parts",
    [[FOREVER], [(0, CHUNK), FOREVER], [(0.01, b"#")] * 500, [(0, CHUNK), *[(0.01, b"#")] * 500]],
    ids=["nothing", "silent", "trickling", "trickling after a burst"],
)
def test_a_body_that_never_ends_is_refused_and_nothing_of_it_stays(parts: list[tuple[float, bytes]]) -> None:
    async def scene() -> None:
        bodies = Bodies(Limits(silent_s=0.2, grace_s=0.2, least_speed=1024 * 1024, whole_s=0.6))
        upload = Slow(parts, 9_000_000)
        assert await sent(bodies, upload) == 408
        assert b"request.too_slow" in upload.body
        assert (bodies.bytes, bodies._n_of, bodies._bytes_of) == (0, {}, {})

    run_async(scene)


@pytest.mark.thorough
def test_a_slow_but_honest_body_is_taken_whole() -> None:
    async def scene() -> None:
        bodies = Bodies(Limits(silent_s=5, grace_s=0.1, least_speed=1024, whole_s=60))
        upload = Slow([(0.01, b"#" * 1024)] * 60, 61_440)
        assert await sent(bodies, upload) == 200
        assert upload.body == b"61440"

    run_async(scene)


def test_so_much_and_so_many_from_one_network_and_the_others_go_on() -> None:
    async def scene() -> None:
        bodies = Bodies(Limits(network=4 * len(CHUNK), at_once=3))
        holding = [Slow([(0, CHUNK), FOREVER], 10**6, client=(f"2001:db8:1:2::{n}", 1)) for n in range(3)]
        tasks = [asyncio.create_task(sent(bodies, each)) for each in holding]
        await asyncio.sleep(0)
        fourth = Slow([(0, b"#")], 1, client=("2001:db8:1:2:ffff::1", 1), path="/api/v1/bots")
        assert await sent(bodies, fourth) == 429
        assert (json.loads(fourth.body)["code"], fourth.headers[b"retry-after"]) == ("request.too_many", b"60")
        assert await sent(bodies, Slow([(0, CHUNK)] * 4, 4 * len(CHUNK), client=("2001:db8:1:3::1", 1))) == 200
        assert await sent(bodies, Slow([(0, CHUNK)] * 5, 5 * len(CHUNK), client=("192.0.2.7", 1))) == 429
        for each in tasks:
            each.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        assert (bodies.bytes, bodies._n_of) == (0, {})

    run_async(scene)


def test_the_48_of_ipv6_has_an_end_too() -> None:
    async def scene() -> list[int]:
        bodies = Bodies(Limits(at_once=2))
        uploads = [Slow([FOREVER], 10**6, client=(f"2001:db8:1:{n}::1", 1)) for n in range(9)]
        tasks = [asyncio.create_task(sent(bodies, each)) for each in uploads]
        done, _waiting = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for each in tasks:
            each.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        return [each.result() for each in done]

    assert run_async(scene) == [429], "four times as many as one /64 may"


def test_a_full_process_still_takes_forms_and_counts_until_the_answer() -> None:
    async def scene() -> None:
        bodies = Bodies(Limits(process=2 * len(CHUNK), small=1024, spare=4096))
        may_end = asyncio.Event()
        large = Slow([(0, CHUNK), (0, CHUNK)], 2 * len(CHUNK), may_end=may_end)
        task = asyncio.create_task(sent(bodies, large))
        await asyncio.sleep(0.01)
        assert bodies.bytes == 2 * len(CHUNK), "read whole, not answered yet"
        refused = Slow([(0, CHUNK)], len(CHUNK), client=("198.51.100.7", 1))
        assert (await sent(bodies, refused), refused.headers[b"retry-after"]) == (503, b"60")
        assert b"server.busy" in refused.body
        assert await sent(bodies, Slow([(0, b"#" * 1024)], 1024, client=("198.51.100.7", 1))) == 200
        may_end.set()
        assert await task == 200
        assert bodies.bytes == 0

    run_async(scene)


@pytest.mark.thorough
def test_only_who_sits_at_a_table_sends_a_large_photo() -> None:
    event = a_called_night(people=4)
    match = tables_of(event)[0]
    phone, stranger = a_phone(match, 0), Client()
    stranger.get("/login/")
    path, length = f"/x/{match.uuid}/photo/", 8_000_000
    cookie = "; ".join(f"{name}={each.value}" for name, each in phone.cookies.items())

    async def scene(headers: list[tuple[bytes, bytes]], at: str = path) -> tuple[int, int]:
        upload = Slow([(0, CHUNK)] * 3, length, at, headers=headers)
        async with asyncio.timeout(60):
            await application(upload.scope, upload.receive, upload.send)
        return upload.status, upload.taken

    for headers in ([], [(b"cookie", b"sessionid=forged")], [(b"cookie", b'"')]):
        assert run_async(partial(scene, headers))[0] == 413
    other = f"/x/{tables_of(event)[1].uuid}/photo/"
    assert run_async(lambda: scene([(b"cookie", cookie.encode())], other))[0] == 413
    status, taken = run_async(lambda: scene([(b"cookie", cookie.encode())]))
    assert (status, taken) == (403, 3 * len(CHUNK)), "read; then there is no CSRF token in it"
