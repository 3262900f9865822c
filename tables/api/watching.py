"""Which tokens have streams open in this process: asked all at once, a few times a minute, whether they still hold."""

from __future__ import annotations

import asyncio
import contextlib
import weakref
from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import Final

import structlog
from django.db import DatabaseError, InterfaceError

from accounts.tokens import usable
from tables.api.present import in_thread

CHECKED_EVERY_S: Final = 10.0
"""Seconds between two looks at the tokens of all streams of a process: one query."""
log = structlog.get_logger(__name__)


class Watch:
    """The tokens of the streams of one event loop. Its task runs only while one is there."""

    def __init__(self) -> None:
        self._open: dict[int, list[Callable[[], None]]] = {}
        self._task: asyncio.Task[None] | None = None

    @contextlib.asynccontextmanager
    async def over(self, token: int | None, end: Callable[[], None]) -> AsyncIterator[None]:
        """Call `end` if the token is revoked, expires or loses its owner while the block runs. None: no token."""
        if token is None:
            yield
            return
        self._open.setdefault(token, []).append(end)
        if self._task is None:
            self._task = asyncio.create_task(self._look_on())
        try:
            yield
        finally:
            self._open[token].remove(end)
            if not self._open[token]:
                del self._open[token]
            if not self._open and self._task is not None:
                self._task.cancel()
                self._task = None

    async def _look_on(self) -> None:
        while True:
            await asyncio.sleep(CHECKED_EVERY_S)
            asked = list(self._open)
            try:
                good = await in_thread(partial(usable, asked))
            except (DatabaseError, InterfaceError) as lost:
                # Nobody is thrown out because the database is away: it is asked again.
                log.warning("program.tokens_not_checked", reason=str(lost))
                continue
            except Exception:
                # Nor does one mistake of ours end the looking: a token that is revoked later has to be noticed.
                log.exception("program.tokens_not_checked")
                continue
            for token in asked:
                for end in () if token in good else tuple(self._open.get(token, ())):
                    end()


_watches: Final[weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, Watch]] = weakref.WeakKeyDictionary()


def watch_here() -> Watch:
    """Return the watch of this event loop."""
    return _watches.setdefault(asyncio.get_running_loop(), Watch())
