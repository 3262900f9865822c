"""The addresses of the streams of programs: who may open one, from where it goes on, and in which form.

Under ASGI `streaming` asks here, and goes on where this ends. Without it the answer is what there is to tell now: a
program that opens it again and again with `after` misses nothing either.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol
from uuid import UUID

from django.http import HttpResponse
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request

from tables.api.acting import NAMED, program_for
from tables.errors import TableError
from tables.programs.calls import Calls
from tables.programs.lines import Line
from tables.programs.playing import Turns
from tables.programs.registry import is_done, require_ready
from web.access import token_of
from web.parameters import invalid
from web.resource import Resource

OPENING: Final = "hanami.opening"
"""The key of an ASGI scope under which a request that becomes a stream has its `Opening`."""
NDJSON: Final = "application/x-ndjson"
SSE: Final = "text/event-stream"
UUID_OF = OpenApiParameter("uuid", OpenApiTypes.UUID, OpenApiParameter.PATH, description="of the table")
AFTER_MS = OpenApiParameter(
    "after", OpenApiTypes.STR, description="`at` of the last line you have: tables that ended since are told, too"
)
AFTER_N = OpenApiParameter("after", OpenApiTypes.STR, description="`n` of the last turn you have received")
# The form is chosen by Accept alone; the library would offer ?format= for several renderers.
NO_FORMAT = OpenApiParameter("format", exclude=True)
LINES: Final[dict[tuple[int, str], Any]] = {(200, kind): OpenApiTypes.STR for kind in (NDJSON, SSE)}


class Feed(Protocol):
    """What one stream has to tell. due_at: when to look without news; is_over: nothing follows."""

    channel: str
    due_at: Any
    is_over: bool

    def fresh(self) -> list[Line]: ...


@dataclass(slots=True)
class Opening:
    """What a request has opened; feed: None as long as it is refused. program: who is here, None at a table.

    token: by which it is admitted; None: by a session.
    """

    feed: Feed | None = None
    is_sse: bool = False
    owner: int = 0
    program: int | None = None
    token: int | None = None


class NdjsonRenderer(BaseRenderer):
    """Chooses lines of JSON; a refusal is a document of JSON."""

    media_type = NDJSON
    format = "ndjson"
    charset = "utf-8"

    def render(self, data: Any, accepted_media_type: str | None = None, renderer_context: Any = None) -> Any:
        """Return a refusal."""
        return json.dumps(data).encode()


class SseRenderer(NdjsonRenderer):
    """Chooses events of a browser's stream."""

    media_type = SSE
    format = "sse"


class _Stream(Resource):
    """An address that goes on."""

    renderer_classes = (NdjsonRenderer, SseRenderer, JSONRenderer)

    def opened(self, request: Request, feed: Feed, owner: int, program: int | None) -> HttpResponse:
        """Hand the feed to the server that streams it; without one answer what there is to tell now."""
        is_sse = getattr(request.accepted_renderer, "media_type", "") == SSE
        scope: Mapping[str, Any] = getattr(request._request, "scope", {})
        opening = scope.get(OPENING)
        content = b""
        if opening is not None:
            opening.feed, opening.is_sse, opening.owner, opening.program = feed, is_sse, owner, program
            opening.token = token.pk if (token := token_of(request)) is not None else None
        else:
            content = b"".join(written(line, is_sse) for line in feed.fresh())
        answer = HttpResponse(content, content_type=f"{SSE if is_sse else NDJSON}; charset=utf-8")
        answer.headers["Cache-Control"] = "no-store"
        return answer


class BotStream(_Stream):
    """The news of a program."""

    @extend_schema(operation_id="bot_stream", parameters=[AFTER_MS, NAMED, NO_FORMAT], responses=LINES)
    def get(self, request: Request) -> HttpResponse:
        """Stream challenge, challenge_end, table_start, table_end; a heartbeat every 6 s. Scope: bot:play.

        Lines of JSON, or events (Accept: text/event-stream). What is there already comes first. It ends soon after its
        token is revoked, and with the last match of a retired program.
        """
        program = program_for(request)
        if is_done(program):
            require_ready(program)
        feed = Calls(program, _after(request, digits=15))
        return self.opened(request, feed, program.pk, program.pk)


class TableStream(_Stream):
    """The news of a table for a program that sits there."""

    @extend_schema(operation_id="table_stream", parameters=[UUID_OF, AFTER_N, NAMED, NO_FORMAT], responses=LINES)
    def get(self, request: Request, uuid: UUID) -> HttpResponse:
        """Stream nonce_wanted, hello, your turns, end; a heartbeat every 6 s. Scope: bot:play.

        Each connection begins with the hello and the turn that is asked. Lines of JSON, or events.
        """
        program = program_for(request)
        try:
            feed = Turns(program, uuid, _after(request, digits=9))
        except TableError as refused:
            if refused.code == "table.unknown":
                raise NotFound(str(refused)) from refused
            raise
        return self.opened(request, feed, program.pk, None)


def written(line: Line, is_sse: bool) -> bytes:
    """Return a line in the form that was asked for."""
    return line.sse() if is_sse else line.ndjson()


def _after(request: Request, *, digits: int) -> int | None:
    """Return where a stream goes on: of a header of a browser, else the parameter."""
    text = request.headers.get("Last-Event-ID", "") or request.query_params.get("after", "")
    if not text:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) <= digits):
        raise invalid("after", _("Send the number of the last line that you have."))
    return int(text)
