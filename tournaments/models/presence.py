"""The settings of a tournament on presence: rounds sat out, late arrivals, no-shows, substitutes of single people."""

from typing import Final

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

MAX_BYES: Final = 20
"""How many requested byes of a person may count at most."""
MAX_ROUND: Final = 999
MAX_NO_SHOWS: Final = 9


class PresenceSettings(models.Model):
    """The organiser's choices about those who are not at a table. In edition 1 of the rules walk-overs ignore them.

    bye_worth: of a round that somebody sits out by arrangement; bye_limit: how many of a person are worth that, the
    others nothing; bye_until: the last round in which one is (0: in any); byes_by_players: people may ask for them by
    their own link. late_worth: of the rounds that a late arrival missed. walkover: what a table brings to the only one
    who came; walkover_share: for "share", in percent of what a win brings on average. no_show_limit: the number of
    no-shows after which somebody is withdrawn; 0: never. substitutes_keep_points: a substitute of a single person
    plays on with the points; else they start at zero, as a late arrival.
    """

    class Worth(models.TextChoices):
        NOTHING = "0", _("nothing")
        HALF = "1/2", _("as a tied result: half a place, and the round’s mean of points and of deals won")
        FULL = "1", _("as a win: a whole place, and the average of those who won a table of the round")

    class Walkover(models.TextChoices):
        MEAN = "mean", _("a win at the table, and the round’s mean of points and of deals won")
        FULL = "full", _("as a win: a whole place, and the average of those who won a table of the round")
        SHARE = "share", _("a share of that win")

    bye_worth = models.CharField(max_length=3, choices=Worth.choices, default=Worth.HALF)
    bye_limit = models.PositiveSmallIntegerField(default=1)
    bye_until = models.PositiveSmallIntegerField(default=0, help_text="0: in any round")
    byes_by_players = models.BooleanField(default=False)
    late_worth = models.CharField(max_length=3, choices=Worth.choices, default=Worth.NOTHING)
    walkover = models.CharField(max_length=5, choices=Walkover.choices, default=Walkover.MEAN)
    walkover_share = models.PositiveSmallIntegerField(default=50, help_text="in percent")
    no_show_limit = models.PositiveSmallIntegerField(default=0, help_text="0: never")
    substitutes_keep_points = models.BooleanField(default=True)

    class Meta:
        abstract = True


PRESENCE_CONSTRAINTS: Final = [
    models.CheckConstraint(
        name="tournament_presence_known",
        condition=Q(bye_worth__in=PresenceSettings.Worth.values)
        & Q(late_worth__in=PresenceSettings.Worth.values)
        & Q(walkover__in=PresenceSettings.Walkover.values),
    ),
    models.CheckConstraint(
        name="tournament_presence_bounds",
        condition=Q(bye_limit__lte=MAX_BYES)
        & Q(bye_until__lte=MAX_ROUND)
        & Q(walkover_share__lte=100)
        & Q(no_show_limit__lte=MAX_NO_SHOWS),
    ),
]
