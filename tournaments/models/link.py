"""Private links, which open the player page to somebody who has no account."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q

from tournaments.models.entrant import Entry
from tournaments.models.match import Match


class EntryLink(models.Model):
    """The private link of one person of an event. Of the link itself only its SHA-256 is stored (decision 0048).

    entry: the person's own, also while they are in a team. A person has at most one open link; a renewed or removed one
    is ended. leaving_at: the moment at which they said by it that they leave.
    """

    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="links")
    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    digest = models.CharField(max_length=64, unique=True)
    made_at = models.DateTimeField(auto_now_add=True)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    opened_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    ended_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    leaving_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        # Two organisers who renew it at once: the database lets one of the two new links in.
        constraints = [
            models.UniqueConstraint(fields=["entry"], condition=Q(ended_at__isnull=True), name="link_one_open"),
        ]

    def __str__(self) -> str:
        return f"link of {self.entry}"


class LinkRenewal(models.Model):
    """A slip or a captain's address that was renewed: its newest row is part of the address, so older ones are dead.

    match, side: of a slip; team: of a captain. Addresses that were never renewed have no row.
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE, null=True, blank=True, related_name="slip_renewals")
    side = models.PositiveSmallIntegerField(null=True, blank=True)
    team = models.ForeignKey(Entry, on_delete=models.CASCADE, null=True, blank=True, related_name="captain_renewals")
    made_at = models.DateTimeField(auto_now_add=True)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="link_renewal_of_one",
                condition=Q(match__isnull=False, side__isnull=False, team__isnull=True)
                | Q(match__isnull=True, side__isnull=True, team__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"renewal {self.pk}"
