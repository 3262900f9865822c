"""How far a reader of the outbox has come."""

from django.db import models


class Cursor(models.Model):
    """A named reader of the outbox. Its row lock lets one process at a time go on (`jobs/tailing.py`)."""

    name = models.CharField(max_length=40, unique=True)
    begun_at = models.DateTimeField(auto_now_add=True)
    moved_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return self.name


class StuckNews(models.Model):
    """One row of the outbox that `reader` failed at: kept until an operator lets it be tried again, and it succeeds.

    reader: the name of a cursor, or "standings" for the folds, whose `channel` is tried again by itself and whose other
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
        constraints = [models.UniqueConstraint(fields=["cursor", "channel"], name="place_once_per_channel")]

    def __str__(self) -> str:
        return f"{self.cursor}: {self.channel}@{self.version}"
