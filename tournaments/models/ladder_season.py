"""Seasons of the official ladders, a month each, and the medals of those that ended."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from bots.models import Bot
from tournaments.models.entrant import Entry
from tournaments.models.event import Stage


class LadderSeason(models.Model):
    """One run of an official ladder: from the day on which it was opened to the end of that month.

    preset, seats: of its stage, which name the ladder whose season it is. ended_at: since when its table is final and
    its medals are given; outcome: what came of it. contenders: bots that counted for medals.
    """

    class Outcome(models.TextChoices):
        MEDALS = "medals", _("medals awarded")
        TOO_FEW = "too_few", _("too few bots for medals")
        CANCELLED = "cancelled", _("cancelled")

    stage = models.OneToOneField(Stage, on_delete=models.CASCADE, related_name="ladder_season")
    preset = models.CharField(max_length=20)
    seats = models.PositiveSmallIntegerField()
    ended_at = models.DateTimeField(null=True, blank=True)
    outcome = models.CharField(max_length=10, choices=Outcome.choices, blank=True, default="")
    contenders = models.PositiveIntegerField(default=0)

    class Meta:
        indexes = [models.Index(fields=["preset", "-id"], name="ladder_season_of_preset")]

    def __str__(self) -> str:
        return f"{self.preset}/{self.seats} in {self.stage}"


class LadderMedal(models.Model):
    """A medal: place 1 is gold, 2 silver, 3 bronze. Equal ratings have equal places.

    n: the version that was rated last; value: what the table ranked by, as it was shown then; deal_sets: counted.
    """

    season = models.ForeignKey(LadderSeason, on_delete=models.CASCADE, related_name="medals")
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="+")
    bot = models.ForeignKey(Bot, on_delete=models.PROTECT, related_name="medals")
    n = models.PositiveIntegerField()
    place = models.PositiveSmallIntegerField()
    value = models.DecimalField(max_digits=8, decimal_places=2)
    deal_sets = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["season", "entry"], name="ladder_medal_once"),
            models.CheckConstraint(condition=models.Q(place__in=(1, 2, 3)), name="ladder_medal_place"),
        ]

    def __str__(self) -> str:
        return f"{self.bot}: {self.place} of {self.season}"
