"""Invitations of one person each: of an account by its user name, or of an address, which gets a mail."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import Final

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from accounts.models import User, WaitingLetter
from accounts.posting import Kind, post
from activity.journal import audit, publish
from core.errors import TournamentError
from tournaments.domain_events.invitations import InvitationRevoked, PeopleInvited
from tournaments.entries.link_tokens import digest_of, letters_of
from tournaments.invitations.links import opened
from tournaments.lifecycle.transitions import label, roles_of
from tournaments.models import Invitation, Tournament
from web.rate_limits import count

SALT: Final = "hanami.invitation"
MAX_INVITED: Final = 2_000
MAX_ADDRESSES: Final = 100
"""Addresses of one form."""
# Mails go to people who never asked for one: an account that is used to send them stops being useful soon.
MAX_MAILS: Final = 200
MAILS_WITHIN: Final = timedelta(days=1)
State = Invitation.State


@transaction.atomic
def invite_person(*, tournament: Tournament, by: User, username: str) -> Invitation:
    """Invite an account; it is notified. Somebody whose invitation was withdrawn is invited again.

    Raises what `links.opened` raises, and TournamentError "invitation.draft", "invitation.no_such_user",
    "invitation.has_role", "invitation.already_invited", "invitation.declined", "invitation.too_many".
    """
    event = _announced(tournament, by)
    person = _account(event, username)
    found = Invitation.objects.filter(tournament=event, user=person).first()
    if found is None:
        _require_room(event, 1)
        found = Invitation.objects.create(tournament=event, user=person, made_by=by)
    elif found.state == State.REVOKED:
        found.state, found.made_by, found.answered_at = State.OPEN, by, None
        found.save(update_fields=["state", "made_by", "answered_at"])
    else:
        raise _known(found, person)
    audit(PeopleInvited, label(event), actor=by, after={"user": person.username})
    publish(PeopleInvited(event.channel, n=1, invitation=str(found.uuid)))
    return found


def _announced(tournament: Tournament, by: User) -> Tournament:
    event = opened(tournament, by, "invite")
    if event.state == Tournament.State.DRAFT:
        message = _("Announce the event first: nobody but its organisers can open a draft. Links can be made already.")
        raise TournamentError(message, code="invitation.draft")
    return event


def _account(event: Tournament, username: str) -> User:
    """Return the account of that name, if it is somebody who can be invited."""
    name = username.strip().removeprefix("@")
    person = User.objects.filter(username=name, is_active=True).first()
    if person is None:
        message = _("Nobody has the user name “%(name)s”. Invite them by email, or send them a link.")
        raise TournamentError(message % {"name": name[:60]}, code="invitation.no_such_user")
    if roles_of(event, person):
        message = _("%(name)s has a role in this event and sees it anyway.") % {"name": person.shown_name}
        raise TournamentError(message, code="invitation.has_role")
    return person


def _known(found: Invitation, person: User) -> TournamentError:
    """Build the refusal for somebody who is invited already, or has declined: nobody is pestered."""
    shown = {"name": person.shown_name}
    if found.state == State.DECLINED:
        message = _("%(name)s declined. They can still change their mind, on their page “Invitations”.") % shown
        return TournamentError(message, code="invitation.declined")
    return TournamentError(_("%(name)s is already invited.") % shown, code="invitation.already_invited")


def _require_room(event: Tournament, more: int) -> None:
    if event.invitations.count() + more > MAX_INVITED:
        message = _("An event has up to %(n)s invitations.") % {"n": MAX_INVITED}
        raise TournamentError(message, code="invitation.too_many")


@transaction.atomic
def invite_addresses(*, tournament: Tournament, by: User, addresses: Sequence[str]) -> list[Invitation]:
    """Invite people by mail; addresses that were invited before get no second mail. Returns the new invitations.

    Whether an address belongs to an account is told to nobody. Raises what `links.opened` raises, and TournamentError
    "invitation.draft", "invitation.no_address", "invitation.bad_address", "invitation.too_many_addresses",
    "invitation.too_many", "rate.limited".
    """
    event = _announced(tournament, by)
    wanted = _read(addresses)
    known = {each.casefold() for each in event.invitations.exclude(email="").values_list("email", flat=True)}
    new = [each for each in wanted if each.casefold() not in known]
    _require_room(event, len(new))
    made = [_invite_address(event, by, each) for each in new]
    if made:
        # How many, not who: an address is nobody's business but the organisers'.
        audit(PeopleInvited, label(event), actor=by, after={"n": len(made)})
    return made


def _read(addresses: Iterable[str]) -> list[str]:
    """Return the addresses, each once. Raises for the first that is none."""
    typed = [each for each in map(str.strip, addresses) if each]
    # The first spelling of each: case is the mail server's business.
    wanted = list({each.casefold(): each for each in reversed(typed)}.values())[::-1]
    if not wanted:
        raise TournamentError(_("Give at least one email address."), code="invitation.no_address")
    if len(wanted) > MAX_ADDRESSES:
        message = _("Give up to %(n)s addresses at once.") % {"n": MAX_ADDRESSES}
        raise TournamentError(message, code="invitation.too_many_addresses")
    for each in wanted:
        try:
            validate_email(each)
        except ValidationError as wrong:
            message = _("“%(address)s” is not an email address. Nobody was invited.") % {"address": each[:80]}
            raise TournamentError(message, code="invitation.bad_address") from wrong
    return wanted


def _invite_address(event: Tournament, by: User, address: str) -> Invitation:
    invitation = Invitation(tournament=event, email=address, made_by=by)
    invitation.digest = digest_of(letters_of(invitation.uuid, salt=SALT), salt=SALT)
    invitation.letter = _post(event, by, address)
    invitation.save()
    return invitation


def _post(event: Tournament, by: User, address: str) -> WaitingLetter:
    """Let a mail wait for the sender, in the organiser's language: the reader's is not known."""
    wait = count(f"invite:{by.pk}", most=MAX_MAILS, within=MAILS_WITHIN)
    if wait is not None:
        message = _("You have sent %(n)s invitations by mail today, which is the limit. Send a link, or wait.")
        raise TournamentError(message % {"n": MAX_MAILS}, code="rate.limited", extra={"retry_after": wait})
    return post(Kind.INVITE, address=address, user=None, language=get_language() or "", zone=event.time_zone)


@transaction.atomic
def send_invitation_again(*, invitation: Invitation, by: User) -> None:
    """Send the mail of an open invitation once more; while one waits to be sent nothing is added.

    Raises what `links.opened` raises, and TournamentError "invitation.answered", "rate.limited".
    """
    event = _announced(invitation.tournament, by)
    row = Invitation.objects.select_related("letter").get(pk=invitation.pk)
    if row.state != State.OPEN or not row.email:
        raise TournamentError(_("This invitation waits for no mail any more."), code="invitation.answered")
    if row.letter is None or row.letter.due_at is None:
        row.letter = _post(event, by, row.email)
        row.save(update_fields=["letter"])


@transaction.atomic
def withdraw_invitation(*, invitation: Invitation, by: User) -> Invitation:
    """Withdraw an invitation: its person no longer sees a private event, unless they are entered in it.

    The address it went to is erased. Doing it twice changes nothing. Raises what `links.opened`
    raises.
    """
    event = opened(invitation.tournament, by, "invite", is_over_fine=True)
    row = Invitation.objects.select_related("user", "letter").get(pk=invitation.pk)
    if row.state != State.REVOKED:
        if row.letter is not None:
            row.letter.delete()
        # The digest stays: the page of the link says that it was withdrawn.
        row.state, row.email, row.letter = State.REVOKED, "", None
        row.answered_at = timezone.now()
        row.save()
        after = {"user": row.user.username} if row.user is not None else {}
        audit(InvitationRevoked, label(event), actor=by, after=after)
    return row
