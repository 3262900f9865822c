"""Accounts that say which clubs they belong to. It is their own word: pages say so."""

from __future__ import annotations

from typing import Final

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.locking import lock_account
from accounts.models import User
from core.errors import TournamentError
from tournaments.clubs.queries import club_page
from tournaments.models import ClubMember

MAX_CLUBS: Final = 10


@transaction.atomic
def join_club(*, user: User, key: str) -> ClubMember:
    """Join a club that is there. Twice changes nothing. Raises TournamentError "club.unknown", "club.too_many"."""
    lock_account(user)  # two requests at once cannot pass the limit together
    known = ClubMember.objects.filter(user=user, key=key).first()
    if known is not None:
        return known
    page = club_page(key, user)
    if page is None:
        raise TournamentError(_("There is no such club."), code="club.unknown")
    if ClubMember.objects.filter(user=user).count() >= MAX_CLUBS:
        message = _("You can join at most %(n)s clubs. Leave one first.") % {"n": MAX_CLUBS}
        raise TournamentError(message, code="club.too_many")
    return ClubMember.objects.create(user=user, key=key, name=page.name)


def leave_club(*, user: User, key: str) -> None:
    """Leave a club. Twice changes nothing."""
    ClubMember.objects.filter(user=user, key=key).delete()
