"""Permissions of an owner to others, and to the service, for a bot."""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from activity.journal import audit
from bots.domain_events import BotPolicyChosen
from bots.models import Bot
from core.errors import TournamentError
from tournaments.lifecycle.values import bad_value
from tournaments.models import BotPolicy
from tournaments.ratings.ladders import house


def choose_policy(*, bot: Bot, by: User, challenges: str, in_ladders: bool) -> BotPolicy:
    """Choose whose bots may be compared with it, and whether it enters the official ladders on its own.

    A bot that is to be in none is taken out of those that run; matches already drawn are played. One that is to be
    in them again enters soon, where it stood. Saying the same again changes nothing.
    Raises TournamentError "entry.not_owner", "tournament.bad_challenges".
    """
    if bot.owner_id != by.pk:
        raise TournamentError(_("Only the owner of a bot can decide this."), code="entry.not_owner")
    if challenges not in BotPolicy.Challenges.values:
        raise bad_value("challenges", challenges, tuple(BotPolicy.Challenges.values))
    with transaction.atomic():
        wanted = {"challenges": challenges, "in_ladders": in_ladders}
        current = BotPolicy.objects.select_for_update().filter(bot=bot).first()
        if current is not None and (current.challenges, current.in_ladders) == (challenges, in_ladders):
            return current
        policy, _made = BotPolicy.objects.update_or_create(bot=bot, defaults=wanted)
        audit(BotPolicyChosen, f"bot:{bot.uuid}", actor=by, after=dict(wanted))
        if in_ladders:
            house.ask_back(bot)
        else:
            house.take_out(bot, by)
    return policy
