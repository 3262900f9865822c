"""Answer 413 to bodies that are too large; `config.bodies` keeps them from being read."""

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from http.cookies import CookieError, SimpleCookie
from typing import Any, Final

from asgiref.sync import sync_to_async
from django.conf import settings
from django.db import connection
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _

from accounts.session_store import SessionStore
from tournaments.pages.entries.guest_access import SLIPS
from tournaments.pages.site.errors import problem, wants_json

PHOTO: Final = re.compile(r"/x/([0-9a-f-]{36})/photo/")
MAXIMUM: Final = "hanami.most_bytes"
"""Key of the ASGI scope under which stands what `most_bytes_of` found."""

_LOOKING_UP: Final = ThreadPoolExecutor(max_workers=2, thread_name_prefix="large-bodies")
"""Threads that look up who may send large bodies: few, so that strangers never hold all connections to the database."""


def most_bytes(path: str) -> int:
    """Return how large a body may be that is sent to this address: only a phone's photo is larger than a bot."""
    return settings.PHOTO_UPLOAD_MAX_SIZE if PHOTO.fullmatch(path) else settings.DATA_UPLOAD_MAX_MEMORY_SIZE


async def most_bytes_of(scope: Any, length: int) -> int:
    """Return the same for a request that has only just begun: a photo may be large only from a phone that sits at its
    table.

    length: as the request announces it.

    The session is looked up for large bodies alone, so that nobody makes the database work by small ones.
    """
    most = most_bytes(scope["path"])
    usual = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    found = PHOTO.fullmatch(scope["path"])
    if found is not None and usual < length <= most:
        look_up = sync_to_async(_sits, thread_sensitive=False, executor=_LOOKING_UP)
        # HTTP/2 may send each cookie in a header of its own.
        cookies = b"; ".join(value for name, value in scope["headers"] if name == b"cookie")
        most = most if await look_up(found[1], cookies) else usual
    scope[MAXIMUM] = most
    return most


def _sits(match: str, cookies: bytes) -> bool:
    """Return whether the session of these cookies holds a side of this table. In a thread of its own."""
    try:
        key = SimpleCookie(cookies.decode("latin-1")).get(settings.SESSION_COOKIE_NAME)
    except CookieError:
        return False
    try:
        return key is not None and match in SessionStore(key.value).get(SLIPS, {})
    finally:
        # The thread lives on: its connection goes back to the pool.
        connection.close()


class RefuseOversize:
    """Answer 413 to a request that announces more than a form may hold. Stands before anything reads the body."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        length = request.META.get("CONTENT_LENGTH") or "0"
        # Under WSGI nothing was looked up: the address alone decides.
        most = getattr(request, "scope", {}).get(MAXIMUM) or most_bytes(request.path)
        if length.isdecimal() and int(length) > most:
            if wants_json(request):
                return problem(413, "request.too_large", _("The request is too large"))
            return render(request, "413.html", {"is_photo": PHOTO.fullmatch(request.path)}, status=413)
        return self.get_response(request)
