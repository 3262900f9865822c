"""Notices to people about what they follow: their wishes, mails, calendar addresses."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from bots.models import Bot, BotVersion
from tournaments.models.challenge import Challenge
from tournaments.models.entrant import Player
from tournaments.models.event import Tournament
from tournaments.models.link import EntryLink
from tournaments.models.match import Match, Round


class Mailing(models.Model):
    """One mail to one person, written when it is sent; `source` makes it unique ("digest:2026-11-21").

    It is open until it was sent, was refused for good, or is not wanted any more. A claim moves `due_at` on and raises
    `attempts` in one conditional UPDATE, so a claim ends on its own and two workers never have it at once. `uuid` is
    its Message-ID, the same at every attempt.
    """

    class State(models.TextChoices):
        OPEN = "open", _("waiting")
        SENT = "sent", _("sent")
        FAILED = "failed", _("not accepted")
        DROPPED = "dropped", _("no longer wanted")

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    reader = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="mailings")
    source = models.CharField(max_length=120)
    is_digest = models.BooleanField(default=False)
    state = models.CharField(max_length=8, choices=State.choices, default=State.OPEN)
    attempts = models.PositiveSmallIntegerField(default=0)
    due_at = models.DateTimeField()
    made_at = models.DateTimeField(auto_now_add=True)
    done_at = models.DateTimeField(null=True, blank=True)
    error = models.CharField(max_length=200, blank=True)

    class Meta:
        # Two senders that make the same digest at once make one mail.
        constraints = [models.UniqueConstraint(fields=["reader", "source"], name="mailing_once")]
        indexes = [models.Index(fields=["due_at", "id"], name="mailing_due", condition=Q(state="open"))]

    def __str__(self) -> str:
        return f"{self.source} to {self.reader}: {self.state}"


class Notice(models.Model):
    """One thing that one person is notified of, once: `source` names what happened ("t:plum@17").

    kind: what can be chosen (`How`); what: the fact, whose words `notifications.lines` makes when somebody reads;
    facts: its numbers and words. via: the followed thing that it came by; "own": it concerns themselves. The rows that
    it names decide who may still see it (`notifications.seen`). link: somebody without an account is notified by their
    private link, if a browser asked for it; then there is no reader.
    """

    class Kind(models.TextChoices):
        TABLE = "table", _("A table: mine, and those of players I follow")
        RESULT = "result", _("A result there is confirmed, corrected or withdrawn")
        ROUND = "round", _("A round is published")
        EVENT = "event", _("An event is announced, opens, starts, ends or is cancelled")
        SAID = "said", _("The organiser tells everybody something")
        VERSION = "version", _("A version of my bot passed its check, or did not")
        FAULT = "fault", _("My bot failed in a match, or is suspended")
        CHALLENGE = "challenge", _("A comparison of versions is decided")
        HELD = "held", _("A match of an event I run is held for review")
        BOT = "bot", _("A bot I follow is entered, or plays with another version")
        INVITED = "invited", _("Somebody invites me to an event")
        CALLED = "called", _("My table is called: sit down now")
        REPORT = "report", _("A result of mine waits for my answer, or is disputed")
        PLACE = "place", _("My place in an event changes: registration, waiting list, byes, substitutes")
        RUN = "run", _("Somebody answers an invitation to an event I run, or drops out of it")
        SEASON = "season", _("A season asks for an event I run, or a request of my season is answered")
        TURN = "turn", _("It is my turn at a table where a move may take days")

    class How(models.TextChoices):
        PAGE = "page", _("on the page only")
        DIGEST = "digest", _("a mail each morning")
        INSTANT = "instant", _("a mail at once")

    reader = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, blank=True, related_name="notices"
    )
    link = models.ForeignKey(EntryLink, on_delete=models.CASCADE, null=True, blank=True, related_name="notices")
    source = models.CharField(max_length=160)
    kind = models.CharField(max_length=10, choices=Kind.choices)
    what = models.CharField(max_length=20)
    via = models.CharField(max_length=10)
    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    round = models.ForeignKey(Round, on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    match = models.ForeignKey(Match, on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    bot = models.ForeignKey(Bot, on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    version = models.ForeignKey(BotVersion, on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    challenge = models.ForeignKey(Challenge, on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    facts = models.JSONField(default=dict)
    at = models.DateTimeField()
    read_at = models.DateTimeField(null=True, blank=True)
    how = models.CharField(max_length=8, choices=How.choices, default=How.PAGE)
    mailing = models.ForeignKey(Mailing, on_delete=models.SET_NULL, null=True, blank=True, related_name="notices")

    class Meta:
        # Holds even if a row of the outbox came twice: the reader has this notice already.
        constraints = [
            models.UniqueConstraint(fields=["reader", "source"], name="notice_once"),
            models.UniqueConstraint(fields=["link", "source"], name="notice_once_per_link"),
            models.CheckConstraint(
                name="notice_to_one",
                condition=Q(reader__isnull=False, link=None) | Q(reader=None, link__isnull=False),
            ),
        ]
        indexes = [
            # One index for each question: the newest of a reader, the number on the bell, the morning's mail, what
            # expires.
            models.Index(fields=["reader", "-id"], name="notice_newest"),
            models.Index(fields=["reader"], name="notice_unread", condition=Q(read_at=None)),
            models.Index(fields=["reader"], name="notice_for_digest", condition=Q(how="digest", mailing=None)),
            models.Index(fields=["at"], name="notice_age"),
        ]

    def __str__(self) -> str:
        return f"{self.what} to {self.reader or self.link}"


class NoticePlan(models.Model):
    """The ways in which a person wants to be notified. choices: {kind: how}; a kind that is missing has the value of
    `notifications.plans_query.USUAL`; "before": the choices before a link in a mail ended them. push: {kind: whether
    browsers are told}, likewise.

    language, time_zone: what the reader's browser said when they chose, for mails where the account says nothing.
    """

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notice_plan")
    choices = models.JSONField(default=dict)
    push = models.JSONField(default=dict)
    language = models.CharField(max_length=8, blank=True)
    time_zone = models.CharField(max_length=40, blank=True)
    changed_at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return f"notices of {self.user}"


class CalendarLink(models.Model):
    """The address of a person's own calendar. Of the address only its SHA-256 is kept (decisions 0048, 0057)."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="calendar_link")
    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    digest = models.CharField(max_length=64, unique=True)
    made_at = models.DateTimeField(auto_now_add=True)
    used_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"calendar of {self.user}"
