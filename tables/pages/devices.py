"""Marks of the browser and the address where somebody sits down, for tables where nobody may have two seats."""

from __future__ import annotations

import re
import secrets
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import salted_hmac

from web.rate_limits import mark_of

COOKIE: Final = "hanami_seat"
"""A random name of the browser. Not of the session: that ends when somebody else signs in there."""
DRAWN: Final = "hanami.seat_drawn"
YEAR_S: Final = 365 * 24 * 3600
_NAME: Final = re.compile(r"[0-9a-f]{32}")


def device_mark_of(request: HttpRequest) -> str:
    """Return the mark of this browser; it has its random name from now on if it had none (`keep_device`)."""
    name = request.COOKIES.get(COOKIE, "")
    if not _NAME.fullmatch(name):
        name = request.COOKIES[COOKIE] = request.META[DRAWN] = secrets.token_hex(16)
    # Keyed: what is stored leads back to no cookie.
    return salted_hmac("hanami.seat", name).hexdigest()[:32]


def address_mark_of(request: HttpRequest) -> str:
    """Return the mark of the address that a request comes from."""
    return mark_of(str(request.META.get("REMOTE_ADDR", "")))


def keep_device(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Send the random name of the browser along, where `device_mark_of` has drawn one."""
    name = request.META.get(DRAWN)
    if name is not None:
        secure = settings.SESSION_COOKIE_SECURE
        response.set_cookie(COOKIE, name, max_age=YEAR_S, samesite="Lax", httponly=True, secure=secure)
    return response
