"""A new bot: a name and an address."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from django.db import IntegrityError, transaction
from django.utils.text import slugify
from django.utils.translation import gettext as _

from accounts.models import User
from activity.journal import audit
from bots.domain_events import BotCreated
from bots.errors import BotError
from bots.models import Bot
from bots.services.suspending import require_person_not_suspended
from bots.uploads import check_plays
from core.printable import is_printable

NAME_LENGTH: Final = range(2, 61)
REMOTE_MARK: Final = " (remote)"
BOTS_PER_OWNER: Final = 50
# Two people may choose the same name at the same moment; eight collisions in a row are no accident.
ADDRESSES_TRIED: Final = 8
# /b/new/ is the upload form (bots/urls.py).
RESERVED_SLUGS: Final = frozenset({"new"})
# At live tables a bot of such a name is shown as the house's own (`tables/house.py`).
OF_THE_HOUSE: Final = re.compile(r"House \d+")


def create_bot(*, owner: User, name: str, house: bool = False, remote: bool = False, plays: Sequence[str] = ()) -> Bot:
    """A bot without versions. house: one of the built-in strategies (the demo's own account only); remote: a program.

    plays: preset ids of uploads that do not say what they play. Raises BotError "bot.name_invalid", "bot.name_taken"
    (per owner; those of the house for everybody), "bot.limit", "bot.suspended", "upload.plays".
    """
    name = require_name(with_mark(name) if remote else name)
    if not house:
        require_not_of_the_house(name)
    presets = list(check_plays(list(plays))) if plays else []
    if Bot.objects.filter(owner=owner).count() >= BOTS_PER_OWNER:
        message = _("You have %(n)s bots, which is the limit. Upload a new version of one of them.")
        raise BotError(message % {"n": BOTS_PER_OWNER}, code="bot.limit")
    for _attempt in range(ADDRESSES_TRIED):
        try:
            return _write(Bot(owner=owner, name=name, house=house, remote=remote, plays=presets))
        except IntegrityError:
            if Bot.objects.filter(owner=owner, name=name).exists():
                break  # else somebody took the same address at the same moment: take the next one
    raise name_taken(name)


def with_mark(name: str) -> str:
    """Return the name of a remote program with its mark, which stands wherever the name does."""
    # Once, however often it is given; what is left of the name is judged by `require_name`.
    own = name.strip().removesuffix(REMOTE_MARK.strip()).rstrip()
    return f"{own}{REMOTE_MARK}"


def require_name(name: str) -> str:
    """Return a name without the spaces around it. Raises BotError "bot.name_invalid"."""
    name = name.strip()
    own = name.removesuffix(REMOTE_MARK.strip()).rstrip()
    if len(name) not in NAME_LENGTH or len(own) < NAME_LENGTH.start or not is_printable(name):
        raise BotError(_("Give the bot a name of 2 to 60 printable characters."), code="bot.name_invalid")
    return name


def require_not_of_the_house(name: str) -> None:
    """Refuse the name of an opponent of the house. Raises BotError "bot.name_taken"."""
    if OF_THE_HOUSE.fullmatch(name):
        message = _("A bot of the house is called “%(name)s”. Choose another name.")
        raise BotError(message % {"name": name}, code="bot.name_taken")


def name_taken(name: str) -> BotError:
    """Return the refusal of a name that another bot of the owner has."""
    message = _("You already have a bot called “%(name)s”. Upload a new version of it or choose another name.")
    return BotError(message % {"name": name}, code="bot.name_taken")


@transaction.atomic
def _write(bot: Bot) -> Bot:
    require_account(bot.owner)
    require_person_not_suspended(bot.owner)
    bot.slug = free_slug(bot.name)
    # A new row each time: of a try that was refused the database keeps nothing.
    bot.save(force_insert=True)
    audit(BotCreated, f"bot:{bot.uuid}", actor=bot.owner, after={"name": bot.name})
    return bot


def free_slug(name: str) -> str:
    """An address made of the name that no bot has yet."""
    # Ten characters are left for the number; a name without Latin letters has no slug of its own.
    stem = slugify(name)[:50] or "bot"
    taken = set(Bot.objects.filter(slug__startswith=stem).values_list("slug", flat=True)) | RESERVED_SLUGS
    number = 1
    while (slug := stem if number == 1 else f"{stem}-{number}") in taken:
        number += 1
    return slug


def require_owner(bot: Bot, by: User) -> None:
    """Raise BotError "bot.not_owner" unless the bot is theirs."""
    if bot.owner_id != by.pk:
        raise _not_owner()


def require_account(owner: User) -> None:
    """Hold the account until the end of the transaction. Raise BotError "bot.not_owner" if it was deleted meanwhile."""
    if User.objects.select_for_update(no_key=True).get(pk=owner.pk).deleted_at is not None:
        raise _not_owner()


def _not_owner() -> BotError:
    return BotError(_("This bot belongs to somebody else. Only its owner can do that."), code="bot.not_owner")
