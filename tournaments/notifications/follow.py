"""Following events, bots, people and tables; marking notices as read. Doing it twice changes nothing."""

from __future__ import annotations

from typing import Final

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.locking import lock_account
from accounts.models import User
from bots.models import Bot
from core.errors import TournamentError
from tournaments.models import Follow, Match, Notice, Player, Tournament
from tournaments.notifications.consumer import wake

# Maximum number of things a person follows: following everything is following nothing.
MAXIMUM: Final = 5_000


def follow(
    *,
    user: User,
    tournament: Tournament | None = None,
    bot: Bot | None = None,
    person: User | None = None,
    player: Player | None = None,
    match: Match | None = None,
) -> Follow:
    """Follow one thing; following it already changes nothing. Every caller has made sure that the user may see it.

    Raises TournamentError "follow.one_thing", "follow.self", "follow.bot_player", "follow.too_many"; AccountGone.
    """
    thing = _one(tournament=tournament, bot=bot, person=person, player=player, match=match)
    if person is not None and person.pk == user.pk:
        message = _("You receive news of your own bots and events without following yourself.")
        raise TournamentError(message, code="follow.self")
    if player is not None and player.kind == Player.Kind.BOT:
        raise TournamentError(_("This is a bot: follow it on its own page."), code="follow.bot_player")
    found = Follow.objects.filter(user=user, **thing).first()
    return found or _new(user, thing)


def _new(user: User, thing: dict[str, object]) -> Follow:
    if Follow.objects.filter(user=user).count() >= MAXIMUM:
        message = _("You follow %(n)s things, which is the limit. Stop following some that are over.")
        raise TournamentError(message % {"n": MAXIMUM}, code="follow.too_many", extra={"limit": MAXIMUM})
    try:
        with transaction.atomic():
            lock_account(user)
            return Follow.objects.create(user=user, **thing)
    except IntegrityError:  # a second click was first
        return Follow.objects.get(user=user, **thing)


def unfollow(
    *,
    user: User,
    tournament: Tournament | None = None,
    bot: Bot | None = None,
    person: User | None = None,
    player: Player | None = None,
    match: Match | None = None,
) -> None:
    """Stop following; not following it changes nothing. Raises TournamentError "follow.one_thing"."""
    thing = _one(tournament=tournament, bot=bot, person=person, player=player, match=match)
    Follow.objects.filter(user=user, **thing).delete()


def _one(**things: object) -> dict[str, object]:
    """Return the one that is given."""
    found = {name: thing for name, thing in things.items() if thing is not None}
    if len(found) != 1:
        message = _("Choose one event, bot, person or table to follow.")
        raise TournamentError(message, code="follow.one_thing")
    return found


@transaction.atomic
def mark_read(*, user: User, upto: int | None = None, only: int | None = None) -> None:
    """Mark notices of a person as read: up to one (its id), or only one.

    The account's count of unread ones is counted again under its lock, which the consumer takes as well.
    """
    User.objects.select_for_update().get(pk=user.pk)
    rows = Notice.objects.filter(reader=user, read_at=None)
    wanted = rows.filter(pk__lte=upto) if upto is not None else rows
    wanted = wanted.filter(pk=only) if only is not None else wanted
    marked = wanted.update(read_at=timezone.now())
    # Only if it differs: opening the page with nothing new writes nothing.
    changed = User.objects.filter(pk=user.pk).exclude(unread_news=rows.count()).update(unread_news=rows.count())
    if marked or changed:
        wake({user.uuid})
