"""What every address of the API shares: who asks, how often, ETags, and preconditions."""

from __future__ import annotations

import hashlib
from typing import Any, ClassVar

from django.http import HttpResponseBase
from django.utils.cache import patch_vary_headers
from django.utils.http import parse_etags
from rest_framework.exceptions import Throttled
from rest_framework.permissions import AllowAny
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from web import throttles
from web.bodies import require_known
from web.problems import Outdated

VARY = ("Authorization", "Cookie", "Accept-Language")


class Resource(APIView):
    """An address. Reading what is public needs no account; each method asks for what it needs (`access.require`)."""

    permission_classes = (AllowAny,)
    uploads: ClassVar[bool] = False
    """Whether a POST is an upload, of which fewer are allowed."""
    reading: throttles.Reading | None = None

    def check_throttles(self, request: Request) -> None:
        """Count the request. Raises Throttled."""
        is_upload = self.uploads and request.method == "POST"
        self.reading = throttles.count_request(request, is_upload=is_upload)
        if self.reading.taken.is_over:
            raise Throttled(wait=self.reading.taken.reset_s)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Who asks, how often, and whether the body names only what is taken here. Raises what they refuse."""
        super().initial(request, *args, **kwargs)
        require_known(self, request)

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        """The headers of every answer; anyone who has it already gets 304."""
        done: HttpResponseBase = super().finalize_response(request, response, *args, **kwargs)
        if self.reading is not None:
            for name, value in self.reading.headers().items():
                done.headers[name] = value
        if "Cache-Control" not in done.headers:
            done.headers["Cache-Control"] = "private, no-cache"
        patch_vary_headers(done, VARY)
        known = request.headers.get("If-None-Match", "")
        if isinstance(done, Response) and request.method in ("GET", "HEAD") and done.status_code == 200:
            done.add_post_render_callback(lambda rendered: _settle(rendered, known))
        return done


def _settle(response: Any, known: str) -> None:
    """The ETag of what was rendered; nothing but it for a reader who has that already."""
    etag = _etag(response.content)
    response.headers["ETag"] = etag
    marks = parse_etags(known)
    if "*" in marks or etag in marks or f"W/{etag}" in marks:
        response.status_code = 304
        response.content = b""
        response.headers.pop("Content-Type", None)


def etag_of(data: Any) -> str:
    """The ETag that a GET of this document has."""
    return _etag(JSONRenderer().render(data))


def _etag(content: bytes) -> str:
    return f'"{hashlib.sha256(content).hexdigest()[:32]}"'


def require_current(request: Request, now: Any) -> None:
    """Raise Outdated unless the reader's If-Match names what there is now (a GET's document), if they sent one."""
    wanted = request.headers.get("If-Match")
    if wanted is None:
        return
    marks = parse_etags(wanted)
    if "*" not in marks and etag_of(now) not in marks:
        raise Outdated


def changed(data: Any) -> Response:
    """The document after a PATCH with its new ETag."""
    return Response(data, headers={"ETag": etag_of(data)})
