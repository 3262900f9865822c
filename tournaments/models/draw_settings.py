"""The organiser's settings for the draws of a stage, a column each, and rules about single pairs."""

from django.db import models
from django.db.models import F, Q

from tournaments.models.settings import MAX_LEADER_ROUNDS

MAX_ACCELERATED = 9


class DrawSettings(models.Model):
    """Settings of a Swiss. Their defaults draw as the format does on its own.

    priorities: the order in which the draw keeps things; empty: the format's own weights. leader_rounds: in how many of
    the last rounds the leaders meet; None: as the tournament has it. leader_tables: how many tables are filled by rank
    in those; 0: all. leader_first: table 1 is the table of the best-placed. accelerated_rounds: in how many of the
    first rounds the upper half of the seeds counts as having more.
    """

    class Priorities(models.TextChoices):
        OWN = ""
        REPEATS_CLUBS_SCORES = "repeats,clubs,scores"
        REPEATS_SCORES_CLUBS = "repeats,scores,clubs"
        CLUBS_REPEATS_SCORES = "clubs,repeats,scores"
        CLUBS_SCORES_REPEATS = "clubs,scores,repeats"
        SCORES_REPEATS_CLUBS = "scores,repeats,clubs"
        SCORES_CLUBS_REPEATS = "scores,clubs,repeats"

    priorities = models.CharField(max_length=20, choices=Priorities.choices, default=Priorities.OWN, blank=True)
    leader_rounds = models.PositiveSmallIntegerField(null=True, blank=True)
    leader_tables = models.PositiveSmallIntegerField(default=1)
    leader_first = models.BooleanField(default=False)
    accelerated_rounds = models.PositiveSmallIntegerField(default=0)

    class Meta:
        abstract = True


DRAW_CONSTRAINTS = [
    models.CheckConstraint(name="stage_priorities_known", condition=Q(priorities__in=DrawSettings.Priorities.values)),
    models.CheckConstraint(
        name="stage_leader_rounds_few", condition=Q(leader_rounds=None) | Q(leader_rounds__lte=MAX_LEADER_ROUNDS)
    ),
    models.CheckConstraint(name="stage_accelerated_few", condition=Q(accelerated_rounds__lte=MAX_ACCELERATED)),
]


class PairRule(models.Model):
    """A rule of the organiser about two entries at tables of a Swiss. stage None: of every stage.

    round_number: of LATER the last round in which they must not meet; of TOGETHER the round in which they must; else 0.
    reason: the organiser's own words, for organisers alone.
    """

    class Kind(models.TextChoices):
        NEVER = "never"
        LATER = "later"
        TOGETHER = "together"

    tournament = models.ForeignKey("Tournament", on_delete=models.CASCADE, related_name="pair_rules")
    stage = models.ForeignKey("Stage", on_delete=models.CASCADE, related_name="pair_rules", null=True, blank=True)
    kind = models.CharField(max_length=8, choices=Kind.choices)
    one = models.ForeignKey("Entry", on_delete=models.CASCADE, related_name="+")
    other = models.ForeignKey("Entry", on_delete=models.CASCADE, related_name="+")
    round_number = models.PositiveSmallIntegerField(default=0)
    reason = models.CharField(max_length=120, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(name="pair_rule_of_two", condition=~Q(one=F("other"))),
            models.CheckConstraint(
                name="pair_rule_round",
                condition=Q(kind="never", round_number=0)
                | (Q(kind__in=("later", "together")) & Q(round_number__gte=1)),
            ),
        ]
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.one} – {self.other}: {self.kind}"
