"""This worker process: its row, its sandbox, its heartbeat, and whether it is to stop.

`begin` runs once, in the main thread of a pool process (the fork server dies with the thread that starts it). A
process whose sandbox did not hold stays alive, serves folds and sweeps, takes no match and says why.
"""

from __future__ import annotations

import mmap
import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from typing import Final

import structlog
from django.db import DatabaseError, connection
from django.db.models.functions import Now

from bots.errors import InfraFault
from bots.models import Worker
from bots.runner.probe import run_probe
from bots.runner.zygote import Zygote
from engine import ENGINE_VERSION

BEAT_S: Final = 10.0
BATCH_S: Final = 5.0
BATCH_MOST: Final = 64
STOPPING: Final = mmap.mmap(-1, 1)
"""One byte that a worker and its pool processes share: set when the worker was asked to end."""

log = structlog.get_logger(__name__)


@dataclass(slots=True)
class Process:
    """A pool process that plays. seconds: how long a match took lately, which sizes its batches."""

    worker: Worker
    zygote: Zygote | None
    ended: threading.Event = field(default_factory=threading.Event)
    seconds: float = BATCH_S

    def launcher(self) -> Zygote:
        """The sandbox. Raises InfraFault if there is none that holds."""
        if self.zygote is None:
            raise InfraFault("sandbox.refused", self.worker.fault or "no sandbox: this worker takes no match")
        return self.zygote

    @property
    def batch_size(self) -> int:
        """Rows that make about five seconds of work, 1-64."""
        return max(1, min(BATCH_MOST, round(BATCH_S / max(self.seconds, 0.01))))

    def note_duration(self, seconds: float) -> None:
        """Remember how long a match took, recent ones more."""
        self.seconds += (seconds - self.seconds) / 4


_here: Process | None = None


def here() -> Process | None:
    """This process, None before `begin` and after `end`."""
    return _here


def is_stopping() -> bool:
    """Whether the worker was asked to end: finish the match in play, give back the rest."""
    return STOPPING[0] != 0


def ask_to_stop() -> None:
    """Called in the worker when its shutdown begins; its pool processes see it."""
    STOPPING[0] = 1


def begin(name: str, *, start: Callable[[], Zygote] = Zygote.start) -> Process:
    """Start the sandbox, try it, write this process's row and keep it fresh.

    name: unique among the processes that run now, and the same after a restart. start: makes the fork server.
    """
    global _here
    zygote, probe, fault = _try_sandbox(start)
    worker, _made = Worker.objects.update_or_create(
        name=name,
        defaults={"build": build(), "probe_ok": not fault, "probe": probe, "fault": fault[:200], "seen_at": Now()},
    )
    worker.refresh_from_db()
    _here = Process(worker, zygote)
    threading.Thread(target=_beat, args=(_here,), name="heartbeat", daemon=True).start()
    log.info("worker.begun", worker=name, probe_ok=not fault, fault=fault)
    return _here


def end() -> None:
    """Stop the sandbox and the heartbeat."""
    global _here
    process, _here = _here, None
    if process is not None:
        process.ended.set()
        if process.zygote is not None:
            process.zygote.close()


def build() -> str:
    """What this worker runs: project and engine version."""
    try:
        project = version("hanami")
    except PackageNotFoundError:
        project = "source"
    return f"hanami {project}, engine {ENGINE_VERSION}"


def default_name(node: str, index: int) -> str:
    """The name of pool process `index` of a Celery node ("worker@host")."""
    return f"{node or 'worker@' + socket.gethostname()}/{index + 1}"[:120]


def _try_sandbox(start: Callable[[], Zygote]) -> tuple[Zygote | None, dict[str, object], str]:
    """The fork server, the probe's findings per layer, and why it is refused ("" if it held)."""
    try:
        zygote = start()
    except InfraFault as broken:
        return None, {}, f"{broken.code}: {broken}"
    try:
        report = run_probe(zygote)
    except InfraFault as broken:
        zygote.close()
        return None, {}, f"{broken.code}: {broken}"
    if report.ok:
        return zygote, dict(report.layers), ""
    zygote.close()
    return None, dict(report.layers), report.reason or "the sandbox did not hold"


def _beat(process: Process) -> None:
    """Say every ten seconds that this process lives, until it ends."""
    missed = 0
    while not process.ended.wait(BEAT_S):
        try:
            Worker.objects.filter(pk=process.worker.pk).update(seen_at=Now())
            missed = 0
        except DatabaseError as lost:  # one is nothing: Celery closes the process's pool after each task
            missed += 1
            if missed > 1:
                log.warning("heartbeat.lost", worker=process.worker.name, reason=str(lost))
        finally:
            connection.close()
