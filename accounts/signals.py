"""What other apps are told of accounts. This app imports none of them; they connect in their `ready`."""

from django.dispatch import Signal

account_changed = Signal()
"""Sent in the transaction of the change, so that it can be written down there.

verb: "account.sign_up", "account.password", "account.profile", "token.make", "token.revoke"; user: whose account, and
who did it; before, after: what everybody may see of the change.
"""

trying = Signal()
"""Sent before what is limited per address is done. what: "signup" or "login"; address: of the reader.

A receiver may raise accounts.errors.TooOften, and then it is not done.
"""
