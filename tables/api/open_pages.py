"""`GET /play/here/?page=TOKEN`: a page that shows a table says that somebody is there, and asks whether it has changed.

Beside Django, as the streams: a thousand tables say so three hundred times a second. What comes within a second is
noted and looked up at once, with a handful of statements; who asks waits that long. 304: the view that the page has
(`If-None-Match`) is the present one. 200: it may not be, and the page looks.
"""

from __future__ import annotations

import asyncio
import weakref
from collections.abc import Mapping
from functools import partial
from typing import Any, Final
from urllib.parse import parse_qs

import structlog
from django.db import DatabaseError, InterfaceError

from tables.api.present import in_thread
from tables.view.open_pages import OpenPage, note_open, page_of
from tournaments.sse import Receive, Send, answer
from web.sending import is_known

GATHERED_S: Final = 1.0
"""Seconds within which those who ask are answered together."""
CHANGED: Final = b'{"changed": true}'
RETRY: Final = (b"retry-after", b"2")
log = structlog.get_logger(__name__)


class Gathering:
    """Those who ask in one event loop. Nothing runs while nobody does."""

    def __init__(self) -> None:
        self._pages: set[OpenPage] = set()
        self._next: asyncio.Task[dict[OpenPage, str]] | None = None
        self._one_at_a_time = asyncio.Lock()

    async def etag_of(self, page: OpenPage) -> str | None:
        """Return the ETag of a page's view, None if it has to look. Raises DatabaseError while the database is away."""
        self._pages.add(page)
        if self._next is None:
            self._next = asyncio.create_task(self._note())
        # Shielded: one who goes away does not end the task of the others.
        return (await asyncio.shield(self._next)).get(page)

    async def _note(self) -> dict[OpenPage, str]:
        await asyncio.sleep(GATHERED_S)
        # Where the database is slow the next ones gather until it has answered, in place of a thread each second.
        async with self._one_at_a_time:
            pages, self._pages, self._next = self._pages, set(), None
            return await in_thread(partial(note_open, pages))


_gatherings: Final[weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, Gathering]] = weakref.WeakKeyDictionary()


async def still_here(scope: Mapping[str, Any], receive: Receive, send: Send) -> None:
    """Serve `/play/here/` as an ASGI application."""
    query = parse_qs(scope.get("query_string", b"").decode("ascii", "replace"))
    page = page_of("".join(query.get("page", [""])))
    if scope["method"] != "GET":
        await answer(send, 405, "Use GET.")
    elif page is None:
        await answer(send, 404, "There is no such page, or it was opened a day ago: reload it.")
    else:
        await _answer(page, dict(scope.get("headers", ())), send)


async def _answer(page: OpenPage, headers: Mapping[bytes, bytes], send: Send) -> None:
    gathering = _gatherings.setdefault(asyncio.get_running_loop(), Gathering())
    try:
        etag = await gathering.etag_of(page)
    except (DatabaseError, InterfaceError) as lost:
        log.warning("open_pages.no_database", reason=str(lost))
        await answer(send, 503, "The database is away for a moment. Try again.", RETRY)
        return
    known = headers.get(b"if-none-match", b"").decode("latin-1")
    is_same = etag is not None and is_known(known, etag)
    more = [(b"content-length", str(len(CHANGED)).encode()), (b"content-type", b"application/json")]
    sent = [(b"cache-control", b"private, no-store"), *([] if is_same else more)]
    await send({"type": "http.response.start", "status": 304 if is_same else 200, "headers": sent})
    await send({"type": "http.response.body", "body": b"" if is_same else CHANGED})
