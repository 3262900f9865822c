"""Signals about accounts for other apps. This app imports none of them; they connect in their `ready`."""

from enum import StrEnum

from django.dispatch import Signal


class AccountAct(StrEnum):
    """Acts on an account, as they are stored for ever. `activity.account_events` says more of each."""

    SIGN_UP = "account.sign_up"
    PASSWORD = "account.password"  # noqa: S105  # a word
    PROFILE = "account.profile"
    RESET = "account.reset"
    END_SESSION = "account.end_session"
    SIGN_OUT = "account.sign_out"
    EXPORT = "account.export"
    DELETE = "account.delete"
    ADDRESS = "account.address"
    OPERATOR = "account.operator"
    TOKEN_MAKE = "token.make"  # noqa: S105  # a word
    TOKEN_REVOKE = "token.revoke"  # noqa: S105  # a word


account_changed = Signal()
"""Sent in the transaction of the change, so that it can be written down there.

verb: an `AccountAct`; user: whose account; by: who did it, where it was somebody else; before, after: what everybody
may see of the change.
"""

trying = Signal()
"""Sent before what is limited per address is done. what: "signup", "login", "address" (a link that confirms an
address of mail is asked for); address: of the reader. what: "address_to"; address: of mail, where such a link goes.
what: "own_password"; address: the uuid of an account in whose open session its password is given.

A receiver may raise accounts.errors.TooOften, and then it is not done.
"""

backup_written = Signal()
"""Sent once a backup is whole, so that operators can see how old the last one is. rows: how many; digest: SHA-256."""
