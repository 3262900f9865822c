"""What tables hear of matches of events: they are called, or decided in another way."""

from __future__ import annotations

from typing import Any

from django.dispatch import receiver

from tables.events.opened import DECIDED, drop_table, open_for
from tournaments.lifecycle.signals import match_moved
from tournaments.models import Match


@receiver(match_moved)
def follow_match(match: Match, state: str, **_more: Any) -> None:
    """Open the table of a match that is called, and call it off when the match is decided in another way."""
    if not match.stage.is_on_site or match.extra:
        return
    if state == Match.State.CALLED:
        open_for(match, again=True)
    elif state != Match.State.PLAYING:
        drop_table(match.uuid, DECIDED)
