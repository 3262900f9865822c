"""An operator suspends a person or a bot for a reason, and lifts it again (decision 0061).

Nothing is erased and no result changes: matches that are drawn are played, for others' results hang on them. What is
drawn later goes without a suspended bot, because its versions are benched until it is lifted.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from activity.account_events import AccountSuspended, AccountSuspensionLifted
from activity.journal import audit, publish, publish_queue_change
from bots.domain_events import BotSuspended, BotSuspensionLifted
from bots.errors import BotError
from bots.models import Bot, BotVersion
from bots.services.locking import lock_person, lock_versions

MAX_REASON: Final = 200


def require_operator(by: User) -> None:
    """Raise BotError "ops.not_operator"."""
    if not by.is_staff or not by.is_active:
        raise BotError(_("Only operators can do this."), code="ops.not_operator")


def suspend_bot(*, bot: Bot, by: User, reason: str) -> Bot:
    """Suspend a bot: it takes no upload and is neither entered nor drawn until it is lifted. Twice changes nothing.

    Raises BotError "ops.not_operator", "ops.reason_needed", "ops.reason_long".
    """
    require_operator(by)
    reason = _checked_reason(reason)
    with transaction.atomic():
        bot = Bot.objects.select_for_update().get(pk=bot.pk)
        if bot.suspended_at is None:
            _suspend([bot], by, reason, timezone.now())
    return bot


def lift_bot(*, bot: Bot, by: User) -> Bot:
    """Let a bot play again; versions benched before stay so. One that is not suspended stays as it is.

    Raises BotError "ops.not_operator", "ops.owner_suspended" (lift that first).
    """
    require_operator(by)
    with transaction.atomic():
        # People before bots, in every act (`locking`): the other order can deadlock with the suspension of a person.
        owner = lock_person(bot.owner_id)
        bot = Bot.objects.select_for_update().get(pk=bot.pk)
        if owner.suspended_at is not None:
            message = _("The owner is suspended. Lift that suspension; it includes their bots.")
            raise BotError(message, code="ops.owner_suspended")
        if bot.suspended_at is not None:
            _lift([bot], by)
    return bot


def suspend_person(*, person: User, by: User, reason: str) -> User:
    """Suspend a person and their bots: they are signed out everywhere, cannot sign in, and their keys do nothing.

    Twice changes nothing. Raises BotError "ops.not_operator", "ops.reason_needed", "ops.reason_long", "ops.operator"
    (an operator's rights are taken away in the administration first).
    """
    require_operator(by)
    reason = _checked_reason(reason)
    with transaction.atomic():
        person = lock_person(person.pk)
        # Operators cannot lock each other out by a click.
        if person.is_staff or person.is_superuser:
            message = _("This person is an operator. Remove that right in the administration first.")
            raise BotError(message, code="ops.operator")
        if person.suspended_at is None:
            at = timezone.now()
            _set(person, at, reason, active=False)
            audit(AccountSuspended, f"account:{person.uuid}", actor=by, after={"reason": reason})
            # By key, so that two such acts lock rows in the same order. Bots suspended before keep their own reason.
            bots = Bot.objects.select_for_update().filter(owner=person, suspended_at=None).order_by("pk")
            _suspend(list(bots), by, reason, at)
    return person


def lift_person(*, person: User, by: User) -> User:
    """Let a person sign in again, and the bots suspended with them play. Raises BotError "ops.not_operator".

    Of somebody who is not suspended nothing changes.
    """
    require_operator(by)
    with transaction.atomic():
        person = lock_person(person.pk)
        if person.suspended_at is not None:
            at, was = person.suspended_at, person.suspended_reason
            _set(person, None, "", active=True)
            audit(AccountSuspensionLifted, f"account:{person.uuid}", actor=by, before={"reason": was})
            # The same moment: bots that were suspended on their own, before or after, stay suspended.
            bots = Bot.objects.select_for_update().filter(owner=person, suspended_at=at).order_by("pk")
            _lift(list(bots), by)
    return person


def require_not_suspended(bot: Bot) -> None:
    """Raise BotError "bot.suspended"."""
    if bot.suspended_at is not None:
        message = _("An operator suspended this bot: %(reason)s Write to them if you think that this is wrong.")
        raise BotError(message % {"reason": bot.suspended_reason}, code="bot.suspended")


def require_person_not_suspended(person: User) -> None:
    """Raise BotError "bot.suspended" for a suspended person: their bots are suspended, and no new one is made."""
    known = User.objects.only("suspended_at", "suspended_reason").get(pk=person.pk)
    if known.suspended_at is not None:
        message = _("An operator suspended this account: %(reason)s Write to them if you think that this is wrong.")
        raise BotError(message % {"reason": known.suspended_reason}, code="bot.suspended")


def _checked_reason(reason: str) -> str:
    reason = " ".join(reason.split())
    if not reason:
        raise BotError(_("Enter a reason: the suspended person can read it."), code="ops.reason_needed")
    if len(reason) > MAX_REASON:
        message = _("Use at most %(n)s characters.")
        raise BotError(message % {"n": MAX_REASON}, code="ops.reason_long")
    return reason


def _set(person: User, at: datetime | None, reason: str, *, active: bool) -> None:
    person.suspended_at, person.suspended_reason, person.is_active = at, reason, active
    person.save(update_fields=["suspended_at", "suspended_reason", "is_active"])


def _suspend(bots: Sequence[Bot], by: User, reason: str, at: datetime) -> None:
    """Suspend these bots. The moment marks the versions it benches, so that lifting takes exactly those back."""
    lock_versions(bots)
    for bot in bots:
        bot.suspended_at, bot.suspended_reason = at, reason
        bot.save(update_fields=["suspended_at", "suspended_reason"])
        # Only those that are not benched: another reason must still hold after the suspension is lifted.
        versions = BotVersion.objects.filter(bot=bot, state=BotVersion.State.READY, benched_at=None)
        versions.update(benched_at=at, bench_reason=reason)
        audit(BotSuspended, f"bot:{bot.uuid}", actor=by, after={"reason": reason})
    publish(*(BotSuspended(f"b:{bot.slug}") for bot in bots))
    publish_queue_change()


def _lift(bots: Sequence[Bot], by: User) -> None:
    lock_versions(bots)
    for bot in bots:
        was, at = bot.suspended_reason, bot.suspended_at
        bot.suspended_at, bot.suspended_reason = None, ""
        bot.save(update_fields=["suspended_at", "suspended_reason"])
        BotVersion.objects.filter(bot=bot, benched_at=at).update(benched_at=None, bench_reason="")
        audit(BotSuspensionLifted, f"bot:{bot.uuid}", actor=by, before={"reason": was})
    publish(*(BotSuspensionLifted(f"b:{bot.slug}") for bot in bots))
    publish_queue_change()
