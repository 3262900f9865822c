"""Figures of messages to browsers, for operators."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from django.db.models import Count, Min
from django.utils import timezone

from tournaments.models import PushMessage, PushSubscription
from tournaments.notifications.push.queue import due

LATELY: Final = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class PushFigures:
    """browsers: subscribed; done: by state, of messages closed within an hour; due: number, and for how many seconds
    the oldest.
    """

    browsers: int
    done: dict[str, int]
    due: int
    late_s: float


def figures() -> PushFigures:
    """Read what the rows say now. Three queries."""
    done = dict.fromkeys((PushMessage.State.SENT, PushMessage.State.FAILED, PushMessage.State.DROPPED), 0)
    now = timezone.now()
    lately = PushMessage.objects.filter(done_at__gte=now - LATELY).order_by()
    counted = {str(state): 0 for state in done} | dict(lately.values_list("state").annotate(Count("pk")))
    found = due().aggregate(number=Count("pk"), oldest=Min("due_at"))
    late = (now - found["oldest"]).total_seconds() if found["oldest"] else 0.0
    return PushFigures(PushSubscription.objects.count(), counted, found["number"], late)
