"""Receivers of signals of lower capabilities. Imported when Django is ready."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.dispatch import receiver

from tournaments.lifecycle.signals import act_abandoned, results_changed

# Planners and standings are imported when they are needed: they load NumPy and SciPy, which most commands never use.


@receiver(results_changed)
def update_standings(channel: str, **_sent: Any) -> None:
    """Update standings and rounds of the event at once."""
    from tournaments.progress.derive import derive

    derive(channel)


@receiver(act_abandoned)
def clear_ledgers(stages: Sequence[UUID], **_sent: Any) -> None:
    """Clear the ledgers of these stages, which may hold what was rolled back."""
    from tournaments.standings import ledger_cache

    ledger_cache.discard(list(stages))
