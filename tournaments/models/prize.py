"""Prizes of an event: what there is to win, for which places, overall or in a category, and who is in a category."""

import uuid

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from tournaments.models.entrant import Entry
from tournaments.models.event import Tournament
from tournaments.models.registration import Question


class PrizeSettings(models.Model):
    """The organiser's choices for the prizes of an event. An event without a row shows none.

    publish: whether everybody sees them. ties: what happens to those who share a place. one_each: who has won a prize
    is passed over for those of less worth. withdrawn_win: also those who withdrew. currency: stands behind amounts.
    """

    class Publish(models.TextChoices):
        NO = "", _("only organisers see them")
        END = "end", _("everybody sees them once the event has ended")
        NOW = "now", _("everybody sees them now")

    class Ties(models.TextChoices):
        EACH = "each", _("each of them gets the prize of that place")
        DIVIDED = "divided", _("the prizes of the places they share are divided among them")

    tournament = models.OneToOneField(Tournament, on_delete=models.CASCADE, related_name="prize_settings")
    publish = models.CharField(max_length=3, choices=Publish.choices, default=Publish.NO, blank=True)
    ties = models.CharField(max_length=7, choices=Ties.choices, default=Ties.EACH)
    one_each = models.BooleanField(default=True)
    withdrawn_win = models.BooleanField(default=False)
    currency = models.CharField(max_length=8, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="prize_settings_known",
                condition=Q(publish__in=("", "end", "now")) & Q(ties__in=("each", "divided")),
            )
        ]

    def __str__(self) -> str:
        return f"prizes of {self.tournament_id}"


class PrizeCategory(models.Model):
    """A group of entries with prizes of its own. position: from 1.

    kind: who is in it: entries that the organiser marks; those of a club; those who gave an answer to a question of the
    registration: `value` of a choice, a ticked box, or a number from at_least to at_most (None: no bound). A question
    that is deleted leaves nobody. is_named: whether pages that everybody reads show its name.
    """

    class Kind(models.TextChoices):
        HAND = "hand", _("marked by hand")
        CLUB = "club", _("of one club")
        ANSWER = "answer", _("by an answer of the registration")

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="prize_categories")
    position = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=60, blank=True)
    kind = models.CharField(max_length=6, choices=Kind.choices, default=Kind.HAND)
    club = models.CharField(max_length=60, blank=True)
    question = models.ForeignKey(Question, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    value = models.CharField(max_length=60, blank=True)
    at_least = models.IntegerField(null=True, blank=True)
    at_most = models.IntegerField(null=True, blank=True)
    is_named = models.BooleanField(default=False)
    marked = models.ManyToManyField(Entry, related_name="+", blank=True)

    class Meta:
        ordering = ["position", "pk"]
        constraints = [
            models.CheckConstraint(name="prize_category_known", condition=Q(kind__in=("hand", "club", "answer")))
        ]

    def __str__(self) -> str:
        return self.name


class Prize(models.Model):
    """A prize for each place from first to last, overall (category None) or in a category. position: from 1, by worth.

    amount: in the currency of the settings; None for a thing.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="prizes")
    position = models.PositiveSmallIntegerField()
    category = models.ForeignKey(PrizeCategory, on_delete=models.CASCADE, null=True, blank=True, related_name="prizes")
    first = models.PositiveSmallIntegerField(default=1)
    last = models.PositiveSmallIntegerField(default=1)
    words = models.CharField(max_length=120)
    amount = models.DecimalField(max_digits=12, decimal_places=2, null=True, blank=True)

    class Meta:
        ordering = ["position", "pk"]
        constraints = [
            models.CheckConstraint(name="prize_places", condition=Q(first__gte=1, last__gte=F("first"))),
            models.CheckConstraint(name="prize_amount", condition=Q(amount=None) | Q(amount__gt=0)),
        ]

    def __str__(self) -> str:
        return self.words
