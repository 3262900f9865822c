"""Invitations as pages read them: those of an event, for its organisers, and those of a person."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from accounts.models import User
from tournaments.lifecycle.visibility import INVITED
from tournaments.models import Entry, Invitation, InvitationLink, Tournament


def links_at(event: Tournament) -> list[InvitationLink]:
    """Return the links of an event, those that still open first, newest first."""
    rows = InvitationLink.objects.filter(tournament=event).select_related("made_by").order_by("-id")
    return sorted(rows, key=lambda link: not is_usable(link))


def is_usable(link: InvitationLink) -> bool:
    """Return whether somebody could still come by a link."""
    is_old = link.expires_at is not None and link.expires_at <= timezone.now()
    is_full = link.max_uses is not None and link.uses >= link.max_uses
    return link.revoked_at is None and not is_old and not is_full


def invitations_at(event: Tournament) -> QuerySet[Invitation]:
    """Return the invitations of an event with `is_entered`, newest first."""
    entered = Entry.objects.filter(tournament=event, player__bot__owner=OuterRef("user"))
    rows = Invitation.objects.filter(tournament=event).select_related("user", "link", "letter")
    return rows.annotate(is_entered=Exists(entered)).order_by("-id")


def invitations_of(user: User) -> QuerySet[Invitation]:
    """Return a person's invitations that hold or that they declined, newest first; none of drafts."""
    rows = Invitation.objects.filter(user=user, state__in=(*INVITED, Invitation.State.DECLINED))
    return (
        rows.exclude(tournament__state=Tournament.State.DRAFT).select_related("tournament", "made_by").order_by("-id")
    )
