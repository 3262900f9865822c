"""The mail that invites somebody at an address: written when it is sent, of what holds then."""

from __future__ import annotations

from collections.abc import Iterator

from django.core.mail import EmailMessage
from django.urls import reverse

from accounts.letters import AUTOMATIC, letter
from accounts.models import WaitingLetter
from accounts.posting import Kind
from accounts.sending import register_writer
from tournaments.entries.link_tokens import shown_token
from tournaments.invitations.links import OVER
from tournaments.invitations.people import SALT
from tournaments.models import Invitation


def inviting_letter(waiting: WaitingLetter) -> Iterator[EmailMessage]:
    """Yield the mail, if the invitation still waits for an answer and the event for people."""
    rows = Invitation.objects.select_related("tournament", "made_by")
    found = rows.filter(letter=waiting, state=Invitation.State.OPEN, email=waiting.address).first()
    token = shown_token(found.uuid, found.digest or "", salt=SALT) if found is not None else ""
    if found is None or not token or found.tournament.state in OVER:
        return
    path = reverse("invitation-link", args=[token])
    context = {"event": found.tournament, "by": found.made_by, "path": path}
    locale = {"language": waiting.language, "zone": waiting.zone}
    yield letter("invitations/mail/invite", context, to=waiting.address, headers=AUTOMATIC, **locale)


register_writer(Kind.INVITE, inviting_letter)
