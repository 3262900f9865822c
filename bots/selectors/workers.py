"""Worker processes that live now."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from django.db.models import QuerySet
from django.db.models.functions import Now

from bots.models import Lease, Worker

# Four heartbeats of ten seconds and a little more: one or two may be lost (`bots.jobs.process.BEAT_S`).
SILENCE: Final = timedelta(seconds=45)


def live_workers() -> QuerySet[Worker]:
    """Processes heard of in the last 45 seconds whose sandbox held when they probed it, and that take matches.

    One heard of in the future is a trace of a clock that was ahead: it does not count until it speaks again.
    """
    return Worker.objects.filter(
        probe_ok=True, draining_at=None, seen_at__gte=Now() - SILENCE, seen_at__lte=Now() + SILENCE
    )


def idle_processes() -> int:
    """Return how many of them hold no lease; at least 1, so that somebody always receives the wake-up."""
    busy = Lease.objects.filter(expires_at__gte=Now()).count()
    return max(1, live_workers().count() - busy)


def is_draining(worker: Worker) -> bool:
    """Return whether an operator wants this process to take nothing more. One query by its key."""
    return Worker.objects.filter(pk=worker.pk, draining_at__isnull=False).exists()
