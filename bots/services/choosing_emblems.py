"""The emblem of a bot, chosen by its owner."""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from activity.journal import audit
from bots.domain_events import BotEmblemChosen
from bots.emblems import Colour
from bots.errors import BotError
from bots.models import Bot
from bots.services.creating import require_owner
from engine.cards import CODES


def choose_emblem(*, bot: Bot, by: User, card: str, colour: str) -> Bot:
    """Store the card and the colour of a bot's emblem. card: a code, colour: of `Colour`; "" follows from the name.

    Raises BotError "bot.not_owner", "bot.bad_emblem".
    """
    require_owner(bot, by)
    require_emblem(card, colour)
    with transaction.atomic():
        # no_key: matches and entries point to the row; its key stays as it is.
        bot = Bot.objects.select_for_update(no_key=True).get(pk=bot.pk)
        before, after = (bot.emblem_card, bot.emblem_colour), (card, colour)
        if before != after:
            bot.emblem_card, bot.emblem_colour = after
            bot.save(update_fields=["emblem_card", "emblem_colour"])
            audit(BotEmblemChosen, f"bot:{bot.uuid}", actor=by, after={"card": card, "colour": colour})
    return bot


def require_emblem(card: str, colour: str) -> None:
    """Raise BotError "bot.bad_emblem" unless there is such a card and such a colour; "" is none that is chosen."""
    if (card and card not in CODES) or (colour and colour not in Colour.values):
        raise BotError(_("There is no such emblem. Choose one of the 48 cards and 12 colours."), code="bot.bad_emblem")
