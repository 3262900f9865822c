"""Bodies that are too large never reach the disk: they are refused at the ASGI door."""

from __future__ import annotations

import asyncio
import zlib
from typing import Any

import pytest

from config.asgi import application
from tests.services.looping import run_async

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
