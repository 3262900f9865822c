"""Activation of a version. It is a pointer; rolling back moves it."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from activity import wake_ups
from activity.journal import audit, publish
from bots.domain_events import VersionActivated, VersionReinstated, VersionRetired
from bots.errors import BotError
from bots.models import AuditEvent, Bot, BotVersion
from bots.selectors.benching import REINSTATE_EVERY
from bots.services.creating import require_owner
from bots.services.hiding import require_checked, require_shown
from bots.services.locking import lock_bot
from bots.services.suspending import require_not_suspended


def activate(*, version: BotVersion, by: User) -> BotVersion:
    """Make this the version that plays in events entered or started from now on; a benched one gets another try.

    The pointer moves to an earlier one just so: that is how a bot is rolled back. Activating the active one changes
    nothing. Raises BotError "bot.not_owner", "version.not_ready", "version.hidden", "bot.suspended",
    "version.bench_daily" (a benched version may come back once a day).
    """
    with transaction.atomic():
        bot = lock_bot(version.bot_id, by=by)
        require_owner(bot, by)
        require_not_suspended(bot)
        version = BotVersion.objects.select_related("bot").get(pk=version.pk)
        if version.state != BotVersion.State.READY:
            message = _("%(version)s is %(state)s. Only a version that passed its check can be activated.")
            shown = {"version": version, "state": version.get_state_display()}
            raise BotError(message % shown, code="version.not_ready", extra={"state": version.state})
        require_shown(version)
        was_suspended = version.benched_at is not None
        if was_suspended:
            _lift_suspension(version, by)
        # A second click writes no second line into the audit.
        if was_suspended or bot.active_version_id != version.pk:
            _point(bot, version, by)
    return version


def retire(*, version: BotVersion, by: User) -> BotVersion:
    """Never draw this version again; matches already drawn are played. Retiring it twice changes nothing.

    If it was active the bot has no active version until another is activated. Raises BotError "bot.not_owner",
    "version.checking" (wait for its check, unless that is held).
    """
    with transaction.atomic():
        bot = lock_bot(version.bot_id, by=by)
        require_owner(bot, by)
        version = BotVersion.objects.select_related("bot").get(pk=version.pk)
        require_checked(version)
        if version.state != BotVersion.State.RETIRED:
            version.state = BotVersion.State.RETIRED
            version.save(update_fields=["state"])
            Bot.objects.filter(pk=bot.pk, active_version=version).update(active_version=None)
            audit(VersionRetired, f"version:{version.uuid}", actor=by, after={"n": version.n})
            publish(VersionRetired(f"b:{bot.slug}", n=version.n))
    return version


def _lift_suspension(version: BotVersion, by: User) -> None:
    subject = f"version:{version.uuid}"
    since = timezone.now() - REINSTATE_EVERY
    if AuditEvent.objects.filter(verb=VersionReinstated.topic, subject=subject, at__gte=since).exists():
        message = _("%(version)s was suspended and came back within the last day. Repair it and upload a new version.")
        raise BotError(message % {"version": version}, code="version.bench_daily")
    version.benched_at, version.bench_reason, version.forfeits_in_a_row = None, "", 0
    version.save(update_fields=["benched_at", "bench_reason", "forfeits_in_a_row"])
    audit(VersionReinstated, subject, actor=by)


def _point(bot: Bot, version: BotVersion, by: User) -> None:
    before = bot.active_version.n if bot.active_version else None
    Bot.objects.filter(pk=bot.pk).update(active_version=version)
    audit(VersionActivated, f"version:{version.uuid}", actor=by, before={"n": before}, after={"n": version.n})
    publish(VersionActivated(f"b:{bot.slug}", n=version.n))
    # Ladders draw for the version at once, not with the next sweep.
    wake_ups.notify_on_commit("derive")
