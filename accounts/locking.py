"""Holding an account while something is made for it, so that nothing is made for one that is just being closed.

Anyone who locks rows of bots or events in the same transaction holds the account first: deleting and suspending go from
the account to its bots and events, and two that wait for each other crosswise would never end.
"""

from __future__ import annotations

from django.utils.translation import gettext as _

from accounts.errors import AccountGone
from accounts.models import User


def lock_account(user: User) -> User:
    """Return the row as it is now, held until the end of the transaction. Rows that name the account can still be
    written.

    Raises AccountGone if it was deleted or suspended since it was read.
    """
    # no_key: an insert that points at the account takes a key share lock on it, which a plain FOR UPDATE would block.
    row = User.objects.select_for_update(no_key=True).get(pk=user.pk)
    if not row.is_active:
        message = _("This account was closed in the meantime. Nothing was done.")
        raise AccountGone(message)
    return row
