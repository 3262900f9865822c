"""Receivers of signals about accounts: they write the audit and count attempts per address."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any, Final

from django.http import HttpRequest
from django.utils.translation import gettext as _

from accounts.errors import TooOften
from accounts.models import User
from accounts.signals import AccountAct, account_changed, backup_written, trying
from activity.account_events import BackupWritten
from activity.domain_events import required_class
from activity.journal import SERVICE, audit
from web.rate_limits import count, count_from, mark_of, network_of, wide_network_of

TRIES: Final[Mapping[str, int]] = {
    "signup": 100,
    "login": 200,
    "login_name": 40,
    "own_password": 30,
    "reset": 30,
    "reset_to": 5,
    "address": 30,
    "address_to": 5,
}
"""Forms sent an hour from one address: a hall of people behind one address signs up in an evening.

own_password: for one account, from wherever. login_name: for one name from a /48 of IPv6, whose 65,536 networks /64
django-axes takes for as many strangers.
"""
EVERY: Final = timedelta(hours=1)


def connect() -> None:
    """Begin to listen; once per process."""
    account_changed.connect(write_down)
    trying.connect(count_tries)
    backup_written.connect(record_backup)


def write_down(
    verb: AccountAct,
    user: User,
    before: Mapping[str, object],
    after: Mapping[str, object],
    by: User | None = None,
    **_kwargs: Any,
) -> None:
    """Write into the audit, in the transaction of the act, that an account was made or changed.

    by: who did it, if not its owner.
    """
    audit(required_class(verb), f"account:{user.uuid}", actor=by or user, before=before, after=after)


def count_tries(what: str, address: str, name: str = "", **_kwargs: Any) -> None:
    """Raise TooOften once this address sent the form too often within the hour. name: the account that it was for."""
    seconds = count_from(f"{what}:", mark_of(address), most=TRIES[what], within=EVERY)
    wide = wide_network_of(address)
    # The second counter is asked only if the first passes: a refused attempt does not count twice.
    if name and wide and seconds is None:
        seconds = count(f"login_name:{mark_of(f'{wide} {name}')}", most=TRIES["login_name"], within=EVERY)
    if seconds is not None:
        message = _("Your address made too many attempts within an hour and has to wait.")
        raise TooOften(message, retry_after=seconds)


def locked_network(request: HttpRequest) -> str | None:
    """The address for which django-axes closes a name: of IPv6 the first of the /64, whose others are as near."""
    address = str(request.META.get("REMOTE_ADDR", ""))
    # One customer has a whole /64 of IPv6: a lock on single addresses would let them try a password from each.
    return network_of(address).partition("/")[0] or None


def record_backup(rows: int, digest: str, **_kwargs: Any) -> None:
    """Write into the audit that a backup was written: the page for operators says when."""
    audit(BackupWritten, SERVICE, actor=None, after={"rows": rows, "sha256": digest})
