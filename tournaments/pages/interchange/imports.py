"""Import of an event from a file: send it, see what it would make, make it."""

from __future__ import annotations

import base64
import binascii
from typing import Any, Final

import zstandard
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from core.errors import TournamentError
from core.interchange.documents.read import GZIP, ZSTD
from core.interchange.errors import refusal
from tournaments.interchange.imports.actions import import_event, validate_file
from tournaments.pages.interchange.exports import translated
from web.one_at_a_time import FILES
from web.page import render_page, signed_in
from web.refusals import with_wait

MAX_SENT: Final = 2 * 1024 * 1024
"""Bytes that a file may have as it is sent; between the steps it travels in the page, packed."""


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def import_page(request: HttpRequest) -> HttpResponse:
    """Show the form; a file that was sent is checked and shown; "make it" sends it again and makes the event."""
    if request.method != "POST":
        return _page(request, {})
    try:
        # A file of two megabytes may unpack to a hundred times as much: one is read at a time.
        with FILES.turn("event.busy"):
            return _make(request) if "packed" in request.POST else _look(request)
    except TournamentError as error:
        where = error.extra.get("where", "")
        shown = {"refusal": translated(error), "refusal_at": "file", "code": error.code, "where": where}
        return with_wait(_page(request, shown, status=422), error)


def _page(request: HttpRequest, context: dict[str, Any], *, status: int = 200) -> HttpResponse:
    return render_page(request, "tournaments/import.html", {"most": MAX_SENT, **context}, status=status)


def _look(request: HttpRequest) -> HttpResponse:
    """Show what the file would make."""
    sent: Any = request.FILES.get("file")
    # One more than allowed: so a file that is too large is seen without reading all of it.
    data: bytes = sent.read(MAX_SENT + 1) if sent is not None else b""
    if not data:
        raise refusal("event.no_file", "Choose the file of an event first.", where="")
    if len(data) > MAX_SENT:
        message = (
            "A file may have at most %(most)s bytes here. Compress it (gzip, zstd), or ask for an import by command."
        )
        raise refusal("event.too_large", message, most=MAX_SENT, where="")
    checked = validate_file(by=signed_in(request), data=data)
    is_packed = data.startswith((GZIP, ZSTD))
    # The file travels through the browser: nothing of an event that may never be made is stored here.
    packed = data if is_packed else zstandard.ZstdCompressor(level=12).compress(data)
    return _page(request, {"checked": checked, "packed": base64.b64encode(packed).decode()})


def _make(request: HttpRequest) -> HttpResponse:
    """Make the event from the file that the page held. It is checked again: a page is no proof."""
    try:
        data = base64.b64decode(request.POST["packed"], validate=True)
    except (binascii.Error, ValueError) as wrong:
        raise refusal("event.packed", "The page was not sent completely. Send the file again.", where="") from wrong
    person = signed_in(request)
    event = import_event(by=person, checked=validate_file(by=person, data=data))
    messages.success(request, _("The event is imported. Only people with its address can find it."))
    return redirect("tournament", event.slug)
