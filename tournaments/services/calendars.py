"""A person's own calendar: an address that programs fetch without logging in, signed, and dead once it is revoked.

The address names its reader and the act that opened it. It is good while that act is the last word in the audit: no
row of its own, and who opened and revoked when stands where such things stand.
"""

from __future__ import annotations

from typing import Final
from uuid import UUID

from django.core.signing import BadSignature, Signer
from django.db import transaction

from accounts.models import User
from bots.journal import audit
from bots.models import AuditEvent

OPENED: Final = "calendar.open"
CLOSED: Final = "calendar.close"
SIGNER: Final = Signer(salt="hanami.calendar", sep=".")


def _subject(uuid: object) -> str:
    return f"calendar:{uuid}"


def _last(uuid: object) -> AuditEvent | None:
    acts = AuditEvent.objects.filter(subject=_subject(uuid), verb__in=(OPENED, CLOSED))
    return acts.order_by("-pk").first()


def calendar_token(user: User) -> str:
    """What stands in the address of a person's calendar; empty while there is none. One query."""
    last = _last(user.uuid)
    return _token(user, last) if last is not None and last.verb == OPENED else ""


def _token(user: User, act: AuditEvent) -> str:
    return SIGNER.sign(f"{user.uuid.hex}-{act.pk}")


@transaction.atomic
def open_calendar(*, user: User) -> str:
    """A new address; one that was there before is dead from now on."""
    User.objects.select_for_update().get(pk=user.pk)
    return _token(user, audit(OPENED, _subject(user.uuid), actor=user))


@transaction.atomic
def close_calendar(*, user: User) -> None:
    """No address any more. Doing it twice changes nothing."""
    User.objects.select_for_update().get(pk=user.pk)
    last = _last(user.uuid)
    if last is not None and last.verb == OPENED:
        audit(CLOSED, _subject(user.uuid), actor=user)


def reader_of(token: str) -> User | None:
    """Whose calendar it is, None for an address that was never given, is revoked, or whose reader may not sign in."""
    try:
        uuid, _, number = SIGNER.unsign(token).partition("-")
        reader = UUID(hex=uuid)
    except (BadSignature, ValueError):
        return None
    last = _last(reader)
    if last is None or last.verb != OPENED or str(last.pk) != number:
        return None
    return User.objects.filter(uuid=reader, is_active=True).first()
