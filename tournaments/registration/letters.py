"""Mails about registrations, and the link in them, which opens a registration to its person without an account.

A mail is written when it is sent, of what holds then. The column `told` names the status of the last one: who stands
elsewhere now gets another mail, also those who moved up because somebody left. No act has to know of mails.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Final
from uuid import UUID

from django.conf import settings
from django.core.mail import EmailMessage
from django.core.signing import BadSignature, Signer
from django.db import transaction
from django.db.models import F, QuerySet
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _

from accounts.letters import AUTOMATIC, language_of, letter, zone_of
from accounts.models import WaitingLetter
from accounts.posting import Kind, post
from accounts.sending import register_writer
from core.errors import TournamentError
from tournaments.models import Registration, TeamPlace
from tournaments.registration.set_up import settings_of
from tournaments.registration.status import STATUS, Status, standing_of

BATCH_SIZE: Final = 500
MAILED: Final = "-mail"
OF_PLACE: Final = "place "
"""How the subject of a mail about a place in a team begins."""
RENEWED: Final = "renewed"
"""Stands for the status that its person knew, in a mail that brings a new link."""
WITH_ENTRY: Final = ("tournament", "user", "entry__player")


def _signer() -> Signer:
    # Made when it is needed: workers import this and have no key. A dot is no letter of the signature's alphabet.
    return Signer(salt="hanami.registration", sep=".")


def token_of(registration: Registration) -> str:
    """Return what a registration's link carries. Its holder acts as its person."""
    # The first link has no number, as all had before links could be renewed.
    number = f"-{registration.link}" if registration.link else ""
    return _signer().sign(f"{registration.uuid.hex}{number}")


def read_token(token: str) -> Registration:
    """Return the registration of a link. Raises TournamentError "registration.unknown", "registration.link_ended"."""
    try:
        name, _dash, number = _signer().unsign(token).partition("-")
        uuid = UUID(hex=name)
    except (BadSignature, ValueError) as wrong:
        raise _unknown() from wrong
    found = Registration.objects.select_related(*WITH_ENTRY).filter(uuid=uuid).first()
    if found is None:
        raise _unknown()
    if number != (str(found.link) if found.link else ""):
        message = _("This link was replaced by a new one: look for the newest mail, or have your link sent again.")
        raise TournamentError(message, code="registration.link_ended")
    return found


def place_token(place: TeamPlace, *, mailed: bool = False) -> str:
    """Return what the link of a place in a team carries. Its holder may take or decline the place.

    mailed: the link of the mail, which the captain never sees: who has it reads the mail of that address.
    """
    return Signer(salt="hanami.team-place", sep=".").sign(f"{place.uuid.hex}{MAILED if mailed else ''}")


def read_place(token: str) -> tuple[TeamPlace, bool]:
    """Return the place of a link, and whether the link came by mail. Raises TournamentError "team.no_place"."""
    found, name = None, ""
    with suppress(BadSignature, ValueError):
        name = Signer(salt="hanami.team-place", sep=".").unsign(token)
        uuid = UUID(hex=name.removesuffix(MAILED))
        rows = TeamPlace.objects.select_related("team__captain", "team__tournament", "registration")
        found = rows.filter(uuid=uuid).first()
    if found is None:
        message = _("This link does not open a place in a team: it was cut off, or the captain took the place back.")
        raise TournamentError(message, code="team.no_place")
    return found, name.endswith(MAILED)


def path_of_place(place: TeamPlace, *, mailed: bool = False) -> str:
    """Return the path of the page of a place in a team."""
    return reverse("registration-team", args=[place.team.tournament.slug, place_token(place, mailed=mailed)])


def post_invitation(place: TeamPlace, captain: Registration) -> None:
    """Write down that somebody is to be asked into a team. Needs a transaction."""
    locale = {"language": captain.language, "zone": captain.zone}
    post(Kind.REGISTER, address=place.email, user=None, about=f"{OF_PLACE}{place.uuid.hex}", **locale)


def _place_letter(waiting: WaitingLetter) -> Iterator[EmailMessage]:
    """Yield the mail that asks into a team, if the place is still open and the address is still meant."""
    rows = TeamPlace.objects.select_related("team__captain", "team__tournament")
    uuid = UUID(hex=waiting.about.removeprefix(OF_PLACE))
    place = rows.filter(uuid=uuid, state=TeamPlace.State.INVITED, email=waiting.address).first()
    if place is None:
        return
    event = place.team.tournament
    context = {"place": place, "team": place.team, "event": event, "path": path_of_place(place, mailed=True)}
    locale = {"language": waiting.language or settings.LANGUAGE_CODE, "zone": event.time_zone or waiting.zone}
    yield letter("registration/mail/team", context, to=waiting.address, headers=AUTOMATIC, **locale)


def _unknown() -> TournamentError:
    message = _("This link does not open a registration: it was cut off, or the registration was deleted.")
    return TournamentError(message, code="registration.unknown")


def path_of(registration: Registration) -> str:
    """Return the path of the page of a registration, for its person."""
    return reverse("registration-own", args=[registration.tournament.slug, token_of(registration)])


def post_letter(registration: Registration, *, was: str = "") -> None:
    """Write down that its person is to be told where it stands. was: the status that they knew. Needs a transaction."""
    user = registration.user
    address = registration.email or (user.mail_address if user is not None else "")
    if address:
        about = f"{registration.uuid.hex} {was}"
        locale = {"language": registration.language, "zone": registration.zone}
        post(Kind.REGISTER, address=address, user=user, about=about, **locale)


def renewed_is_waiting(registration: Registration) -> bool:
    """Return whether a mail with a renewed link waits to be sent: a second click then renews nothing."""
    about = f"{registration.uuid.hex} {RENEWED}"
    return WaitingLetter.objects.filter(kind=Kind.REGISTER, about=about).exists()


def tell_changes(rows: QuerySet[Registration] | None = None) -> int:
    """Post a mail for each registration whose person knows another status: after acts, and as a part of tidying.

    Returns how many were posted.
    """
    found = (Registration.objects.all() if rows is None else rows).exclude(state=Registration.State.UNCONFIRMED)
    changed = found.annotate(now=STATUS).exclude(told=F("now")).select_related(*WITH_ENTRY).order_by("pk")
    return sum(_tell(row, str(getattr(row, "now", ""))) for row in changed[:BATCH_SIZE])


def _tell(row: Registration, status: str) -> bool:
    was = row.told
    with transaction.atomic():
        # The old status in WHERE: of two that tell at once only one finds the row, so nobody is told twice.
        if not Registration.objects.filter(pk=row.pk, told=was).update(told=status):
            return False
        post_letter(row, was=was)
    return True


def registration_letter(waiting: WaitingLetter) -> Iterator[EmailMessage]:
    """Yield the mail to the person of a registration, if it is still there."""
    if waiting.about.startswith(OF_PLACE):
        yield from _place_letter(waiting)
        return
    uuid, _space, was = waiting.about.partition(" ")
    row = Registration.objects.select_related(*WITH_ENTRY).filter(uuid=UUID(hex=uuid)).first()
    if row is None:
        return
    user = row.user
    language = language_of(user, waiting.language) if user is not None else waiting.language or settings.LANGUAGE_CODE
    with translation.override(language):
        standing = standing_of(row, was=was)
    needs_payment = standing.status in (Status.ENTERED, Status.PENDING) and row.paid_at is None
    context = {
        "registration": row,
        "event": row.tournament,
        "standing": standing,
        "is_new": standing.status is Status.UNCONFIRMED,
        "path": path_of(row),
        "payment_url": settings_of(row.tournament).payment_url if needs_payment else "",
    }
    zone = row.tournament.time_zone or (zone_of(user, waiting.zone) if user is not None else waiting.zone)
    template = "registration/mail/standing"
    yield letter(template, context, to=waiting.address, language=language, zone=zone, headers=AUTOMATIC)


register_writer(Kind.REGISTER, registration_letter)
