"""Signals of a Celery worker around its tasks: its sandbox starts and ends with its pool processes.

The wake-ups themselves are `tournaments.tasks` (a wake-up says nothing but "come and claim").
"""

from __future__ import annotations

from typing import Any

from billiard.process import current_process
from celery.signals import (
    celeryd_init,
    task_postrun,
    task_prerun,
    worker_process_init,
    worker_process_shutdown,
    worker_shutting_down,
)
from django.db import close_old_connections

from bots.jobs import process

_node: list[str] = []


@celeryd_init.connect
def record_node(sender: str | None = None, **_: Any) -> None:
    """Remember the node's name ("worker@host"); pool processes inherit it."""
    _node[:] = [sender or ""]


@worker_process_init.connect
def begin(**_: Any) -> None:
    """Start and try this pool process's sandbox, in its main thread."""
    index = int(getattr(current_process(), "index", 0) or 0)
    process.begin(process.default_name(_node[0] if _node else "", index))


@worker_process_shutdown.connect
def end(**_: Any) -> None:
    """Stop the sandbox with its process."""
    process.end()


@worker_shutting_down.connect
def finish(**_: Any) -> None:
    """Tell the pool processes to finish the match in play and to give back the rest."""
    process.ask_to_stop()


@task_prerun.connect
@task_postrun.connect
def release_connections(**_: Any) -> None:
    """Let a task begin and end without a connection: the pool checks the next one, so a restarted database is met."""
    close_old_connections()
