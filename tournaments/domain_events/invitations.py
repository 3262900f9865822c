"""Domain events of invitations. None of them names who is invited: everybody who sees an event reads its log."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from activity.domain_events import ABSENT, DomainEvent, Notification, Readers, domain_event


@domain_event
class InvitationLinkMade(DomainEvent):
    topic = "invitation.link"
    words = _("made an invitation link")


@domain_event
class InvitationLinkRevoked(DomainEvent):
    topic = "invitation.unlink"
    words = _("ended an invitation link")


@domain_event
class PeopleInvited(DomainEvent):
    """People are invited by their account (then `invitation` is its uuid) or by mail. n: how many."""

    topic = "invitation.invite"
    words = _("invited people")
    notification = Notification(Readers.INVITED, "invited")

    n: int
    invitation: str = ABSENT


@domain_event
class InvitationRevoked(DomainEvent):
    topic = "invitation.revoke"
    words = _("withdrew an invitation")


@domain_event
class InvitationAccepted(DomainEvent):
    topic = "invitation.accept"
    words = _("accepted an invitation")
    notification = Notification(Readers.ORGANISERS, "accepted", _("%(event)s: an invitation is accepted."))


@domain_event
class InvitationDeclined(DomainEvent):
    topic = "invitation.decline"
    words = _("declined an invitation")
    notification = Notification(Readers.ORGANISERS, "declined", _("%(event)s: an invitation is declined."))
