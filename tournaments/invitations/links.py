"""Links that invite everybody who opens them: made, shown again, ended.

They are secret addresses like those of people's days (`entries.link_tokens`): only their SHA-256 is stored.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from activity.domain_events import DomainEvent
from activity.journal import audit
from core.errors import TournamentError
from core.printable import is_printable
from tournaments.domain_events.invitations import InvitationLinkMade, InvitationLinkRevoked
from tournaments.entries.link_tokens import digest_of, letters_of, shown_token
from tournaments.lifecycle.transitions import ORGANISERS, label, may
from tournaments.models import InvitationLink, Tournament

SALT: Final = "hanami.invitation-link"
OVER: Final = (Tournament.State.ARCHIVED, Tournament.State.CANCELLED)
"""States in which nobody is invited any more; the results of a finished event may still be shown to somebody."""
MAX_LINKS: Final = 50
MAX_USES: Final = 2_000
MAX_NOTE: Final = 60


def opened(tournament: Tournament, by: User, verb: str, *, is_over_fine: bool = False) -> Tournament:
    """Lock the event and return it, if this person may invite people to it now.

    Raises TournamentError "tournament.not_organiser", "tournament.imported", "invitation.event_over".
    """
    event = Tournament.objects.select_for_update().get(pk=tournament.pk)
    may(event, by, ORGANISERS, verb)
    if (event.state in OVER or event.is_challenge) and not is_over_fine:
        message = _("The event is archived or cancelled, so nobody can be invited any more.")
        raise TournamentError(message, code="invitation.event_over")
    return event


@transaction.atomic
def make_invitation_link(
    *,
    tournament: Tournament,
    by: User,
    max_uses: int | None = None,
    expires_at: datetime | None = None,
    note: str = "",
) -> InvitationLink:
    """Make a link. max_uses: None for any number of accounts; expires_at: None for never; note: what it is for.

    Raises what `opened` raises, and TournamentError "invitation.bad_uses", "invitation.bad_expiry",
    "invitation.bad_note", "invitation.too_many_links".
    """
    event = opened(tournament, by, "invite")
    _require_bounds(max_uses, expires_at, note)
    if event.invitation_links.filter(revoked_at=None).count() >= MAX_LINKS:
        message = _("This event has %(n)s invitation links, which is the limit. End some of them first.")
        raise TournamentError(message % {"n": MAX_LINKS}, code="invitation.too_many_links")
    link = InvitationLink(tournament=event, made_by=by, max_uses=max_uses, expires_at=expires_at, note=note.strip())
    link.digest = digest_of(letters_of(link.uuid, salt=SALT), salt=SALT)
    link.save()
    _record(link, InvitationLinkMade, by)
    return link


def _require_bounds(max_uses: int | None, expires_at: datetime | None, note: str) -> None:
    if max_uses is not None and not 1 <= max_uses <= MAX_USES:
        message = _("A link can be used 1 to %(most)s times. Leave the number out for no limit.") % {"most": MAX_USES}
        raise TournamentError(message, code="invitation.bad_uses")
    if expires_at is not None and expires_at <= timezone.now():
        message = _("A link cannot expire in the past. Choose a later moment, or none.")
        raise TournamentError(message, code="invitation.bad_expiry")
    if len(note.strip()) > MAX_NOTE or not is_printable(note.strip()):
        message = _("A note has up to %(n)s visible characters.") % {"n": MAX_NOTE}
        raise TournamentError(message, code="invitation.bad_note")


@transaction.atomic
def end_invitation_link(*, link: InvitationLink, by: User) -> None:
    """End a link. Who came by it stays invited. Doing it twice changes nothing. Raises what `opened` raises."""
    opened(link.tournament, by, "invite", is_over_fine=True)
    if InvitationLink.objects.filter(pk=link.pk, revoked_at=None).update(revoked_at=timezone.now()):
        _record(link, InvitationLinkRevoked, by)


def _record(link: InvitationLink, verb: type[DomainEvent], by: User) -> None:
    # No channel: the event's public log says nothing of invitations; its organisers' audit does.
    audit(verb, label(link.tournament), actor=by, after={"note": link.note, "max_uses": link.max_uses})


def invitation_token(link: InvitationLink) -> str:
    """Return the link as its address has it; "" where the server's key has changed since: make another one."""
    return shown_token(link.uuid, link.digest, salt=SALT)
