"""Common fields of the domain events of changes of state."""

from __future__ import annotations

from dataclasses import dataclass

from activity.domain_events import ABSENT, DomainEvent


@dataclass(frozen=True, kw_only=True)
class Transitioned(DomainEvent):
    """A tournament, stage, round or match is in another state (`lifecycle.transitions`).

    subject: as in the audit log ("match:<uuid>"); absent from rows on the match's own channel.
    """

    subject: str = ABSENT
    state: str
    reason: str = ABSENT
