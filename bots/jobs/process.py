"""This worker process: its row, its sandbox, its heartbeat, and whether it is to stop.

`begin` runs once, in the main thread of a pool process (the fork server dies with the thread that starts it). A
process whose sandbox did not hold stays alive, serves folds and sweeps, takes no match and says why.
"""

from __future__ import annotations

import mmap
import socket
import struct
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

import structlog
from django.conf import settings
from django.db import DatabaseError, connection
from django.db.models.functions import Now

from bots.errors import InfraFault
from bots.jobs.pace import Pace
from bots.models import Claimable, Worker
from bots.runner.probe import run_probe
from bots.runner.zygote import Zygote
from engine import ENGINE_VERSION

BEAT_S: Final = 10.0
BATCH_S: Final = 5.0
# A claim is about fourteen statements: 50 ms away from the database it takes 0.8 s, a sixth of a batch of 5 s.
TIMES_A_CLAIM: Final = 12.0
# A worker that dies gives back at most this many rows, and the claim stays one short transaction.
MAX_BATCH: Final = 64
# However long a claim took: one that waited for a lock says little about the next.
BATCH_LONG_S: Final = 15.0
MAX_PAUSE_S: Final = 60.0
STOPPING: Final = mmap.mmap(-1, 16)
"""What a worker and its pool processes share. First byte: the worker was asked to end; last eight: when, monotonic."""
_ASKED_AT: Final = struct.Struct("d")

log = structlog.get_logger(__name__)


@dataclass(slots=True)
class Process:
    """A pool process that plays. seconds: how long a match took lately, which sizes its batches; at first a guess.

    fault: our own fault that ended its last match, "" if none did. faults: how many in a row. owed_s: of play that it
    owes to matches, for the checks of uploads it tried. following: what it plays after the row that it plays now.
    claim_s: how long its last claim took.
    """

    worker: Worker
    zygote: Zygote | None
    ended: threading.Event = field(default_factory=threading.Event)
    seconds: float = BATCH_S
    has_played: bool = False
    pace: Pace = field(default_factory=Pace)
    fault: str = ""
    faults: int = 0
    paused_until: float = 0.0
    news: threading.Event = field(default_factory=threading.Event)
    owed_s: float = 0.0
    following: Claimable | None = None
    claim_s: float = 0.0

    def launcher(self) -> Zygote:
        """The sandbox. Raises InfraFault if there is none that holds."""
        if self.zygote is None:
            raise InfraFault("sandbox.refused", self.worker.fault or "no sandbox: this worker takes no match")
        return self.zygote

    @property
    def batch_size(self) -> int:
        """Rows that make about five seconds of work, longer where a claim takes long, 1-64."""
        wanted = max(BATCH_S, min(BATCH_LONG_S, TIMES_A_CLAIM * self.claim_s))
        return max(1, min(MAX_BATCH, round(wanted / max(self.seconds, 0.01))))

    def record_duration(self, seconds: float) -> None:
        """Remember how long a match took, recent ones more."""
        self.seconds = self.seconds + (seconds - self.seconds) / 4 if self.has_played else seconds
        self.has_played = True
        self.pace.record()

    def note_claim(self, seconds: float) -> None:
        """Remember how long a claim took: where the database is far away, a batch is longer."""
        self.claim_s = seconds

    def record_check(self, seconds: float) -> None:
        """Note that a check took so long: matches come first now, for as long."""
        self.owed_s = seconds

    def record_matches(self, seconds: float) -> None:
        """Note for how long it played matches. 0: none waits, so nothing is owed any more."""
        self.owed_s = max(0.0, self.owed_s - seconds) if seconds else 0.0

    def record_fault(self, reason: str) -> None:
        """Note that our own fault ended a match here. After the second in a row it rests a second, then longer each
        time.

        So a machine that is out of something does not try the whole queue until all of it is held.
        """
        self.fault, self.faults = reason[:200], self.faults + 1
        if self.faults > 1:
            # The exponent is bounded as well: faults in a row are not, and 2.0 ** 1100 raises OverflowError.
            self.paused_until = time.monotonic() + min(MAX_PAUSE_S, 2.0 ** min(self.faults - 2, 10))
        self.news.set()

    def record_success(self) -> None:
        """Note that a match was played and recorded."""
        if self.faults:
            self.fault, self.faults, self.paused_until = "", 0, 0.0
            self.news.set()

    @property
    def is_paused(self) -> bool:
        """Return whether it takes no match for now, after faults of our own; the sweep sends wake-ups again."""
        return time.monotonic() < self.paused_until


_here: Process | None = None


def here() -> Process | None:
    """This process, None before `begin` and after `end`."""
    return _here


def is_stopping() -> bool:
    """Return whether the worker was asked to end: finish the match in play, give back the rest."""
    return STOPPING[0] != 0


def ask_to_stop() -> None:
    """Ask all pool processes to stop. The parent worker calls it when its shutdown begins."""
    # The time first, then the flag: a pool process that sees the flag must not read a time of 0.
    _ASKED_AT.pack_into(STOPPING, 8, time.monotonic())
    STOPPING[0] = 1


def must_stop_now() -> bool:
    """Return whether the worker was asked to end so long ago that the match in play is given back, too."""
    return is_stopping() and time.monotonic() - _ASKED_AT.unpack_from(STOPPING, 8)[0] > settings.STOP_S


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
    # A thread: a match may keep the main one busy for minutes, and after 45 s of silence others take us for gone.
    threading.Thread(target=_beat, args=(_here,), name="heartbeat", daemon=True).start()
    _log_process(_here, "worker.begun")
    return _here


def end() -> None:
    """Stop the sandbox and the heartbeat."""
    global _here
    process, _here = _here, None
    if process is not None:
        _log_process(process, "worker.ended")
        process.ended.set()
        process.news.set()
        if process.zygote is not None:
            process.zygote.close()


def _log_process(process: Process, event: str) -> None:
    """Log a beginning or an end; of a process whose sandbox did not hold as an error, with the reason, both times."""
    if process.zygote is None:
        open_layers = [layer for layer, is_active in process.worker.probe.items() if not is_active]
        log.error(event, worker=process.worker.name, takes_no_match=True, why=process.worker.fault, open=open_layers)
    else:
        log.info(event, worker=process.worker.name, takes_no_match=False)


def build() -> str:
    """Return what this worker runs: the version of the engine."""
    return f"engine {ENGINE_VERSION}"


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
    """Say every ten seconds, and when there is news, that this process lives and what ails it, until it ends."""
    missed = 0
    while True:
        process.news.wait(BEAT_S)
        process.news.clear()
        if process.ended.is_set():
            return
        try:
            fault = process.worker.fault or process.fault
            Worker.objects.filter(pk=process.worker.pk).update(
                seen_at=Now(), fault=fault, per_hour=process.pace.per_hour()
            )
            missed = 0
        except DatabaseError as lost:  # one is nothing: Celery closes the process's pool after each task
            missed += 1
            if missed > 1:
                log.warning("heartbeat.lost", worker=process.worker.name, reason=str(lost))
        finally:
            connection.close()
