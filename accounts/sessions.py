"""Sessions of a person: where they are logged in, and the end of one session."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.signals import user_logged_in
from django.contrib.sessions.models import Session
from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone

from accounts.models import SignIn, User
from accounts.phrasing import listed
from accounts.signals import AccountAct, account_changed

MAXIMUM: Final = 50
FORGOTTEN_AT_ONCE: Final = 2_000
# In this order: Edge and Opera also call themselves Chrome, and Chrome calls itself Safari.
BROWSERS: Final = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("Firefox/", "Firefox"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
# In this order: Android also calls itself Linux, iPhone and iPad "like Mac OS".
SYSTEMS: Final = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("Mac OS", "macOS"),
    ("Linux", "Linux"),
)


@dataclass(frozen=True, slots=True)
class Place:
    """A session. uuid: to end it by; device: names of browser and system, "" if unknown; here: it is the reader's."""

    uuid: UUID
    device: str
    since: datetime
    here: bool


def connect() -> None:
    """Write down every log-in; once per process."""
    user_logged_in.connect(record_use, dispatch_uid="accounts.sessions")


def record_use(request: HttpRequest | None, user: User, **_kwargs: Any) -> None:
    """Write down that somebody has logged in."""
    # A log-in by code, without a request, has no device.
    if request is None:
        return
    if request.session.session_key is None:  # it replaced the session of somebody else and is not stored yet
        request.session.create()
    key = request.session.session_key
    agent = request.headers.get("User-Agent", "")[:200]
    seen = {"user": user, "agent": agent, "at": timezone.now()}
    # A second log-in in one browser keeps its session: one row per session.
    SignIn.objects.update_or_create(secret=key, defaults=seen)
    # A script that logs in again and again must not fill the list.
    oldest = SignIn.objects.filter(user=user).order_by("-pk").values_list("pk", flat=True)[MAXIMUM:]
    SignIn.objects.filter(pk__in=list(oldest)).delete()


def places_of(user: User, key: str | None) -> Sequence[Place]:
    """Return the sessions that live, the reader's own first, then the newest; dead rows are deleted. Three queries.

    key: of the reader's own.
    """
    rows = list(SignIn.objects.filter(user=user).order_by("-pk"))
    living = Session.objects.filter(session_key__in=[row.secret for row in rows], expire_date__gt=timezone.now())
    alive = set(living.values_list("session_key", flat=True))
    dead = [row.pk for row in rows if row.secret not in alive]
    if dead:
        SignIn.objects.filter(pk__in=dead).delete()
    found = [Place(row.uuid, device_of(row.agent), row.at, row.secret == key) for row in rows if row.secret in alive]
    return sorted(found, key=lambda place: not place.here)


def device_of(agent: str) -> str:
    """Return the names of browser and system in a User-Agent: "Firefox, Linux"."""
    names = [next((name for sign, name in signs if sign in agent), "") for signs in (BROWSERS, SYSTEMS)]
    return listed(name for name in names if name)


def renew_session(request: HttpRequest, user: User) -> None:
    """Keep this session under a new key, after an act that ended all sessions of a person."""
    update_session_auth_hash(request, user)
    SignIn.objects.filter(user=user).exclude(secret=request.session.session_key).delete()


def purge_expired_sessions() -> int:
    """Delete sessions that are over, with their devices, at most FORGOTTEN_AT_ONCE. Returns how many.

    A session holds who is logged in, and the private links and tables that a phone has opened.
    """
    over = Session.objects.filter(expire_date__lt=timezone.now()).order_by("expire_date")
    keys = list(over.values_list("session_key", flat=True)[:FORGOTTEN_AT_ONCE])
    if keys:
        SignIn.objects.filter(secret__in=keys).delete()
        Session.objects.filter(session_key__in=keys).delete()
    return len(keys)


@transaction.atomic
def end_session(*, user: User, uuid: UUID) -> bool:
    """End one session of one's own. Returns False if there is none of that id (any more)."""
    # By person and uuid: nobody ends the sessions of others, and the session's key never leaves the server.
    row = SignIn.objects.filter(user=user, uuid=uuid).first()
    if row is None:
        return False
    Session.objects.filter(session_key=row.secret).delete()
    row.delete()
    account_changed.send(User, verb=AccountAct.END_SESSION, user=user, before={}, after={})
    return True
