"""Types of webhook events, as the classes of domain events declare them, and the events that an outbox row means."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from activity.domain_events import Subject, WebhookType, Words, class_of, webhook_types
from bots.models import Outbox

# The type of a test sending, which nobody subscribes to.
PING: Final = "ping"
_PING: Final = WebhookType(PING, "", Subject.HOOK)


@dataclass(frozen=True, slots=True)
class WebhookEvent:
    """One thing to send. source: names it, the same whenever its row is read. about: names of rows, for JSON."""

    kind: str
    source: str
    at: datetime
    about: dict[str, Any] = field(default_factory=dict)


def webhook_kinds() -> dict[str, Words]:
    """Return, by name, everything that people may choose to hear of, in words."""
    return {name: each.words for name, each in webhook_types().items()}


def subject_of(kind: str) -> Subject | None:
    """Return the subject of a type of webhook event; None for one that this version does not know."""
    found = {**webhook_types(), PING: _PING}.get(kind)
    return found.subject if found is not None else None


def webhook_events(row: Outbox, wanted: Collection[str]) -> list[WebhookEvent]:
    """Return what a row means, of the wanted types; mostly nothing. Its class says it."""
    found = class_of(row.topic)
    if found is None or not {each.name for each in found.webhook_types} & set(wanted):
        return []
    # Of channel and version, which are the row's for ever: reading it again gives the same sources.
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
