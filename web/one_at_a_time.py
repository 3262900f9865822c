"""Work that takes much memory or seconds of a web process: done one at a time; a few requests wait, the others are
refused.

A thread that waits has given its database connection back: the pool has few, and pages need them (decision 0085).
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

from django.db import connection
from django.utils.translation import gettext as _

from core.errors import TournamentError

RETRY_S: Final = 20


def _nothing() -> None:
    """Do nothing: outside a request nobody waits for the page."""


takes_long: ContextVar[Callable[[], object]] = ContextVar("takes_long", default=_nothing)
"""Called before work of seconds: the request gives up its turn among the pages (`config.turns` sets it)."""


class OneAtATime:
    """Turns of one kind of work in this process. waiting: how many may wait; wait_s: for how long."""

    def __init__(self, *, waiting: int, wait_s: float) -> None:
        self.wait_s = wait_s
        # One more than may wait: the one at work has a place in the room, too.
        self._room = threading.BoundedSemaphore(waiting + 1)
        self._work = threading.Lock()

    @contextmanager
    def turn(self, code: str) -> Iterator[None]:
        """Wait for the turn and have it. Raises TournamentError of this code (extra: retry_after): it is a 503."""
        # Refused at once: one more in the line would hold its thread and its body for nothing.
        if not self._room.acquire(blocking=False):
            raise _busy(code)
        # Before the wait, not after: a request that waits here must not keep a turn of the pages.
        takes_long.get()()
        try:
            self._wait(code)
            try:
                yield
            finally:
                self._work.release()
        finally:
            self._room.release()

    def _wait(self, code: str) -> None:
        if self._work.acquire(blocking=False):
            return
        # Inside a transaction the connection holds locks and cannot be given back.
        if not connection.in_atomic_block:
            connection.close()
        if not self._work.acquire(timeout=self.wait_s):
            raise _busy(code)


def _busy(code: str) -> TournamentError:
    message = _("The service is busy with similar requests from other people. Try again in %(seconds)s seconds.")
    return TournamentError(message % {"seconds": RETRY_S}, code=code, extra={"retry_after": RETRY_S})


FILES: Final = OneAtATime(waiting=3, wait_s=20.0)
"""Files that are made of many rows, and files of events that are read: each may take a hundred megabytes."""
