"""One attempt to play something, and whose fault it is when it does not work out.

Our own faults (a lost worker, no sandbox, a full disk, no database) give the work back and cost nobody anything; a
process that has one after another rests in between. An engine that contradicts itself holds the work at once.
Everything a bot did wrong is in the result and counts.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import structlog
from billiard.exceptions import SoftTimeLimitExceeded
from django.db import DatabaseError, InterfaceError, OperationalError, close_old_connections, transaction
from redis import RedisError

from activity import wake_ups
from activity.domain_events import DomainEvent
from activity.journal import publish
from bots.errors import InfraFault
from bots.jobs import claims
from bots.jobs.claims import Batch, Draining, LeaseLost
from bots.jobs.process import Process, is_stopping, must_stop_now
from bots.models import Claimable
from bots.protocol.messages import Fault
from bots.runner.table import Played, ReplayMismatch
from engine.errors import EngineError

Row = TypeVar("Row", bound=Claimable)
STORE_ERRORS: Final = (OperationalError, InterfaceError)
"""The database is away, full or restarting. No match brings that about, so none is held for it however often."""
MAX_BATCH_S: Final = 60.0
"""A batch that lasts longer than thought gives its rest back: others are free, and checks of uploads wait."""
INFRA_ERRORS: Final = (InfraFault, DatabaseError, RedisError, OSError, MemoryError, SoftTimeLimitExceeded)
log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class WorkKind:
    """The two functions in which one kind of claimable differs from another.

    play: plays and records one row, with the heartbeat as second argument; may raise anything. events: the events to
    publish about a row and its new state.
    """

    play: Callable[[Any, Callable[[], None], Process], None]
    events: Callable[[Any, str], Sequence[DomainEvent]]


class Suspect(Exception):
    """A timeout by the wall clock at seats that had none before: it may be our own load, so another worker tries.

    Each seat once in a match, so it needs no limit, and takes none of the faults that are allowed to ourselves.
    """

    def __init__(self, seats: Sequence[int]) -> None:
        super().__init__(", ".join(f"seat {seat + 1}" for seat in seats))
        self.seats = list(seats)


class Stopped(Exception):
    """The end of the worker, before that of its match: another worker plays it."""


def play_rows(batch: Batch[Row], trade: WorkKind, process: Process) -> int:
    """Play a batch row by row. Returns how many were tried; what this process had better not play is given back."""
    tried = 0
    began, faults = time.monotonic(), process.faults
    try:
        # Wake-ups of short matches are sent together: each one costs a round trip to the broker.
        with wake_ups.together.batch():
            for row, process.following in zip(batch.rows, [*batch.rows[1:], None], strict=True):
                started = time.monotonic()
                reason = _reason_against(process, began, faults)
                if not reason and attempt(batch, row, trade, process):
                    process.record_duration(time.monotonic() - started)
                    tried += 1
                elif not release(row, trade, process, reason=reason or "worker.draining", is_fault=False):
                    break
    finally:
        process.following = None
        claims.close(batch)
    return tried


def _reason_against(process: Process, began: float, faults: int) -> str:
    """Return why this process does not play the next row of a batch, "" if it does.

    began: when the batch was, monotonic. faults: of the process, before it.
    """
    if is_stopping():
        return "worker.stopped"
    # After a fault of this process the rest of its batch goes back at once: another machine may be well.
    if process.faults > faults:
        return f"worker.unwell: {process.fault}"
    return "worker.busy" if time.monotonic() - began > MAX_BATCH_S else ""


def attempt(batch: Batch[Row], row: Row, trade: WorkKind, process: Process) -> bool:
    """Play one claimed row; afterwards it is recorded, back in the queue, held, or somebody else's.

    Returns False, the row being as it was claimed, if the process is to take nothing more.
    """

    def heartbeat() -> None:
        if must_stop_now():
            raise Stopped
        claims.heartbeat(batch, row)
        wake_ups.together.send()

    try:
        # Before any work: from here on a lost worker counts against this row (`claims.take_back_expired`).
        claims.begin(row)
        trade.play(row, heartbeat, process)
        process.record_success()
    # The order of the handlers matters: Draining, LeaseLost, Stopped and Suspect end an attempt at nobody's cost and
    # must not be counted by the wider ones below.
    except Draining:
        return False
    except LeaseLost as lost:
        log.info("claim.lost", work=str(row), reason=str(lost))
    except Stopped:
        release(row, trade, process, reason="worker.stopped", is_fault=False)
    except Suspect as suspect:
        reason = f"{Fault.TIMEOUT_WALL.value}: {suspect}; another attempt decides whose fault it is"
        changes = {"suspects": sorted({*row.suspects, *suspect.seats}), "suspect_worker": batch.worker}
        release(row, trade, process, reason=reason, is_fault=False, changes=changes)
    except ReplayMismatch as wrong:  # an InfraFault, too, but a repetition would end in the same way
        release(row, trade, process, reason=f"{wrong.code}: {wrong}", is_fault=True, quarantine=True)
    except INFRA_ERRORS as fault:
        reason = f"{getattr(fault, 'code', type(fault).__name__)}: {fault}".strip()
        process.record_fault(reason)
        release(row, trade, process, reason=reason, is_fault=not isinstance(fault, STORE_ERRORS))
    except Exception as broken:  # our code or the engine is wrong: the row waits for a person
        log.exception("match.broken", work=str(row))
        code = broken.code if isinstance(broken, EngineError) else type(broken).__name__
        release(row, trade, process, reason=f"engine.{code}: {broken}", is_fault=True, quarantine=True)
    return True


def release(
    row: Row,
    trade: WorkKind,
    process: Process,
    *,
    reason: str,
    is_fault: bool,
    quarantine: bool = False,
    changes: dict[str, Any] | None = None,
) -> bool:
    """Put a row back into the queue, or hold it. If the database is away its lease runs out and the sweep does it.

    Returns False then.
    """
    log.warning("work.given_back", work=str(row), reason=reason, hold=quarantine)
    # The connection may be what failed: this drops one that cannot be used any more.
    close_old_connections()
    try:
        with transaction.atomic():
            name = process.worker.name
            state = claims.put_back(
                row, worker=name, reason=reason, is_fault=is_fault, quarantine=quarantine, changes=changes
            )
            if state is not None:
                publish(*trade.events(row, state))
    except DatabaseError as lost:
        log.warning("work.left_to_the_sweep", work=str(row), reason=str(lost))
        return False
    return True


def apply_timeout_policy(
    row: Claimable, played: Played, *, is_known: Callable[[int], bool] = lambda _seat: False
) -> None:
    """A `timeout.wall` counts only if an earlier attempt saw it at the same seat. Raises Suspect otherwise.

    is_known: whether a seat's counts at once, for what was seen of its bot elsewhere.
    """
    walls = {fault.seat for fault in played.forfeits if fault.code == Fault.TIMEOUT_WALL.value}
    if new := [seat for seat in sorted(walls.difference(row.suspects)) if not is_known(seat)]:
        raise Suspect(new)
