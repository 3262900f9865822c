"""What was done, and what has to be told. Both are written in the transaction that causes them."""

from django.conf import settings
from django.db import models

from activity.append_only import Kept, KeptQuerySet


class AuditEvent(Kept):
    """Append-only, in the database too: `actor` (none: the system) did `verb` to `subject`, e.g. "tournament:<uuid>".

    `channel` is the live channel whose readers may see it ("t:<slug>"), empty when only operators may.
    """

    at = models.DateTimeField(auto_now_add=True)
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="audit_events"
    )
    verb = models.CharField(max_length=60)
    subject = models.CharField(max_length=120, db_index=True)
    channel = models.CharField(max_length=120, blank=True)
    before = models.JSONField(default=dict)
    after = models.JSONField(default=dict)

    objects = KeptQuerySet.as_manager()

    class Meta:
        app_label = "bots"  # where its table has always been
        indexes = [models.Index(fields=["channel", "-id"], name="audit_of_channel")]

    def __str__(self) -> str:
        return f"{self.verb} {self.subject}"


class Channel(models.Model):
    """A live channel and its newest version. Its row lock puts the outbox rows of a channel in commit order."""

    name = models.CharField(max_length=120, unique=True)
    version = models.PositiveBigIntegerField(default=0)

    class Meta:
        app_label = "bots"

    def __str__(self) -> str:
        return f"{self.name}@{self.version}"


class Outbox(models.Model):
    """One thing to tell: version `version` of `channel` exists because of `topic`."""

    channel = models.CharField(max_length=120)
    version = models.PositiveBigIntegerField()
    topic = models.CharField(max_length=60)
    payload = models.JSONField(default=dict)
    created_at = models.DateTimeField(auto_now_add=True)
    sent_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        app_label = "bots"  # where its table has always been
        constraints = [models.UniqueConstraint(fields=["channel", "version"], name="outbox_version_once")]
        indexes = [models.Index(fields=["id"], name="outbox_unsent", condition=models.Q(sent_at=None))]

    def __str__(self) -> str:
        return f"{self.channel}@{self.version} {self.topic}"
