"""Base of every address of the API: authentication, rate limits, ETags and preconditions."""

from __future__ import annotations

import hashlib
from typing import Any, ClassVar

from django.http import HttpResponseBase
from django.utils.cache import patch_vary_headers
from rest_framework.exceptions import ErrorDetail, Throttled
from rest_framework.permissions import AllowAny
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from web import throttles
from web.bodies import require_known
from web.parameters import require_described
from web.problems import Outdated
from web.sending import is_known

VARY = ("Authorization", "Cookie", "Accept-Language")


class LimitReached(Throttled):
    """429: a limit of the API, with what it is and when it ends."""

    def __init__(self, reading: throttles.Reading) -> None:
        super().__init__(wait=reading.taken.reset_s)
        self.detail = ErrorDetail(throttles.refusal_of(reading), self.default_code)


class Resource(APIView):
    """An address. Reading what is public needs no account; each method asks for what it needs (`access.require`)."""

    permission_classes = (AllowAny,)
    uploads: ClassVar[bool] = False
    """True where a POST is an upload: `count_upload` counts those that are kept, of which fewer are allowed."""
    policy: ClassVar[throttles.Policy | None] = None
    """Limit of requests with a key, where it is another one than everywhere."""
    reading: throttles.Reading | None = None

    def check_throttles(self, request: Request) -> None:
        """Count the request. Raises LimitReached."""
        self.reading = throttles.count_request(request, own=self.policy)
        if self.reading.taken.is_over:
            raise LimitReached(self.reading)

    def count_upload(self, request: Request) -> None:
        """Count an upload that is about to be kept. Raises LimitReached."""
        reading = throttles.count_upload(request)
        if reading.taken.is_over:
            raise LimitReached(reading)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Check who asks, how often, and that parameters and body name only what this operation takes.

        Raises what they refuse.
        """
        super().initial(request, *args, **kwargs)
        require_described(self, request)
        require_known(self, request)

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        """Set the headers of every answer; a reader who has the answer already gets 304."""
        done: HttpResponseBase = super().finalize_response(request, response, *args, **kwargs)
        if self.reading is not None and self.uploads and request.method == "POST" and not self.reading.taken.is_over:
            # The narrower of the two limits, as it is after this request.
            self.reading = throttles.uploads_left(request)
        if self.reading is not None:
            for name, value in self.reading.headers().items():
                done.headers[name] = value
        # An answer may depend on the token: no shared cache keeps it.
        if "Cache-Control" not in done.headers:
            done.headers["Cache-Control"] = "private, no-cache"
        patch_vary_headers(done, VARY)
        known = request.headers.get("If-None-Match", "")
        if isinstance(done, Response) and request.method in ("GET", "HEAD") and done.status_code == 200:
            # After rendering: the ETag is of the bytes, so nothing has to name what an answer depends on.
            done.add_post_render_callback(lambda rendered: _settle(rendered, known))
        return done


def _settle(response: Any, known: str) -> None:
    """Set the ETag of what was rendered; empty the answer for a reader who has it already."""
    etag = _etag(response.content)
    response.headers["ETag"] = etag
    if is_known(known, etag):
        response.status_code = 304
        # A 304 has neither a body nor its type (RFC 9110, 15.4.5).
        response.content = b""
        response.headers.pop("Content-Type", None)


def etag_of(data: Any) -> str:
    """Return the ETag that a GET of this document has."""
    return _etag(JSONRenderer().render(data))


def _etag(content: bytes) -> str:
    return f'"{hashlib.sha256(content).hexdigest()[:32]}"'


def require_current(request: Request, now: Any) -> None:
    """Raise Outdated unless the reader's If-Match names what there is now (a GET's document), if they sent one."""
    wanted = request.headers.get("If-Match")
    if wanted is None:
        # If-Match is the client's choice: without it the last writer wins, as on pages.
        return
    # The ETag of a compressed response is weak, but names the same document.
    if not is_known(wanted, etag_of(now)):
        raise Outdated


def changed(data: Any) -> Response:
    """Answer a PATCH with the document and its new ETag."""
    return Response(data, headers={"ETag": etag_of(data)})
