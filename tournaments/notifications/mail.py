"""Sending mails: one row is one mail, claimed, sent and marked one by one.

At least once: a mail is marked sent after the mail server took it. A worker that dies between the two leaves it open,
and it is sent again when its claim is over: a lost notice is worse than a doubled one, and a mail server cannot take
part in our transaction. The second copy has the Message-ID of the first, so mail programs show one. In every other case
exactly once: one row per reader and source, one claim at a time, and no attempt after it was marked.
"""

from __future__ import annotations

import smtplib
from datetime import timedelta
from enum import StrEnum
from typing import Final

import structlog
from django.conf import settings
from django.core.mail import get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.db.models import F
from django.utils import timezone

from accounts.smtp_answers import FAILURES, is_answer, is_for_good, summary_of
from activity import stuck
from tournaments.models import Mailing
from tournaments.notifications.letters import letter_of
from web import rate_limits

BATCH_SIZE: Final = 50
# Much longer than a mail server may be silent (EMAIL_TIMEOUT): after it another sender may take the mail.
CLAIM: Final = timedelta(minutes=5)
# Waits after each attempt that failed; after the last one it is given up, more than a day later.
BACK_OFF: Final = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 15, 60, 180, 480, 720))
MINUTE: Final = timedelta(minutes=1)
RETENTION: Final = timedelta(days=30)
FORGOTTEN_AT_ONCE: Final = 5_000
log = structlog.get_logger(__name__)


class DeliveryStatus(StrEnum):
    """Outcome of an attempt."""

    SENT = "sent"
    DROPPED = "dropped"  # not wanted any more, or nothing of it may be told any more
    REFUSED = "refused"  # by the mail server, for good
    LATER = "later"  # the mail server could not take it now
    AWAY = "away"  # the mail server cannot be reached: nothing else goes now either


def waiting() -> bool:
    """Return whether a mail could be sent now."""
    return Mailing.objects.filter(state=Mailing.State.OPEN, due_at__lte=timezone.now()).exists()


def send_waiting() -> int:
    """Send mails that are due over one connection, as many as the rate allows. Returns how many were sent."""
    due = Mailing.objects.filter(state=Mailing.State.OPEN, due_at__lte=timezone.now())
    found = list(due.order_by("due_at", "id").values_list("pk", "attempts")[:BATCH_SIZE])
    connection, sent = get_connection(), 0
    try:
        for pk, attempts in found:
            # Only looked at here; `_send_one` counts. So a mail that another sender has already claimed costs nothing
            # of the rate.
            if rate_limits.seconds_to_wait("mail", most=settings.MAIL_PER_MINUTE, within=MINUTE) is not None:
                break
            status = _send_one(pk, attempts, connection)
            sent += status == DeliveryStatus.SENT
            if status == DeliveryStatus.AWAY:
                break
    finally:
        _close(connection)
    return sent


def _close(connection: BaseEmailBackend) -> None:
    try:
        connection.close()
    except FAILURES as error:
        log.info("mail.closed_badly", reason=str(error))


def _claim(pk: int, attempts: int) -> Mailing | None:
    """Claim the mail, if nobody else took it since it was read. The claim ends on its own."""
    mine = Mailing.objects.filter(pk=pk, attempts=attempts, state=Mailing.State.OPEN, due_at__lte=timezone.now())
    if not mine.update(attempts=F("attempts") + 1, due_at=timezone.now() + CLAIM):
        return None
    return Mailing.objects.select_related("reader__notice_plan").get(pk=pk)


def _send_one(pk: int, attempts: int, connection: BaseEmailBackend) -> DeliveryStatus | None:
    """Send one mail, from claim to mark; None if somebody else has it, or the rate is reached."""
    if rate_limits.count("mail", most=settings.MAIL_PER_MINUTE, within=MINUTE) is not None:
        return None
    mailing = _claim(pk, attempts)
    if mailing is None:
        return None
    try:
        mail = letter_of(mailing)
    # The connection to the database or Redis is gone: no fault of this mail, whose claim ends and which is sent later.
    except stuck.AWAY:
        raise
    except Exception:
        log.exception("mail.broken", mail=str(mailing.uuid), attempt=mailing.attempts)
        return _put_off(mailing, "server.error", for_good=False)
    if mail is None:
        _mark(mailing, Mailing.State.DROPPED)
        return DeliveryStatus.DROPPED
    # If the process dies from here to `_mark`, the mail may be sent twice, with one Message-ID (see the module).
    try:
        connection.open()
        connection.send_messages([mail])
    except FAILURES as error:
        return _not_sent(mailing, connection, error)
    _mark(mailing, Mailing.State.SENT)
    return DeliveryStatus.SENT


def _mark(mailing: Mailing, state: Mailing.State, error: str = "") -> None:
    """Close it, unless its claim was over and somebody else has it now."""
    mine = Mailing.objects.filter(pk=mailing.pk, attempts=mailing.attempts, state=Mailing.State.OPEN)
    if not mine.update(state=state, done_at=timezone.now(), error=error):
        log.warning("mail.claim_was_over", mail=str(mailing.uuid))


def _not_sent(mailing: Mailing, connection: BaseEmailBackend, error: smtplib.SMTPException | OSError) -> DeliveryStatus:
    """Put it back with a longer wait each time; what was refused for good is given up."""
    # A new connection for the next one: after an error the state of this one is unknown.
    _close(connection)
    reason = summary_of(error)
    log.warning("mail.not_sent", mail=str(mailing.uuid), attempt=mailing.attempts, reason=reason)
    status = _put_off(mailing, reason, for_good=is_for_good(error))
    return status if status is DeliveryStatus.REFUSED or is_answer(error) else DeliveryStatus.AWAY


def _put_off(mailing: Mailing, reason: str, *, for_good: bool) -> DeliveryStatus:
    tries = mailing.attempts
    if for_good or tries > len(BACK_OFF):
        _mark(mailing, Mailing.State.FAILED, reason)
        return DeliveryStatus.REFUSED
    mine = Mailing.objects.filter(pk=mailing.pk, attempts=tries, state=Mailing.State.OPEN)
    mine.update(due_at=timezone.now() + BACK_OFF[tries - 1], error=reason)
    return DeliveryStatus.LATER


def purge_expired_mails() -> int:
    """Drop mails that were done with a month ago, one batch at once. Returns how many."""
    old = Mailing.objects.filter(done_at__lt=timezone.now() - RETENTION).order_by("id")
    oldest = list(old.values_list("pk", flat=True)[:FORGOTTEN_AT_ONCE])
    gone, _by_model = Mailing.objects.filter(pk__in=oldest).delete() if oldest else (0, {})
    return gone
