"""Programs: the list, one, a new one, changes, the end."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, Final

from django.db.models import QuerySet
from django.http import Http404
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import User
from bots.api.bots import own_bot
from engine.games import PRESETS
from tables.api.serializers import NewProgramSerializer, ProgramChangesSerializer, ProgramSerializer
from tables.models import Program
from tables.programs.listing import program_of, programs_listed
from tables.programs.registry import ProgramPlan, change, plan_of, register
from tables.programs.retiring import retire_program
from web.access import reader, require
from web.api_pages import Pages
from web.bodies import read_body
from web.idempotency import OPTIONAL_KEY, once_if_keyed
from web.resource import Resource, changed, require_current

SLUG = OpenApiParameter("slug", OpenApiTypes.STR, OpenApiParameter.PATH, description="the program's address")
FILTERS: Final = [
    OpenApiParameter("preset", OpenApiTypes.STR, enum=sorted(PRESETS), description="that play by these rules"),
    OpenApiParameter("online", OpenApiTypes.BOOL, description="1: whose stream is open"),
    OpenApiParameter("mine", OpenApiTypes.BOOL, description="1: my own, retired ones among them"),
    OpenApiParameter("q", OpenApiTypes.STR, description="words in the name"),
]
FLAG: Final = ("1", "true")


class Programs(Resource, ListAPIView[Program]):
    """Programs, newest first; a new one."""

    serializer_class = ProgramSerializer
    pagination_class = Pages

    def get_queryset(self) -> QuerySet[Program]:
        query = self.request.query_params
        mine = query.get("mine") in FLAG
        person = reader(self.request, scopes=("read", "bot:write", "bot:play")) if mine else None
        if mine and person is None:
            return Program.objects.none()
        words = query.get("q", "").strip()[:60]
        rows = programs_listed(preset=query.get("preset", ""), words=words, is_here=query.get("online") in FLAG)
        return rows.filter(bot__owner=person) if person is not None else rows.filter(version__state="remote")

    @extend_schema(operation_id="programs_list", parameters=FILTERS)
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """List remote programs, newest first."""
        return super().get(request, *args, **kwargs)

    @extend_schema(
        operation_id="programs_create",
        parameters=[OPTIONAL_KEY],
        request=NewProgramSerializer,
        responses={201: ProgramSerializer},
    )
    def post(self, request: Request) -> Response:
        """Register a remote program: a bot that plays from your machine, by /api/v1/bot/stream. Scope: bot:write."""
        by = require(request, "bot:write")
        asked = read_body(NewProgramSerializer, request)
        return once_if_keyed(request, f"user:{by.pk}", lambda: _register(request, by, asked))


def _register(request: Request, by: User, asked: dict[str, Any]) -> Response:
    name = asked.pop("name")
    made = register(by=by, name=name, plan=ProgramPlan(**asked))
    headers = {"Location": reverse("api-program", args=[made.bot.slug])}
    return Response(document(request, made.bot.slug), status=201, headers=headers)


def document(request: Request, slug: str) -> dict[str, Any]:
    """Return a program as its address answers it. Raises Http404."""
    found = program_of(slug)
    if found is None:
        raise Http404(slug)
    return dict(ProgramSerializer(found, context={"request": request}).data)


class OneProgram(Resource):
    """One program."""

    @extend_schema(operation_id="programs_retrieve", parameters=[SLUG], responses=ProgramSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """Get one program, with its ratings among programs."""
        return Response(document(request, slug))

    @extend_schema(
        operation_id="programs_update", parameters=[SLUG], request=ProgramChangesSerializer, responses=ProgramSerializer
    )
    def patch(self, request: Request, slug: str) -> Response:
        """Change what a program states, or its name. With If-Match: only as it was read, else 412. Scope: bot:write."""
        _bot, by = own_bot(slug, request, "bot:write")
        wanted = read_body(ProgramChangesSerializer, request, partial=True)
        before = document(request, slug)
        require_current(request, before)
        program = _named(slug)
        name = str(wanted.pop("name", ""))
        change(program=program, by=by, plan=ProgramPlan(**{**asdict(plan_of(program)), **wanted}), name=name)
        return changed(document(request, slug))


class ProgramRetire(Resource):
    """The end of a program."""

    @extend_schema(operation_id="programs_retire", parameters=[SLUG], request=None, responses=ProgramSerializer)
    def post(self, request: Request, slug: str) -> Response:
        """Retire a program for good; its matches and its name stay. Scope: bot:write."""
        _bot, by = own_bot(slug, request, "bot:write")
        retire_program(program=_named(slug), by=by)
        return Response(document(request, slug))


def _named(slug: str) -> Program:
    found = program_of(slug)
    if found is None:
        raise Http404(slug)
    return found
