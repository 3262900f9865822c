"""What webhooks may hear, as the classes of domain events say it, and what a row of the outbox means for them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from activity.domain_events import Subject, WebhookType, Words, class_of, webhook_types
from bots.models import Outbox

PING: Final = "ping"
"""The type of a test sending, which nobody subscribes to."""
_PING: Final = WebhookType(PING, "", Subject.HOOK)


@dataclass(frozen=True, slots=True)
class WebhookEvent:
    """One thing to send. source: names it, the same whenever its row is read. about: names of rows, for JSON."""

    kind: str
    source: str
    at: datetime
    about: dict[str, Any] = field(default_factory=dict)


def webhook_kinds() -> dict[str, Words]:
    """By name everything that people may choose to hear of, in words."""
    return {name: each.words for name, each in webhook_types().items()}


def subject_of(kind: str) -> Subject | None:
    """What a type of webhook event is about; None for one that this version does not know."""
    found = {**webhook_types(), PING: _PING}.get(kind)
    return found.subject if found is not None else None


def webhook_events(row: Outbox, wanted: Collection[str]) -> list[WebhookEvent]:
    """What a row means, of the wanted types; mostly nothing. Its class says it."""
    found = class_of(row.topic)
    if found is None or not {each.name for each in found.webhook_types} & set(wanted):
        return []
    own = f"{row.channel}@{row.version}"
    return [
        WebhookEvent(
            each.type.name,
            each.source or f"{own}/{each.type.name}/{each.mark}".rstrip("/"),
            row.created_at,
            dict(each.about),
        )
        for each in found.read(row.channel, row.payload).webhooks()
        if each.type.name in wanted
    ]
