"""A forgotten password: a link by mail to the confirmed address, good for a day, once.

The page answers the same, and as quickly, whether or not an account has the address: it only writes the wish down.
Whoever sends mail looks whose address it is. The row is the queue: a lost bell is rung again by the sweep.
"""

from __future__ import annotations

import smtplib
from datetime import timedelta
from typing import Final

import structlog
from celery import current_app
from django.conf import settings
from django.contrib.auth.tokens import default_token_generator
from django.db import transaction
from django.db.models import F
from django.urls import reverse
from django.utils import timezone
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode
from kombu.exceptions import OperationalError

from accounts.letters import language_of, letter, zone_of
from accounts.models import ResetWish, User
from accounts.signals import account_changed

TASK: Final = "accounts.tasks.send_resets"
QUEUE: Final = "send"
MOST_TRIES: Final = 3
FORGOTTEN_AFTER: Final = timedelta(hours=1)
AT_ONCE: Final = 100

log = structlog.get_logger(__name__)


@transaction.atomic
def ask_for_reset(*, address: str, language: str = "", zone: str = "") -> None:
    """Write down that somebody wants to set the password of the account with this address.

    language, zone: of whoever asks, for accounts that have chosen none.
    """
    ResetWish.objects.create(address=address, language=language, zone=zone)
    transaction.on_commit(ring)


def ring() -> None:
    """Let the wishes be looked at; without a broker the sweep does it later."""
    try:
        current_app.send_task(TASK, queue=QUEUE, retry=False)
    except OperationalError as lost:
        log.warning("reset.not_rung", reason=str(lost))


def ring_if_waiting() -> None:
    """Ring again for wishes whose bell was lost; forget those nobody waits for any more."""
    old = ResetWish.objects.filter(asked_at__lt=timezone.now() - FORGOTTEN_AFTER)
    ResetWish.objects.filter(pk__in=list(old.values_list("pk", flat=True)[:AT_ONCE])).delete()
    if ResetWish.objects.exists():
        ring()


def send_waiting() -> int:
    """Send the links that were asked for. Returns how many wishes were done with, known addresses or not."""
    done = 0
    for wish in ResetWish.objects.order_by("pk")[:AT_ONCE]:
        claim = ResetWish.objects.filter(pk=wish.pk, tries=wish.tries)
        if not claim.update(tries=F("tries") + 1):
            continue  # somebody else is at it
        try:
            _send_to_all(wish)
        except (smtplib.SMTPException, OSError) as failed:
            log.warning("reset.not_sent", reason=str(failed), tries=wish.tries + 1)
            if wish.tries + 1 < MOST_TRIES:
                continue
        ResetWish.objects.filter(pk=wish.pk).delete()
        done += 1
    return done


def _send_to_all(wish: ResetWish) -> None:
    """A mail for every account that goes by this address: the name in it tells one from another."""
    owners = User.objects.filter(email__iexact=wish.address, email_confirmed_at__isnull=False, is_active=True)
    for user in owners.order_by("pk"):
        context = {"person": user, "path": link_of(user), "until": timezone.now() + good_for()}
        said = {"language": language_of(user, wish.language), "zone": zone_of(user, wish.zone)}
        headers = {"Auto-Submitted": "auto-generated"}
        letter("accounts/mail/reset", context, to=user.mail_address, headers=headers, **said).send()


def link_of(user: User) -> str:
    """The path of the page that sets a new password: dead once it was used, or once they have logged in."""
    uid = urlsafe_base64_encode(force_bytes(user.pk))
    return reverse("reset-confirm", args=[uid, default_token_generator.make_token(user)])


def good_for() -> timedelta:
    """How long a link is good for."""
    return timedelta(seconds=settings.PASSWORD_RESET_TIMEOUT)


@transaction.atomic
def set_password(*, user: User, password: str) -> User:
    """The new password of somebody who came by a link. All sessions end. The form has checked it."""
    row = User.objects.select_for_update().get(pk=user.pk)
    row.set_password(password)
    row.save(update_fields=["password"])
    account_changed.send(User, verb="account.reset", user=row, before={}, after={})
    return row
