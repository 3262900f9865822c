"""Forgotten passwords: a link by mail to the confirmed address, good for a day, once; and what a new password ends.

The page answers the same, and as quickly, whether or not an account has the address: it only writes the wish down. The
sender of mail looks whose address it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from django.conf import settings
from django.contrib.auth.tokens import default_token_generator
from django.core.mail import EmailMessage
from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from accounts.letters import AUTOMATIC, language_of, letter, zone_of
from accounts.locking import lock_account
from accounts.models import SignIn, User, WaitingLetter
from accounts.posting import Kind, post
from accounts.signals import AccountAct, account_changed
from accounts.tokens import revoke_all


def ask_for_reset(*, address: str, language: str = "", zone: str = "") -> None:
    """Write down that somebody wants to set the password of the account with this address.

    language, zone: of the person who asks, for accounts that have chosen none.
    """
    # No look-up here: how long it took would tell whether an account has the address.
    post(Kind.RESET, address=address, user=None, language=language, zone=zone)


def resetting_letters(waiting: WaitingLetter) -> Iterator[EmailMessage]:
    """Yield a mail for every account with this address: the name in it tells one from another."""
    # Confirmed only: a link to an address that somebody merely typed would give the account away.
    owners = User.objects.filter(email__iexact=waiting.address, email_confirmed_at__isnull=False, is_active=True)
    for user in owners.order_by("pk"):
        context = {"person": user, "path": link_of(user), "until": timezone.now() + good_for()}
        locale = {"language": language_of(user, waiting.language), "zone": zone_of(user, waiting.zone)}
        # To the address as the account confirmed it, not as the form has it: `iexact` finds other spellings.
        yield letter("accounts/mail/reset", context, to=user.mail_address, headers=AUTOMATIC, **locale)


def link_of(user: User) -> str:
    """Return the path of the page that sets a new password: dead once it was used, or once they have logged in."""
    uid = urlsafe_base64_encode(force_bytes(user.pk))
    return reverse("reset-confirm", args=[uid, default_token_generator.make_token(user)])


def good_for() -> timedelta:
    """Return the time for which a link is good."""
    return timedelta(seconds=settings.PASSWORD_RESET_TIMEOUT)


@transaction.atomic
def set_password(*, user: User, password: str, end_tokens: bool = True) -> User:
    """Set the new password of a person who came by a link. All sessions end. The form has checked it.

    end_tokens: their tokens end with it. Raises AccountGone.
    """
    row = save_password(user, password, end_tokens=end_tokens)
    SignIn.objects.filter(user=row).delete()  # the sessions open nothing any more, so no list shows them as living
    account_changed.send(User, verb=AccountAct.RESET, user=row, before={}, after={})
    return row


def save_password(user: User, password: str, *, end_tokens: bool) -> User:
    """Store the password, end what ends with the old one, and notify the account's address. Needs a transaction."""
    row = lock_account(user)
    row.set_password(password)
    row.save(update_fields=["password"])
    if end_tokens:
        revoke_all(user=row)
    if row.mail_address:
        post(Kind.PASSWORD, address=row.mail_address, user=row)
    return row


def password_letter(waiting: WaitingLetter) -> Iterator[EmailMessage]:
    """Yield the mail that says that the account has a new password."""
    user = waiting.user
    if user is None or not user.is_active:
        return
    locale = {"language": language_of(user), "zone": zone_of(user)}
    context = {"person": user, "at": waiting.asked_at}
    yield letter("accounts/mail/password", context, to=waiting.address, headers=AUTOMATIC, **locale)
