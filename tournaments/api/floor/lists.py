"""Lists at once: people as names or CSV, everybody who has come, a round's results from paper."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from core.interchange.tables import MAX_BYTES
from tournaments.api.acting import ActSerializer, DoneSerializer, perform, tried
from tournaments.api.loading import SLUG, STAGE, event_for_organiser, event_to_change, round_numbered
from tournaments.api.progress.rounds import NUMBER
from tournaments.api.serializers import EntrySerializer
from tournaments.entries import people
from tournaments.floor.result_sheets import Sheet, blank_sheet, enter_sheet, read_sheet
from tournaments.models import Entry
from web.bodies import read_body
from web.idempotency import KEY_NEEDED, once
from web.resource import Resource
from web.sending import send_file

CSV = {(200, "text/csv"): OpenApiResponse(OpenApiTypes.STR, description="the round's tables, a line for each side")}


class NewListSerializer(serializers.Serializer[Any]):
    """Names, one a line; or CSV with the columns name, club, seed. Where people share a side a line holds partners."""

    list = serializers.CharField(max_length=MAX_BYTES, trim_whitespace=False)
    dry_run = serializers.BooleanField(required=False, default=False)


class ListedSerializer(serializers.Serializer[Any]):
    """Entries that a list makes, or would make."""

    dry_run = serializers.BooleanField()
    items = EntrySerializer(many=True)


class PeopleList(Resource):
    """A list of people."""

    @extend_schema(
        operation_id="entries_import",
        parameters=[SLUG, KEY_NEEDED],
        request=NewListSerializer,
        responses={200: ListedSerializer, 201: ListedSerializer},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Enter everybody of a list, or nobody; a name that cannot be entered is named with its line. Scope:
        event:write.
        """
        event, by = event_to_change(slug, request, "event:write")
        payload = read_body(NewListSerializer, request)

        def act() -> dict[str, Any]:
            made = people.add_list(tournament=event, by=by, data=payload["list"].encode())
            rows = Entry.objects.select_related("player__bot", "bot_version").filter(pk__in=[row.pk for row in made])
            items = EntrySerializer(rows.order_by("pk"), many=True).data
            return {"dry_run": payload["dry_run"], "items": items}

        # A dry run takes no key: it may be asked as often as one likes, and its answer is not kept.
        if payload["dry_run"]:
            return Response(tried(event, act, dry_run=True))
        return once(request, f"user:{by.pk}", lambda: Response(tried(event, act, dry_run=False), status=201))


class EverybodyHere(Resource):
    """Everybody has come."""

    @extend_schema(operation_id="entries_here", parameters=[SLUG], request=ActSerializer, responses=DoneSerializer)
    def post(self, request: Request, slug: str) -> Response:
        """Note that everybody who is entered has come, before the event starts. Scope: event:write."""
        event, by = event_to_change(slug, request, "event:write")
        payload = read_body(ActSerializer, request)
        dry_run = payload["dry_run"]
        return perform(event, lambda: people.check_in_all(tournament=event, by=by), dry_run=dry_run)


class NewSheetSerializer(serializers.Serializer[Any]):
    """A sheet as text. seen: what a dry run showed; the act needs it, and enters exactly that."""

    sheet = serializers.CharField(max_length=MAX_BYTES, trim_whitespace=False)
    dry_run = serializers.BooleanField(required=False, default=False)
    seen = serializers.CharField(max_length=64, required=False, allow_blank=True, default="")


class SheetTableSerializer(serializers.Serializer[Any]):
    """A table that a sheet enters."""

    table = serializers.IntegerField(source="table.match.table_no")
    uuid = serializers.UUIDField(source="table.match.uuid")
    score = serializers.ListField(child=serializers.IntegerField(), help_text="by side")
    state = serializers.CharField(help_text="what becomes of it; same: it says so already")


class SheetDoneSerializer(serializers.Serializer[Any]):
    """Result of a sheet, or of its dry run. open: tables of the round that it leaves out; entered: how many were
    new.
    """

    dry_run = serializers.BooleanField()
    seen = serializers.CharField()
    tables = SheetTableSerializer(many=True)
    open = serializers.IntegerField()
    entered = serializers.IntegerField()


class RoundSheet(Resource):
    """The results of a round on one sheet."""

    @extend_schema(operation_id="sheets_retrieve", parameters=[SLUG, NUMBER, STAGE], responses=CSV)
    def get(self, request: Request, slug: str, number: int) -> HttpResponse:
        """Get the round as CSV to fill in; results that count are in it. For anyone who runs the event."""
        event, by = event_for_organiser(slug, request)
        row = round_numbered(event, number, request.query_params.get("stage", ""))
        name = f"{event.slug}-{row.stage.order}-{number}.csv"
        known = request.headers.get("If-None-Match")
        return send_file(blank_sheet(row, by=by), "text/csv; charset=utf-8", name, known=known)

    @extend_schema(
        operation_id="sheets_enter",
        parameters=[SLUG, NUMBER, STAGE],
        request=NewSheetSerializer,
        responses=SheetDoneSerializer,
    )
    def post(self, request: Request, slug: str, number: int) -> Response:
        """Enter a filled sheet, all tables or none. Look first with dry_run, then send `seen`. Scope: report:write."""
        event, by = event_to_change(slug, request, "report:write")
        row = round_numbered(event, number, request.query_params.get("stage", ""))
        payload = read_body(NewSheetSerializer, request)
        data = payload["sheet"].encode()
        found = read_sheet(round_row=row, by=by, data=data)
        if payload["dry_run"]:
            return Response(_sheet(found, entered=0, dry_run=True))
        entered = enter_sheet(round_row=row, by=by, data=data, seen=payload["seen"])
        return Response(_sheet(found, entered=entered, dry_run=False))


def _sheet(found: Sheet, *, entered: int, dry_run: bool) -> dict[str, Any]:
    answer = {"dry_run": dry_run, "seen": found.hash, "tables": found.tables, "open": found.open_n, "entered": entered}
    return dict(SheetDoneSerializer(answer).data)
