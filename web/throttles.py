"""Limits of how often a key may be used: counted in the database, shown in `RateLimit`, refused with 429 and
`Retry-After`.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.request import Request

from web.access import somebody, token_of
from web.rate_limits import Taken, look, mark_of, take_from

MINUTE: Final = timedelta(minutes=1)
HOUR: Final = timedelta(hours=1)
SAFE: Final = ("GET", "HEAD", "OPTIONS")


@dataclass(frozen=True, slots=True)
class Policy:
    """A limit: at most `most` requests of this name within this time."""

    name: str
    most: int
    within: timedelta


TOKEN: Final = {"read": Policy("read", 120, MINUTE), "write": Policy("write", 30, MINUTE)}
OTHERS: Final = {"read": Policy("read", 600, MINUTE), "write": Policy("write", 120, MINUTE)}
"""Limits of a session, and of an address that sends no key: a hall full of phones is one address."""
UPLOAD: Final = Policy("upload", 10, HOUR)
PLAY: Final = Policy("play", 1200, MINUTE)
"""Limit of answers at tables: twelve tables at which a program is asked more often than once a second."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A policy and what is left of it."""

    policy: Policy
    taken: Taken

    def headers(self) -> dict[str, str]:
        """Return the fields as the draft of RateLimit header fields writes them."""
        name, window = self.policy.name, round(self.policy.within.total_seconds())
        return {
            "RateLimit": f'"{name}";r={self.taken.left};t={self.taken.reset_s}',
            "RateLimit-Policy": f'"{name}";q={self.policy.most};w={window}',
        }


def count_request(request: Request, *, own: Policy | None = None) -> Reading:
    """Count one request. own: the policy of an address that has one of its own, for requests with a key."""
    kind = "read" if request.method in SAFE else "write"
    policy = OTHERS[kind] if token_of(request) is None else own or TOKEN[kind]
    return _take(_who(request), policy)


def count_upload(request: Request) -> Reading:
    """Count one upload that is about to be kept."""
    return _take(_who(request), UPLOAD)


def uploads_left(request: Request) -> Reading:
    """Return how many uploads are left, without counting."""
    return Reading(UPLOAD, look(_meter(UPLOAD, _who(request)), most=UPLOAD.most, within=UPLOAD.within))


def _take(who: str, policy: Policy) -> Reading:
    return Reading(policy, take_from(_meter(policy), who, most=policy.most, within=policy.within))


def _meter(policy: Policy, who: str = "") -> str:
    return f"api.{policy.name}:{who}"


def _who(request: Request) -> str:
    token, user = token_of(request), somebody(request)
    # By token, not by person: one program that runs wild must not stop the owner's others.
    if token is not None:
        return f"token{token.pk}"
    if user is not None:
        return f"user{user.pk}"
    return where_from(request)


def where_from(request: Request) -> str:
    """Return a mark of the network that a request comes from, without telling the address."""
    return mark_of(str(request.META.get("REMOTE_ADDR", "")))


def refusal_of(reading: Reading) -> str:
    """Say which limit was reached, and when it ends."""
    at = (timezone.now() + timedelta(seconds=reading.taken.reset_s)).strftime("%H:%M:%S")
    shown = {"n": reading.policy.most, "at": at}
    if reading.policy is UPLOAD:
        return _("Too many uploads: %(n)s an hour for each token. The next one is taken at %(at)s UTC.") % shown
    return _("Too many requests: %(n)s a minute. The next one is taken at %(at)s UTC.") % shown
