"""Figures of web hooks for operators."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from django.db.models import Count, Min
from django.utils import timezone

from tournaments.models import Delivery, Hook

LATELY: Final = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class HookFigures:
    """hooks: by state, "failing" among them. tried: by state, of deliveries that were tried lately. late_s: seconds."""

    hooks: dict[str, int]
    tried: dict[str, int]
    due: int
    late_s: float


def figures() -> HookFigures:
    """Read what the rows say now. Four queries."""
    hooks = dict.fromkeys(Hook.State.values, 0)
    hooks |= dict(Hook.objects.order_by().values_list("state").annotate(Count("pk")))
    failing = Hook.objects.filter(state=Hook.State.ACTIVE, failing_since__isnull=False).count()
    hooks |= {"active": hooks["active"] - failing, "failing": failing}
    now = timezone.now()
    tried = dict.fromkeys(Delivery.State.values, 0)
    lately = Delivery.objects.filter(tried_at__gte=now - LATELY).order_by()
    tried |= dict(lately.values_list("state").annotate(Count("pk")))
    due = Delivery.objects.filter(state=Delivery.State.OPEN, due_at__lte=now)
    found = due.aggregate(number=Count("pk"), oldest=Min("due_at"))
    late = (now - found["oldest"]).total_seconds() if found["oldest"] else 0.0
    return HookFigures(hooks, tried, found["number"], late)
