"""Tables of people who sign in. Everything else points here; this app imports none of the others."""

import uuid
from collections.abc import Iterator

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _


class User(AbstractUser):
    """Somebody with an account: an author, an organiser, a follower, an operator (`is_staff`).

    email: where mail goes once it is confirmed (`accounts.addresses`); email_wanted: one that waits to be confirmed.
    signed_out: how often they signed out everywhere; it ends all sessions. deleted_at: the account was deleted by its
    owner; the row stays for what others did with them, without anything of theirs (`accounts.leaving`).
    suspended_at, suspended_reason: by an operator; `is_active` is off then, so that nobody signs in as them.
    """

    class Theme(models.TextChoices):
        SYSTEM = "system", _("same as my device")
        LIGHT = "light", _("light")
        DARK = "dark", _("dark")

    class Cards(models.TextChoices):
        CLASSIC = "classic", _("coloured pictures")
        PICTURES = "pictures", _("coloured pictures without numbers")
        CONTRAST = "contrast", _("bold outlines on white, large numerals")
        TEXT = "text", _("month, kind and number, no pictures")

    class Backs(models.TextChoices):
        RED = "red", _("red")
        BLACK = "black", _("black")

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    display_name = models.CharField(_("name shown to others"), max_length=60, blank=True)
    language = models.CharField(_("language"), max_length=8, blank=True)
    time_zone = models.CharField(_("time zone"), max_length=40, blank=True)
    theme = models.CharField(_("theme"), max_length=8, choices=Theme.choices, default=Theme.SYSTEM)
    cards = models.CharField(_("card pictures"), max_length=8, choices=Cards.choices, blank=True)
    backs = models.CharField(_("card backs"), max_length=8, choices=Backs.choices, blank=True)
    letter_keys = models.BooleanField(_("single-letter shortcuts"), default=True)
    email_confirmed_at = models.DateTimeField(null=True, blank=True)
    email_wanted = models.EmailField(blank=True)
    unread_news = models.PositiveIntegerField(default=0, help_text="kept by anyone who tells and reads news")
    suspended_at = models.DateTimeField(null=True, blank=True)
    suspended_reason = models.CharField(max_length=200, blank=True)
    signed_out = models.PositiveIntegerField(default=0)
    deleted_at = models.DateTimeField(null=True, blank=True)

    class Meta(AbstractUser.Meta):
        constraints = [
            models.UniqueConstraint(
                # In the database, not only in the form: two people may choose one name at the same moment.
                Lower("username"),
                name="username_once_in_any_case",
                violation_error_message=_("This name is taken."),
            ),
        ]
        indexes = [
            # Partial: few accounts are suspended, and operators list only those.
            models.Index(fields=["-suspended_at"], name="user_suspended", condition=Q(suspended_at__isnull=False)),
        ]

    def get_session_auth_hash(self) -> str:
        """Return the hash that every session of this person carries: another one ends them all."""
        return self._with_sign_outs(super().get_session_auth_hash())

    def get_session_auth_fallback_hash(self) -> Iterator[str]:
        """Yield the same under earlier secret keys."""
        return (self._with_sign_outs(found) for found in super().get_session_auth_fallback_hash())

    def _with_sign_outs(self, found: str) -> str:
        # As Django has it until somebody signs out everywhere: sessions from before this counter stay good.
        if not self.signed_out:
            return found
        return salted_hmac("hanami.session", f"{self.signed_out}.{found}", algorithm="sha256").hexdigest()

    @property
    def mail_address(self) -> str:
        """Return the address that mail may go to: the one that was confirmed; "" while there is none."""
        return self.email if self.email_confirmed_at is not None else ""

    @property
    def shown_name(self) -> str:
        """Return the name others see: the display name, else the user name."""
        return self.display_name or self.username


class Token(models.Model):
    """A key with which a program does some of what its owner may. Of the key itself only the SHA-256 is kept.

    scopes: of `accounts.tokens.SCOPES`. bound_kind, bound_to: the one "event" or "bot" (its uuid) it is for; "" means
    all.
    """

    class Bound(models.TextChoices):
        NOTHING = "", _("everything of mine")
        EVENT = "event", _("one event")
        BOT = "bot", _("one bot")

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="tokens")
    name = models.CharField(_("what it is for"), max_length=60)
    start = models.CharField(max_length=12, help_text="how the key begins, to tell one from another")
    # Unique, so that a key is found by one look into its index.
    digest = models.CharField(max_length=64, unique=True)
    scopes = models.JSONField(default=list)
    bound_kind = models.CharField(max_length=5, choices=Bound.choices, blank=True)
    bound_to = models.UUIDField(null=True, blank=True)
    bound_name = models.CharField(max_length=80, blank=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                # Both or neither: a token with an id but without a kind would be good for everything (`web.access`).
                name="token_bound_whole",
                condition=models.Q(bound_kind="", bound_to=None)
                | (~models.Q(bound_kind="") & models.Q(bound_to__isnull=False)),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.start}…)"


class SignIn(models.Model):
    """A session of a person: a row for each log-in, as long as its session lives.

    secret: the key of the session; agent: what the browser says it is.
    """

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="sign_ins")
    secret = models.CharField(max_length=40, unique=True)
    agent = models.CharField(max_length=200, blank=True)
    at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{self.user} since {self.at:%Y-%m-%d}"


class WaitingLetter(models.Model):
    """A mail about an account or a registration that waits for the sender of mail; the row goes once it is sent.

    user: whose account; None for a forgotten password, whose address may be nobody's, and for an invitation. address:
    where it goes, as it was typed. language, zone: of the person who asked. due_at: when it is tried (again); None:
    never again. error: why it is not sent yet, "mail.waits", or never will be, "mail.refused", "mail.given_up". about:
    what else its writer needs to know; empty for most kinds.
    """

    class Kind(models.TextChoices):
        RESET = "reset", _("a link for a forgotten password")
        CONFIRM = "confirm", _("a link that confirms an address")
        CHANGED = "changed", _("to the previous address: mail now goes elsewhere")
        PASSWORD = "password", _("the password was changed")
        INVITE = "invite", _("an invitation to an event")
        REGISTER = "register", _("about a registration for an event")

    kind = models.CharField(max_length=8, choices=Kind.choices)
    user = models.ForeignKey(User, on_delete=models.CASCADE, null=True, blank=True, related_name="waiting_letters")
    address = models.EmailField()
    about = models.CharField(max_length=80, blank=True)
    language = models.CharField(max_length=8, blank=True)
    zone = models.CharField(max_length=40, blank=True)
    tries = models.PositiveSmallIntegerField(default=0)
    asked_at = models.DateTimeField(auto_now_add=True, db_index=True)
    due_at = models.DateTimeField(default=timezone.now, null=True, blank=True, db_index=True)
    error = models.CharField(max_length=16, blank=True)

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"


class KeptAnswer(models.Model):
    """The answer to a request with an Idempotency-Key, so that sending it again does nothing twice.

    who: "user:<id>" or another name for who sent it. request: SHA-256 of method, address and body. It is written in
    the transaction of what it answers; a row that somebody sees is therefore always whole.
    """

    who = models.CharField(max_length=80)
    key = models.CharField(max_length=128)
    request = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField(default=0)
    body = models.TextField(blank=True)
    headers = models.JSONField(default=dict)
    created_at = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["who", "key"], name="answer_once_per_key")]

    def __str__(self) -> str:
        return f"{self.who} {self.key}: {self.status}"
