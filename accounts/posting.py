"""Mails about accounts: they wait in rows for the sender of mail, so no page waits for a mail server or fails with it.

The row is the queue and the task its wake-up; the sweep repeats a wake-up that was lost.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Final

import structlog
from celery import current_app
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from kombu.exceptions import OperationalError

from accounts.models import User, WaitingLetter

TASK: Final = "accounts.tasks.send_letters"
QUEUE: Final = "send"
RESET_RETENTION: Final = timedelta(hours=1)
"""Retention of the link of a forgotten password: nobody waits longer for it."""
RETENTION: Final = timedelta(days=1)
FORGOTTEN_AT_ONCE: Final = 5_000
Kind = WaitingLetter.Kind

log = structlog.get_logger(__name__)


@transaction.atomic
def post(
    kind: WaitingLetter.Kind, *, address: str, user: User | None, language: str = "", zone: str = "", about: str = ""
) -> WaitingLetter:
    """Write down that a mail is to go to an address; it is sent after the transaction that asks for it, if that
    commits.

    language, zone: of the person who asks, for accounts that have chosen none. about: for its writer.
    """
    letter = WaitingLetter.objects.create(
        kind=kind, user=user, address=address, language=language, zone=zone, about=about
    )
    # After the commit: a sender that looked earlier would not see the row.
    transaction.on_commit(notify_sender)
    return letter


def notify_sender() -> None:
    """Wake the sender of mail; without a broker the sweep does it later."""
    try:
        # retry=False: the page does not wait for a broker that is away.
        current_app.send_task(TASK, queue=QUEUE, retry=False)
    except OperationalError as lost:
        log.warning("letters.not_notified", reason=str(lost))


def due() -> QuerySet[WaitingLetter]:
    """Return the letters that may be sent now."""
    return WaitingLetter.objects.filter(due_at__lte=timezone.now())


def notify_if_waiting() -> None:
    """Notify the sender of letters whose wake-up was lost; delete those that nobody waits for any more."""
    now = timezone.now()
    is_old = Q(kind=Kind.RESET, asked_at__lt=now - RESET_RETENTION) | Q(asked_at__lt=now - RETENTION)
    # Keys first: PostgreSQL has no DELETE with a LIMIT, and the sweep's transactions stay short.
    old = WaitingLetter.objects.filter(is_old).order_by("pk").values_list("pk", flat=True)
    WaitingLetter.objects.filter(pk__in=list(old[:FORGOTTEN_AT_ONCE])).delete()
    if due().exists():
        notify_sender()
