"""Which programs have a stream open in this process: noted in the database a few times a minute, all at once."""

from __future__ import annotations

import asyncio
import contextlib
import weakref
from collections import Counter
from collections.abc import AsyncIterator, Callable
from typing import Final, TypeVar

import structlog
from asgiref.sync import sync_to_async
from django.db import DatabaseError, close_old_connections, connection

from tables.programs.presence import NOTED_EVERY_S, note_here

T = TypeVar("T")
log = structlog.get_logger(__name__)


async def in_thread(act: Callable[[], T]) -> T:
    """Do something with the database in a thread of the pool, with a connection of its own."""

    def alone() -> T:
        close_old_connections()
        try:
            return act()
        finally:
            connection.close()

    # Not thread-sensitive: the one thread of those is shared with the hub, which must not wait for a long fold.
    return await sync_to_async(alone, thread_sensitive=False)()


class Present:
    """The programs of one event loop. Its task runs only while one is there."""

    def __init__(self) -> None:
        self._here: Counter[int] = Counter()
        self._task: asyncio.Task[None] | None = None

    @contextlib.asynccontextmanager
    async def noted(self, program: int | None) -> AsyncIterator[None]:
        """Note a program while the block runs, at once and then every few seconds; None: nobody."""
        if program is None:
            yield
            return
        self._here[program] += 1
        await _note([program])
        if self._task is None:
            self._task = asyncio.create_task(self._note_on())
        try:
            yield
        finally:
            self._here -= Counter([program])
            if not self._here and self._task is not None:
                self._task.cancel()
                self._task = None

    async def _note_on(self) -> None:
        while True:
            await asyncio.sleep(NOTED_EVERY_S)
            await _note(list(self._here))


async def _note(programs: list[int]) -> None:
    try:
        await in_thread(lambda: note_here(programs))
    except DatabaseError as lost:
        log.warning("program.not_noted", reason=str(lost))


_present: Final[weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, Present]] = weakref.WeakKeyDictionary()


def present_here() -> Present:
    """Return the programs of this event loop."""
    return _present.setdefault(asyncio.get_running_loop(), Present())
