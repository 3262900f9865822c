"""Bodies that are too large never reach the disk.

Django's ASGI handler writes a whole body into a temporary file before the first middleware runs, so a limit inside
Django comes too late. Here a body that announces too much is left unread (the middleware then answers 413 from the
announced length), and one that does not say how long it is, is refused.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from typing import Any

Receive = Callable[[], Awaitable[Any]]
Send = Callable[[Any], Awaitable[None]]
App = Callable[[Any, Receive, Send], Awaitable[None]]
NO_LENGTH = b"request.length_needed: say how long the body is (Content-Length) and send it again.\n"


async def within(most: int, app: App, scope: Any, receive: Receive, send: Send) -> None:
    """Call `app` with a body of at most `most` bytes; the HTTP server holds a client to the length it announced."""
    headers = dict(scope["headers"])
    if b"transfer-encoding" in headers:
        await _refuse_unknown_length(send)
    elif _length(headers.get(b"content-length", b"0")) > most:
        await app(scope, _Unread(receive), send)
    else:
        await app(scope, receive, send)


def _length(text: bytes) -> int:
    """What cannot be read counts as nothing: the server has refused it already."""
    return int(text) if text.isdigit() and len(text) < 19 else 0


async def _refuse_unknown_length(send: Send) -> None:
    headers: Iterable[tuple[bytes, bytes]] = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"connection", b"close"),
    ]
    await send({"type": "http.response.start", "status": 411, "headers": headers})
    await send({"type": "http.response.body", "body": NO_LENGTH})


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
