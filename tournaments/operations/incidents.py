"""Faults of the service for everybody to read: matches of public events that were held for review."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from bots.models import AuditEvent
from bots.selectors.faults import words_for
from core.formats import experiments
from tournaments.domain_events.matches import MatchQuarantined
from tournaments.models import Match, Tournament

MAXIMUM: Final = 50


@dataclass(frozen=True, slots=True)
class Incident:
    """A match that was held. cause: the fault in words; match: as it is now."""

    at: datetime
    cause: str
    match: Match


def incidents() -> Sequence[Incident]:
    """Return, of the last fifty times, those in public events, newest first. Two queries."""
    acts = [
        (act, _uuid(act.subject))
        for act in AuditEvent.objects.filter(verb=MatchQuarantined.topic).order_by("-id")[:MAXIMUM]
    ]
    public = Match.objects.filter(stage__tournament__visibility=Tournament.Visibility.PUBLIC)
    public = public.exclude(stage__kind__in=experiments()).select_related("stage__tournament")
    found = {match.uuid: match for match in public.filter(uuid__in=[uuid for _act, uuid in acts if uuid])}
    return [
        Incident(act.at, words_for(str(act.after.get("code", ""))), found[uuid])
        for act, uuid in acts
        if uuid is not None and uuid in found
    ]


def _uuid(subject: str) -> UUID | None:
    try:
        return UUID(subject.partition(":")[2])
    except ValueError:
        return None
