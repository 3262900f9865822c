"""Authentication of API requests: the person who asks, the token they send, and what the token allows. Roles are
checked by the services, as for pages.
"""

from __future__ import annotations

from typing import Final
from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from django.utils.translation import gettext as _
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed, NotAuthenticated, PermissionDenied
from rest_framework.request import Request

from accounts.errors import AccountError
from accounts.models import Token, User
from accounts.tokens import read_token

SCHEME: Final = "Bearer"
WRITES: Final = ("event:write", "bot:write")
"""Scopes of programs that may change things of more than one kind: one of them is enough."""
Of = tuple[str, UUID]
"""The subject of an act: "event" or "bot", and its uuid."""


class ScopeMissing(PermissionDenied):
    """403: the token may not do this."""

    problem_code = "auth.scope_missing"

    def __init__(self, scopes: tuple[str, ...]) -> None:
        message = _("This token does not allow that: it needs the scope %(scopes)s. Make another one.")
        super().__init__(message % {"scopes": _(" or ").join(scopes)})
        self.problem_extra = {"scopes": list(scopes)}


class BoundElsewhere(PermissionDenied):
    """403: the token is for one thing, and this is another."""

    problem_code = "auth.bound_elsewhere"

    def __init__(self, token: Token) -> None:
        message = _("This token is only for “%(name)s”. Make one for this, or one without a restriction.")
        super().__init__(message % {"name": token.bound_name})


class BadToken(AuthenticationFailed):
    """401: no such token (any more)."""

    def __init__(self, error: AccountError) -> None:
        super().__init__(str(error))
        self.problem_code = error.code


class BearerToken(BaseAuthentication):
    """`Authorization: Bearer hf_...`. A request with a key acts by the key alone: a session sent beside it is not
    looked at.
    """

    def authenticate(self, request: Request) -> tuple[User, Token] | None:
        """Return the token's owner and the token; None without one. Raises BadToken."""
        scheme, _space, key = request.headers.get("Authorization", "").partition(" ")
        # None lets the next authentication class try: a browser's session sends no such header.
        if scheme.lower() != SCHEME.lower():
            return None
        try:
            token = read_token(key.strip())
        except AccountError as refusal:
            raise BadToken(refusal) from refusal
        user = token.user
        if "admin" not in token.scopes:  # of this object alone, which is never saved: the key gives no operator's right
            user.is_staff = user.is_superuser = False
        return user, token

    def authenticate_header(self, request: Request) -> str:
        """Return the challenge of a 401 answer (`WWW-Authenticate`)."""
        return f'{SCHEME} realm="hanami"'


def token_of(request: Request) -> Token | None:
    """Return the token of a request; None for a session and for a stranger."""
    return request.auth if isinstance(request.auth, Token) else None


def somebody(request: Request) -> User | None:
    """Return the person who asks, regardless of what their key allows."""
    user: User | AnonymousUser = request.user
    return user if isinstance(user, User) else None


def reader(request: Request, *, of: Of | None = None, scopes: tuple[str, ...] = ("read",)) -> User | None:
    """Return the person who reads here; None, a stranger, for a token without one of the scopes or bound to something
    else.
    """
    token = token_of(request)
    if token is not None and not (_has(token, scopes) and _is_about(token, of)):
        # Not a 403: what is public stays readable with any token, and a private thing looks as if it were not there.
        return None
    return somebody(request)


def require(request: Request, *scopes: str, of: Of | None = None) -> User:
    """Return the person who acts. of: what the act is about; None: something new, or something that belongs to nothing.

    Raises NotAuthenticated (401), ScopeMissing and BoundElsewhere (403).
    """
    user = somebody(request)
    if user is None:
        raise NotAuthenticated(_("Log in, or send a token: Authorization: Bearer hf_..."))
    token = token_of(request)
    if token is not None:
        if not _has(token, scopes):
            raise ScopeMissing(scopes)
        if not _is_about(token, of):
            raise BoundElsewhere(token)
    return user


def _has(token: Token, scopes: tuple[str, ...]) -> bool:
    return not set(scopes).isdisjoint(token.scopes)


def _is_about(token: Token, of: Of | None) -> bool:
    return not token.bound_kind or of == (token.bound_kind, token.bound_to)
