"""Browsers that are told: subscribed, listed and unsubscribed, for an account or for a private link."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

import structlog
from cryptography.hazmat.primitives.asymmetric import ec
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from accounts.locking import lock_account
from accounts.models import User
from activity.domain_events import DomainEvent
from activity.journal import audit
from core.errors import TournamentError
from tournaments.domain_events.programs import PushEnded, PushSubscribed, PushUnsubscribed
from tournaments.models import EntryLink, PushSubscription
from tournaments.notifications.push.keys import server_key
from tournaments.webhooks.addresses import read_url

MAX_BROWSERS: Final = 10
# A private link is for one person's phone.
MAX_BROWSERS_OF_LINK: Final = 3
POINT_BYTES: Final = 65
SECRET_BYTES: Final = 16
log = structlog.get_logger(__name__)


class Gone(StrEnum):
    """Reasons for which we remove a subscription."""

    ENDED = "ended"  # the push service says that the browser is gone
    FAILING = "failing"  # nothing has been taken for days
    KEY = "key"  # the key of the service is another one now
    ADDRESS = "address"  # we send nothing to this host any more


@dataclass(frozen=True, slots=True)
class BrowserKeys:
    """What a browser says of itself when it is subscribed. public_key, auth_secret: base64url, as RFC 8291 has them."""

    endpoint: str
    public_key: str
    auth_secret: str


def subscribe(*, browser: BrowserKeys, user: User | None = None, link: EntryLink | None = None) -> PushSubscription:
    """Tell a browser from now on, for an account or for a private link; again, its keys are replaced.

    Raises TournamentError "push.bad_endpoint", "push.bad_key", "push.too_many", "link.ended"; AccountGone.
    """
    fields = _fields(browser)
    digest = digest_of(browser.endpoint)
    try:
        with transaction.atomic():
            _lock(user, link)
            mine = of_person(user=user, link=link)
            found = mine.filter(endpoint_digest=digest).first()
            if found is not None:
                mine.filter(pk=found.pk).update(**fields, failing_since=None, failures=0)
                return found
            _require_room(mine, MAX_BROWSERS if user is not None else MAX_BROWSERS_OF_LINK)
            row = PushSubscription.objects.create(user=user, link=link, endpoint_digest=digest, **fields)
            _record(PushSubscribed, row, by=user, receiver=row.receiver)
    except IntegrityError:  # a second press was first
        row = of_person(user=user, link=link).get(endpoint_digest=digest)
    return row


def _lock(user: User | None, link: EntryLink | None) -> None:
    """Lock whose subscription it is: two browsers at once cannot both be the last that there is room for."""
    if user is not None:
        lock_account(user)
    elif link is not None and not EntryLink.objects.select_for_update().filter(pk=link.pk, ended_at=None).exists():
        message = _("This link was replaced or removed. Scan your new card, or ask the organiser for one.")
        raise TournamentError(message, code="link.ended")


def _require_room(mine: QuerySet[PushSubscription], most: int) -> None:
    if mine.count() >= most:
        message = _("%(n)s browsers are notified already, which is the limit. Remove one of them first.")
        raise TournamentError(message % {"n": most}, code="push.too_many", extra={"limit": most})


def _fields(browser: BrowserKeys) -> dict[str, Any]:
    try:
        target = read_url(browser.endpoint)
    except TournamentError as refused:
        raise _bad_endpoint() from refused
    if target.scheme != "https":
        raise _bad_endpoint()
    try:
        point, secret = decoded(browser.public_key), decoded(browser.auth_secret)
        # Refuses what is no point of the curve, which would fail at every sending.
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
    except ValueError as wrong:
        raise _bad_key() from wrong
    if len(point) != POINT_BYTES or len(secret) != SECRET_BYTES:
        raise _bad_key()
    return {
        "endpoint": browser.endpoint,
        "receiver": target.receiver,
        "public_key": browser.public_key,
        "auth_secret": browser.auth_secret,
        "server_key": server_key(),
        "language": get_language() or "",
    }


def _bad_endpoint() -> TournamentError:
    message = _("This is no address of a push service: it must begin with https:// and be on the public internet.")
    return TournamentError(message, code="push.bad_endpoint", extra={"field": "endpoint"})


def _bad_key() -> TournamentError:
    message = _("The keys of this browser are not valid. Switch notifications on again in the browser.")
    return TournamentError(message, code="push.bad_key", extra={"field": "p256dh"})


def unsubscribe(*, row: PushSubscription, by: User | None = None) -> None:
    """Tell a browser no more. Doing it twice changes nothing. Every caller has made sure whose it is."""
    with transaction.atomic():
        gone, _by_model = PushSubscription.objects.filter(pk=row.pk).delete()
        if gone:
            _record(PushUnsubscribed, row, by=by)


def remove(row: PushSubscription, why: Gone) -> None:
    """Remove a subscription of which nothing can come any more; what waits for it goes along."""
    with transaction.atomic():
        gone, _by_model = PushSubscription.objects.filter(pk=row.pk).delete()
        if gone:
            _record(PushEnded, row, by=None, reason=str(why))
            log.info("push.removed", subscription=str(row.uuid), receiver=row.receiver, why=str(why))


def of_person(*, user: User | None = None, link: EntryLink | None = None) -> QuerySet[PushSubscription]:
    """Return the browsers of an account, or of a private link, the newest first."""
    rows = PushSubscription.objects.filter(user=user, link=link) if user or link else PushSubscription.objects.none()
    return rows.order_by("-pk")


def decoded(text: str) -> bytes:
    """Return the bytes of base64url without padding. Raises ValueError."""
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)


def digest_of(endpoint: str) -> str:
    """Return the SHA-256 of an endpoint, by which a page knows its own browser without being told the address."""
    return hashlib.sha256(endpoint.encode()).hexdigest()


def _record(verb: type[DomainEvent], row: PushSubscription, *, by: User | None, **after: object) -> None:
    """Write what operators read of it: never the endpoint, which is a key to the browser."""
    audit(verb, f"push:{row.uuid}", actor=by, after=after)
