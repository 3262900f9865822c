"""Work that workers claim: the row is the queue (tournaments.md section 9)."""

import uuid

from django.db import models
from django.utils.translation import gettext_lazy as _

from bots.models.blob import Blob
from bots.models.bot import BotVersion


class Worker(models.Model):
    """One worker process. `probe` tells per layer whether the sandbox held; a worker that failed takes no match.

    `per_hour`: matches an hour at its pace of the last hour, as its heartbeat says. `draining_at`: since when it takes
    no more work because an operator said so; over restarts too, until an operator says otherwise.
    """

    name = models.CharField(max_length=120, unique=True)
    build = models.CharField(max_length=60, blank=True)
    capacity = models.PositiveSmallIntegerField(default=1)
    probe_ok = models.BooleanField(default=False)
    probe = models.JSONField(default=dict)
    fault = models.CharField(max_length=200, blank=True)
    per_hour = models.PositiveIntegerField(default=0)
    draining_at = models.DateTimeField(null=True, blank=True)
    started_at = models.DateTimeField(auto_now_add=True)
    seen_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.name


class Lease(models.Model):
    """The right of one worker to play what it claimed, until `expires_at`. The row goes when nothing hangs on it."""

    token = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    worker = models.ForeignKey(Worker, on_delete=models.PROTECT, related_name="leases")
    expires_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"{self.worker} until {self.expires_at:%H:%M:%S}"


class Claimable(models.Model):
    """The fields of every claimable row. `attempt` counts claims; `faults` those that infrastructure ended.

    `history`: [{"attempt", "worker", "reason", "at"}, ..], one per attempt that did not count. `suspects`: seats
    whose last attempt ended in a wall-clock timeout on `suspect_worker`: their fault if it happens again elsewhere.
    """

    attempt = models.PositiveIntegerField(default=0)
    lease = models.ForeignKey(Lease, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    priority = models.BigIntegerField(default=0)
    faults = models.PositiveSmallIntegerField(default=0)
    fault_reason = models.CharField(max_length=300, blank=True)
    history = models.JSONField(default=list)
    suspects = models.JSONField(default=list)
    suspect_worker = models.ForeignKey(Worker, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    queued_at = models.DateTimeField(null=True, blank=True)
    claimed_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True

    @property
    def subject(self) -> str:
        """Return how audit events name it: "match:<uuid>"."""
        return f"{self._meta.model_name}:{self.serializable_value('uuid')}"

    @property
    def readers(self) -> str:
        """The live channel whose readers may see in its log that this was held; empty: only operators may."""
        return ""


class Check(Claimable):
    """The smoke match of an upload: claimed before any match, no part of any tournament.

    `result`: {"ok": bool, "steps": [{"id", "ok", "message", "said"}], "matches": [...]} (services write, pages show).
    """

    class State(models.TextChoices):
        QUEUED = "queued", _("queued")
        CLAIMED = "claimed", _("playing")
        DONE = "done", _("done")
        QUARANTINED = "quarantined", _("held")

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    version = models.OneToOneField(BotVersion, on_delete=models.PROTECT, related_name="check_run")
    state = models.CharField(max_length=12, choices=State.choices, default=State.QUEUED)
    result = models.JSONField(default=dict)
    log = models.ForeignKey(Blob, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        indexes = [
            # Partial: the queue is read all the time and is short, while checks that are done are kept for ever.
            models.Index(fields=["priority", "id"], name="check_queue", condition=models.Q(state="queued")),
            models.Index(
                fields=["priority", "id"], name="check_open", condition=models.Q(state__in=("queued", "claimed"))
            ),
            models.Index(fields=["id"], name="check_held", condition=models.Q(state="quarantined")),
        ]

    def __str__(self) -> str:
        return f"check of {self.version}"
