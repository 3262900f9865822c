"""A new version of a bot: judged, kept by its hash, and its check queued."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Final

from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from activity import wake_ups
from activity.journal import audit, publish, publish_queue_change
from bots.domain_events import VersionUploaded
from bots.errors import BotError
from bots.localization import LocalizedMessage, gettext_noop, localized, render_message, to_stored
from bots.models import Blob, Bot, BotVersion, Check
from bots.runner.spec import CLOCKS, STANDARD, Clock
from bots.services.creating import create_bot, require_account, require_owner
from bots.services.rechecking import retry_check
from bots.services.suspending import require_not_suspended
from bots.uploads import Upload, UploadRefused, check_plays, check_source, pack_files, read_upload
from web.rate_limits import count

HOUR: Final = timedelta(hours=1)
UPLOADS_PER_HOUR: Final = 30
TRIES_PER_HOUR: Final = 60
"""Refused ones and those of bytes that are known included."""
DEFAULT_PLAYS: Final = ("hawaii", "paradise")


def upload_version(
    *,
    owner: User,
    filename: str,
    data: bytes,
    bot: Bot | None = None,
    name: str = "",
    plays: Sequence[str] | None = None,
    plays_shown: Sequence[str] | None = None,
    note: str = "",
    admit: Callable[[], None] = lambda: None,
) -> BotVersion:
    """Keep one upload as a version and queue its check; the same bytes for the same presets are the same version.

    If its check is held because our side failed again and again, sending it again queues the check again.

    filename, data: the file as sent, `.py` or `.zip`. bot: whose version it is; without one the owner's bot called
    `name` (else the manifest's name), made if there is none. plays: preset ids that somebody chose, else the
    manifest's, else `plays_shown` (ticked in a form by the form itself), else those of the version that plays, else
    the bot's own, else both Sakura presets. A version whose source has static problems is kept as failed, its check
    says which. admit: asked before new files are kept; what it raises refuses them.
    Raises BotError "upload.*" (see bots.uploads; nothing is kept), "bot.not_owner", "bot.no_name", "bot.name_*",
    "bot.limit", "bot.suspended", "bot.remote", "upload.rate", "check.retry_daily".
    """
    # Before the bytes are read: unpacking and tokenizing are what a flood of uploads would cost.
    require_upload_rate(owner)
    upload, declared = _judged(filename, data, plays)
    with transaction.atomic():
        require_account(owner)
        bot = _bot_for(owner, bot, name or upload.name or "")
        require_not_suspended(bot)
        presets = declared or check_plays(list(plays_shown or plays_of(bot) or DEFAULT_PLAYS))
        known = BotVersion.objects.filter(bot=bot, hash=upload.version_hash(presets)).select_related("bot").first()
        # Under the lock of the bot's row: the same bytes sent twice at once find one version.
        if known is not None:
            return _again(known, owner)
        admit()
        return store_version(owner, bot, upload, presets, note)


def _judged(filename: str, data: bytes, plays: Sequence[str] | None) -> tuple[Upload, tuple[str, ...] | None]:
    """Return the upload, and what it is declared to play. Raises BotError "upload.*"."""
    try:
        upload = read_upload(filename, data)
        return upload, check_plays(list(plays)) if plays else upload.plays
    except UploadRefused as refusal:
        raise BotError(render_message(refusal.text, _), code=refusal.code, extra=refusal.extra) from refusal


def plays_of(bot: Bot) -> list[str]:
    """Return what a new version of a bot plays that does not say so: the same as the one that plays, or the newest."""
    before = bot.active_version or BotVersion.objects.filter(bot=bot).order_by("-n").first()
    return list(before.plays if before is not None else bot.plays)


def require_upload_rate(owner: User) -> None:
    """Count this try, even if it fails: 60 an hour, of which 30 may become versions. Raises BotError "upload.rate"."""
    wait = count(f"upload:{owner.pk}", most=TRIES_PER_HOUR, within=HOUR)
    if wait is not None:
        raise _too_often(TRIES_PER_HOUR, wait)
    now = timezone.now()
    # Counted from the rows and not by a counter: what was refused is no version and must not use up this limit.
    recent = BotVersion.objects.filter(bot__owner=owner, bot__house=False, created_at__gt=now - HOUR)
    oldest = list(recent.order_by("-created_at").values_list("created_at", flat=True)[UPLOADS_PER_HOUR - 1 :][:1])
    if oldest:
        raise _too_often(UPLOADS_PER_HOUR, max(1, round((oldest[0] + HOUR - now).total_seconds())))


def _too_often(most: int, wait: int) -> BotError:
    message = _("You have reached the limit of %(n)s uploads an hour. Try again in %(minutes)s minutes.")
    shown = {"n": most, "minutes": -(-wait // 60)}
    return BotError(message % shown, code="upload.rate", extra={"retry_after": wait})


def _bot_for(owner: User, bot: Bot | None, name: str) -> Bot:
    """The bot, its row locked: two uploads at once get two numbers."""
    if bot is not None:
        require_owner(bot, owner)
        return _uploadable(Bot.objects.select_for_update().get(pk=bot.pk))
    if not name.strip():
        message = _("The bot needs a name: give one in the form or in hanami.toml.")
        raise BotError(message, code="bot.no_name")
    found = Bot.objects.select_for_update().filter(owner=owner, name=name.strip()).first()
    return _uploadable(found or create_bot(owner=owner, name=name))


def _uploadable(bot: Bot) -> Bot:
    if bot.remote:
        message = _("%(bot)s is a program that plays from elsewhere. Upload your file as another bot.")
        raise BotError(message % {"bot": bot.name}, code="bot.remote")
    return bot


def store_version(owner: User, bot: Bot, upload: Upload, presets: tuple[str, ...], note: str) -> BotVersion:
    """Keep a judged upload as the next version of a bot, whose row is locked, and queue its check."""
    problems = [problem.located for problem in check_source(upload.files)]
    newest = BotVersion.objects.filter(bot=bot).aggregate(newest=Max("n"))["newest"] or 0
    version = BotVersion.objects.create(
        bot=bot,
        n=newest + 1,
        hash=upload.version_hash(presets),
        protocol=upload.protocol,
        plays=list(presets),
        clock=upload.clock,
        files=[[path, hashlib.sha256(content).hexdigest(), len(content)] for path, content in upload.files],
        source=Blob.objects.put(pack_files(upload.files)),
        note=note.strip()[:200],
        state=BotVersion.State.FAILED if problems else BotVersion.State.CHECKING,
    )
    _queue_check(version, problems)
    channel = f"b:{bot.slug}"
    audit(VersionUploaded, f"version:{version.uuid}", actor=owner, after={"n": version.n, "state": version.state})
    publish(VersionUploaded(channel, n=version.n))
    publish_queue_change()
    return version


def _again(known: BotVersion, owner: User) -> BotVersion:
    """The version these bytes are already; a check of it that is held gets another try."""
    quarantined = (
        Check.objects.select_related("version__bot").filter(version=known, state=Check.State.QUARANTINED).first()
    )
    if quarantined is not None:
        retry_check(check=quarantined, by=owner)
    return known


def _turn(owner: User, clock: Clock) -> int:
    """The priority of an owner's next check: uploaders take turns, as tournaments do, each by what it may cost."""
    queued = Check.objects.filter(state=Check.State.QUEUED)
    first = queued.order_by("priority").values_list("priority", flat=True).first() or 0
    last = queued.filter(version__bot__owner=owner).aggregate(last=Max("priority"))["last"] or 0
    # One place behind the front for an owner who has none, one further for each that they have waiting: nobody's thirty
    # uploads come before another's first. A check that may take six minutes counts as those that may take two: two
    # later rounds of others pass it, and no more, as the front moves on.
    return max(first, last) + -(-clock.match_ms // STANDARD.match_ms)


def _static(text: LocalizedMessage, *, is_ok: bool) -> dict[str, object]:
    return {"id": "static", "ok": is_ok, "message": render_message(text, _), "said": to_stored(text)}


def _queue_check(version: BotVersion, problems: Sequence[LocalizedMessage]) -> None:
    """A check in the queue, or one that is done already because the source cannot run."""
    now = timezone.now()
    if not problems:
        step = _static(localized(gettext_noop("The source can be read.")), is_ok=True)
        coming = {"ok": None, "steps": [step], "matches": []}
        Check.objects.create(
            version=version, queued_at=now, priority=_turn(version.bot.owner, CLOCKS[version.clock]), result=coming
        )
        wake_ups.notify_on_commit("play")
        return
    steps = [_static(problem, is_ok=False) for problem in problems]
    result = {"ok": False, "steps": steps, "matches": []}
    Check.objects.create(version=version, state=Check.State.DONE, finished_at=now, result=result)
