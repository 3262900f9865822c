"""Running a coroutine in a test."""

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

Result = TypeVar("Result")


def run_async(scene: Callable[[], Coroutine[Any, Any, Result]]) -> Result:
    """Run it on a loop of its own in a thread of its own and return its result.

    Once a browser test has run in a process, Playwright's loop counts as running in its main thread for good.
    """
    with ThreadPoolExecutor(max_workers=1) as thread:
        return thread.submit(lambda: asyncio.run(scene())).result()
