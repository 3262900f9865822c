"""The one claim-and-lease code: for smoke matches and for matches of tournaments (tournaments.md section 9).

A claim is one short transaction that gives rows an attempt number and a lease. While they are played nothing is
locked; the lease is kept alive by a heartbeat. All that a worker writes afterwards is guarded by state, attempt and
lease, so a worker that lost its claim cannot write anything. All times are the database's.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Final, Generic, TypeVar

import structlog
from django.conf import settings
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.db.models import Exists, F, Q, QuerySet
from django.db.models.functions import Now
from django.utils import timezone

from activity.domain_events import DomainEvent, required_class
from activity.journal import audit, publish
from activity.round_trips import update_of
from bots.models import Claimable, Lease, Worker
from bots.selectors.workers import live_workers

QUEUED: Final = "queued"
CLAIMED: Final = "claimed"
QUARANTINED: Final = "quarantined"
# The bound that keeps one row which ends workers (say by using up their memory) from being tried for ever.
FAULTS_ALLOWED: Final = 4
"""That many attempts may end by our own fault; then the row is held for review. Another look at a bot is none."""
MAX_HISTORY: Final = 20
# Between setting a lease and looking at it some time passes; only what is clearly too long comes from a wrong clock.
SLACK: Final = timedelta(seconds=5)

Row = TypeVar("Row", bound=Claimable)
log = structlog.get_logger(__name__)


class Draining(Exception):
    """The wish of an operator that this process takes nothing more: the row is ours, and is given back."""


class LeaseLost(Exception):
    """The loss of a claim: somebody else has the work now, or nobody has to do it. Stop and write nothing."""


@dataclass(slots=True)
class Batch(Generic[Row]):
    """The rows of one claim. Each has the attempt and the lease it was claimed with."""

    worker: Worker
    lease: Lease
    rows: list[Row]
    pulsed_at: float = field(default_factory=time.monotonic)


def claim(
    queue: QuerySet[Row],
    *,
    rows: QuerySet[Row],
    worker: Worker,
    limit: int,
    on_claim: Callable[[list[Row]], None],
    admits: Callable[[], bool] = lambda: True,
) -> Batch[Row]:
    """Claim up to `limit` queued rows, lowest priority number first. The batch is empty when there is nothing to do.

    queue: the rows this worker may have. rows: all of them, with all that playing reads. on_claim: writes what
    belongs into the same transaction. admits: asked in it first; if it says no, nothing is claimed.
    """
    others = live_workers().exclude(pk=worker.pk)
    mine_to_leave = Q(Exists(others), suspect_worker=worker)  # after a wall-clock timeout somebody else is to try
    waiting = queue.filter(Q(suspect_worker=None) | ~mine_to_leave, state=QUEUED).order_by("priority", "id")
    with transaction.atomic():
        picked = _pick(waiting, limit) if admits() else []
        lease = Lease(worker=worker)
        if not picked:
            return Batch(worker, lease, [])
        # Now() is the database's clock: those of workers on several hosts may differ by more than a lease lasts.
        lease = Lease.objects.create(worker=worker, expires_at=Now() + timedelta(seconds=settings.LEASE_S))
        _take(queue.model, picked, lease)
        claimed = list(rows.filter(lease=lease).order_by("priority", "id"))
        on_claim(claimed)
    return Batch(worker, lease, claimed)


def _pick(waiting: QuerySet[Row], limit: int) -> list[int]:
    """Ids to try. PostgreSQL locks them and passes over what another worker is just taking; SQLite has one writer."""
    if connection.features.has_select_for_update_skip_locked:
        # of=self: a queue that joins the bot or the stage must not lock their rows, which acts of people wait for.
        waiting = waiting.select_for_update(skip_locked=True, of=("self",))
    return list(waiting.values_list("pk", flat=True)[:limit])


def _take(model: type[Row], picked: Sequence[int], lease: Lease) -> None:
    """Tie those of the picked rows that are still queued to the lease."""
    mine = model._default_manager.filter(pk__in=picked, state=QUEUED)
    # state=QUEUED is asked again in the UPDATE: on SQLite nothing locked the picked rows since they were read.
    mine.update(state=CLAIMED, attempt=F("attempt") + 1, lease=lease, claimed_at=None)


def owned(row: Row) -> QuerySet[Row]:
    """The row, if it is still claimed with this very attempt and lease: what every later write is guarded by."""
    return type(row)._default_manager.filter(pk=row.pk, state=CLAIMED, attempt=row.attempt, lease_id=row.lease_id)


def begin(row: Row) -> None:
    """Note that this row of a batch is being played from now on. Raises LeaseLost if it is not ours any more.

    Only rows that were begun are blamed when the worker is lost: the rest of its batch did it no harm. The same
    statement looks whether the worker is to take nothing more, and then leaves the row as it is and raises Draining.
    """
    if row.claimed_at is not None:
        return  # it was begun together with the result of the row before it
    now = timezone.now()
    drained = _drained(row)
    if not owned(row).filter(~Exists(drained)).update(claimed_at=now):
        if drained.exists() and owned(row).exists():
            raise Draining
        raise LeaseLost(f"attempt {row.attempt} of {row} is not ours any more")
    row.claimed_at = now


def _drained(row: Row) -> QuerySet[Lease]:
    """The row's lease, if its worker is to take nothing more."""
    return Lease.objects.filter(pk=row.lease_id or 0, worker__draining_at__isnull=False)


def begin_along(row: Row) -> Callable[[], None]:
    """Begin a row inside `one_round_trip`, which saves a round trip. Call what this returns after the commit.

    The row is begun if the answer, which only then can be read, says so; else `begin` has still to do it.
    """
    now = timezone.now()
    # SKIP LOCKED: the result that goes out with this has locked its own match already. An act that cancels a whole
    # stage may have locked this one first and wait for that one: waiting here would be a deadlock, and cost the result.
    free = owned(row).filter(~Exists(_drained(row))).select_for_update(skip_locked=True, of=("self",))
    cursor = connection.cursor()
    cursor.execute(*update_of(type(row)._default_manager.filter(pk__in=free.values("pk")), claimed_at=now))

    def look() -> None:
        if cursor.rowcount == 1:
            row.claimed_at = now
        cursor.close()

    return look


def heartbeat(batch: Batch[Row], row: Row) -> None:
    """Keep the lease alive: at most one UPDATE each third of it. Raises LeaseLost once the claim is gone."""
    now = time.monotonic()
    # With the usual lease of 60 s this leaves 40 s to a single move, the slowest of which takes 36 s (runner/spec.py,
    # BOUNDS).
    if now - batch.pulsed_at < settings.LEASE_S / 3:
        return
    batch.pulsed_at = now
    until = Now() + timedelta(seconds=settings.LEASE_S)
    if not Lease.objects.filter(pk=batch.lease.pk).update(expires_at=until) or not owned(row).exists():
        raise LeaseLost(f"attempt {row.attempt} of {row} is not ours any more")
    Worker.objects.filter(pk=batch.worker.pk).update(seen_at=Now())


def put_back(
    row: Row,
    *,
    worker: str,
    reason: str,
    is_fault: bool,
    quarantine: bool = False,
    changes: dict[str, Any] | None = None,
) -> str | None:
    """Give a claimed row back: to the queue, or held for review. Returns the new state, None if it was not ours.

    is_fault: counts as an infrastructure fault; the fourth holds the row. quarantine: hold it at once. A row that is
    held is noted in its event's log, with the code of the reason only.
    Needs a transaction of the caller, who tells listeners.
    """
    faults = row.faults + is_fault
    state = QUARANTINED if quarantine or faults >= FAULTS_ALLOWED else QUEUED
    entry = {"attempt": row.attempt, "worker": worker, "reason": reason[:300], "at": timezone.now().isoformat()}
    fields: dict[str, Any] = {
        "state": state,
        "lease": None,
        "faults": faults,
        "fault_reason": reason[:300],
        # A row that workers lose again and again must not grow without bound.
        "history": [*row.history, entry][-MAX_HISTORY:],
        **(changes or {}),
    }
    if state == QUEUED:
        fields["queued_at"] = timezone.now()
    if not owned(row).update(**fields):
        return None
    if state == QUARANTINED:
        after = {"state": state, "attempt": row.attempt, "code": reason.partition(":")[0][:60]}
        verb = required_class(f"{row._meta.model_name}.quarantine")
        audit(verb, row.subject, actor=None, channel=row.readers, before={"state": CLAIMED}, after=after)
    return state


def close(batch: Batch[Row]) -> None:
    """Drop the lease once nothing hangs on it; what still does is left to the sweep."""
    try:
        with connection.cursor() as cursor:  # not `delete()`, which asks every table first whether a row of it hangs on
            cursor.execute("DELETE FROM bots_lease WHERE id = %s", [batch.lease.pk])
    except IntegrityError:
        log.warning("lease.kept", worker=batch.worker.name)
    except DatabaseError as lost:
        log.warning("lease.left_to_the_sweep", worker=batch.worker.name, reason=str(lost))


def _shorten_leases() -> None:
    """No lease lasts longer than one begun now.

    Where one does, the database's clock was ahead when it was given and was put right; its worker pulses on as ever.
    """
    # Without this a lease given in the future would keep its rows from being taken back until that time comes.
    whole = timedelta(seconds=settings.LEASE_S)
    Lease.objects.filter(expires_at__gt=Now() + whole + SLACK).update(expires_at=Now() + whole)


def take_back_expired(model: type[Row], events_for: Callable[[Row, str], Sequence[DomainEvent]]) -> int:
    """Give back what hangs on leases that ran out: part of the sweep. Returns how many rows.

    events_for: what to tell about a row and its new state.
    """
    _shorten_leases()
    names = dict(Lease.objects.filter(expires_at__lt=Now()).values_list("pk", "worker__name"))
    taken = 0
    for pk, name in names.items():
        with transaction.atomic():
            # Looked at again under the lock: its worker may have prolonged it since the list was read.
            lease = Lease.objects.select_for_update().filter(pk=pk, expires_at__lt=Now()).first()
            rows = list(model._default_manager.filter(lease=lease, state=CLAIMED)) if lease else []
            events: list[DomainEvent] = []
            for row in rows:
                was_begun = row.claimed_at is not None
                state = put_back(row, worker=name, reason="worker.lost: its lease ran out", is_fault=was_begun)
                events += events_for(row, state) if state else []
                taken += state is not None
            publish(*events)
    return taken


def drop_empty_leases(used_by: Sequence[type[Claimable]]) -> int:
    """Remove expired leases that no row of these models names. Returns how many."""
    unused = Q()
    for model in used_by:
        unused &= ~Q(pk__in=model._default_manager.filter(lease__isnull=False).values("lease"))
    gone, _by_model = Lease.objects.filter(unused, expires_at__lt=Now()).delete()
    return gone
