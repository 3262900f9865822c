"""Meaning of a mail server's refusal: for this mail for good, for now, or that nobody answers at all."""

from __future__ import annotations

import smtplib
from typing import Final

FAILURES: Final = (smtplib.SMTPException, OSError)
"""Errors that sending a mail may raise."""


def codes_of(error: Exception) -> list[int]:
    """Return the numbers that the mail server answered."""
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        return [code for code, _text in error.recipients.values()]
    return [error.smtp_code] if isinstance(error, smtplib.SMTPResponseException) else []


def is_for_good(error: Exception) -> bool:
    """Return whether it is a 5xx to the address or the mail itself; a wrong log-in or sender is for the operator to
    mend.
    """
    codes = codes_of(error)
    of_mail = isinstance(error, smtplib.SMTPRecipientsRefused | smtplib.SMTPDataError)
    # All: of two recipients one may be refused only for now.
    return of_mail and bool(codes) and all(500 <= code < 600 for code in codes)


def is_answer(error: Exception) -> bool:
    """Return whether the server spoke: it is there, and the next mail may go."""
    return isinstance(error, smtplib.SMTPRecipientsRefused | smtplib.SMTPResponseException)


def summary_of(error: Exception) -> str:
    """Return the part of an error that is kept: its kind and the server's numbers, never an address."""
    return " ".join([type(error).__name__, *map(str, codes_of(error))])[:200]
