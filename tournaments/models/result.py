"""Reports of results, adjustments, and the standings derived from them."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from bots.models import AppendOnly, AppendOnlyQuerySet, Blob
from tournaments.models.entrant import Entry, StageEntry
from tournaments.models.event import Stage
from tournaments.models.match import Match


class ReportQuerySet(AppendOnlyQuerySet["ResultReport"]):
    """Reports, and the ways in which one may change.

    It is confirmed, disputed, rejected or superseded, by somebody, for a reason.
    """

    changeable = frozenset({"state", "by", "reason"})


class ResultReport(AppendOnly):
    """One claim about a result. Append-only: a correction is a new version that supersedes the old one.

    The database refuses any other change than that of `state`, `by` and `reason` (bots/guards.py).

    `body`: {"end", "score", "victories", "rank", "forfeits", "deals"}; `hash`: of the record ("sha256:.."), or of
    the canonical body for people; `record`: the whole record document.
    """

    class State(models.TextChoices):
        SUBMITTED = "submitted", _("submitted")
        CONFIRMED = "confirmed", _("confirmed")
        DISPUTED = "disputed", _("disputed")
        REJECTED = "rejected", _("rejected")
        SUPERSEDED = "superseded", _("superseded")

    class Source(models.TextChoices):
        RECORD = "record", _("verified record")
        PEOPLE = "people", _("people at the table")

    # PROTECT: a match is not deleted with its reports; an undo that takes a draw back refuses where one exists.
    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="reports")
    version = models.PositiveSmallIntegerField(default=1)
    attempt = models.PositiveIntegerField(null=True, blank=True)
    source = models.CharField(max_length=8, choices=Source.choices)
    state = models.CharField(max_length=10, choices=State.choices, default=State.SUBMITTED)
    body = models.JSONField(default=dict)
    hash = models.CharField(max_length=80)
    record = models.ForeignKey(Blob, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    reason = models.CharField(max_length=300, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    changeable = ReportQuerySet.changeable
    objects = ReportQuerySet.as_manager()

    class Meta:
        constraints = [
            # `attempt` is NULL in reports of people, and NULLs differ: the second constraint is about workers alone.
            # Two results that come in at once are decided by these three, not by a check before.
            models.UniqueConstraint(fields=["match", "version"], name="report_version_once"),
            models.UniqueConstraint(fields=["match", "attempt"], name="report_attempt_once"),
            models.UniqueConstraint(fields=["match"], condition=Q(state="confirmed"), name="report_confirmed_once"),
        ]

    def __str__(self) -> str:
        return f"{self.match} report {self.version} {self.state}"


class Adjustment(models.Model):
    """Units given or taken by an organiser, always with a reason, always a line of its own.

    counts_in: what ranks first, or the tie-break that an extra deal or match decides.
    """

    class CountsIn(models.TextChoices):
        SCORE = "", _("the score")
        DECIDER = "decider", _("the decider")

    stage_entry = models.ForeignKey(StageEntry, on_delete=models.PROTECT, related_name="adjustments")
    round_number = models.PositiveSmallIntegerField(null=True, blank=True)
    # Text, because a float cannot hold 1/3.
    units = models.CharField(max_length=40, help_text="exact rational, e.g. -50 or 1/2")
    counts_in = models.CharField(max_length=10, choices=CountsIn.choices, default=CountsIn.SCORE, blank=True)
    reason = models.CharField(max_length=300)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    revoked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )

    def __str__(self) -> str:
        return f"{self.units} to {self.stage_entry}"


class Standing(models.Model):
    """A row of the table after a round, derived: may be deleted at any time and folded again.

    `after_round` 0 is "now" (everything confirmed so far). `key`: the compared values as exact rationals;
    `explanation`: core.standings' own JSON; `input_hash`: SHA-256 of what it was folded from.
    """

    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="standings")
    after_round = models.PositiveSmallIntegerField(default=0)
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="standings")
    rank = models.PositiveIntegerField()
    row = models.PositiveIntegerField(help_text="order of display, from 1")
    key = models.JSONField(default=list)
    explanation = models.JSONField(default=list)
    input_hash = models.CharField(max_length=64)
    folded_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["stage", "after_round", "entry"], name="standing_once"),
        ]
        indexes = [
            # Standings are read in order of display, a page at a time; `standing_first` finds the leader of every
            # round.
            models.Index(fields=["stage", "after_round", "row"], name="standing_order"),
            models.Index(fields=["stage", "after_round"], name="standing_first", condition=Q(row=1)),
        ]
        ordering = ["stage", "after_round", "row"]
        verbose_name = _("standing")

    def __str__(self) -> str:
        return f"{self.rank}. {self.entry}"
