"""Errors of accounts; `code` is stable, the message says what to do."""

from __future__ import annotations


class AccountError(Exception):
    """Root of the errors of this app. It has the shape of the project's DomainError, which lives above it."""

    code = "account.error"

    def __init__(self, message: str, *, code: str = "") -> None:
        super().__init__(message)
        self.code = code or self.code


class AccountGone(AccountError):
    """The account was deleted or suspended while it was used."""

    code = "account.gone"


class AccountSuspended(AccountError):
    """Somebody who knows the password wants to log in to a suspended account. reason: the operator's words."""

    code = "account.suspended"

    def __init__(self, message: str, *, reason: str) -> None:
        super().__init__(message)
        self.reason = reason


class TooOften(AccountError):
    """Somebody at this address tried this too often. `retry_after`: seconds until it may be tried again."""

    code = "rate.limited"

    def __init__(self, message: str, *, retry_after: int) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class BackupError(AccountError):
    """A backup cannot be written, read or restored."""

    code = "backup.error"
