"""Rows of the `bots` app. Later apps point here, never the other way round."""

from activity.append_only import AppendOnly, AppendOnlyError, AppendOnlyQuerySet
from activity.models import AuditEvent, Channel, Outbox
from bots.models.blob import Blob
from bots.models.bot import Bot, BotVersion
from bots.models.publication import Fork, Publication
from bots.models.work import Check, Claimable, Lease, Worker
from web.models import Meter

__all__ = [
    "AppendOnly",
    "AppendOnlyError",
    "AppendOnlyQuerySet",
    "AuditEvent",
    "Blob",
    "Bot",
    "BotVersion",
    "Channel",
    "Check",
    "Claimable",
    "Fork",
    "Lease",
    "Meter",
    "Outbox",
    "Publication",
    "Worker",
]
