"""Comparisons of two versions: a sequential test whose matches are those of a gauntlet stage.

The progress is derived from confirmed matches in the order of their deal sets (standings/sequential_test.py). A
decision is final: a deal set that was judged is never judged again.
"""

import uuid
from typing import Final

from django.conf import settings
from django.db import models
from django.db.models import Case, F, Q, Value, When
from django.utils.translation import gettext_lazy as _

from bots.models import BotVersion
from tournaments.models.event import Stage
from tournaments.models.match import DealSet

# The order of lists of comparisons. `challenge_shelf` is an index over this very expression; another spelling of it
# would be sorted instead.
RUNNING_FIRST: Final = Case(When(state="running", then=Value(0)), default=Value(1))
"""The order of lists of comparisons."""


class Challenge(models.Model):
    """Is `candidate` stronger than `reference`? elo0, elo1: logistic Elo; cap: most deal sets.

    upto: id of the last deal set that was judged; judged, skipped: how many counted, how many did not (held for
    review or called off: never anybody's fault). counts: of pairs [LL, LD, WL+DD, WD, WW], at larger tables empty;
    mean, squares: of the scores (Welford); estimate: [score, low, high]. split: per side of the table
    [points of the candidate alone there, its matches, points of the reference, its matches], a point being a half of a
    side beaten. of_two_owners: as it was asked for, and bots change no owner; those of one owner are their own A/B
    tests, which lists show to nobody else.
    """

    class State(models.TextChoices):
        RUNNING = "running", _("running")
        STRONGER = "stronger", _("decided: stronger")
        NOT_STRONGER = "not_stronger", _("decided: not stronger")
        INCONCLUSIVE = "inconclusive", _("inconclusive")

    class Reason(models.TextChoices):
        BOUND = "bound", _("certain enough")
        CAP = "cap", _("all deal sets are played")
        STOPPED = "stopped", _("stopped by its owner")
        UNFIT = "unfit", _("one of the two can no longer be drawn")

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    stage = models.OneToOneField(Stage, on_delete=models.CASCADE, related_name="challenge")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="challenges")
    candidate = models.ForeignKey(BotVersion, on_delete=models.PROTECT, related_name="challenges")
    reference = models.ForeignKey(BotVersion, on_delete=models.PROTECT, related_name="challenged")
    elo0 = models.FloatField()
    elo1 = models.FloatField()
    alpha = models.FloatField(default=0.05)
    beta = models.FloatField(default=0.05)
    cap = models.PositiveIntegerField()
    state = models.CharField(max_length=12, choices=State.choices, default=State.RUNNING)
    reason = models.CharField(max_length=8, choices=Reason.choices, blank=True)
    upto = models.BigIntegerField(default=0)
    judged = models.PositiveIntegerField(default=0)
    skipped = models.PositiveIntegerField(default=0)
    llr = models.FloatField(default=0.0)
    counts = models.JSONField(default=list)
    mean = models.FloatField(default=0.0)
    squares = models.FloatField(default=0.0)
    estimate = models.JSONField(default=list)
    split = models.JSONField(default=list)
    candidate_forfeits = models.PositiveIntegerField(default=0)
    reference_forfeits = models.PositiveIntegerField(default=0)
    # Stored, not derived: it says which comparisons lists may show, and both owners are fixed when it is asked for.
    of_two_owners = models.BooleanField()
    created_at = models.DateTimeField(auto_now_add=True)
    decided_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(name="challenge_of_two", condition=~Q(candidate=F("reference"))),
            models.CheckConstraint(name="challenge_elo_in_order", condition=Q(elo0__lt=F("elo1"))),
            # "Decided", its reason and its moment are written in one UPDATE; the database refuses a half of it.
            models.CheckConstraint(
                name="challenge_decided_whole",
                condition=Q(state="running", decided_at__isnull=True, reason="")
                | (~Q(state="running") & ~Q(reason="") & Q(decided_at__isnull=False)),
            ),
        ]
        indexes = [
            models.Index(fields=["by", "-created_at"], name="challenge_of_person"),
            models.Index(fields=["id"], name="challenge_running", condition=Q(state="running")),
            models.Index(RUNNING_FIRST, F("id").desc(), name="challenge_shelf"),
        ]

    def __str__(self) -> str:
        return f"{self.candidate} against {self.reference}"


class ChallengeSet(models.Model):
    """One deal set as it was judged, `number` from 1. score: exact rational of the candidate, "" if it did not count.

    llr: after it. weight: how far from even, in thousandths: what decided most comes first.
    """

    challenge = models.ForeignKey(Challenge, on_delete=models.CASCADE, related_name="sets")
    # Unique, so that a second worker that judges the same deal set is refused by the database.
    deal_set = models.OneToOneField(DealSet, on_delete=models.CASCADE, related_name="challenge_set")
    number = models.PositiveIntegerField()
    score = models.CharField(max_length=16, blank=True)
    llr = models.FloatField()
    weight = models.PositiveSmallIntegerField(default=0)
    candidate_forfeits = models.PositiveSmallIntegerField(default=0)
    reference_forfeits = models.PositiveSmallIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["challenge", "number"], name="challenge_set_number_once")]
        indexes = [models.Index(fields=["challenge", "-weight", "-number"], name="challenge_set_weight")]

    def __str__(self) -> str:
        return f"{self.challenge_id} #{self.number}"
