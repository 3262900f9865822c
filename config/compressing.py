"""Pages and documents are packed on their way: over a phone's line a page then comes in a third of the time.

Django's own middleware, which hides the length of what it packs (BREACH), for text alone: cards, wheels and data files
are packed as they are. A file that is sent in pieces, or of which a part may be asked for, keeps its length.
"""

from __future__ import annotations

from typing import Any, Final

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware

TEXTS: Final = ("text/", "application/json", "application/xml", "application/x-ndjson", "image/svg+xml")
SUFFIXES: Final = ("+json", "+xml")


class Compress(GZipMiddleware):
    """Packs an answer of text for a reader who takes gzip. Its ETag becomes a weak one."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> Any:
        """Return the answer, packed if it is text and comes whole."""
        kind = response.headers.get("Content-Type", "").partition(";")[0].strip()
        is_text = kind.startswith(TEXTS) or kind.endswith(SUFFIXES)
        if response.streaming or not is_text or response.has_header("Accept-Ranges"):
            return response
        return super().process_response(request, response)
