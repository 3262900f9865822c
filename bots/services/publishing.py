"""Publication of a version's source under a licence, when its owner asks for it, and its way back."""

from __future__ import annotations

from typing import Final

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from activity.journal import audit, publish
from bots.domain_events import SourcePublished, SourceWithdrawn
from bots.errors import BotError
from bots.licences import LICENCES
from bots.models import Bot, BotVersion, Publication
from bots.selectors.published import licences_for, origin_of
from bots.services.creating import require_owner
from bots.services.hiding import require_shown
from bots.services.locking import lock_bot
from bots.services.suspending import require_not_suspended

PASSED: Final = (BotVersion.State.READY, BotVersion.State.RETIRED)


def publish_source(*, version: BotVersion, by: User, licence: str) -> Publication:
    """Let everybody read, download and fork the files of a version. The same licence again changes nothing.

    licence: an SPDX identifier of `bots.licences`. Another one than before holds from now on; who took the files under
    the earlier one keeps that. Raises BotError "bot.not_owner", "bot.suspended", "version.hidden",
    "source.not_checked", "source.licence" (there is none of that name), "source.licence_of_origin" (a fork cannot have
    it).
    """
    with transaction.atomic():
        bot = lock_bot(version.bot_id, by=by)
        require_owner(bot, by)
        require_not_suspended(bot)
        version = BotVersion.objects.select_related("bot").get(pk=version.pk)
        _require_published_sensibly(bot, version, licence)
        found = Publication.objects.filter(version=version).first()
        if found is not None and found.withdrawn_at is None and found.licence == licence:
            return found
        before = found.licence if found is not None and found.withdrawn_at is None else None
        values = {"licence": licence, "published_at": timezone.now(), "withdrawn_at": None}
        found, _made = Publication.objects.update_or_create(version=version, defaults=values)
        after = {"n": version.n, "licence": licence}
        audit(SourcePublished, f"version:{version.uuid}", actor=by, before={"licence": before}, after=after)
        publish(SourcePublished(f"b:{bot.slug}", n=version.n, licence=licence))
    return found


def withdraw_source(*, version: BotVersion, by: User) -> None:
    """Stop showing the files of a version to others. Copies and forks stay what they are. Twice changes nothing.

    Raises BotError "bot.not_owner".
    """
    with transaction.atomic():
        bot = lock_bot(version.bot_id, by=by)
        require_owner(bot, by)
        found = Publication.objects.filter(version=version, withdrawn_at=None).first()
        if found is not None:
            found.withdrawn_at = timezone.now()
            found.save(update_fields=["withdrawn_at"])
            before, after = {"licence": found.licence}, {"n": version.n}
            audit(SourceWithdrawn, f"version:{version.uuid}", actor=by, before=before, after=after)
            publish(SourceWithdrawn(f"b:{bot.slug}", n=version.n))


def _require_published_sensibly(bot: Bot, version: BotVersion, licence: str) -> None:
    require_shown(version)
    if version.state not in PASSED or bot.remote:
        message = _("Only a version that passed its check can be published.")
        raise BotError(message, code="source.not_checked")
    if licence not in LICENCES:
        message = _("Choose one of these licences: %(all)s.")
        raise BotError(message % {"all": ", ".join(LICENCES)}, code="source.licence")
    origin = origin_of(bot)
    allowed = [each.id for each in licences_for(bot, origin)]
    if origin is not None and licence not in allowed:
        message = _("This bot is a fork of %(origin)s (%(licence)s). Such a fork can be published under: %(all)s.")
        shown = {"origin": origin.origin, "licence": origin.licence, "all": ", ".join(allowed)}
        raise BotError(message % shown, code="source.licence_of_origin")
