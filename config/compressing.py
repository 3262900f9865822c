"""Gzip for pages and documents, which then have about a fifth of their bytes (decision 0153).

Django's own middleware, with its mitigation of BREACH, for text alone: images, wheels and data files are compressed
already. Streamed responses and files that support range requests keep their Content-Length.
"""

from __future__ import annotations

from typing import Any, Final

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware

TEXTS: Final = ("text/", "application/json", "application/xml", "application/x-ndjson", "image/svg+xml")
SUFFIXES: Final = ("+json", "+xml")


class Compress(GZipMiddleware):
    """Compresses a text response for clients that accept gzip. Its ETag becomes a weak one."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> Any:
        """Return the response, compressed if it is text and not streamed."""
        kind = response.headers.get("Content-Type", "").partition(";")[0].strip()
        is_text = kind.startswith(TEXTS) or kind.endswith(SUFFIXES)
        if response.streaming or not is_text or response.has_header("Accept-Ranges"):
            return response
        return super().process_response(request, response)
