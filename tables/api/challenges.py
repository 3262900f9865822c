"""Challenges to programs, and seeks."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any, Final
from uuid import UUID

from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from tables.actions.opening import TablePlan
from tables.api.acting import NAMED, nonce_of, program_for
from tables.api.serializers import (
    LiveTableSerializer,
    NewTableChallengeSerializer,
    NonceHashSerializer,
    SeekSerializer,
    SentChallengesSerializer,
    TableChallengeSerializer,
)
from tables.errors import TableError
from tables.models import LiveTable, Program, TableChallenge
from tables.play.clocks import CLOCKS, clock_of
from tables.programs.challenges import accept, cancel, challenge, decline
from tables.programs.lines import about_challenge, about_table
from tables.programs.registry import sitter_for
from tables.programs.seeks import seek
from web.bodies import read_body
from web.idempotency import OPTIONAL_KEY, once_if_keyed
from web.rate_limits import take_from
from web.resource import Resource
from web.throttles import where_from

VERB = OpenApiParameter("verb", OpenApiTypes.STR, OpenApiParameter.PATH, enum=["accept", "decline", "cancel"])
UUID_OF = OpenApiParameter("uuid", OpenApiTypes.UUID, OpenApiParameter.PATH, description="of the challenge")
PER_HOUR: Final = 120
"""Challenges and seeks that one program may send in an hour, and programs at one address together four times that."""
HOUR: Final = timedelta(hours=1)


class TableChallenges(Resource):
    """Challenges to programs."""

    @extend_schema(
        operation_id="table_challenges_create",
        parameters=[OPTIONAL_KEY, NAMED],
        request=NewTableChallengeSerializer,
        responses={201: SentChallengesSerializer},
    )
    def post(self, request: Request) -> Response:
        """Open a table and ask other programs to it; it begins once all accept, within a minute. Scope: bot:play."""
        program = program_for(request)
        asked = read_body(NewTableChallengeSerializer, request)
        others = _named(asked.pop("programs"))
        plan = plan_of(asked, seats=len(others) + 1)

        def act() -> Response:
            count_start(request, program)
            nonce = nonce_of(asked["nonce_hash"])
            table = challenge(sitter_for(program), others, plan, nonce, program=program)
            return Response(_sent(table), status=201)

        return once_if_keyed(request, f"program:{program.pk}", act)


class TableChallengeAct(Resource):
    """An act on a challenge."""

    @extend_schema(
        operation_id="table_challenges_act",
        parameters=[UUID_OF, VERB, NAMED],
        request=NonceHashSerializer,
        responses=TableChallengeSerializer,
    )
    def post(self, request: Request, uuid: UUID, verb: str) -> Response:
        """Accept or decline a challenge, or cancel one of your own. Twice changes nothing. Scope: bot:play."""
        if verb not in VERBS:
            raise Http404(verb)
        program = program_for(request)
        asked = read_body(NonceHashSerializer, request)
        try:
            VERBS[verb](uuid, program, asked)
        except TableError as refused:
            if refused.code == "challenge.unknown":
                raise NotFound(str(refused)) from refused
            raise
        rows = TableChallenge.objects.select_related("table", "program__bot", "by_program__bot")
        return Response(about_challenge(rows.get(uuid=uuid)))


class Seeks(Resource):
    """Seeks of programs."""

    @extend_schema(
        operation_id="seeks_create",
        parameters=[OPTIONAL_KEY, NAMED],
        request=SeekSerializer,
        responses={201: LiveTableSerializer},
    )
    def post(self, request: Request) -> Response:
        """Sit down where a program waits for the same match, or wait up to ten minutes for one. Scope: bot:play."""
        program = program_for(request)
        asked = read_body(SeekSerializer, request)
        plan = plan_of(asked, seats=asked["seats"])

        def act() -> Response:
            count_start(request, program)
            table = seek(program, plan, nonce_of(asked["nonce_hash"]))
            return Response(about_table(table), status=201)

        return once_if_keyed(request, f"program:{program.pk}", act)


VERBS: Final[dict[str, Callable[[UUID, Program, dict[str, Any]], object]]] = {
    "accept": lambda uuid, program, asked: accept(uuid, program, nonce_of(asked["nonce_hash"])),
    "decline": lambda uuid, program, asked: decline(uuid, program, asked["reason"]),
    "cancel": lambda uuid, program, _asked: cancel(uuid, program),
}


def plan_of(asked: dict[str, Any], *, seats: int) -> TablePlan:
    """Return what was asked for as a plan of a table."""
    usual, figures = CLOCKS["remote"], asked.get("clock", {})
    clock = clock_of(usual.id, figures.get("bank_ms", usual.bank_ms), figures.get("increment_ms", usual.increment_ms))
    options = asked["options"]
    return TablePlan(preset=asked["preset"], seats=seats, options=options, clock=clock, rated=asked["rated"])


def count_start(request: Request, program: Program) -> None:
    """Count a challenge or a seek of a program, and of its address. Raises TableError "program.rate"."""
    marks = ((f"program:{program.pk}", PER_HOUR), (where_from(request), 4 * PER_HOUR))
    for mark, most in marks:
        taken = take_from("tables.programs: ", mark, most=most, within=HOUR)
        if taken.is_over:
            message = _("Too many challenges and seeks: %(n)s an hour. Wait as long as Retry-After says.")
            raise TableError(message % {"n": most}, code="program.rate", extra={"retry_after": taken.reset_s})


def _named(slugs: list[str]) -> list[Program]:
    found = {
        program.bot.slug: program
        for program in Program.objects.filter(bot__slug__in=slugs).select_related("bot__owner", "version")
    }
    missing = next((slug for slug in slugs if slug not in found), None)
    if missing is not None:
        message = _("There is no program “%(name)s”.")
        raise TableError(message % {"name": missing[:60]}, code="program.unknown", extra={"field": "programs"})
    return [found[slug] for slug in slugs]


def _sent(table: LiveTable) -> dict[str, Any]:
    rows = TableChallenge.objects.filter(table=table).select_related("table", "program__bot", "by_program__bot")
    return {"table": about_table(table), "challenges": [about_challenge(row) for row in rows]}
