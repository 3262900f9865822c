"""Tables of what was done (audit) and what has to be published (outbox). Both are written in the transaction that
causes them.
"""

from django.conf import settings
from django.db import models

from activity.append_only import AppendOnly, AppendOnlyQuerySet


class AuditEvent(AppendOnly):
    """Append-only, in the database too: `actor` (none: the system) did `verb` to `subject`, e.g. "tournament:<uuid>".

    `channel` is the live channel whose readers may see it ("t:<slug>"), empty when only operators may.
    """

    at = models.DateTimeField(auto_now_add=True)
    actor = models.ForeignKey(
        # PROTECT: the audit outlives accounts, whose rows stay without anything of theirs.
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="audit_events",
    )
    verb = models.CharField(max_length=60)
    subject = models.CharField(max_length=120, db_index=True)
    channel = models.CharField(max_length=120, blank=True)
    before = models.JSONField(default=dict)
    after = models.JSONField(default=dict)

    objects = AppendOnlyQuerySet.as_manager()

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
        # A second writer of one version would be a bug in the numbering: the database refuses it.
        constraints = [models.UniqueConstraint(fields=["channel", "version"], name="outbox_version_once")]
        # Partial: nearly all rows are sent, and the few others are what is looked for.
        indexes = [models.Index(fields=["id"], name="outbox_unsent", condition=models.Q(sent_at=None))]

    def __str__(self) -> str:
        return f"{self.channel}@{self.version} {self.topic}"


class Cursor(models.Model):
    """A named reader of the outbox. Its row lock lets one process at a time go on (`activity/consumers.py`)."""

    name = models.CharField(max_length=40, unique=True)
    begun_at = models.DateTimeField(auto_now_add=True)
    moved_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        app_label = "tournaments"  # where its table has always been

    def __str__(self) -> str:
        return self.name


class StuckNews(models.Model):
    """One row of the outbox that `reader` failed at: kept until an operator lets it be tried again, and it succeeds.

    reader: the name of a cursor, or "standings" for the folds, whose `channel` is retried automatically and whose other
    columns are empty. error: the kind of the error, never its text; the log has that. is_due: to be tried again now.
    """

    reader = models.CharField(max_length=40)
    channel = models.CharField(max_length=120)
    version = models.PositiveBigIntegerField(default=0)
    topic = models.CharField(max_length=60, blank=True)
    payload = models.JSONField(default=dict)
    told_at = models.DateTimeField(null=True, blank=True)
    error = models.CharField(max_length=120)
    tries = models.PositiveIntegerField(default=1)
    failed_at = models.DateTimeField()
    is_due = models.BooleanField(default=False)

    class Meta:
        app_label = "tournaments"  # where its table has always been
        constraints = [models.UniqueConstraint(fields=["reader", "channel", "version"], name="stuck_once")]

    def __str__(self) -> str:
        return f"{self.reader}: {self.channel}@{self.version}"


class CursorPlace(models.Model):
    """`cursor` has read `channel` up to `version`. Without a row it has read nothing of that channel.

    A version of a channel is never seen before an earlier one (decision 0002), so nothing can come in below a place.
    """

    cursor = models.ForeignKey(Cursor, on_delete=models.CASCADE, related_name="places")
    channel = models.CharField(max_length=120)
    version = models.PositiveBigIntegerField()

    class Meta:
        app_label = "tournaments"  # where its table has always been
        constraints = [models.UniqueConstraint(fields=["cursor", "channel"], name="place_once_per_channel")]

    def __str__(self) -> str:
        return f"{self.cursor}: {self.channel}@{self.version}"
