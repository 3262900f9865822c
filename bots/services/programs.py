"""A remote program as a bot: it has a name, an owner and one version without files, at which results point."""

from __future__ import annotations

from typing import Final

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from bots.models import Blob, BotVersion, Check
from bots.services.creating import create_bot
from bots.uploads import pack_files, version_hash

PROTOCOL: Final = 1
STEP: Final = {"id": "remote", "ok": True, "message": "A remote program: nothing is uploaded, so nothing is checked."}


@transaction.atomic
def create_program_bot(*, owner: User, name: str) -> BotVersion:
    """Make the bot of a remote program and its only version, which nothing plays here. `retire` ends it.

    Raises BotError "bot.name_invalid", "bot.name_taken", "bot.limit", "bot.suspended", "bot.not_owner".
    """
    bot = create_bot(owner=owner, name=name, remote=True)
    version = BotVersion.objects.create(
        bot=bot,
        n=1,
        hash=version_hash((), PROTOCOL, ()),
        protocol=PROTOCOL,
        source=Blob.objects.put(pack_files(())),
        state=BotVersion.State.REMOTE,
    )
    now = timezone.now()
    # Every version has a check: pages and API ask for it.
    result = {"ok": True, "steps": [STEP], "matches": []}
    Check.objects.create(version=version, state=Check.State.DONE, queued_at=now, finished_at=now, result=result)
    return version
