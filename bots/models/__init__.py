"""Rows of the `bots` app. Later apps point here, never the other way round."""

from activity.append_only import Kept, KeptAsWritten, KeptQuerySet
from activity.models import AuditEvent, Channel, Outbox
from bots.models.blob import Blob
from bots.models.bot import Bot, BotVersion
from bots.models.work import Check, Claimable, Lease, Worker
from web.models import Meter

__all__ = [
    "AuditEvent",
    "Blob",
    "Bot",
    "BotVersion",
    "Channel",
    "Check",
    "Claimable",
    "Kept",
    "KeptAsWritten",
    "KeptQuerySet",
    "Lease",
    "Meter",
    "Outbox",
    "Worker",
]
