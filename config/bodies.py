"""Bodies that are too large, too slow or too many never fill the memory.

Django's ASGI handler takes a whole body in before the first middleware runs, so a limit inside Django comes too late.
Here a body that announces too much is left unread (the middleware then answers 413 from the announced length), and one
that does not say how long it is, is refused. So is one that says to be written otherwise than in UTF-8: any codec of
Python would be used, and some of them unpack (3 MB of zlib are 3 GB). What is read counts for its network and for the
process until its answer is there, and has to come within a time and at a speed (decision 0084).
"""

from __future__ import annotations

import asyncio
import json
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

from web.rate_limits import WIDE, network_of, wide_network_of

Receive = Callable[[], Awaitable[Any]]
Send = Callable[[Any], Awaitable[None]]
App = Callable[[Any, Receive, Send], Awaitable[None]]
CHARSET: Final = re.compile(rb"charset\*?\s*=\s*[\"']?([^\s;,\"']*)", re.IGNORECASE)
UTF8: Final = (b"utf-8", b"utf8")


@dataclass(frozen=True, slots=True)
class Refusal:
    """Reason why a body is not taken. wait_s: after how many seconds it may be sent again; 0: not as it is."""

    status: int
    code: str
    text: str
    wait_s: int = 0


NO_LENGTH: Final = Refusal(411, "request.length_needed", "Say how long the body is (Content-Length) and send it again.")
NOT_UTF8: Final = Refusal(
    415, "request.charset", "Write the body in UTF-8, which needs no charset to be named, and send it again."
)
TOO_SLOW: Final = Refusal(408, "request.too_slow", "The body came too slowly. Send it again, from a better network.")
TOO_MANY: Final = Refusal(
    429, "request.too_many", "Your network is sending many things at this moment. Send it again in a minute.", 60
)
FULL: Final = Refusal(
    503, "server.busy", "Many are sending large files at this moment. Nothing was kept: send it again in a minute.", 60
)


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of bodies: their speed, in seconds and bytes a second; how much of all bodies a process holds, in bytes.

    A phone that sends a photo of 8 MiB over a network of 30 KB/s is done in time; one that is made small first, over
    the slowest there is. small: a body that announces at most this length may use `spare` above the process's bytes, so
    that forms go on working while somebody fills the rest.
    """

    silent_s: float = 20.0
    grace_s: float = 20.0
    least_speed: float = 4 * 1024
    whole_s: float = 300.0
    process: int = 48 * 1024 * 1024
    network: int = 24 * 1024 * 1024
    at_once: int = 64
    small: int = 64 * 1024
    spare: int = 16 * 1024 * 1024


class Bodies:
    """The bodies that one process is taking in, or has not answered yet."""

    def __init__(self, limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        self.bytes = 0
        self._bytes_of: Counter[str] = Counter()
        self._n_of: Counter[str] = Counter()

    # A body is released when its answer is sent, not when it is read: until then Django may hold all of it.
    async def within(self, most: int, app: App, scope: Any, receive: Receive, send: Send) -> None:
        """Call `app` with a body of at most `most` bytes; the HTTP server holds a client to the length it announced."""
        headers = dict(scope["headers"])
        length = announced(headers)
        if b"transfer-encoding" in headers:
            await _refuse(scope, send, NO_LENGTH)
        elif not _is_utf8(scope["headers"]):
            await _refuse(scope, send, NOT_UTF8)
        # Django still answers, with its own page and headers; it only never sees the body.
        elif length > most:
            await app(scope, _Unread(receive), send)
        # Nearly every request: nothing to count.
        elif length == 0:
            await app(scope, receive, send)
        else:
            with self._counted(scope, length) as body:
                await self._taken(body, app, scope, receive, send)

    async def _taken(self, body: _Body, app: App, scope: Any, receive: Receive, send: Send) -> None:
        body.receive = receive
        if body.refusal is None:
            await app(scope, body, send)  # Django leaves without an answer when the client seems to have gone
        if body.refusal is not None:
            await _refuse(scope, send, body.refusal)

    @contextmanager
    def _counted(self, scope: Any, length: int) -> Iterator[_Body]:
        address = str((scope.get("client") or ("",))[0])
        wide = wide_network_of(address)
        networks = {network_of(address): 1, **({wide: WIDE} if wide else {})}
        body = _Body(self, networks, length)
        # Refused before the first byte is read; the entry is counted all the same, so that release finds it.
        body.refusal = next((TOO_MANY for each, times in networks.items() if self._is_full(each, times)), None)
        self._n_of.update(networks.keys())
        try:
            yield body
        finally:
            self._release(body)

    def _is_full(self, network: str, times: int) -> bool:
        return self._n_of[network] >= times * self.limits.at_once

    def take(self, body: _Body, n: int) -> Refusal | None:
        """Count `n` more bytes of a body; return the reason if they are not taken."""
        # By the announced length: small forms have room of their own.
        is_small = body.length <= self.limits.small
        # First the process, then the network: what protects everybody comes before what is fair.
        if self.bytes + n > self.limits.process + (self.limits.spare if is_small else 0):
            return FULL
        for network, times in body.networks.items():
            if self._bytes_of[network] + n > times * self.limits.network:
                return TOO_MANY
        self.bytes += n
        body.taken += n
        self._bytes_of.update(dict.fromkeys(body.networks, n))
        return None

    def _release(self, body: _Body) -> None:
        self.bytes -= body.taken
        for network in body.networks:
            self._bytes_of[network] -= body.taken
            self._n_of[network] -= 1
            # Forgotten with its last body, or the counters would hold every address of the internet.
            if self._n_of[network] <= 0:
                del self._n_of[network], self._bytes_of[network]


class _Body:
    """One body as the application receives it: counted, and gone as soon as it is refused."""

    def __init__(self, bodies: Bodies, networks: dict[str, int], length: int) -> None:
        self.networks, self.length = networks, length
        self.taken = 0
        self.refusal: Refusal | None = None
        self.receive: Receive = _gone
        self._bodies = bodies
        self._is_whole = False
        self._began = asyncio.get_running_loop().time()

    async def __call__(self) -> Any:
        if self.refusal is not None:
            return await _gone()
        if self._is_whole:
            return await self.receive()
        try:
            async with asyncio.timeout(self._left_s()):
                message = await self.receive()
        except TimeoutError:
            self.refusal = TOO_SLOW
            return await _gone()
        if message["type"] == "http.request":
            # By what came, not by what was announced: a promise of megabytes must not fill the room.
            self.refusal = self._bodies.take(self, len(message.get("body", b"")))
            self._is_whole = not message.get("more_body", False)
        # To Django a refused body looks like a client that went away: it stops and drops what it has.
        return message if self.refusal is None else await _gone()

    def _left_s(self) -> float:
        """Return for how many seconds nothing may come: until it is silent for too long, too slow as a whole, or too
        late.
        """
        limits = self._bodies.limits
        gone_s = asyncio.get_running_loop().time() - self._began
        # The clock runs on average speed: a phone may pause, as long as it makes up for it.
        by_speed = limits.grace_s + self.taken / limits.least_speed
        return max(0.0, min(limits.silent_s, by_speed - gone_s, limits.whole_s - gone_s))


async def _gone() -> Any:
    return {"type": "http.disconnect"}


def announced(headers: dict[bytes, bytes]) -> int:
    """Return the length that a body announces. What cannot be read counts as nothing: the server has refused it
    already.
    """
    text = headers.get(b"content-length", b"0")
    return int(text) if text.isdigit() and len(text) < 19 else 0


def _is_utf8(headers: Iterable[tuple[bytes, bytes]]) -> bool:
    """Return whether no Content-Type (there may be several, which Django joins) names another character set."""
    content_type = b",".join(value for name, value in headers if name.lower() == b"content-type")
    return all(found.lower() in UTF8 for found in CHARSET.findall(content_type))


async def _refuse(scope: Any, send: Send, why: Refusal) -> None:
    """Answer, and close: the rest of the body is not waited for. Programs get a problem document, people a sentence."""
    accepts = b",".join(value for name, value in scope["headers"] if name == b"accept")
    if scope["path"].startswith("/api/") or b"json" in accepts:
        kind = b"application/problem+json"
        problem = {"type": "about:blank", "title": why.text, "status": why.status, "code": why.code}
        content = json.dumps(problem).encode()
    else:
        kind, content = b"text/plain; charset=utf-8", f"{why.code}: {why.text}\n".encode()
    # Close: what is left of the body would be read as the next request.
    headers = [(b"content-type", kind), (b"connection", b"close"), (b"cache-control", b"no-store")]
    headers += [(b"retry-after", str(why.wait_s).encode())] if why.wait_s else []
    await send({"type": "http.response.start", "status": why.status, "headers": headers})
    await send({"type": "http.response.body", "body": content})


class _Unread:
    """A body that is not read: empty, and after it nothing but the client's going."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._ended = False

    async def __call__(self) -> Any:
        if not self._ended:
            self._ended = True
            return {"type": "http.request", "body": b"", "more_body": False}
        while (message := await self._receive())["type"] != "http.disconnect":
            pass  # parts of the body that is not kept
        return message
