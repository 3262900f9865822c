"""Invitations: who may see a private event without running it or being entered."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy as _

from accounts.models import WaitingLetter
from tournaments.models.event import Tournament


class InvitationLink(models.Model):
    """A link that invites everybody who opens it with an account. Of the link only its SHA-256 is stored.

    note: what the organiser made it for, seen by organisers alone. max_uses: None for no limit; uses: accounts that
    came by it and were not invited before, also those whose invitation was withdrawn since.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="invitation_links")
    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    digest = models.CharField(max_length=64, unique=True)
    note = models.CharField(max_length=60, blank=True)
    max_uses = models.PositiveSmallIntegerField(null=True, blank=True)
    uses = models.PositiveIntegerField(default=0)
    expires_at = models.DateTimeField(null=True, blank=True)
    made_at = models.DateTimeField(auto_now_add=True)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            # In the database, too: of two people who take the last use at once, one is refused.
            models.CheckConstraint(
                name="invitation_link_uses", condition=Q(max_uses__isnull=True) | Q(uses__lte=F("max_uses"))
            ),
        ]

    def __str__(self) -> str:
        return f"invitation link {self.pk}"


class Invitation(models.Model):
    """One person's invitation: of an account, or of an email address until an account accepts it.

    user: None while it waits at an address. email: what the organiser typed, erased once an account accepts or the
    invitation is withdrawn; digest: the SHA-256 of the link in its mail; letter: the mail while it waits to be sent.
    link: the shared link by which the person came. An open and an accepted invitation show the event to `user`.
    """

    class State(models.TextChoices):
        OPEN = "open", _("not answered yet")
        ACCEPTED = "accepted", _("accepted")
        DECLINED = "declined", _("declined")
        REVOKED = "revoked", _("withdrawn")

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="invitations")
    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, blank=True, related_name="invitations"
    )
    email = models.EmailField(blank=True)
    digest = models.CharField(max_length=64, unique=True, null=True, blank=True)  # NULL: many have none
    letter = models.OneToOneField(
        WaitingLetter, on_delete=models.SET_NULL, null=True, blank=True, related_name="invitation"
    )
    link = models.ForeignKey(
        InvitationLink, on_delete=models.SET_NULL, null=True, blank=True, related_name="invitations"
    )
    state = models.CharField(max_length=8, choices=State.choices, default=State.OPEN)
    made_at = models.DateTimeField(auto_now_add=True)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    answered_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            # Two links opened by one person at once, or two organisers who invite the same one: one row.
            models.UniqueConstraint(
                fields=["tournament", "user"], condition=Q(user__isnull=False), name="invitation_once_per_person"
            ),
            models.UniqueConstraint(
                F("tournament"),
                Lower("email"),
                condition=~Q(email=""),
                name="invitation_once_per_address",
            ),
            models.CheckConstraint(
                name="invitation_state_known", condition=Q(state__in=("open", "accepted", "declined", "revoked"))
            ),
            # Nobody sees an event by an invitation that no account holds.
            models.CheckConstraint(
                name="invitation_accepted_by_somebody", condition=~Q(state="accepted") | Q(user__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        return f"invitation {self.pk}"
