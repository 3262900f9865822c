"""Connections between stages: the groups of a stage, and the ways that lead from one stage to the next."""

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from tournaments.models.event import Stage


class Group(models.Model):
    """A pool of a stage: it plays among itself and has standings of its own. A stage of one group has no rows here."""

    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="groups")
    number = models.PositiveSmallIntegerField()
    label = models.CharField(max_length=20)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["stage", "number"], name="group_number_once"),
            models.UniqueConstraint(fields=["stage", "label"], name="group_label_once"),
        ]
        ordering = ["stage", "number"]

    def __str__(self) -> str:
        return self.label


class Progression(models.Model):
    """Places `first` to `last` of the source (of each of its groups) get seeds of the target.

    most: how many go on at most, by place and then by what they won. order: of the ways into one target, the seeds of
    a smaller order come first. `events.chains` checks before they are written that ways make no circle and share no
    place.
    """

    class SeedBy(models.TextChoices):
        RANK = "rank", _("all winners first, then all seconds")
        DRAW = "draw", _("lots from the stage's committed secret")

    class Carry(models.TextChoices):
        NONE = "none", _("nothing")
        HALF = "half", _("half of the totals")
        FULL = "full", _("all totals")

    source = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="ways_out")
    target = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="ways_in")
    order = models.PositiveSmallIntegerField(default=1)
    first = models.PositiveSmallIntegerField(default=1)
    last = models.PositiveSmallIntegerField()
    most = models.PositiveSmallIntegerField(null=True, blank=True)
    by = models.CharField(max_length=6, choices=SeedBy.choices, default=SeedBy.RANK)
    carry = models.CharField(max_length=6, choices=Carry.choices, default=Carry.NONE)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["target", "order"], name="progression_order_once"),
            models.CheckConstraint(
                name="progression_range", condition=Q(first__gte=1, last__gte=F("first")) & ~Q(most=0)
            ),
            # A circle of several stages cannot be seen in one row: `events.chains` refuses those.
            models.CheckConstraint(name="progression_leads_on", condition=~Q(source=F("target"))),
        ]
        ordering = ["target", "order"]

    def __str__(self) -> str:
        return f"{self.source} {self.first}-{self.last} to {self.target}"
