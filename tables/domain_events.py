"""Domain events of live tables: only open pages hear of them, by the channel of the match that the table becomes."""

from __future__ import annotations

from activity.domain_events import DomainEvent, Effect, domain_event


@domain_event
class TableChanged(DomainEvent):
    """Something at a table is new. Pages fetch what they may see: nothing of it stands here."""

    topic = "live_table.changed"
    effect = Effect.NONE

    state: str
