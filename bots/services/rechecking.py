"""A held check gets another try: by an operator, or by the bot's owner a few times a day."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from activity import wake_ups
from activity.journal import audit, publish, publish_queue_change
from bots.domain_events import CheckChanged, CheckRetried
from bots.errors import BotError
from bots.models import AuditEvent, Check

OWNER_TRIES: Final = 3
EVERY: Final = timedelta(days=1)


def may_retry(check: Check, by: User | None) -> bool:
    """Return whether this person may let a held check be played again: an operator, or the bot's owner."""
    is_theirs = by is not None and (by.is_staff or by.pk == check.version.bot.owner_id)
    return is_theirs and check.state == Check.State.QUARANTINED


def retry_check(*, check: Check, by: User) -> Check:
    """Put a held check back into the queue with a clean slate of faults; its history stays.

    One that is not held any more is left as it is: the second of two clicks changes nothing. Raises BotError
    "bot.not_owner" (operators may too), "check.retry_daily" for an owner's fourth try within a day.
    """
    if not by.is_staff and check.version.bot.owner_id != by.pk:
        message = _("This bot belongs to somebody else. Its owner or an operator can have it checked again.")
        raise BotError(message, code="bot.not_owner")
    # Without the suspects of before: their doubts belong to the attempts that had it held.
    fresh = {"faults": 0, "suspects": [], "suspect_worker": None, "queued_at": timezone.now()}
    with transaction.atomic():
        quarantined = Check.objects.select_for_update().filter(pk=check.pk, state=Check.State.QUARANTINED)
        if quarantined.exists():
            _require_tries(check, by)
            quarantined.update(state=Check.State.QUEUED, **fresh)
            audit(CheckRetried, check.subject, actor=by, before={"state": "quarantined"}, after={"state": "queued"})
            publish(CheckChanged(f"b:{check.version.bot.slug}", n=check.version.n, state="queued"))
            publish_queue_change()
            wake_ups.notify_on_commit("play")
    check.refresh_from_db()
    return check


def _require_tries(check: Check, by: User) -> None:
    if by.is_staff:
        return
    tries = AuditEvent.objects.filter(
        verb=CheckRetried.topic, subject=check.subject, actor=by, at__gte=timezone.now() - EVERY
    )
    if tries.count() >= OWNER_TRIES:
        message = _(
            "You had it checked again %(n)s times within a day. An operator will look at it; try again tomorrow."
        )
        extra: dict[str, object] = {"retry_after": int(EVERY.total_seconds())}
        raise BotError(message % {"n": OWNER_TRIES}, code="check.retry_daily", extra=extra)
