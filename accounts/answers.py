"""Retention of answers to requests with an Idempotency-Key."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from django.utils import timezone

from accounts.models import KeptAnswer

RETENTION: Final = timedelta(hours=48)
FORGOTTEN_AT_ONCE: Final = 5_000


def purge_expired_answers() -> int:
    """Delete answers older than 48 hours, at most FORGOTTEN_AT_ONCE. Returns how many."""
    old = KeptAnswer.objects.filter(created_at__lt=timezone.now() - RETENTION).order_by("created_at")
    oldest = list(old.values_list("pk", flat=True)[:FORGOTTEN_AT_ONCE])
    gone, _by_model = KeptAnswer.objects.filter(pk__in=oldest).delete() if oldest else (0, {})
    return gone
