"""Wake-ups of workers. A wake-up carries no id ("come and claim"), so a lost, late or doubled one is harmless.

The rows are the truth; the sweep repeats every wake-up that was lost. So an error of the broker is logged here and
never reaches the person whose request sent a wake-up.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import cache, partial
from typing import Final, Literal

import redis
import structlog
from celery import current_app
from django.conf import settings
from django.core import signing
from django.db import DatabaseError, transaction
from kombu.exceptions import OperationalError

Queue = Literal["play", "derive", "rehearse", "tail", "send", "mail", "push"]
TASKS: Final[dict[Queue, str]] = {
    "play": "tournaments.tasks.play",
    "derive": "tournaments.tasks.derive",
    "rehearse": "tournaments.tasks.rehearse",
    "tail": "tournaments.tasks.tail",
    "send": "tournaments.tasks.send",
    "mail": "tournaments.tasks.mail",
    "push": "tournaments.tasks.push",
}
SERVED_AS: Final[dict[Queue, str]] = {
    "play": "play",
    "derive": "derive",
    "rehearse": "derive",
    "tail": "send",
    "send": "send",
    "mail": "send",
    "push": "send",
}
"""The queue of the broker that carries each wake-up."""
LISTENERS: Final = "hanami:listeners"
LISTENERS_SALT: Final = "hanami.listeners"
SOON_S: Final = 5.0
"""Seconds for which a wake-up may be held back. A batch of matches lasts about as long: one fold for each, which costs
about as much as five results do.
"""
TIMES_ITS_COST: Final = 6.0
"""A wake-up whose work took long is held back for that many times as long while matches wait: a worker far from its
database then gives about a seventh of its time to folds.
"""
UNANSWERED: Final = "hanami:rung:%s"
HELD_BACK: Final = "hanami:held-back:%s"
FORGOTTEN_S: Final = 30
"""An unanswered wake-up may be lost after this time: the next one is sent again, as the sweep does anyway."""
_pending: dict[Queue, float] = {}
"""The time since which a wake-up is pending, monotonic."""
_cost_s: dict[Queue, float] = {}
"""How long the work of a wake-up took this process the last time."""
TOGETHER_S: Final = 0.25
"""A worker that ends matches faster than this tells of several at once: each message costs it a round trip."""
BROKER_ERRORS: Final = (OperationalError, redis.RedisError, OSError)

log = structlog.get_logger(__name__)


def notify_workers(queue: Queue, times: int = 1, *, delay_s: float = 0) -> bool:
    """Send `times` wake-ups to the workers of `queue` (of `TASKS`); False if the broker does not answer.

    delay_s: they arrive no earlier than that.
    """
    try:
        for _each in range(times):
            current_app.send_task(TASKS[queue], queue=SERVED_AS[queue], countdown=delay_s or None)
    except BROKER_ERRORS as lost:
        log.warning("wake_up.lost", queue=queue, reason=str(lost))
        return False
    return True


def notify_soon(queue: Queue) -> None:
    """Send a wake-up after the current transaction, at once only if one has been pending for `SOON_S`.

    For wake-ups in quick succession; the caller ends with `notify_pending`. One unanswered wake-up in the queue serves
    all processes: the worker that answers it looks at everything that was committed before.
    """

    def notify_if_due() -> None:
        since = _pending.setdefault(queue, time.monotonic())
        if time.monotonic() - since >= max(SOON_S, TIMES_ITS_COST * _cost_s.get(queue, 0.0)):
            notify_pending(queue)

    # After the commit: a worker that looked earlier would not see the rows, and would go to sleep again.
    transaction.on_commit(notify_if_due)


def notify_once(queue: Queue) -> None:
    """Send a wake-up once the current transaction is committed, unless an unanswered one is in the queue."""
    transaction.on_commit(partial(together.later, _message_to(queue), to_broker=True))


@cache
def _message_to(queue: Queue) -> Callable[[], None]:
    """Return the same object for a queue each time: `Together` sends equal messages once."""
    return partial(_notify_unless_pending, queue)


def note_cost(queue: Queue, seconds: float) -> None:
    """Note how long the work of a wake-up took this process: `notify_pending` spaces costly ones out."""
    _cost_s[queue] = seconds


def notify_pending(queue: Queue, *, unless: Callable[[], bool] = lambda: False) -> None:
    """Send the wake-up that `notify_soon` held back, if any.

    unless: whether the caller comes back soon; asked only where the work is so costly that the wake-up may wait.
    """
    since = _pending.get(queue)
    if since is None:
        return
    if time.monotonic() - since < TIMES_ITS_COST * _cost_s.get(queue, 0.0) and unless():
        _hold_back(queue)
        return
    del _pending[queue]
    _notify_unless_pending(queue)


def _hold_back(queue: Queue) -> None:
    """Leave word of a wake-up that waits here: another process may take the last of the work, and this one none."""
    with suppress(*BROKER_ERRORS):
        redis_client().set(HELD_BACK % queue, 1, ex=FORGOTTEN_S)


def notify_held_back(queue: Queue) -> None:
    """Send the wake-up that any process holds back, if one does; call it where no more work waits."""
    with suppress(*BROKER_ERRORS):
        if redis_client().delete(HELD_BACK % queue):
            _notify_unless_pending(queue)


def _notify_unless_pending(queue: Queue) -> None:
    try:
        is_first = redis_client().set(UNANSWERED % queue, 1, nx=True, ex=FORGOTTEN_S)
    except BROKER_ERRORS:
        # Without Redis nobody knows whether one is pending: rather one wake-up too many than none.
        is_first = True
    if is_first:
        notify_workers(queue)


def answer(queue: Queue) -> None:
    """Answer a wake-up before looking for work, so that later work sends another one."""
    try:
        redis_client().delete(UNANSWERED % queue)
    except BROKER_ERRORS as lost:
        log.warning("wake_up.not_answered", queue=queue, reason=str(lost))


def notify_on_commit(queue: Queue, times: int = 1) -> None:
    """Send wake-ups once the current transaction is committed (at once outside of one)."""
    transaction.on_commit(lambda: notify_workers(queue, times))


class Together:
    """Messages that a batch of matches sends less often: at once if the last was a moment ago or longer, else a moment
    later.

    They say only that there is something new, so one serves for several. Outside a batch nothing is held back.
    In a batch those to the broker are sent by a thread: a match does not wait until a distant broker has answered.
    """

    def __init__(self) -> None:
        self._is_open = False
        self._last: dict[Callable[[], object], float] = {}
        self._pending: dict[Callable[[], object], float] = {}
        self._to_broker: set[Callable[[], object]] = set()
        self._thread: ThreadPoolExecutor | None = None
        self._under_way: dict[Callable[[], object], Future[None]] = {}

    @contextmanager
    def batch(self) -> Iterator[None]:
        """Hold messages back for the matches of one batch; all that are pending are sent at its end."""
        self._is_open = True
        try:
            # A thread for each batch: one that was begun before a fork would not run in the forked process.
            with ThreadPoolExecutor(1, "wake-ups") as self._thread:
                try:
                    yield
                finally:
                    self._is_open = False
                    self.send(after_s=0.0)
        finally:
            self._thread = None
            self._under_way.clear()

    def later(self, message: Callable[[], object], *, to_broker: bool = False) -> None:
        """Send it now, or with those that follow. to_broker: it uses the broker alone, so that a thread may send it."""
        if to_broker:
            self._to_broker.add(message)
        now = time.monotonic()
        if self._is_open and (now - self._last.get(message, -TOGETHER_S) < TOGETHER_S or self._is_under_way(message)):
            self._pending.setdefault(message, now)
        else:
            self._deliver(message, now)

    def _is_under_way(self, message: Callable[[], object]) -> bool:
        """Return whether the thread still sends it: a broker that does not answer must not make a queue of messages."""
        return message in self._under_way and not self._under_way[message].done()

    def _deliver(self, message: Callable[[], object], now: float) -> None:
        self._last[message] = now
        if self._thread is not None and message in self._to_broker:
            self._under_way[message] = self._thread.submit(_deliver_or_log, message)
        else:
            message()

    def send(self, after_s: float = TOGETHER_S) -> None:
        """Send what has been pending for `after_s`: called while a match is played, so that a long one holds nothing
        back.
        """
        now = time.monotonic()
        for message in [each for each, since in self._pending.items() if now - since >= after_s]:
            if self._is_open and self._is_under_way(message):
                continue
            # Before it is sent: a message that fails must not be sent again at every move.
            del self._pending[message]
            _deliver_or_log(partial(self._deliver, message, now))


def _deliver_or_log(message: Callable[[], object]) -> None:
    try:
        message()
    except (DatabaseError, *BROKER_ERRORS) as lost:  # a hint is lost; the match that is played is not
        log.warning("message.lost", reason=str(lost))


together: Final = Together()


def wake_listeners_on_commit() -> None:
    """Do `wake_listeners` once the current transaction is committed, in a batch together with others."""
    transaction.on_commit(partial(together.later, wake_listeners, to_broker=True))


def wake_listeners(versions: Mapping[str, int] | None = None) -> bool:
    """Tell every web process that the outbox has grown; False if Redis does not answer (a poll finds it then).

    versions: of the channels that have news, if the sender knows them all: then nobody need read the outbox.
    """
    # Signed: workers, which play strangers' code, may publish to Redis, and a version that is too high would silence a
    # page. They have no key, so after their wake-ups the outbox is read.
    has_key = versions and settings.ROLE != "worker"
    try:
        redis_client().publish(LISTENERS, signing.dumps(versions, salt=LISTENERS_SALT) if has_key else "")
    except BROKER_ERRORS as lost:
        log.warning("listeners.not_woken", reason=str(lost))
        return False
    return True


@cache
def redis_client() -> redis.Redis:
    """Return this process's connections to Redis for small notes."""
    # Short timeouts: a request waits for a note at most this long, and works without it.
    return redis.Redis.from_url(settings.REDIS_URL, socket_timeout=2, socket_connect_timeout=1, protocol=2)
