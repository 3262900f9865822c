"""Rows of the `bots` app. Later apps point here, never the other way round."""

from bots.models.blob import Blob
from bots.models.bot import Bot, BotVersion
from bots.models.journal import AuditEvent, Channel, Outbox
from bots.models.kept import Kept, KeptAsWritten, KeptQuerySet
from bots.models.meter import Meter
from bots.models.work import Check, Claimable, Lease, Worker

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
