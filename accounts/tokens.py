"""Keys for programs: made, shown once, found by their hash, revoked."""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.errors import AccountError
from accounts.locking import lock_account
from accounts.models import Token, User
from accounts.phrasing import listed
from accounts.signals import AccountAct, account_changed

PREFIX: Final = "hf_"
SHAPE: Final = re.compile(r"hf_[A-Za-z0-9_-]{40}")
SHOWN: Final = 9
"""Characters of a key that are kept to be shown."""
MAX_TOKENS: Final = 20
MAX_LIFETIME: Final = timedelta(days=366)
USED_EVERY: Final = timedelta(minutes=1)
"""The last use is written down at most once in this time: else every request would write a row."""
SCOPES: Final[dict[str, str | Promise]] = {
    "read": gettext_lazy("read what only I can read"),
    "bot:write": gettext_lazy("create bots, upload and activate versions"),
    "bot:logs": gettext_lazy("read logs, tracebacks and sources of my bots"),
    "event:write": gettext_lazy("create events, enter bots, draw, call and close rounds"),
    "bot:play": gettext_lazy("play with remote programs of mine: challenges, tables, answers"),
    "report:write": gettext_lazy("report, confirm and rule results"),
    "hook:write": gettext_lazy("create and change webhooks, which report events to my addresses"),
    "admin": gettext_lazy("everything operators can do, if I am one"),
}


@dataclass(frozen=True, slots=True)
class Bound:
    """The one thing a token is for. kind: "event" or "bot"; name: its name when the token is made."""

    kind: str
    uuid: UUID
    name: str


@transaction.atomic
def make_token(
    *, user: User, name: str, scopes: Sequence[str], expires_at: datetime | None = None, bound: Bound | None = None
) -> tuple[Token, str]:
    """Return a new token and its key, which nobody can read again. The caller has made sure that `bound` is the user's.

    Raises AccountError "token.no_name", "token.no_scope", "token.bad_scope", "token.bad_expiry", "token.limit",
    AccountGone.
    """
    _check(name, scopes, expires_at)
    # Held before counting: two requests at once could both find room for the twentieth.
    lock_account(user)
    if live(user).count() >= MAX_TOKENS:
        message = _("You have %(n)s tokens, which is the limit. Revoke one that you do not use.")
        raise AccountError(message % {"n": MAX_TOKENS}, code="token.limit")
    key = PREFIX + secrets.token_urlsafe(30)
    token = Token.objects.create(
        user=user,
        name=name.strip(),
        start=key[:SHOWN],
        digest=digest_of(key),
        # In the order of SCOPES and each once, however they were sent.
        scopes=[scope for scope in SCOPES if scope in scopes],
        expires_at=expires_at,
        bound_kind=bound.kind if bound else "",
        bound_to=bound.uuid if bound else None,
        bound_name=bound.name[:80] if bound else "",
    )
    after = {"token": str(token.uuid), "scopes": token.scopes}
    account_changed.send(User, verb=AccountAct.TOKEN_MAKE, user=user, before={}, after=after)
    return token, key


def _check(name: str, scopes: Sequence[str], expires_at: datetime | None) -> None:
    if not 1 <= len(name.strip()) <= 60 or not name.isprintable():
        raise AccountError(_("Describe in at most 60 characters what the token is for."), code="token.no_name")
    if not scopes:
        raise AccountError(_("Choose at least one thing that the token may do."), code="token.no_scope")
    if not set(scopes) <= set(SCOPES):
        message = _("There is no such scope. Choose from: %(scopes)s.") % {"scopes": listed(SCOPES)}
        raise AccountError(message, code="token.bad_scope")
    now = timezone.now()
    if expires_at is not None and not now < expires_at <= now + MAX_LIFETIME:
        message = _("A token expires within a year from now, or never.")
        raise AccountError(message, code="token.bad_expiry")


def live(user: User) -> QuerySet[Token]:
    """Return the tokens of a person that can still be used, newest first."""
    return Token.objects.filter(_unspent(), user=user).order_by("-pk")


def _unspent() -> Q:
    return Q(revoked_at=None) & (Q(expires_at=None) | Q(expires_at__gt=timezone.now()))


def usable(tokens: Iterable[int]) -> frozenset[int]:
    """Return those of these tokens (their keys in the database) that can still be used. One query."""
    rows = Token.objects.filter(_unspent(), pk__in=list(tokens), user__is_active=True)
    return frozenset(rows.values_list("pk", flat=True))


@transaction.atomic
def revoke_token(*, token: Token) -> None:
    """End a token at once. Twice changes nothing."""
    # The update decides: of two clicks only one writes into the audit.
    if Token.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=timezone.now()):
        account_changed.send(
            User, verb=AccountAct.TOKEN_REVOKE, user=token.user, before={}, after={"token": str(token.uuid)}
        )


def revoke_all(*, user: User) -> int:
    """End every token of somebody that can still be used. Returns how many did. Needs a transaction."""
    tokens = list(live(user).select_related("user"))
    for token in tokens:
        revoke_token(token=token)
    return len(tokens)


def digest_of(key: str) -> str:
    """Return the digest that is stored of a key: it has 240 random bits, so a plain hash cannot be turned back."""
    return hashlib.sha256(key.encode()).hexdigest()


def read_token(key: str) -> Token:
    """Return the token of a key, its use written down. One query, and one more once a minute.

    Raises AccountError "auth.token_unknown", "auth.token_revoked", "auth.token_expired".
    """
    found = None
    # Anything else costs no query. A suspended person's keys are unknown, too.
    if SHAPE.fullmatch(key):
        found = Token.objects.select_related("user").filter(digest=digest_of(key), user__is_active=True).first()
    if found is None:
        raise AccountError(_("There is no such token. Make one on the page “Tokens”."), code="auth.token_unknown")
    now = timezone.now()
    if found.revoked_at is not None:
        raise AccountError(_("This token was revoked. Make a new one."), code="auth.token_revoked")
    if found.expires_at is not None and found.expires_at <= now:
        raise AccountError(_("This token has expired. Make a new one."), code="auth.token_expired")
    if found.used_at is None or found.used_at + USED_EVERY <= now:
        Token.objects.filter(pk=found.pk).update(used_at=now)
    return found
