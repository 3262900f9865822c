"""A file to download, or 304 for a reader who has it already."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterable, Callable
from typing import Final, Protocol, TypeVar

from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils.http import parse_etags

from web.ranges import Part, part_asked_for

BATCH_SIZE: Final = 256 * 1024
"""Bytes above which a file goes out piece by piece: a slow reader then holds a piece of it, not all of it."""


Answer = TypeVar("Answer", bound=HttpResponseBase)


class Made(Protocol):
    """A file that may be large. size: bytes; pieces: opened at once, closed by Django."""

    @property
    def kind(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def size(self) -> int: ...
    def content(self) -> bytes:
        """Return all of it."""

    def pieces(self) -> AsyncIterable[bytes]:
        """Return the same piece by piece."""


class Divisible(Made, Protocol):
    """A file that can be read from any byte on."""

    def part(self, first: int, length: int) -> Made:
        """Return a part of it."""


def send_file(content: bytes, kind: str, name: str, *, known: str | None) -> HttpResponse:
    """Return the answer with a file. kind: its media type; name: of the file; known: the request's If-None-Match."""
    etag = f'"{hashlib.sha256(content).hexdigest()[:32]}"'
    if is_known(known, etag):
        return _with_etag(HttpResponseNotModified(), etag)
    return _with_etag(_named(HttpResponse(content, content_type=kind), name), etag)


def send_made(request: HttpRequest, key: str, make: Callable[[], Made]) -> HttpResponseBase:
    """Return the answer with a file whose key is known before it is made. What `make` raises is the caller's."""
    etag = f'"{key}"'
    # Before the file is made: a reader who has it costs no work at all.
    if is_known(request.headers.get("If-None-Match"), etag):
        return _with_etag(HttpResponseNotModified(), etag)
    try:
        return _with_etag(_answer(request, make()), etag)
    except FileNotFoundError:  # it was found, and pushed out before it was opened
        return _with_etag(_answer(request, make()), etag)


def send_divisible(request: HttpRequest, key: str, file: Divisible) -> HttpResponseBase:
    """Return the answer with a file, or with the part of it that the request asks for (206, 416).

    key: names its contents. Readers whose connection broke off go on where they were.
    """
    etag, wanted = f'"{key}"', None
    if request.method == "GET":
        wanted = part_asked_for(request.headers, etag, file.size)
    if wanted is None or is_known(request.headers.get("If-None-Match"), etag):
        response = send_made(request, key, lambda: file)
    else:
        response = _with_etag(_part(request, file, wanted), etag)
    response["Accept-Ranges"] = "bytes"
    return response


def _part(request: HttpRequest, file: Divisible, wanted: Part) -> HttpResponseBase:
    if wanted.length:
        response = _answer(request, file.part(wanted.first, wanted.length))
    else:
        response = HttpResponse()
    response.status_code = 206 if wanted.length else 416
    response["Content-Range"] = wanted.header
    return response


def _answer(request: HttpRequest, file: Made) -> HttpResponseBase:
    response: HttpResponseBase
    # WSGI has no loop to read the pieces in.
    if file.size > BATCH_SIZE and isinstance(request, ASGIRequest):
        response = StreamingHttpResponse(file.pieces(), content_type=file.kind)
        response["Content-Length"] = str(file.size)
    else:
        response = HttpResponse(file.content(), content_type=file.kind)
    return _named(response, file.name)


def is_known(known: str | None, etag: str) -> bool:
    """Return whether If-None-Match or If-Match names this ETag, also in the weak form of a compressed response."""
    marks = parse_etags(known or "")
    return "*" in marks or etag in marks or f"W/{etag}" in marks


def _named(response: Answer, name: str) -> Answer:
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def _with_etag(response: Answer, etag: str) -> Answer:
    response["ETag"] = etag
    response["Cache-Control"] = "private, no-cache"
    return response
