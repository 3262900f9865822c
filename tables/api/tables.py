"""What a program does at a table: its answers, its nonce, leaving."""

from __future__ import annotations

from uuid import UUID

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from tables.actions.answering import answer
from tables.actions.dealing import show_nonce
from tables.actions.leaving import leave
from tables.api.acting import NAMED, program_for
from tables.api.serializers import AnsweredSerializer, LiveTableSerializer, NonceSerializer, TableAnswerSerializer
from tables.errors import TableError
from tables.models import LiveTable
from tables.programs.lines import about_table
from tables.programs.registry import sitter_for
from web.bodies import read_body
from web.resource import Resource
from web.throttles import PLAY

UUID_OF = OpenApiParameter("uuid", OpenApiTypes.UUID, OpenApiParameter.PATH, description="of the table")


class TableAnswers(Resource):
    """Answers of a program."""

    policy = PLAY

    @extend_schema(
        operation_id="table_answers_create",
        parameters=[UUID_OF, NAMED],
        request=TableAnswerSerializer,
        responses=AnsweredSerializer,
    )
    def post(self, request: Request, uuid: UUID) -> Response:
        """Answer a turn. The same answer sent twice is one; for an old turn 409, with the present `n`. Scope: bot:play.

        Codes: table.changed, table.bad_answer, table.not_your_turn, table.time_over, table.wrong_state,
        table.not_seated, table.paused.
        """
        program = program_for(request)
        asked = read_body(TableAnswerSerializer, request)
        try:
            # No delay is measured: a program's clock is kept by the service alone.
            table = answer(LiveTable(uuid=uuid), sitter_for(program), asked["n"], asked["a"])
        except TableError as refused:
            raise _or_missing(refused) from refused
        return Response({"n": asked["n"], "a": asked["a"], "state": table.state})


class TableNonce(Resource):
    """The nonce of a program."""

    policy = PLAY

    @extend_schema(
        operation_id="table_nonce_create",
        parameters=[UUID_OF, NAMED],
        request=NonceSerializer,
        responses=LiveTableSerializer,
    )
    def post(self, request: Request, uuid: UUID) -> Response:
        """Show the nonce whose hash you sent, within ten seconds of `nonce_wanted`. Scope: bot:play."""
        program = program_for(request)
        asked = read_body(NonceSerializer, request)
        try:
            table = show_nonce(LiveTable(uuid=uuid), sitter_for(program), asked["nonce"])
        except TableError as refused:
            raise _or_missing(refused) from refused
        return Response(about_table(table))


class TableLeave(Resource):
    """The end of a program's play at a table."""

    @extend_schema(operation_id="table_leave", parameters=[UUID_OF, NAMED], request=None, responses=LiveTableSerializer)
    def post(self, request: Request, uuid: UUID) -> Response:
        """Leave: a seek ends, an open table has a free seat, a match that is played is forfeited. Scope: bot:play."""
        program = program_for(request)
        try:
            table = leave(LiveTable(uuid=uuid), sitter_for(program))
        except TableError as refused:
            raise _or_missing(refused) from refused
        return Response(about_table(table))


def _or_missing(refused: TableError) -> Exception:
    return NotFound(str(refused)) if refused.code == "table.unknown" else refused
