"""A fork: a new bot of somebody that begins with the files of a published version."""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from activity.journal import audit, publish
from bots.domain_events import VersionForked
from bots.errors import BotError
from bots.models import Blob, BotVersion, Fork, Publication
from bots.selectors.published import publication_of
from bots.services.creating import create_bot
from bots.services.locking import lock_person
from bots.services.uploading import require_upload_rate, store_version
from bots.uploads import Upload, check_plays, unpack_files


def fork_version(*, version: BotVersion, by: User, name: str) -> BotVersion:
    """Make a bot of `by` called `name` whose first version has these files, and queue its check like any upload's.

    It plays what the origin plays. Bot and origin name each other, with the licence. Raises BotError
    "source.not_public", "bot.name_invalid", "bot.name_taken", "bot.limit", "bot.suspended", "upload.rate".
    """
    require_upload_rate(by)
    with transaction.atomic():
        lock_person(by.pk)
        # Held to the end: a publication that is withdrawn at this moment is withdrawn before the fork or after it.
        list(Publication.objects.select_for_update().filter(version=version))
        origin = BotVersion.objects.select_related("bot__owner", "publication", "source").get(pk=version.pk)
        found = publication_of(origin)
        if found is None:
            message = _("The source of %(version)s is not public, so it cannot be forked.")
            raise BotError(message % {"version": origin}, code="source.not_public")
        bot = create_bot(owner=by, name=name)
        made = store_version(by, bot, _upload_of(origin, origin.source), check_plays(list(origin.plays)), note="")
        Fork.objects.create(bot=bot, origin=origin, licence=found.licence)
        after = {"origin": f"{origin.bot.slug} v{origin.n}", "licence": found.licence}
        audit(VersionForked, f"bot:{bot.uuid}", actor=by, after=after)
        publish(VersionForked(f"b:{origin.bot.slug}", n=origin.n, fork=bot.slug))
    return made


def _upload_of(version: BotVersion, source: Blob) -> Upload:
    return Upload(unpack_files(source.data()), None, version.protocol, tuple(version.plays), version.clock)
