"""Our own strategies as bots of the house account: trusted to work, played in the sandbox like any other."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from activity.journal import audit
from bots.domain_events import VersionActivated
from bots.licences import MIT
from bots.models import Blob, Bot, BotVersion, Check, Publication
from bots.services.creating import create_bot
from bots.services.publishing import publish_source
from bots.uploads import pack_files, version_hash

PROTOCOL = 1


def house_account() -> User:
    """The account that owns the house's bots and its ladders; nobody can log in with it."""
    user, made = User.objects.get_or_create(username="house", defaults={"display_name": "The house"})
    if made:
        user.set_unusable_password()
        user.save()
    return user


def install_house_bot(
    *,
    owner: User,
    name: str,
    files: Sequence[tuple[str, bytes]],
    plays: Sequence[str],
    note: str = "",
    emblem: tuple[str, str] = ("", ""),
) -> Bot:
    """The bot of that name with these files as its active version; doing it again changes nothing.

    emblem: card and colour of a bot that is not there yet; empty as its name says.

    No check is played: these sources ship with the project and its tests play them. They are public under its licence.
    """
    digest = version_hash(files, PROTOCOL, plays)
    with transaction.atomic():
        bot = Bot.objects.filter(owner=owner, name=name).first() or _bot(owner, name, emblem)
        version = BotVersion.objects.filter(bot=bot, hash=digest).first() or _version(bot, files, plays, note, digest)
        if bot.active_version_id != version.pk:
            bot.active_version = version
            bot.save(update_fields=["active_version"])
            audit(VersionActivated, f"version:{version.uuid}", actor=owner, after={"n": version.n})
        _publish(version, owner)
    return bot


def _publish(version: BotVersion, owner: User) -> None:
    """Publish a version of the house under the licence of the project, once: taken back, it stays so."""
    if not Publication.objects.filter(version=version).exists() and version.hidden_at is None:
        publish_source(version=version, by=owner, licence=MIT)


def _bot(owner: User, name: str, emblem: tuple[str, str]) -> Bot:
    bot = create_bot(owner=owner, name=name, house=True)
    bot.emblem_card, bot.emblem_colour = emblem
    bot.save(update_fields=["emblem_card", "emblem_colour"])
    return bot


def _version(bot: Bot, files: Sequence[tuple[str, bytes]], plays: Sequence[str], note: str, digest: str) -> BotVersion:
    version = BotVersion.objects.create(
        bot=bot,
        n=bot.versions.count() + 1,
        hash=digest,
        protocol=PROTOCOL,
        plays=sorted(plays),
        files=[[path, hashlib.sha256(content).hexdigest(), len(content)] for path, content in sorted(files)],
        source=Blob.objects.put(pack_files(files)),
        note=note[:200],
        state=BotVersion.State.READY,
    )
    step = {"id": "house", "ok": True, "message": _("A house bot: tested with the project.")}
    result = {"ok": True, "steps": [step], "matches": []}
    now = timezone.now()
    Check.objects.create(version=version, state=Check.State.DONE, queued_at=now, finished_at=now, result=result)
    return version
