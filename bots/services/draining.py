"""An operator drains a worker: it finishes the match in play, gives back the rest and takes no more (decision 0061)."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from activity import wake_ups
from activity.journal import audit, publish_queue_change
from bots.domain_events import WorkerDrained, WorkerReleased
from bots.models import Worker
from bots.services.suspending import require_operator


def drain(*, worker: Worker, by: User) -> Worker:
    """Have a worker take nothing more, over restarts too, until `go_on`. Twice changes nothing.

    Raises BotError "ops.not_operator".
    """
    return _set(worker, by, drains=True)


def go_on(*, worker: Worker, by: User) -> Worker:
    """Have a worker take matches again; one that is not drained stays as it is. Raises BotError "ops.not_operator"."""
    return _set(worker, by, drains=False)


def _set(worker: Worker, by: User, *, drains: bool) -> Worker:
    require_operator(by)
    with transaction.atomic():
        worker = Worker.objects.select_for_update().get(pk=worker.pk)
        if (worker.draining_at is not None) != drains:
            worker.draining_at = timezone.now() if drains else None
            worker.save(update_fields=["draining_at"])
            audit(WorkerDrained if drains else WorkerReleased, f"worker:{worker.name}"[:120], actor=by)
            publish_queue_change()
            if not drains:
                wake_ups.notify_on_commit("play")
    return worker
