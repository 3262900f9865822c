"""What is played now, what waits, and who plays it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.db.models import Count, Q
from django.utils import timezone

from bots.models import Channel, Check, Worker
from tournaments.models import Match, Tournament
from tournaments.selectors.schedule import seats_named

M = Match.State
SHOWN = 40
REMEMBERED = timedelta(minutes=10)
SILENT = timedelta(seconds=45)


@dataclass(frozen=True, slots=True)
class WorkerLine:
    """A worker process; `is_silent`: not heard of for a while."""

    worker: Worker
    is_silent: bool

    @property
    def layers(self) -> list[tuple[str, bool]]:
        """Sandbox layers with whether each held when the worker probed it."""
        layers = self.worker.probe.get("layers", self.worker.probe)
        return [(str(name), bool(held)) for name, held in layers.items()] if isinstance(layers, dict) else []


@dataclass(frozen=True, slots=True)
class Queue:
    """The queue page. waiting: (place, match) of the first ones; waiting_n, paused_n: how many in all."""

    running: Sequence[Match]
    waiting: Sequence[tuple[int, Match]]
    waiting_n: int
    paused_n: int
    held_n: int
    checks: Sequence[Check]
    workers: Sequence[WorkerLine]
    version: int


def queue() -> Queue:
    """Everything the queue page shows; eight queries at most, whatever waits."""
    shown = ("stage__tournament", "round", "lease__worker")
    running = Match.objects.filter(state=M.CLAIMED).select_related(*shown).order_by("claimed_at", "id")
    waiting = Match.objects.filter(state=M.QUEUED, stage__tournament__state=Tournament.State.RUNNING)
    counts = Match.objects.aggregate(
        waiting=Count("pk", filter=Q(state=M.QUEUED, stage__tournament__state=Tournament.State.RUNNING)),
        paused=Count("pk", filter=Q(state=M.QUEUED) & ~Q(stage__tournament__state=Tournament.State.RUNNING)),
        held=Count("pk", filter=Q(state=M.QUARANTINED)),
    )
    first = waiting.select_related("stage__tournament", "round").order_by("priority", "id")
    open_checks = Check.objects.filter(state__in=(Check.State.QUEUED, Check.State.CLAIMED))
    return Queue(
        running=list(running.prefetch_related(seats_named())[:SHOWN]),
        waiting=list(enumerate(first.prefetch_related(seats_named())[:SHOWN], start=1)),
        waiting_n=counts["waiting"],
        paused_n=counts["paused"],
        held_n=counts["held"],
        checks=list(open_checks.select_related("version__bot").order_by("priority", "id")[:SHOWN]),
        workers=workers(),
        version=channel_version("q:"),
    )


def workers() -> list[WorkerLine]:
    """Worker processes heard of lately. One query."""
    now = timezone.now()
    rows = Worker.objects.filter(seen_at__gte=now - REMEMBERED).order_by("name")
    return [WorkerLine(row, row.seen_at < now - SILENT) for row in rows]


def channel_version(name: str) -> int:
    """The newest number of a live channel, 0 before anything was told on it. One query."""
    return Channel.objects.filter(name=name).values_list("version", flat=True).first() or 0


def place_in_queue(match: Match) -> int | None:
    """How many matches are played before this one is, plus one; None when it does not wait. One query."""
    if match.state != M.QUEUED:
        return None
    ahead = Q(priority__lt=match.priority) | Q(priority=match.priority, id__lt=match.pk)
    running = Q(state=M.QUEUED, stage__tournament__state=Tournament.State.RUNNING)
    return Match.objects.filter(ahead & running).count() + 1
