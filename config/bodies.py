"""Bodies that are too large never reach the disk.

Django's ASGI handler writes a whole body into a temporary file before the first middleware runs, so a limit inside
Django comes too late. Here a body that announces too much is left unread (the middleware then answers 413 from the
announced length), and one that does not say how long it is, is refused. So is one that says to be written otherwise
than in UTF-8: any codec of Python would be used, and some of them unpack (3 MB of zlib are 3 GB).
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, Final

Receive = Callable[[], Awaitable[Any]]
Send = Callable[[Any], Awaitable[None]]
App = Callable[[Any, Receive, Send], Awaitable[None]]
NO_LENGTH = b"request.length_needed: say how long the body is (Content-Length) and send it again.\n"
NOT_UTF8 = b"request.charset: write the body in UTF-8, which needs no charset to be named, and send it again.\n"
CHARSET: Final = re.compile(rb"charset\*?\s*=\s*[\"']?([^\s;,\"']*)", re.IGNORECASE)
UTF8: Final = (b"utf-8", b"utf8")


async def within(most: int, app: App, scope: Any, receive: Receive, send: Send) -> None:
    """Call `app` with a body of at most `most` bytes; the HTTP server holds a client to the length it announced."""
    headers = dict(scope["headers"])
    if b"transfer-encoding" in headers:
        await _refuse(send, 411, NO_LENGTH)
    elif not _is_utf8(scope["headers"]):
        await _refuse(send, 415, NOT_UTF8)
    elif _length(headers.get(b"content-length", b"0")) > most:
        await app(scope, _Unread(receive), send)
    else:
        await app(scope, receive, send)


def _length(text: bytes) -> int:
    """What cannot be read counts as nothing: the server has refused it already."""
    return int(text) if text.isdigit() and len(text) < 19 else 0


def _is_utf8(headers: Iterable[tuple[bytes, bytes]]) -> bool:
    """Whether no Content-Type (there may be several, which Django joins) names another character set."""
    said = b",".join(value for name, value in headers if name.lower() == b"content-type")
    return all(found.lower() in UTF8 for found in CHARSET.findall(said))


async def _refuse(send: Send, status: int, why: bytes) -> None:
    headers: Iterable[tuple[bytes, bytes]] = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"connection", b"close"),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": why})


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
