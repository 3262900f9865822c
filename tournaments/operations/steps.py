"""Periodic work in steps that do not wait for each other: one that fails is reported to operators, the others are done.

The steps that failed the last time are listed in Redis, where `/metrics` reads them; the log has every failure. A step
that begins to fail is among the errors of `/ops/` once, so that it does not push those of requests out.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from typing import Final

import structlog
from django.db import DatabaseError, connection

from activity import error_log
from activity.stuck import AWAY
from activity.wake_ups import BROKER_ERRORS, redis_client

# A hash: "sweep.tallies" and the kind of its error, for each step that failed the last time it was done.
BROKEN: Final = "hanami:broken_steps"
Step = Callable[[], int | None]
log = structlog.get_logger(__name__)


def do_all(work: str, steps: Mapping[str, Step]) -> dict[str, int]:
    """Do every step, in order. Returns the number that each returned, 0 for one that failed or returned none.

    work: what they are steps of ("sweep"). A database that is away is no failure of a step: that is raised at once,
    or each of them would wait for it.
    """
    results = dict.fromkeys(steps, 0)
    failed: dict[str, Exception] = {}
    for name, step in steps.items():
        try:
            results[name] = step() or 0
        except Exception as error:
            # Asked, not guessed from the error: if the database answers, the fault is the step's own.
            if isinstance(error, AWAY) and not _answers():
                raise
            log.exception("step.broken", work=work, step=name)
            failed[name] = error
    _record(work, steps, failed)
    return results


def _answers() -> bool:
    """Return whether the database answers: the same errors come from deadlocks and from SQLite's lock of one writer."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return False
    return True


def _record(work: str, steps: Mapping[str, Step], failed: Mapping[str, Exception]) -> None:
    """Publish the failures to `/metrics` and `/ops/`. Without Redis they are in the log alone."""
    try:
        well = [f"{work}.{name}" for name in steps if name not in failed]
        if well:
            redis_client().hdel(BROKEN, *well)
        for name, error in failed.items():
            kind = type(error).__name__
            if redis_client().hset(BROKEN, f"{work}.{name}", kind):  # it is new there
                error_log.record(secrets.token_hex(8), method=work, route=name, kind=kind)
    except BROKER_ERRORS as lost:
        log.warning("steps.unnoted", work=work, reason=str(lost))


def broken() -> list[str]:
    """Return the steps that failed the last time they were done. Raises one of `BROKER_ERRORS` without Redis."""
    names = redis_client().hkeys(BROKEN)
    return sorted(name if isinstance(name, str) else name.decode() for name in names)
