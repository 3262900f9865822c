"""Imported by a worker (`--include`): everything it does for a match, a check or an event it does twice.

Results are handed in twice, one after the other; sweeps and folds are done by two threads at once.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import structlog
from django.db import connection

from bots.jobs import checks
from bots.jobs.claims import LeaseLost
from tournaments.matches import play
from tournaments.matches.records import record as recording
from tournaments.matches.records.record import Recorded
from tournaments.operations import sweep
from tournaments.progress import derive

log = structlog.get_logger(__name__)


def at_once(job: Callable[[], Any]) -> Callable[[], Any]:
    """The job, done by two threads that begin together; both results must be had."""

    def run() -> Any:
        start = threading.Barrier(2)

        def one(_number: int) -> Any:
            start.wait(20)
            try:
                return job()
            finally:
                connection.close()

        with ThreadPoolExecutor(2) as pool:
            first, _second = pool.map(one, range(2))
        return first

    return run


def recorded_twice(record: Callable[..., Recorded]) -> Callable[..., Recorded]:
    """A result handed in twice; the second time must change nothing."""

    def run(*arguments: Any, **named: Any) -> Recorded:
        first = record(*arguments, **named)
        second = record(*arguments, **named)
        log.info("twice.result", first=first.value, second=second.value)
        return first

    return run


def found_twice(record: Callable[..., None]) -> Callable[..., None]:
    """A check's finding handed in twice; the second time the claim is gone."""

    def run(*arguments: Any) -> None:
        record(*arguments)
        try:
            record(*arguments)
        except LeaseLost:
            log.info("twice.check")

    return run


vars(play)["record_result"] = recorded_twice(recording.record_result)
vars(checks)["record"] = found_twice(checks.record)
vars(derive)["derive_waiting"] = at_once(derive.derive_waiting)
vars(sweep)["sweep"] = at_once(sweep.sweep)
