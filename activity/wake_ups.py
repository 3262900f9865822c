"""Doorbells. A bell carries no id ("come and claim"): a lost, late or doubled one is harmless.

The rows are the truth; the sweep rings again whatever was not heard. So an error of the broker is logged here and
never reaches the person whose request rang.
"""

from __future__ import annotations

import time
from functools import cache
from typing import Final, Literal

import redis
import structlog
from celery import current_app
from django.conf import settings
from django.db import transaction
from kombu.exceptions import OperationalError

Queue = Literal["play", "derive", "rehearse", "tail", "send", "mail"]
TASKS: Final[dict[Queue, str]] = {
    "play": "tournaments.tasks.play",
    "derive": "tournaments.tasks.derive",
    "rehearse": "tournaments.tasks.rehearse",
    "tail": "tournaments.tasks.tail",
    "send": "tournaments.tasks.send",
    "mail": "tournaments.tasks.mail",
}
SERVED_AS: Final[dict[Queue, str]] = {
    "play": "play",
    "derive": "derive",
    "rehearse": "derive",
    "tail": "send",
    "send": "send",
    "mail": "send",
}
"""The queue of the broker that each bell hangs in."""
LISTENERS: Final = "hanami:listeners"
SOON_S: Final = 5.0
"""A batch of matches lasts about as long: one fold for each, which costs about as much as five results do."""
UNANSWERED: Final = "hanami:rung:%s"
FORGOTTEN_S: Final = 30
"""A bell that nobody has answered for so long may be lost: the next one rings again, as the sweep does anyway."""
_owed: dict[Queue, float] = {}
"""Since when a bell is owed, monotonic."""
BROKER_ERRORS: Final = (OperationalError, redis.RedisError, OSError)

log = structlog.get_logger(__name__)


def ring(queue: Queue, times: int = 1) -> bool:
    """Ring `times` bells for whoever serves `queue` (of `TASKS`); False if the broker does not answer."""
    try:
        for _each in range(times):
            current_app.send_task(TASKS[queue], queue=SERVED_AS[queue])
    except BROKER_ERRORS as lost:
        log.warning("bell.lost", queue=queue, reason=str(lost))
        return False
    return True


def ring_soon(queue: Queue) -> None:
    """Owe a bell once the current transaction is committed, and ring if one was owed for some time (`SOON_S`).

    For bells that follow one another closely; the caller ends with `ring_owed`. While one of any process hangs there
    that nobody has answered, it does for all: who answers it looks at everything that was committed before.
    """

    def ring_if_due() -> None:
        if time.monotonic() - _owed.setdefault(queue, time.monotonic()) >= SOON_S:
            ring_owed(queue)

    transaction.on_commit(ring_if_due)


def ring_once(queue: Queue) -> None:
    """Ring once the current transaction is committed, unless a bell hangs there that nobody has answered."""
    transaction.on_commit(lambda: _ring_unless_rung(queue))


def ring_owed(queue: Queue) -> None:
    """Ring if `ring_soon` kept a bell back."""
    if _owed.pop(queue, None) is not None:
        _ring_unless_rung(queue)


def _ring_unless_rung(queue: Queue) -> None:
    try:
        is_first = notes().set(UNANSWERED % queue, 1, nx=True, ex=FORGOTTEN_S)
    except BROKER_ERRORS:
        is_first = True
    if is_first:
        ring(queue)


def answer(queue: Queue) -> None:
    """Whoever heard a bell says so before it looks what there is to do; what comes later rings again."""
    try:
        notes().delete(UNANSWERED % queue)
    except BROKER_ERRORS as lost:
        log.warning("bell.not_answered", queue=queue, reason=str(lost))


def ring_on_commit(queue: Queue, times: int = 1) -> None:
    """Ring once the current transaction is committed (at once outside of one)."""
    transaction.on_commit(lambda: ring(queue, times))


def wake_listeners() -> bool:
    """Tell every web process that the outbox has grown; False if Redis does not answer (a poll finds it then)."""
    try:
        notes().publish(LISTENERS, b"1")
    except BROKER_ERRORS as lost:
        log.warning("listeners.not_woken", reason=str(lost))
        return False
    return True


@cache
def notes() -> redis.Redis:
    """This process's connections to Redis for small notes."""
    return redis.Redis.from_url(settings.REDIS_URL, socket_timeout=2, socket_connect_timeout=1, protocol=2)
