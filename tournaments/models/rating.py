"""Ratings: the pools, the strength of everybody in them, and the effect of each result on it.

All of it is derived from confirmed matches and may be deleted and folded again at any time (ratings/fold.py).
"""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from bots.models import BotVersion
from tournaments.models.entrant import Entry
from tournaments.models.event import Stage


class RatingPool(models.Model):
    """A pool of results that are rated together.

    It has the matches of one ladder stage, or (stage null) all public ones of a preset and table.

    who: versions of bots over their deal sets, or people over the matches of events that count for ratings and over
    rated tables of the site; of people `deal_set` and `upto` below are ids of matches. Remote programs are rated by
    their tables on the site alone.

    `upto`: id of the last deal set whose result is folded in for good; `seq`: how many were. `is_stale`: there are
    results that are not folded in yet; `redo_from`: the first of those that changed before `upto`.
    """

    class Who(models.TextChoices):
        BOTS = "bots", _("bots")
        PEOPLE = "people", _("people")
        REMOTE = "remote", _("remote programs")

    stage = models.OneToOneField(Stage, on_delete=models.CASCADE, null=True, blank=True, related_name="rating_pool")
    who = models.CharField(max_length=6, choices=Who.choices, default=Who.BOTS)
    preset = models.CharField(max_length=20)
    seats = models.PositiveSmallIntegerField()
    sides = models.PositiveSmallIntegerField()
    # `upto` is where the next fold begins. Both move in the transaction that writes the ratings, so a fold that dies in
    # the middle leaves neither.
    upto = models.BigIntegerField(default=0)
    seq = models.PositiveIntegerField(default=0)
    redo_from = models.BigIntegerField(null=True, blank=True)
    is_stale = models.BooleanField(default=True)
    folded_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            # NULLs differ, so the constraint looks only at pools across events; a ladder's pool is one by its
            # OneToOneField.
            models.UniqueConstraint(
                fields=["who", "preset", "seats", "sides"], condition=Q(stage__isnull=True), name="rating_pool_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.preset}/{self.seats}/{self.sides}" + (f" in {self.stage}" if self.stage else "")


class Rating(models.Model):
    """The strength of one version in one pool.

    `line`, `n`: its name in the fold: the seed of the entry (in a ladder), the bot's id or the person's line
    (`Player.line`), and the number of the version. A later version of a line begins where the one before it stands.
    `mu`, `sigma`: with everything that is finished; `settled_mu`, `settled_sigma` and `events` (deal sets): up to
    the pool's `upto`; `pending`: deal sets after it. `value`: mu - 3 sigma, by which lists rank. `newest`: id of the
    last deal set counted.
    """

    pool = models.ForeignKey(RatingPool, on_delete=models.CASCADE, related_name="ratings")
    # Numbers, not foreign keys, so that a copy from a file folds to the same bits (decision 0043).
    line = models.BigIntegerField()
    n = models.PositiveIntegerField()
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, null=True, blank=True, related_name="ratings")
    version = models.ForeignKey(BotVersion, on_delete=models.PROTECT, null=True, blank=True, related_name="ratings")
    mu = models.FloatField()
    sigma = models.FloatField()
    value = models.FloatField()
    settled_mu = models.FloatField()
    settled_sigma = models.FloatField()
    events = models.PositiveIntegerField(default=0)
    pending = models.PositiveIntegerField(default=0)
    newest = models.BigIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["pool", "line", "n"], name="rating_once")]
        indexes = [
            models.Index(fields=["pool", "-value"], name="rating_order"),
            models.Index(fields=["-value"], name="rating_best", condition=models.Q(version__isnull=False)),
        ]

    def __str__(self) -> str:
        return f"{self.line}/{self.n} {self.mu:.2f}"


class RatingEvent(models.Model):
    """The effect of one deal set on one rating, and the point from which a fold is taken up after a change in the past.

    `seq`: of the deal sets folded in the pool, from 1; `nth`: of those of this rating, from 1. `deal_set`: its id.
    `place`: 1 is best, of `of` sides.
    """

    pool = models.ForeignKey(RatingPool, on_delete=models.CASCADE, related_name="rated")
    line = models.BigIntegerField()
    n = models.PositiveIntegerField()
    seq = models.PositiveIntegerField()
    nth = models.PositiveIntegerField()
    deal_set = models.BigIntegerField()
    place = models.PositiveSmallIntegerField()
    of = models.PositiveSmallIntegerField()
    mu_before = models.FloatField()
    sigma_before = models.FloatField()
    mu_after = models.FloatField()
    sigma_after = models.FloatField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["pool", "line", "n", "nth"], name="rating_event_nth"),
            # A deal set counts once for each rating, even if two folds should meet.
            models.UniqueConstraint(fields=["pool", "deal_set", "line", "n"], name="rating_event_once"),
        ]

    def __str__(self) -> str:
        return f"{self.line}/{self.n} #{self.nth}"
