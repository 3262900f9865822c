"""Purge of expired photos of slips."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from django.utils import timezone

from tournaments.models import SlipPhoto

# Also named on the pages that take photos, on the page about privacy and in the guide: change them together.
RETENTION: Final = timedelta(days=30)
# Bounds one transaction; the next tidying takes the rest.
FORGOTTEN_AT_ONCE: Final = 500


def purge_expired_photos() -> int:
    """Drop photos that were sent long ago, the oldest first: part of tidying. Returns how many."""
    old = SlipPhoto.objects.filter(sent_at__lt=timezone.now() - RETENTION).order_by("sent_at")
    oldest = list(old.values_list("pk", flat=True)[:FORGOTTEN_AT_ONCE])
    gone, _by_model = SlipPhoto.objects.filter(pk__in=oldest).delete() if oldest else (0, {})
    return gone
