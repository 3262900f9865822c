"""Failures of a bot, for its owner: the traceback, the exact observation, and what reproduces it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from django.db.models import QuerySet
from django.http import Http404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from bots.api.bots import SLUG, own_bot
from bots.models import Bot
from tournaments.models import Seat
from tournaments.operations import failing
from tournaments.operations.failures import Failure, failed_checks, failure_at, failure_in, failures_of
from web.api_pages import PAGED, Pages, in_pages, list_serializer
from web.resource import Resource

ID: Final = OpenApiParameter(
    "id", OpenApiTypes.STR, OpenApiParameter.PATH, description="F and a number: in a match; C and a number: in a check"
)
Row = tuple[str, int, datetime]
# 18 digits always fit a bigint.
SHAPE: Final = re.compile(r"([FC])(\d{1,18})")
VERSION = OpenApiParameter("version", OpenApiTypes.INT, description="of this version alone")


class FailureSerializer(serializers.ModelSerializer[Seat]):
    """A forfeit in a match. deal 0: while the bot was loaded."""

    id = serializers.SerializerMethodField()
    version = serializers.IntegerField(source="bot_version.n", read_only=True)
    match = serializers.UUIDField(source="match.uuid", read_only=True)
    tournament = serializers.CharField(source="match.stage.tournament.slug", read_only=True)
    seat = serializers.IntegerField(source="index", read_only=True)
    code = serializers.SerializerMethodField()
    deal = serializers.SerializerMethodField()
    move = serializers.SerializerMethodField()
    at = serializers.DateTimeField(source="match.finished_at", read_only=True, allow_null=True)

    class Meta:
        model = Seat
        fields = ("id", "version", "match", "tournament", "seat", "code", "deal", "move", "at")

    def get_id(self, seat: Seat) -> str:
        return f"F{seat.pk}"

    def get_code(self, seat: Seat) -> str:
        return str((seat.fault or {}).get("code", ""))

    def get_deal(self, seat: Seat) -> int:
        return int((seat.fault or {}).get("deal", 0))

    def get_move(self, seat: Seat) -> int:
        return int((seat.fault or {}).get("move", 0))


class FailureDetailSerializer(serializers.Serializer[Any]):
    """A forfeit with everything that belongs to it. match, tournament: null in a check.

    observation: null while loading; legal: of the observation; stderr: the end of what the bot printed; repro: the
    command that plays it again.
    """

    id = serializers.CharField()
    bot = serializers.CharField()
    version = serializers.IntegerField()
    match = serializers.UUIDField(allow_null=True)
    tournament = serializers.CharField(allow_null=True)
    seat = serializers.IntegerField()
    deal = serializers.IntegerField()
    move = serializers.IntegerField()
    code = serializers.CharField()
    traceback = serializers.CharField(allow_blank=True)
    observation = serializers.SerializerMethodField()
    legal = serializers.SerializerMethodField()
    stderr = serializers.CharField(allow_blank=True)
    repro = serializers.CharField()

    @extend_schema_field({"type": "object", "nullable": True, "additionalProperties": True})
    def get_observation(self, failure: dict[str, Any]) -> object:
        return failure["observation"]

    @extend_schema_field({"type": "array", "items": {"type": "object", "additionalProperties": True}})
    def get_legal(self, failure: dict[str, Any]) -> object:
        return (failure["observation"] or {}).get("legal", [])


class Failures(Resource, ListAPIView[Seat]):
    """Forfeits of versions of a bot."""

    serializer_class = FailureSerializer
    pagination_class = Pages
    kwargs: dict[str, Any]

    def get_queryset(self) -> QuerySet[Seat]:
        if "slug" not in self.kwargs:  # the schema is made without an address
            return Seat.objects.none()
        # The owner alone, operators neither: a failure shows source and what the bot printed (decision 0022).
        bot, _by = own_bot(str(self.kwargs["slug"]), self.request, "bot:logs")
        n = self.request.query_params.get("version", "")
        rows = failures_of(bot)
        return rows.filter(bot_version__n=int(n)) if n else rows

    @extend_schema(operation_id="failures_list", parameters=[SLUG, VERSION])
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """List where versions of a bot forfeited matches, the newest first. Its owner alone. Scope: bot:logs."""
        return super().get(request, *args, **kwargs)


class FailedCheckSerializer(serializers.Serializer[Any]):
    """A check that a version did not pass. deal 0: while the bot was loaded, or its source was read."""

    id = serializers.CharField(help_text="C and a number, as `hanami repro` takes it")
    version = serializers.IntegerField()
    code = serializers.CharField(help_text="the fault; static: its source cannot run, and nothing was played")
    deal = serializers.IntegerField()
    move = serializers.IntegerField()
    at = serializers.DateTimeField()
    error = serializers.CharField(
        source="last", allow_blank=True, help_text="the last line of its traceback, or what was found in its source"
    )
    place = serializers.CharField(allow_blank=True, help_text="file, line and function where it stopped")


class FailedChecks(Resource):
    """Checks that versions of a bot did not pass."""

    @extend_schema(
        operation_id="failed_checks_list",
        parameters=[SLUG, VERSION, *PAGED],
        responses=list_serializer(FailedCheckSerializer),
    )
    def get(self, request: Request, slug: str) -> Response:
        """List the checks that versions of a bot did not pass, the newest first. Its owner alone. Scope: bot:logs."""
        bot, _by = own_bot(slug, request, "bot:logs")
        n = request.query_params.get("version", "")
        rows = failing.check_rows(bot, version=int(n) if n else None)

        def show(some: Sequence[Row]) -> Any:
            return FailedCheckSerializer(failing.failing_of(some, with_logs=True), many=True).data

        return in_pages(request, rows, show)


class OneFailure(Resource):
    """One forfeit."""

    @extend_schema(operation_id="failures_retrieve", parameters=[SLUG, ID], responses=FailureDetailSerializer)
    def get(self, request: Request, slug: str, id: str) -> Response:  # noqa: A002  # the address's own word
        """Get a forfeit with traceback, observation and log. Its owner alone. Scope: bot:logs."""
        bot, _by = own_bot(slug, request, "bot:logs")
        shape = SHAPE.fullmatch(id)
        if shape is None:
            raise Http404(id)
        kind, number = shape.group(1), int(shape.group(2))
        failure = _in_match(bot, number) if kind == "F" else _in_check(bot, number)
        return Response(FailureDetailSerializer({"id": id, "bot": slug, "repro": f"hanami repro {id}", **failure}).data)


def _in_match(bot: Bot, number: int) -> dict[str, Any]:
    seat = failures_of(bot).select_related("log").filter(pk=number).first()
    if seat is None or seat.bot_version is None:
        raise Http404(str(number))
    match = seat.match
    failure = {"version": seat.bot_version.n, "match": match.uuid, "tournament": match.stage.tournament.slug}
    return {**failure, "seat": seat.index, **_shown(failure_at(seat))}


def _in_check(bot: Bot, number: int) -> dict[str, Any]:
    check = failed_checks(bot).filter(pk=number).first()
    found = failure_in(check) if check is not None else None
    if check is None or found is None:
        raise Http404(str(number))
    return {"version": check.version.n, "match": None, "tournament": None, "seat": 0, **_shown(found)}


def _shown(found: Failure) -> dict[str, Any]:
    return {
        "code": found.code,
        "deal": found.deal,
        "move": found.move,
        "traceback": found.traceback,
        "observation": found.observation,
        "stderr": found.log,
    }
