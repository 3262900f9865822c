"""Limits of events that one person may make: an event that nobody plays is cheap to make and stays."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from core.errors import TournamentError
from tournaments.models import Tournament

PER_HOUR: Final = 20
DRAFTS: Final = 30
HOUR: Final = timedelta(hours=1)


def require_room(by: User) -> None:
    """Raise TournamentError "tournament.rate" (extra: retry_after, seconds) or "tournament.too_many_drafts".

    The rows themselves are counted, so the limit survives every restart and needs nothing but the database.
    """
    now = timezone.now()
    lately = Tournament.objects.filter(created_by=by, created_at__gt=now - HOUR).order_by("-created_at")
    # The twentieth newest of the hour: when it is an hour old the next one may be made.
    oldest = list(lately.values_list("created_at", flat=True)[PER_HOUR - 1 : PER_HOUR])
    if oldest:
        wait = max(1, round((oldest[0] + HOUR - now).total_seconds()))
        message = _("You have reached the limit of %(n)s events an hour. Try again in %(minutes)s minutes.")
        shown = {"n": PER_HOUR, "minutes": -(-wait // 60)}
        raise TournamentError(message % shown, code="tournament.rate", extra={"retry_after": wait})
    if Tournament.objects.filter(created_by=by, state=Tournament.State.DRAFT).count() >= DRAFTS:
        message = _("You have %(n)s drafts, which is the limit. Announce or call off one of them first.")
        raise TournamentError(message % {"n": DRAFTS}, code="tournament.too_many_drafts")
