"""Web hooks: addresses of people that are told what happens, and what was told them (decision 0058)."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from bots.models import Bot
from tournaments.models.event import Tournament


class Hook(models.Model):
    """One address of `user` that hears of `kinds` about what it watches.

    failing_since, failures: since its last success, how many tries in a row came to nothing. is_slow: its last try took
    long. reason: why we switched it off. left_out: how many deliveries were not made because too many waited already.
    """

    class State(models.TextChoices):
        ACTIVE = "active", pgettext_lazy("hook", "active")
        PAUSED = "paused", _("switched off by you")
        STOPPED = "stopped", _("switched off by us")

    class Watch(models.TextChoices):
        MINE = "mine", _("everything of mine: events I run, my bots, my comparisons, tables I play at")
        EVENT = "event", _("one event that I run")
        BOT = "bot", _("one bot of mine")
        FOLLOWED = "followed", _("what I follow")

    class Reason(models.TextChoices):
        FAILING = "failing", _("It did not answer for days.")
        SECRET = "secret", _("The service's own key was changed, so its secrets are gone.")

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="hooks")
    name = models.CharField(_("what it is for"), max_length=60)
    url = models.CharField(_("address"), max_length=500)
    receiver = models.CharField(max_length=300, help_text="host and port, whose pace all hooks to it share")
    kinds = models.JSONField(default=list)
    watch = models.CharField(max_length=8, choices=Watch.choices, default=Watch.MINE)
    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, null=True, blank=True, related_name="hooks")
    bot = models.ForeignKey(Bot, on_delete=models.CASCADE, null=True, blank=True, related_name="hooks")
    state = models.CharField(max_length=8, choices=State.choices, default=State.ACTIVE)
    reason = models.CharField(max_length=8, choices=Reason.choices, blank=True)
    failing_since = models.DateTimeField(null=True, blank=True)
    failures = models.PositiveIntegerField(default=0)
    is_slow = models.BooleanField(default=False)
    left_out = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(auto_now_add=True)
    stopped_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            # Nothing can stand here that `watch` does not mean: a bot that is deleted takes its hook along (CASCADE).
            models.CheckConstraint(
                name="hook_watches_one_thing",
                condition=Q(watch="event", tournament__isnull=False, bot=None)
                | Q(watch="bot", tournament=None, bot__isnull=False)
                | (Q(watch__in=("mine", "followed")) & Q(tournament=None, bot=None)),
            ),
            models.CheckConstraint(
                name="hook_stopped_why",
                condition=(Q(state="stopped") & ~Q(reason="")) | (~Q(state="stopped") & Q(reason="")),
            ),
        ]
        indexes = [models.Index(fields=["id"], name="hook_active", condition=Q(state="active"))]

    def __str__(self) -> str:
        return f"{self.name} ({self.receiver})"

    @property
    def shown_state(self) -> str:
        """The state as pages show it: "active", "failing", "paused" or "stopped"."""
        is_failing = self.state == self.State.ACTIVE and self.failing_since is not None
        return "failing" if is_failing else self.state

    @property
    def watched(self) -> str:
        """The name of the one thing it watches; "" where it watches several."""
        return str(self.tournament or self.bot or "")


class HookSecret(models.Model):
    """A secret of a hook. The secret itself is kept nowhere: it follows from `nonce` and the service's key.

    digest: SHA-256 of it, by which a service finds that its key has changed. start: its first characters. A secret
    without `ends_at` goes on; the sweep deletes one that ended.
    """

    hook = models.ForeignKey(Hook, on_delete=models.CASCADE, related_name="secrets")
    nonce = models.CharField(max_length=64)
    digest = models.CharField(max_length=64)
    start = models.CharField(max_length=12)
    made_at = models.DateTimeField(auto_now_add=True)
    ends_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        # The newest one has no end. Two renewals at once cannot leave two of them.
        constraints = [
            models.UniqueConstraint(fields=["hook"], condition=Q(ends_at=None), name="hook_one_newest_secret")
        ]

    def __str__(self) -> str:
        return f"{self.start}…"


class Delivery(models.Model):
    """One thing to publish to one hook, once: `source` names what happened ("t:plum@17").

    Its text is written when it is sent, so `about` holds names of rows only. A claim moves `due_at` on and raises
    `claims` in one conditional UPDATE: a claim ends on its own, two senders never have it at once, and the result of a
    late one is refused. tries: since it was last asked for. uuid: follows from hook and source, the same at every try.
    status, ms, answer, error: of the last try.
    """

    class State(models.TextChoices):
        OPEN = "open", _("waiting")
        DELIVERED = "delivered", _("delivered")
        FAILED = "failed", _("not accepted")
        DROPPED = "dropped", _("not sent")

    uuid = models.UUIDField(unique=True, editable=False)
    hook = models.ForeignKey(Hook, on_delete=models.CASCADE, related_name="deliveries")
    source = models.CharField(max_length=200)
    kind = models.CharField(max_length=24)
    about = models.JSONField(default=dict)
    at = models.DateTimeField()
    state = models.CharField(max_length=10, choices=State.choices, default=State.OPEN)
    claims = models.PositiveIntegerField(default=0)
    tries = models.PositiveSmallIntegerField(default=0)
    due_at = models.DateTimeField()
    made_at = models.DateTimeField(auto_now_add=True)
    tried_at = models.DateTimeField(null=True, blank=True)
    status = models.PositiveSmallIntegerField(null=True, blank=True)
    ms = models.PositiveIntegerField(null=True, blank=True)
    answer = models.CharField(max_length=300, blank=True)
    error = models.CharField(max_length=40, blank=True)

    class Meta:
        # Several rows of the outbox may tell one thing, and stuck rows are tried again: a second insert is ignored by
        # this.
        constraints = [models.UniqueConstraint(fields=["hook", "source"], name="delivery_once")]
        indexes = [
            # Partial: most rows are over, and the sender asks for the open ones all the time.
            models.Index(fields=["due_at", "id"], name="delivery_due", condition=Q(state="open")),
            models.Index(fields=["hook", "-id"], name="delivery_newest"),
            models.Index(fields=["hook"], name="delivery_open", condition=Q(state="open")),
            # The last delivery that came through, for the page of a hook.
            models.Index(
                fields=["hook", "-tried_at"],
                name="delivery_through",
                condition=Q(state="delivered", tried_at__isnull=False),
            ),
            models.Index(fields=["made_at"], name="delivery_age"),
        ]
        verbose_name_plural = "deliveries"

    def __str__(self) -> str:
        return f"{self.kind} {self.uuid}"
