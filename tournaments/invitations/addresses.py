"""Addresses of people who were invited by mail: deleted once nobody needs them any more."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from django.db.models import Q
from django.utils import timezone

from tournaments.invitations.links import OVER
from tournaments.models import Invitation, Tournament

RETENTION: Final = timedelta(days=30)
"""How long after its end an event keeps the addresses that no account has accepted."""
BATCH_SIZE: Final = 5_000


def purge_expired_addresses() -> int:
    """Delete addresses of events that are called off, archived, or were over a month ago. Returns how many.

    Their invitations are withdrawn: without an address they could be neither sent nor told apart.
    """
    is_old = Q(tournament__state=Tournament.State.FINISHED, tournament__finished_at__lt=timezone.now() - RETENTION)
    rows = Invitation.objects.filter(is_old | Q(tournament__state__in=OVER)).exclude(email="")
    # Keys first: PostgreSQL has no UPDATE with a LIMIT, and the sweep's transactions stay short.
    keys = list(rows.order_by("pk").values_list("pk", flat=True)[:BATCH_SIZE])
    gone = Invitation.objects.filter(pk__in=keys)
    return gone.update(email="", state=Invitation.State.REVOKED, answered_at=timezone.now()) if keys else 0
