"""Counters of how often somebody did something lately, in the database: they survive restarts and need no Redis."""

from django.db import models


class Meter(models.Model):
    """A count of `n` times since `began_at`. `name` says what and who, e.g. "upload.refused:17"."""

    name = models.CharField(max_length=120, unique=True)
    began_at = models.DateTimeField(db_index=True)
    n = models.PositiveIntegerField(default=0)

    class Meta:
        app_label = "bots"  # where its table has always been

    def __str__(self) -> str:
        return f"{self.name}: {self.n}"
