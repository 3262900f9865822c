"""A file to keep, or 304 for who has it already."""

from __future__ import annotations

import hashlib

from django.http import HttpResponse, HttpResponseNotModified


def send_file(content: bytes, kind: str, name: str, *, known: str | None) -> HttpResponse:
    """The answer. kind: its media type; name: of the file; known: the request's If-None-Match."""
    etag = f'"{hashlib.sha256(content).hexdigest()[:32]}"'
    response = HttpResponseNotModified() if known == etag else HttpResponse(content, content_type=kind)
    if response.status_code == 200:
        response["Content-Disposition"] = f'attachment; filename="{name}"'
    response["ETag"] = etag
    response["Cache-Control"] = "private, no-cache"
    return response
