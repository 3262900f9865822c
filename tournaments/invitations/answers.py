"""Answers to invitations: by a link, by a mail, by the list of one's own. Each twice changes nothing."""

from __future__ import annotations

from typing import Final

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.locking import lock_account
from accounts.models import User
from activity.domain_events import DomainEvent
from activity.journal import audit, publish
from core.errors import TournamentError
from tournaments.domain_events.invitations import InvitationAccepted, InvitationDeclined
from tournaments.entries.link_tokens import count_wrong, digest_typed
from tournaments.invitations.links import OVER
from tournaments.invitations.links import SALT as OF_LINK
from tournaments.invitations.people import SALT as OF_MAIL
from tournaments.lifecycle.transitions import label
from tournaments.models import Invitation, InvitationLink, Tournament
from tournaments.notifications.follow import follow, unfollow

State = Invitation.State
GONE: Final = "invitation.revoked"
Found = InvitationLink | Invitation


def read_invitation(token: str, *, network: str) -> Found:
    """Return what an address opens: a link for everybody, or the invitation of one mail. network: the caller's.

    Raises TournamentError "invitation.unknown", "link.rate" (extra: retry_after).
    """
    links = InvitationLink.objects.select_related("tournament")
    mails = Invitation.objects.select_related("tournament")
    # By the hash: the time of the look-up says nothing about how many letters were right.
    link = links.filter(digest=digest_typed(token, salt=OF_LINK)).first()
    found = link or mails.filter(digest=digest_typed(token, salt=OF_MAIL)).first()
    if found is not None:
        return found
    if wait := count_wrong(network):
        message = _("Too many wrong links came from your network. Wait %(minutes)s minutes, or ask the organiser.")
        shown = {"minutes": -(-wait // 60)}
        raise TournamentError(message % shown, code="link.rate", extra={"retry_after": wait})
    message = _("This invitation does not exist. Check the address, or ask the organiser for a new link.")
    raise TournamentError(message, code="invitation.unknown")


def require_usable(found: Found, user: User | None) -> None:
    """Refuse what cannot be accepted by this person (None: nobody yet), with what to do next.

    Raises TournamentError "invitation.event_over", "invitation.not_announced", "invitation.revoked",
    "invitation.expired", "invitation.used_up", "invitation.other_account".
    """
    _require_event(found.tournament)
    if isinstance(found, Invitation):
        _require_mine(found, user)
        # Who came by a link and declined comes back by it, for as long as the organiser has not ended it.
        if found.state == State.DECLINED and found.link is not None:
            _require_going(found.link)
        return
    own = Invitation.objects.filter(tournament=found.tournament_id, user=user).first() if user is not None else None
    if own is None:
        _require_open(found)
    elif own.state == State.REVOKED:
        raise _revoked()
    elif own.state == State.DECLINED:
        _require_going(found)  # their use of it is counted already


def _require_event(event: Tournament) -> None:
    if event.state in OVER:
        message = _("The event of this invitation is archived or cancelled. You have nothing to do.")
        raise TournamentError(message, code="invitation.event_over")
    if event.state == Tournament.State.DRAFT:
        message = _("The event of this invitation is not announced yet. Keep the link and open it again later.")
        raise TournamentError(message, code="invitation.not_announced")


def _require_mine(found: Invitation, user: User | None) -> None:
    if found.state == State.REVOKED:
        raise _revoked()
    if found.user_id is not None and user is not None and found.user_id != user.pk:
        message = _(
            "Another account has accepted this invitation. Log in with that one, or ask the organiser to invite you."
        )
        raise TournamentError(message, code="invitation.other_account")


def _require_open(link: InvitationLink) -> None:
    _require_going(link)
    if link.max_uses is not None and link.uses >= link.max_uses:
        message = _("This link was used as often as it may be. Ask the organiser for another one.")
        raise TournamentError(message, code="invitation.used_up")


def _require_going(link: InvitationLink) -> None:
    if link.revoked_at is not None:
        message = _("The organiser has ended this link. Ask them for a new one.")
        raise TournamentError(message, code="invitation.link_ended")
    if link.expires_at is not None and link.expires_at <= timezone.now():
        message = _("This link has expired. Ask the organiser for a new one.")
        raise TournamentError(message, code="invitation.expired")


def _revoked() -> TournamentError:
    message = _("The organiser has withdrawn your invitation. Ask them if that was a mistake.")
    return TournamentError(message, code=GONE)


@transaction.atomic
def accept_link(*, link: InvitationLink, user: User) -> Invitation:
    """Accept by a link for everybody; its uses count accounts that were not invited before.

    Raises what `require_usable` raises, and AccountGone.
    """
    lock_account(user)
    _lock_event(link)
    row = InvitationLink.objects.select_related("tournament").get(pk=link.pk)
    require_usable(row, user)
    own = Invitation.objects.filter(tournament=row.tournament, user=user).first()
    if own is None:
        own = Invitation(tournament=row.tournament, user=user, link=row, made_by=row.made_by)
        InvitationLink.objects.filter(pk=row.pk).update(uses=F("uses") + 1)
    elif own.state == State.DECLINED:
        own.link = row
    return _accepted(own, user)


@transaction.atomic
def accept_invitation(*, invitation: Invitation, user: User) -> Invitation:
    """Accept one's own invitation, or that of a mail with the account that opened it.

    Raises what `require_usable` raises, and AccountGone.
    """
    lock_account(user)
    _lock_event(invitation)
    row = Invitation.objects.select_related("tournament").get(pk=invitation.pk)
    require_usable(row, user)
    if row.user_id is None:
        own = Invitation.objects.filter(tournament=row.tournament, user=user)
        # Withdrawn by name: a mail to another of their addresses does not overrule that.
        if own.filter(state=State.REVOKED).exists():
            raise _revoked()
        # One row a person: the mail's stays, because its link must still open.
        own.delete()
        row.user, row.email = user, ""
    return _accepted(row, user)


def _lock_event(found: Found) -> None:
    """Hold the event until the commit, after the account, as entering a bot does.

    Of two people who take the last use of a link at once the second then reads the count of the first; and nobody
    accepts while the organiser withdraws.
    """
    Tournament.objects.select_for_update().get(pk=found.tournament_id)


def _accepted(row: Invitation, user: User) -> Invitation:
    """Store that the person has accepted; from now on they follow the event."""
    if row.state != State.ACCEPTED or row.pk is None:
        row.state, row.answered_at = State.ACCEPTED, timezone.now()
        row.save()
        _follow(row.tournament, user)
        _record(row, InvitationAccepted, user)
    return row


def _follow(event: Tournament, user: User) -> None:
    try:
        follow(user=user, tournament=event)
    except TournamentError:  # they follow as much as anybody may: no reason to keep them out
        return


@transaction.atomic
def decline_invitation(*, invitation: Invitation, user: User | None) -> Invitation:
    """Decline one's own invitation, or that of a mail; also what was accepted before. user: None without an account.

    Raises TournamentError "invitation.revoked", "invitation.other_account".
    """
    _lock_event(invitation)
    row = Invitation.objects.select_related("tournament", "user").get(pk=invitation.pk)
    _require_mine(row, user)
    # Without an account only what no account holds: a mail that lies about must not turn somebody away.
    if row.user is not None and user is None:
        message = _("Log in first: this invitation belongs to an account.")
        raise TournamentError(message, code="invitation.other_account")
    if row.state != State.DECLINED:
        row.state, row.answered_at = State.DECLINED, timezone.now()
        row.save(update_fields=["state", "answered_at"])
        if user is not None:
            unfollow(user=user, tournament=row.tournament)
        _record(row, InvitationDeclined, user)
    return row


def _record(row: Invitation, verb: type[DomainEvent], user: User | None) -> None:
    # No channel: who is invited is the organisers' business, who read the audit, and not the log's.
    audit(verb, label(row.tournament), actor=user, after={})
    # It names nobody, and no log shows it; organisers are notified of it.
    publish(verb.of(row.tournament.channel, {}))
