"""Benched versions as their owner sees them: the reason, what still happens, when it can come back."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db.models import DateTimeField, F, Max, QuerySet, Subquery
from django.utils import timezone
from django.utils.translation import ngettext

from accounts.models import User
from bots.domain_events import VersionReinstated
from bots.models import AuditEvent, BotVersion

REINSTATE_EVERY: Final = timedelta(days=1)
"""The shortest time between two returns of a version from the bench."""


@dataclass(frozen=True, slots=True)
class SuspensionLine:
    """A benched version. returns_at: when it may come back, None if now."""

    version: BotVersion
    returns_at: datetime | None

    @property
    def why(self) -> str:
        """The reason in words."""
        n = self.version.forfeits_in_a_row
        text = ngettext("%(n)d forfeited match in a row", "%(n)d forfeited matches in a row", n)
        return text % {"n": n} if n else self.version.bench_reason


def suspended_of(owner: User, *, limit: int = 20) -> list[SuspensionLine]:
    """The active versions of a person's bots that are benched, newest first. Two queries, one when there is none."""
    rows = BotVersion.objects.filter(bot__owner=owner, benched_at__isnull=False, bot__active_version=F("pk"))
    return suspension_lines(rows.select_related("bot").order_by("-benched_at")[:limit])


def last_return(version: BotVersion) -> Subquery:
    """Return when this version last came back from the bench, as a column of another query (for `suspension_line`)."""
    lately = _returns().filter(subject=_subject(version)).order_by("-at").values("at")
    return Subquery(lately[:1], output_field=DateTimeField(null=True))


def suspension_line(version: BotVersion, came_back: datetime | None) -> list[SuspensionLine]:
    """The line of a version, none if it is not benched. came_back: `last_return` of it. No query."""
    if version.benched_at is None or version.state != BotVersion.State.READY:
        return []
    return [SuspensionLine(version, came_back + REINSTATE_EVERY if came_back is not None else None)]


def _returns() -> QuerySet[AuditEvent]:
    return AuditEvent.objects.filter(verb=VersionReinstated.topic, at__gte=timezone.now() - REINSTATE_EVERY)


def _subject(version: BotVersion) -> str:
    return f"version:{version.uuid}"


def suspension_lines(versions: Iterable[BotVersion]) -> list[SuspensionLine]:
    """Return the lines of the versions that are benched. One query, none when there is none."""
    suspended = [version for version in versions if version.benched_at and version.state == BotVersion.State.READY]
    if not suspended:
        return []
    subjects = {_subject(version): version for version in suspended}
    last = dict(_returns().filter(subject__in=subjects).values_list("subject").annotate(last=Max("at")))
    return [
        SuspensionLine(version, last[subject] + REINSTATE_EVERY if subject in last else None)
        for subject, version in subjects.items()
    ]
