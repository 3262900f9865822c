"""Waiting for a condition, never for a time."""

import threading
import time
from collections.abc import Callable
from typing import TypeVar

Found = TypeVar("Found")


class DeadlinePassed(AssertionError):
    """Failure of a wait: it did not happen in time; the message names it."""


def wait_until(
    condition: Callable[[], Found | None], deadline_s: float, what: str = "", *, every_s: float = 0.05
) -> Found:
    """Ask `condition` again and again until it returns something true, and return that.

    Raises DeadlinePassed after `deadline_s` seconds. What the condition raises is raised at once.
    """
    pause = threading.Event()
    last = time.monotonic() + deadline_s
    while True:
        found = condition()
        if found:
            return found
        if time.monotonic() > last:
            raise DeadlinePassed(f"waited {deadline_s} s for {what or getattr(condition, '__name__', 'a condition')}")
        pause.wait(every_s)
