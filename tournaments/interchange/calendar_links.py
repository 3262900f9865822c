"""A person's own calendar: an address that programs fetch without logging in, and that can be renewed or closed.

The address is 20 of 32 letters, 100 bits, made from a random id under the server's key like a private link (decision
0048). Stored is only its SHA-256: whoever reads the database has no address, and the page can still show it again.
"""

from __future__ import annotations

import hashlib
import uuid
from datetime import timedelta
from typing import Final

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac

from accounts.holding import hold_account
from accounts.models import User
from activity.journal import audit
from tournaments.domain_events.programs import CalendarClosed, CalendarOpened
from tournaments.models import CalendarLink
from tournaments.scores.slips import LETTERS

SALT: Final = "hanami.calendar"
LENGTH: Final = 20
USED_EVERY: Final = timedelta(hours=1)
"""The last use is written down at most so often."""


def _letters(link: CalendarLink, key: str | bytes) -> str:
    mixed = salted_hmac(SALT, link.uuid.hex, secret=key, algorithm="sha256").digest()
    number = int.from_bytes(mixed, "big")
    return "".join(LETTERS[number >> 5 * place & 31] for place in range(LENGTH))


def _digest(letters: str) -> str:
    return hashlib.sha256(f"{SALT}:{letters}".encode()).hexdigest()


def calendar_token(user: User) -> str:
    """What stands in the address of a person's calendar. One query.

    "" while there is none, and where the server's key has changed since it was made: then it works, but is not shown.
    """
    link = CalendarLink.objects.filter(user=user).first()
    keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    found = (_letters(link, key) for key in keys) if link is not None else ()
    return next((letters for letters in found if link is not None and _digest(letters) == link.digest), "")


@transaction.atomic
def open_calendar(*, user: User) -> str:
    """A new address; one that was there before is dead from now on. Raises AccountGone."""
    hold_account(user)
    CalendarLink.objects.filter(user=user).delete()
    link = CalendarLink(user=user, uuid=uuid.uuid4())
    letters = _letters(link, settings.SECRET_KEY)
    link.digest = _digest(letters)
    link.save()
    audit(CalendarOpened, f"calendar:{user.uuid}", actor=user)
    return letters


@transaction.atomic
def close_calendar(*, user: User) -> None:
    """No address any more. Doing it twice changes nothing."""
    gone, _by_model = CalendarLink.objects.filter(user=user).delete()
    if gone:
        audit(CalendarClosed, f"calendar:{user.uuid}", actor=user)


def reader_of(token: str) -> User | None:
    """Whose calendar it is, None for an address that was never given, is dead, or whose reader may not sign in.

    One query by the hash, and one more once an hour.
    """
    found = CalendarLink.objects.select_related("user").filter(digest=_digest(token), user__is_active=True).first()
    if found is None:
        return None
    now = timezone.now()
    if found.used_at is None or found.used_at + USED_EVERY <= now:
        CalendarLink.objects.filter(pk=found.pk).update(used_at=now)
    return found.user
