"""The Celery application: `celery -A config worker`, `celery -A config beat`."""

import ctypes
import os
import signal
import sys
import time
from typing import Any, Final

import redis
import structlog
from celery import Celery
from celery.signals import celeryd_after_setup, setup_logging, task_success, worker_process_init

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

SWEEP: Final = "tournaments.tasks.sweep"
SENDING: Final = "send"
"""Queue of the tasks that sign: links in mails, deliveries to webhooks."""
SWEPT_AT: Final = "hanami:swept_at"
_PR_SET_PDEATHSIG: Final = 1

log = structlog.get_logger(__name__)

app = Celery("hanami")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@setup_logging.connect
def use_our_logging(**_: Any) -> None:
    """Do nothing: connected, so that Celery leaves logging to `config.logs`."""


@worker_process_init.connect
def die_with_the_worker(**_: Any) -> None:
    """End a pool process with its worker, also one that was killed outright, and its sandbox with it (Linux)."""
    if sys.platform == "linux":
        # SIGKILL: a pool process in native code would not hear anything gentler.
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


@celeryd_after_setup.connect
def refuse_what_signs(instance: Any = None, **_: Any) -> None:
    """Refuse to start a process without a secret key that serves what signs: it would fail at each of those tasks.

    Ends the process: Celery passes over other errors of a receiver.
    """
    from django.conf import settings  # settings may not be read while this module is imported by them

    served = set(instance.app.amqp.queues.consume_from)
    if settings.ROLE == "worker" and SENDING in served:
        raise SystemExit(
            f"Hanami cannot start:\n  - HANAMI_ROLE=worker has no secret key and cannot serve the queue {SENDING!r}; "
            "start the sender without HANAMI_ROLE and with HANAMI_SECRET_KEY, or name the queues: "
            "--queues tables,play,derive"
        )


@task_success.connect
def record_sweep(sender: Any = None, **_: Any) -> None:
    """Remember when the queue was last swept; `/readyz` reads it."""
    # The signal is sent for every task; only the end of a sweep proves that sweeps work.
    if getattr(sender, "name", "") != SWEEP:
        return
    try:
        wake_up_redis().set(SWEPT_AT, str(time.time()))
    except redis.RedisError as lost:
        log.warning("sweep.unnoted", reason=str(lost))


def wake_up_redis() -> redis.Redis:
    """Return a connection to the broker's Redis for small notes; it closes with its last reference."""
    from django.conf import settings  # settings may not be read while this module is imported by them

    return redis.Redis.from_url(settings.REDIS_URL, socket_timeout=2, socket_connect_timeout=2, protocol=2)
