"""Sending the letters that wait: claimed one by one, tried again with longer and longer waits, given up after an hour.

At least once: a sender that dies between the mail server's yes and the end of the row leaves it to the next one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import timedelta
from enum import StrEnum
from typing import Final

import structlog
from django.core.mail import EmailMessage, get_connection
from django.db.models import F, QuerySet
from django.utils import timezone

from accounts.addresses import changed_letter, confirming_letter
from accounts.models import WaitingLetter
from accounts.posting import due
from accounts.resetting import password_letter, resetting_letters
from accounts.smtp_answers import FAILURES, is_answer, is_for_good, summary_of

BATCH_SIZE: Final = 100
CLAIM: Final = timedelta(minutes=5)
"""Much longer than a mail server may be silent (EMAIL_TIMEOUT): after it the letter is somebody else's."""
BACK_OFF: Final = tuple(timedelta(seconds=seconds) for seconds in (15, 60, 120, 300, 600, 1200))
"""Waits after each attempt that failed; after the last the letter is given up."""
Kind = WaitingLetter.Kind
Write = Callable[[WaitingLetter], Iterable[EmailMessage]]

log = structlog.get_logger(__name__)


class DeliveryStatus(StrEnum):
    """Result of an attempt to send a letter."""

    DONE = "done"  # sent, or nobody's business any more
    REFUSED = "refused"  # for good
    LATER = "later"  # the server does not take it now
    AWAY = "away"  # the server cannot be reached: nothing else goes now either


WRITERS: Final[dict[str, Write]] = {
    Kind.RESET: resetting_letters,
    Kind.CONFIRM: confirming_letter,
    Kind.CHANGED: changed_letter,
    Kind.PASSWORD: password_letter,
}
"""By the kind of a letter the function that writes it; capabilities above add theirs (`register_writer`)."""


def register_writer(kind: WaitingLetter.Kind, write: Write) -> None:
    """Let letters of a kind be written by a function of a capability that this package does not know."""
    WRITERS[kind] = write


def send_waiting() -> int:
    """Send what is due. Returns how many letters were done with, wanted or not."""
    done = 0
    # Only keys: each letter is read when its turn comes, with what holds then.
    for pk, tries in list(due().order_by("due_at", "pk").values_list("pk", "tries")[:BATCH_SIZE]):
        letter = _claim(pk, tries)
        status = _send(letter) if letter is not None else None
        done += status is DeliveryStatus.DONE
        # The others would fail the same way, each after EMAIL_TIMEOUT.
        if status is DeliveryStatus.AWAY:
            break
    return done


def _claim(pk: int, tries: int) -> WaitingLetter | None:
    """Claim and return the letter, if nobody else took it since it was looked at. A claim ends after `CLAIM`."""
    # Compare and set: of two senders that saw the same number of tries only one changes the row.
    mine = due().filter(pk=pk, tries=tries)
    if not mine.update(tries=F("tries") + 1, due_at=timezone.now() + CLAIM):
        return None
    return WaitingLetter.objects.select_related("user").filter(pk=pk).first()


def _send(letter: WaitingLetter) -> DeliveryStatus:
    """Send one letter from claim to end: written now, of what holds now."""
    try:
        # All are written before one is sent: an error in the second must not repeat the first.
        mails = list(WRITERS[letter.kind](letter))
        if mails:
            get_connection().send_messages(mails)
    except FAILURES as error:
        return _not_sent(letter, error)
    except ValueError as error:  # an address that no mail can be written to
        return _given_up(letter, error, "mail.refused")
    # Last: a sender that dies before this line makes the letter go out twice at worst; it is never lost.
    _mine(letter).delete()
    return DeliveryStatus.DONE


def _not_sent(letter: WaitingLetter, error: Exception) -> DeliveryStatus:
    if is_for_good(error):
        return _given_up(letter, error, "mail.refused")
    if letter.tries > len(BACK_OFF):
        return _given_up(letter, error, "mail.given_up")
    log.warning("letters.not_sent", letter=letter.pk, kind=letter.kind, attempt=letter.tries, reason=summary_of(error))
    _mine(letter).update(due_at=timezone.now() + BACK_OFF[letter.tries - 1], error="mail.waits")
    return DeliveryStatus.LATER if is_answer(error) else DeliveryStatus.AWAY


def _given_up(letter: WaitingLetter, error: Exception, code: str) -> DeliveryStatus:
    """Give a letter up. Its row stays for a day, so that the page of the person who asked can say why nothing came."""
    log.warning("letters.given_up", letter=letter.pk, kind=letter.kind, code=code, reason=summary_of(error))
    _mine(letter).update(due_at=None, error=code)
    return DeliveryStatus.REFUSED


def _mine(letter: WaitingLetter) -> QuerySet[WaitingLetter]:
    """Return the row, unless its claim was over and somebody else has it now."""
    return WaitingLetter.objects.filter(pk=letter.pk, tries=letter.tries)
