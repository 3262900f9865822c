"""Web Push: browsers that asked to be called, and the messages that wait for them (decision 0111)."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tournaments.models.link import EntryLink
from tournaments.models.notice import Notice


class PushSubscription(models.Model):
    """One browser of one person: of an account, or of the holder of a private link.

    endpoint: its address at the push service of the browser, which nobody else is shown. public_key, auth_secret: of
    the browser, for the encryption (RFC 8291). server_key: our public key when it subscribed; a message under another
    one is refused. language: of the messages where no account says one. failing_since, failures: since the last message
    that was taken.
    """

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, blank=True, related_name="push_subscriptions"
    )
    link = models.ForeignKey(
        EntryLink, on_delete=models.CASCADE, null=True, blank=True, related_name="push_subscriptions"
    )
    endpoint = models.CharField(max_length=500)
    endpoint_digest = models.CharField(max_length=64)
    receiver = models.CharField(max_length=260)
    public_key = models.CharField(max_length=100)
    auth_secret = models.CharField(max_length=40)
    server_key = models.CharField(max_length=100)
    language = models.CharField(max_length=8, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    delivered_at = models.DateTimeField(null=True, blank=True)
    failing_since = models.DateTimeField(null=True, blank=True)
    failures = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="push_subscription_of_one",
                condition=Q(user__isnull=False, link=None) | Q(user=None, link__isnull=False),
            ),
            # A button pressed twice: the second press finds the row of the first.
            models.UniqueConstraint(
                fields=["user", "endpoint_digest"], condition=Q(user__isnull=False), name="push_once_per_account"
            ),
            models.UniqueConstraint(
                fields=["link", "endpoint_digest"], condition=Q(link__isnull=False), name="push_once_per_link"
            ),
        ]

    def __str__(self) -> str:
        return f"push to {self.receiver}"


class PushMessage(models.Model):
    """One notice for one browser, written and encrypted when it is sent.

    A claim moves `due_at` on and raises `attempts` in one conditional UPDATE, as with mails. `uuid` is its topic at the
    push service, the same at every attempt. browser, source: a browser hears of one thing once, also where it is
    subscribed both for an account and for a private link. From `expires_at` on it is of no use to anybody.
    """

    class State(models.TextChoices):
        OPEN = "open", _("waiting")
        SENT = "sent", _("sent")
        FAILED = "failed", _("not accepted")
        DROPPED = "dropped", _("no longer wanted")

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    subscription = models.ForeignKey(PushSubscription, on_delete=models.CASCADE, related_name="messages")
    notice = models.ForeignKey(Notice, on_delete=models.CASCADE, related_name="pushes")
    browser = models.CharField(max_length=64)
    source = models.CharField(max_length=160)
    state = models.CharField(max_length=8, choices=State.choices, default=State.OPEN)
    attempts = models.PositiveSmallIntegerField(default=0)
    due_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    made_at = models.DateTimeField(auto_now_add=True)
    done_at = models.DateTimeField(null=True, blank=True)
    status = models.PositiveSmallIntegerField(null=True, blank=True)
    error = models.CharField(max_length=40, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["browser", "source"], name="push_message_once")]
        indexes = [
            # Partial: most rows are over, and the sender asks for the open ones all the time.
            models.Index(fields=["due_at", "id"], name="push_message_due", condition=Q(state="open")),
            models.Index(fields=["made_at"], name="push_message_age"),
        ]

    def __str__(self) -> str:
        return f"push {self.uuid}: {self.state}"
