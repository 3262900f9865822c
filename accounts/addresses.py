"""The address that mail goes to: asked for, confirmed by a signed link from the mail itself, changed, taken away.

Until a new address is confirmed the one before stays in use. A link is good for a day, for one address, once: it names
the address that the account waits for, so another wish, or having confirmed it, makes it dead.
"""

from __future__ import annotations

import smtplib
from datetime import timedelta
from typing import Final
from uuid import UUID

from django.core import signing
from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from accounts.errors import AccountError
from accounts.letters import language_of, letter, zone_of
from accounts.models import User
from accounts.signals import account_changed

GOOD_FOR: Final = timedelta(hours=24)
SALT: Final = "hanami.address"
VERB: Final = "account.address"


def ask_for_address(*, user: User, address: str, zone: str = "") -> None:
    """Send a link to an address; mail goes there once somebody who can read it has confirmed it.

    zone: what the browser calls its time zone. Raises AccountError "address.already", "mail.not_sent".
    """
    with transaction.atomic():
        row = User.objects.select_for_update().get(pk=user.pk)
        if address == row.mail_address:
            message = _("Mail goes there already.")
            raise AccountError(message, code="address.already")
        row.email_wanted = address
        row.save(update_fields=["email_wanted"])
        _write_down(row, "asked")
    user.email_wanted = address
    _send_link(row, zone)


def _send_link(user: User, zone: str) -> None:
    path = reverse("address-confirm", args=[link_token(user)])
    context = {"person": user, "path": path, "until": timezone.now() + GOOD_FOR}
    said = {"language": language_of(user, get_language() or ""), "zone": zone_of(user, zone)}
    _send("accounts/mail/confirm", context, user.email_wanted, said)


def _send(template: str, context: dict[str, object], to: str, said: dict[str, str]) -> None:
    mail = letter(template, context, to=to, headers={"Auto-Submitted": "auto-generated"}, **said)
    try:
        mail.send()
    except (smtplib.SMTPException, OSError) as error:
        message = _("The mail to %(address)s could not be sent. Look whether the address is right, or try again later.")
        raise AccountError(message % {"address": to}, code="mail.not_sent") from error


def link_token(user: User) -> str:
    """What stands in the link that confirms the address an account waits for."""
    return signing.dumps([user.uuid.hex, _mark(user.email_wanted)], salt=SALT)


def _mark(address: str) -> str:
    """Stands for an address in a link without telling it."""
    return salted_hmac(SALT, address, algorithm="sha256").hexdigest()[:32]


def waiting_for(token: str) -> User:
    """The account whose `email_wanted` a link confirms. Raises AccountError "address.link_old", "address.link_dead"."""
    try:
        uuid, mark = signing.loads(token, salt=SALT, max_age=GOOD_FOR)
        user = User.objects.filter(uuid=UUID(hex=uuid), is_active=True).exclude(email_wanted="").first()
    except signing.SignatureExpired as old:
        message = _("This link is older than a day. Ask for another one on the page “Address for mail”.")
        raise AccountError(message, code="address.link_old") from old
    except (signing.BadSignature, ValueError, TypeError) as wrong:
        raise _dead() from wrong
    if user is None or not constant_time_compare(mark, _mark(user.email_wanted)):
        raise _dead()
    return user


def _dead() -> AccountError:
    message = _("This link does not confirm anything (any more): it was used, or another address was asked for since.")
    return AccountError(message, code="address.link_dead")


def confirm_address(token: str) -> User:
    """Mail goes to that address from now on; whoever reads the one before is told. Raises what `waiting_for` raises."""
    with transaction.atomic():
        found = waiting_for(token)
        user = User.objects.select_for_update().get(pk=found.pk)
        if user.email_wanted != found.email_wanted:
            raise _dead()
        before = user.mail_address
        user.email, user.email_wanted, user.email_confirmed_at = user.email_wanted, "", timezone.now()
        user.save(update_fields=["email", "email_wanted", "email_confirmed_at"])
        _write_down(user, "confirmed")
    if before:
        _tell_the_one_before(user, before)
    return user


def _tell_the_one_before(user: User, before: str) -> None:
    """The account has another address now, whether or not this mail arrives."""
    said = {"language": language_of(user), "zone": zone_of(user)}
    try:
        _send("accounts/mail/changed", {"person": user}, before, said)
    except AccountError:
        return


@transaction.atomic
def forget_address(*, user: User) -> None:
    """No mail any more, and no address that waits. Doing it twice changes nothing."""
    row = User.objects.select_for_update().get(pk=user.pk)
    if row.email or row.email_wanted:
        row.email, row.email_wanted, row.email_confirmed_at = "", "", None
        row.save(update_fields=["email", "email_wanted", "email_confirmed_at"])
        _write_down(row, "taken away")


def _write_down(user: User, what: str) -> None:
    """That it was done, for the audit: the address itself is nobody else's business."""
    account_changed.send(User, verb=VERB, user=user, before={}, after={"address": what})
