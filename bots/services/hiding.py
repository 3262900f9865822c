"""Hiding of a version: its page and its note are gone for others, the matches it played keep its name."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _

from accounts.models import User
from activity.domain_events import DomainEvent
from activity.journal import audit, publish
from bots.domain_events import VersionHidden, VersionShownAgain
from bots.errors import BotError
from bots.models import AuditEvent, Bot, BotVersion, Check
from bots.services.creating import require_owner
from bots.services.locking import lock_bot
from core.printable import is_printable

REASON_LENGTH = 200


def hide(*, version: BotVersion, by: User, reason: str = "") -> BotVersion:
    """Show this version to its owner and to operators only; a version is never deleted. Twice changes nothing.

    Its owner may, and an operator (`is_staff`) with a reason. It no longer plays in what is entered or started from now
    on; matches already drawn are played, and results go on naming it. What its owner hid an operator hides on top of
    that: then the owner alone does not show it again. Raises BotError "bot.not_owner", "version.checking",
    "version.reason_needed", "version.reason_invalid".
    """
    with transaction.atomic():
        bot, version = _locked(version, by)
        reason = _reason(bot, by, reason)
        require_checked(version)
        if version.hidden_at is None or (_is_hidden_by_owner(version) and by.pk != bot.owner_id):
            # The owner's own hiding is kept in the audit, so that lifting the operator's brings it back (`_below`).
            below = _of_owner(version)
            _set(version, timezone.now(), by, reason)
            # Only if it is this one: another version may be the active one.
            Bot.objects.filter(pk=bot.pk, active_version=version).update(active_version=None)
            _write_down(bot, version, VersionHidden, by, {"reason": reason}, below)
    return version


def unhide(*, version: BotVersion, by: User, of_owner: bool = False) -> BotVersion:
    """Take the hiding back. What an operator hid only an operator shows again. Of what is shown nothing changes.

    Where an operator hid what its owner had hidden before, it is hidden by its owner again. An operator takes that
    back, too, only if it is what they saw (of_owner): a second click takes back nothing. Raises BotError
    "bot.not_owner", "version.hidden_by_operator".
    """
    with transaction.atomic():
        bot, version = _locked(version, by)
        if not by.is_staff:
            require_owner(bot, by)
        is_another_s = _is_hidden_by_owner(version) and by.pk != bot.owner_id
        if version.hidden_at is not None and (of_owner or not is_another_s):
            _require_same_hand(version, by)
            reason, below = version.hidden_reason, _below(version)
            if below:
                _set(version, parse_datetime(below["at"]), bot.owner, below["reason"])
            else:
                _set(version, None, None, "")
            _write_down(bot, version, VersionShownAgain, by, {"was": reason})
    return version


def require_shown(version: BotVersion) -> None:
    """Raise BotError "version.hidden" for a version that is hidden."""
    if version.hidden_at is not None:
        message = _("%(version)s is hidden. Show it again first, or activate another version.")
        raise BotError(message % {"version": version}, code="version.hidden")


def require_checked(version: BotVersion) -> None:
    """Raise BotError "version.checking" while its check is to come or is played; a held check does not count."""
    quarantined = Check.objects.filter(version=version, state=Check.State.QUARANTINED)
    if version.state == BotVersion.State.CHECKING and not quarantined.exists():
        raise BotError(_("Its check has not run yet. Wait until it is done."), code="version.checking")


def _locked(version: BotVersion, by: User) -> tuple[Bot, BotVersion]:
    bot = lock_bot(version.bot_id, by=by)
    return bot, BotVersion.objects.select_related("bot").get(pk=version.pk)


def _reason(bot: Bot, by: User, reason: str) -> str:
    # One line of text: it stands in a table and in a message.
    reason = " ".join(reason.split())
    if bot.owner_id == by.pk:
        return reason[:REASON_LENGTH]
    if not by.is_staff:
        require_owner(bot, by)
    if not reason:
        raise BotError(_("Give a reason: the owner will read it."), code="version.reason_needed")
    if not is_printable(reason) or len(reason) > REASON_LENGTH:
        message = _("Give a reason of at most %(most)s printable characters.")
        raise BotError(message % {"most": REASON_LENGTH}, code="version.reason_invalid")
    return reason


def _require_same_hand(version: BotVersion, by: User) -> None:
    hidden_by = version.hidden_by
    if hidden_by is not None and hidden_by.pk != by.pk and not by.is_staff:
        message = _("An operator hid this version (%(reason)s). Ask them, or upload another one.")
        raise BotError(message % {"reason": version.hidden_reason}, code="version.hidden_by_operator")


def _set(version: BotVersion, at: datetime | None, by: User | None, reason: str) -> None:
    version.hidden_at, version.hidden_by, version.hidden_reason = at, by, reason
    version.save(update_fields=["hidden_at", "hidden_by", "hidden_reason"])


def _is_hidden_by_owner(version: BotVersion) -> bool:
    return version.hidden_at is not None and version.hidden_by_id == version.bot.owner_id


def _of_owner(version: BotVersion) -> dict[str, str]:
    """Return the owner's own hiding as the audit keeps it under an operator's, empty if there is none."""
    if version.hidden_at is None:
        return {}
    return {"hidden_by": "owner", "at": version.hidden_at.isoformat(), "reason": version.hidden_reason}


def _below(version: BotVersion) -> dict[str, str]:
    """Return what lies under the hiding that holds now: its owner's, or nothing."""
    acts = AuditEvent.objects.filter(subject=f"version:{version.uuid}", verb=VersionHidden.topic)
    # The newest act of hiding is the one that holds now: it knows what it covered.
    last = acts.order_by("-id").values_list("before", flat=True).first()
    return last if last and not _is_hidden_by_owner(version) else {}


def _write_down(
    bot: Bot,
    version: BotVersion,
    verb: type[DomainEvent],
    by: User,
    details: dict[str, str],
    before: dict[str, str] | None = None,
) -> None:
    audit(verb, f"version:{version.uuid}", actor=by, before=before, after={"n": version.n, **details})
    publish(verb.of(f"b:{bot.slug}", {"n": version.n}))
