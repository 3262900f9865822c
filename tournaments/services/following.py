"""Following tournaments and bots. Doing it twice changes nothing."""

from __future__ import annotations

from django.utils.translation import gettext as _

from accounts.models import User
from bots.models import Bot
from tournaments.errors import TournamentError
from tournaments.models import Follow, Tournament


def follow(*, user: User, tournament: Tournament | None = None, bot: Bot | None = None) -> Follow:
    """Follow one thing; following it already changes nothing. Raises TournamentError "follow.one_thing"."""
    require_one(tournament, bot)
    row, _made = Follow.objects.get_or_create(user=user, tournament=tournament, bot=bot)
    return row


def unfollow(*, user: User, tournament: Tournament | None = None, bot: Bot | None = None) -> None:
    """Stop following; not following it changes nothing. Raises TournamentError "follow.one_thing"."""
    require_one(tournament, bot)
    Follow.objects.filter(user=user, tournament=tournament, bot=bot).delete()


def require_one(tournament: Tournament | None, bot: Bot | None) -> None:
    """Exactly one of the two."""
    if (tournament is None) == (bot is None):
        raise TournamentError(_("Choose one event or one bot to follow."), code="follow.one_thing")
