"""The address that mail goes to: asked for, confirmed by a signed link from the mail itself, changed, taken away.

Until a new address is confirmed the one before stays in use. A link is good for a day, for one address, once: it names
the address that the account waits for, so another wish, or having confirmed it, makes it dead. Anyone who reads this
mail can set a new password, so the pages ask for the password before anything here is changed. Mails wait in rows
(`accounts.posting`).
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Final
from uuid import UUID

from django.core import signing
from django.core.mail import EmailMessage
from django.db import transaction
from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from accounts.errors import AccountError
from accounts.letters import AUTOMATIC, language_of, letter, zone_of
from accounts.locking import lock_account
from accounts.models import User, WaitingLetter
from accounts.posting import Kind, post
from accounts.signals import AccountAct, account_changed

GOOD_FOR: Final = timedelta(hours=24)
SALT: Final = "hanami.address"


@transaction.atomic
def ask_for_address(*, user: User, address: str, zone: str = "") -> None:
    """Ask anyone who reads mail at an address to confirm it by a link; mail goes there once they have.

    zone: the browser's name of its time zone. Raises AccountError "address.already", AccountGone.
    """
    row = lock_account(user)
    if address == row.mail_address:
        message = _("We already send mail to that address.")
        raise AccountError(message, code="address.already")
    row.email_wanted = address
    row.save(update_fields=["email_wanted"])
    # A link to the address before would open nothing any more: it need not be sent.
    links_of(row).delete()
    post(Kind.CONFIRM, address=address, user=row, language=get_language() or "", zone=zone)
    _write_down(row, "asked")
    user.email_wanted = address


def links_of(user: User) -> QuerySet[WaitingLetter]:
    """Return the links that wait to be sent to the address that an account asks for, or could not be sent; the newest
    first.
    """
    return WaitingLetter.objects.filter(user=user, kind=Kind.CONFIRM).order_by("-pk")


def confirming_letter(waiting: WaitingLetter) -> Iterator[EmailMessage]:
    """Yield the mail with the link, if the account still waits for this address."""
    user = waiting.user
    # Looked at when it is sent, not when it was asked for: the letter may have waited an hour.
    if user is None or not user.is_active or user.email_wanted != waiting.address:
        return
    context = {"person": user, "path": path_of(user), "until": timezone.now() + GOOD_FOR}
    locale = {"language": language_of(user, waiting.language), "zone": zone_of(user, waiting.zone)}
    yield letter("accounts/mail/confirm", context, to=waiting.address, headers=AUTOMATIC, **locale)


def changed_letter(waiting: WaitingLetter) -> Iterator[EmailMessage]:
    """Yield the mail to the previous address: mail goes elsewhere now."""
    user = waiting.user
    if user is None or not user.is_active:
        return
    locale = {"language": language_of(user), "zone": zone_of(user)}
    yield letter("accounts/mail/changed", {"person": user}, to=waiting.address, headers=AUTOMATIC, **locale)


def path_of(user: User) -> str:
    """Return the path of the page that confirms the address an account waits for."""
    return reverse("address-confirm", args=[link_token(user)])


def link_token(user: User) -> str:
    """Return the token in the link that confirms the address an account waits for."""
    return signing.dumps([user.uuid.hex, _mark(user.email_wanted)], salt=SALT)


def _mark(address: str) -> str:
    """Return a mark that stands for an address in a link without telling it."""
    return salted_hmac(SALT, address, algorithm="sha256").hexdigest()[:32]


def waiting_for(token: str) -> User:
    """Return the account whose `email_wanted` a link confirms. Raises AccountError "address.link_old",
    "address.link_dead".
    """
    try:
        uuid, mark = signing.loads(token, salt=SALT, max_age=GOOD_FOR)
        user = User.objects.filter(uuid=UUID(hex=uuid), is_active=True).exclude(email_wanted="").first()
    except signing.SignatureExpired as old:
        message = _("This link is older than a day. Ask for another one on the page “Email address”.")
        raise AccountError(message, code="address.link_old") from old
    except (signing.BadSignature, ValueError, TypeError) as wrong:
        raise _dead() from wrong
    # One answer for every way in which a link is wrong: it tells nothing about accounts.
    if user is None or not constant_time_compare(mark, _mark(user.email_wanted)):
        raise _dead()
    return user


def _dead() -> AccountError:
    message = _("This link is no longer valid: it was used, or you have asked for another address since.")
    return AccountError(message, code="address.link_dead")


@transaction.atomic
def confirm_address(token: str) -> User:
    """Let mail go to the confirmed address from now on; the reader of the previous one is told.

    Raises what `waiting_for` raises, AccountGone.
    """
    found = waiting_for(token)
    user = lock_account(found)
    # Read again under the lock: another wish may have come since the link was checked.
    if user.email_wanted != found.email_wanted:
        raise _dead()
    before = user.mail_address
    user.email, user.email_wanted, user.email_confirmed_at = user.email_wanted, "", timezone.now()
    user.save(update_fields=["email", "email_wanted", "email_confirmed_at"])
    links_of(user).delete()
    if before:
        # An owner whose account was taken over learns of it here, at an address the thief does not read.
        post(Kind.CHANGED, address=before, user=user)
    _write_down(user, "confirmed")
    return user


@transaction.atomic
def remove_address(*, user: User) -> None:
    """Remove the address and one that waits: no mail any more. Doing it twice changes nothing. Raises AccountGone."""
    row = lock_account(user)
    if row.email or row.email_wanted:
        row.email, row.email_wanted, row.email_confirmed_at = "", "", None
        row.save(update_fields=["email", "email_wanted", "email_confirmed_at"])
        links_of(row).delete()
        _write_down(row, "taken away")


def _write_down(user: User, what: str) -> None:
    """Write the change into the audit: the address itself is nobody else's business."""
    account_changed.send(User, verb=AccountAct.ADDRESS, user=user, before={}, after={"address": what})
