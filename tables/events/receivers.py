"""What tables hear of events and their matches: called, decided in another way, paused and resumed."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.db import transaction
from django.dispatch import receiver

from activity.domain_events import DomainEvent
from tables.events.opened import DECIDED, drop_table, open_for
from tables.events.pausing import pause_tables, resume_tables
from tournaments.lifecycle.signals import event_paused, event_resumed, match_moved
from tournaments.models import Match, Tournament


@receiver(match_moved)
def follow_match(match: Match, state: str, **_more: Any) -> None:
    """Open the table of a match that is called, and call it off when the match is decided in another way."""
    if not match.stage.is_on_site or match.extra:
        return
    if state == Match.State.CALLED:
        open_for(match, again=True)
    elif state != Match.State.PLAYING:
        drop_table(match.uuid, DECIDED)


@receiver(event_paused)
def pause_with_event(event: Tournament, later: list[DomainEvent], **_more: Any) -> None:
    """Let the tables stand still together with their event."""
    pause_tables(event, later)


@receiver(event_resumed)
def resume_with_event(event: Tournament, **_more: Any) -> None:
    """Let the tables go on, each in a transaction of its own; the sweep does it for those where that fails."""
    transaction.on_commit(partial(resume_tables, event), robust=True)
