"""Sources that their authors published, and bots that began as a copy of one."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from bots.models.bot import Bot, BotVersion


class Publication(models.Model):
    """The source of a version is public since `published_at`, under `licence` (an SPDX identifier of `bots.licences`).

    withdrawn_at: since when it is not any more. The row stays, so that forks can name the licence they were made under.
    """

    version = models.OneToOneField(BotVersion, on_delete=models.PROTECT, related_name="publication")
    licence = models.CharField(max_length=40)
    published_at = models.DateTimeField()
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [
            # Partial: most versions are never published, and lists ask for those that are.
            models.Index(fields=["-published_at"], name="publication_open", condition=Q(withdrawn_at__isnull=True)),
        ]

    def __str__(self) -> str:
        return f"{self.version}: {self.licence}"


class Fork(models.Model):
    """A bot that began with the files of `origin`, which was public under `licence` then."""

    bot = models.OneToOneField(Bot, on_delete=models.PROTECT, related_name="fork")
    origin = models.ForeignKey(BotVersion, on_delete=models.PROTECT, related_name="forks")
    licence = models.CharField(max_length=40)
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{self.bot} from {self.origin}"
