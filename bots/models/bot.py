"""Bots and their versions. A version is immutable; activation is a pointer."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from bots.emblems import Colour
from bots.models.blob import Blob
from bots.runner.spec import STANDARD


class Bot(models.Model):
    """A named strategy of one owner. `slug` is its address, for ever.

    plays: preset ids that an upload plays which does not say so itself; empty: the service's own choice.
    emblem_card, emblem_colour: as its owner chose; empty: by its name (`bots.emblems`).
    suspended_at, suspended_reason: by an operator; it takes no upload, and no version of it is drawn or entered.
    remote: a program that plays over HTTPS from its owner's machine (`bots.services.programs`); nothing is uploaded.
    """

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    slug = models.SlugField(max_length=60, unique=True)
    name = models.CharField(_("name"), max_length=60)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="bots")
    house = models.BooleanField(default=False, help_text="one of the built-in strategies")
    remote = models.BooleanField(default=False, help_text="a program elsewhere, which plays over HTTPS")
    plays = models.JSONField(default=list, blank=True)
    active_version = models.ForeignKey(
        "bots.BotVersion", on_delete=models.PROTECT, null=True, blank=True, related_name="active_in"
    )
    emblem_card = models.CharField(_("card of the emblem"), max_length=4, blank=True, default="")
    emblem_colour = models.CharField(
        _("colour of the emblem"), max_length=10, choices=Colour.choices, blank=True, default=""
    )
    suspended_at = models.DateTimeField(null=True, blank=True)
    suspended_reason = models.CharField(max_length=200, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["owner", "name"], name="bot_name_once_per_owner")]
        indexes = [
            models.Index(fields=["-suspended_at"], name="bot_suspended", condition=Q(suspended_at__isnull=False)),
        ]

    def __str__(self) -> str:
        return self.name


class BotVersion(models.Model):
    """One upload. The same bytes twice are the same version. It is never deleted, and what it is made of never changes
    (bots/guards.py); it may be hidden: results name it all the same.

    `files` holds [[path, sha256, size], ...] in canonical order and `source` the canonical archive of them
    (`bots.uploads`). `plays`: the preset ids it declares. `clock`: the id of the clock that it declares:
    it is checked with that, and enters nothing with a shorter one. `hash` as `sandbox.md` (Uploads) defines it, hex.
    """

    class State(models.TextChoices):
        CHECKING = "checking", pgettext_lazy("version", "checking")
        FAILED = "failed", pgettext_lazy("version", "failed")
        READY = "ready", pgettext_lazy("version", "ready")
        RETIRED = "retired", pgettext_lazy("version", "retired")
        # Of a program elsewhere: it has no files, so that nothing plays it here.
        REMOTE = "remote", pgettext_lazy("version", "remote")

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    bot = models.ForeignKey(Bot, on_delete=models.PROTECT, related_name="versions")
    n = models.PositiveIntegerField()
    hash = models.CharField(max_length=64)
    protocol = models.PositiveSmallIntegerField(default=1)
    plays = models.JSONField(default=list)
    clock = models.CharField(max_length=10, default=STANDARD.id)
    files = models.JSONField(default=list)
    source = models.ForeignKey(Blob, on_delete=models.PROTECT, related_name="+")
    note = models.CharField(_("note"), max_length=200, blank=True)
    state = models.CharField(max_length=10, choices=State.choices, default=State.CHECKING)
    benched_at = models.DateTimeField(null=True, blank=True)
    bench_reason = models.CharField(max_length=200, blank=True)
    forfeits_in_a_row = models.PositiveIntegerField(default=0)
    hidden_at = models.DateTimeField(null=True, blank=True)
    hidden_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    hidden_reason = models.CharField(max_length=200, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["bot", "n"], name="version_number_once_per_bot"),
            models.UniqueConstraint(fields=["bot", "hash"], name="version_bytes_once_per_bot"),
        ]
        ordering = ["bot", "-n"]

    def __str__(self) -> str:
        return f"{self.bot.name} v{self.n}"
