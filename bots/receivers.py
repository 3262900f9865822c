"""What this app does when it hears of accounts: write it into the audit, count tries per address."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any, Final

from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from accounts.errors import TooOften
from accounts.models import User
from accounts.signals import account_changed, backup_written, trying
from bots.journal import BACKUP, SERVICE, audit
from bots.metering import count, network_of

TRIES: Final[Mapping[str, int]] = {
    "signup": 100,
    "login": 200,
    "own_password": 30,
    "reset": 30,
    "reset_to": 5,
    "address": 30,
    "address_to": 5,
}
"""Forms sent an hour from one address: a hall of people behind one address signs up in an evening.

own_password: for one account, from wherever.
"""
EVERY: Final = timedelta(hours=1)


def connect() -> None:
    """Begin to listen; once per process."""
    account_changed.connect(write_down)
    trying.connect(count_tries)
    backup_written.connect(note_backup)


def write_down(
    verb: str,
    user: User,
    before: Mapping[str, object],
    after: Mapping[str, object],
    by: User | None = None,
    **_kwargs: Any,
) -> None:
    """An account was made or changed: in the transaction that does it. by: who did it, if not its owner."""
    audit(verb, f"account:{user.uuid}", actor=by or user, before=before, after=after)


def count_tries(what: str, address: str, **_kwargs: Any) -> None:
    """Raise TooOften once this address sent the form too often within the hour."""
    seconds = count(f"{what}:{_mark(address)}", most=TRIES[what], within=EVERY)
    if seconds is not None:
        message = _("Too many tries came from this address within an hour, so it has to wait a little.")
        raise TooOften(message, retry_after=seconds)


def _mark(address: str) -> str:
    """Stands for an address without telling it; one household's IPv6 addresses are one."""
    return salted_hmac("hanami.meter", network_of(address)).hexdigest()[:24]


def note_backup(rows: int, digest: str, **_kwargs: Any) -> None:
    """A backup was written: the page for operators says when."""
    audit(BACKUP, SERVICE, actor=None, after={"rows": rows, "sha256": digest})
