"""Records in bulk: by day and by event, packed JSON lines with a list of SHA-256."""

from __future__ import annotations

from datetime import date
from typing import Any, Final

from django.db.models import QuerySet
from django.http import Http404
from django.http.response import HttpResponseBase
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.api.loading import SLUG, event_for
from tournaments.interchange.file_versions import code_version, digest, version_of
from tournaments.interchange.files import File
from tournaments.interchange.stored_files import made
from tournaments.matches.records import bulk
from tournaments.models import Match
from web.api_pages import list_serializer
from web.resource import Resource
from web.sending import send_made
from web.throttles import where_from

ZSTD: Final = "application/zstd"
DAYS: Final = 100
MAX_PARTS: Final = 10_000
NAMES: Final = ("records.jsonl.zst", "records.sha256")
PART = OpenApiParameter("part", OpenApiTypes.INT, description="from 1; a part holds 2,000 matches")
DAY = OpenApiParameter("day", OpenApiTypes.DATE, OpenApiParameter.PATH, description="in UTC, one that is over")
NAME = OpenApiParameter("name", OpenApiTypes.STR, OpenApiParameter.PATH, enum=list(NAMES))
BEFORE = OpenApiParameter("before", OpenApiTypes.DATE, description="days before this one")
FILES = {
    (200, ZSTD): OpenApiResponse(OpenApiTypes.BINARY, description="JSON lines, packed with zstd"),
    (200, "text/plain"): OpenApiResponse(OpenApiTypes.STR, description="the list of SHA-256"),
}


class DaySerializer(serializers.Serializer[Any]):
    """A day with records; parts: number of its files; url, sha256: of the first."""

    day = serializers.DateField()
    matches = serializers.IntegerField()
    parts = serializers.IntegerField()
    url = serializers.CharField()
    sha256 = serializers.CharField()


class Days(Resource):
    """Days with records."""

    @extend_schema(operation_id="records_daily", parameters=[BEFORE], responses=list_serializer(DaySerializer))
    def get(self, request: Request) -> Response:
        """List days that are over, the newest first, a hundred at a time; `next` asks for those before."""
        wanted = request.query_params.get("before", "")
        found = bulk.days(limit=DAYS, before=_date(wanted) if wanted else None)
        items = [{"day": each.day, "matches": each.matches, "parts": each.parts, **_links(each.day)} for each in found]
        here = request.build_absolute_uri(request.path)
        # A full page may have more behind it; a count of all days is not needed.
        following = f"{here}?before={found[-1].day}" if len(found) == DAYS else None
        return Response({"items": DaySerializer(items, many=True).data, "next": following, "prev": None})


def _links(day: date) -> dict[str, str]:
    url, sums = (reverse("api-daily-file", args=[day, name]) for name in NAMES)
    return {"url": url, "sha256": sums}


def _date(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError as wrong:
        raise Http404(text) from wrong


class DayFile(Resource):
    """The records of a day."""

    @extend_schema(operation_id="records_daily_file", parameters=[DAY, NAME, PART], responses=FILES)
    def get(self, request: Request, day: str, name: str) -> HttpResponseBase:
        """Send the records of all public matches that were finished on a day."""
        wanted = _date(day)
        # A day that goes on has no file: its SHA-256 would change under the reader.
        if not bulk.is_over(wanted):
            raise Http404(day)
        rows = bulk.of_day(wanted)
        return _file(request, rows, name, f"{wanted}", bulk.version_of(rows))


class EventRecords(Resource):
    """The records of an event."""

    @extend_schema(operation_id="tournament_records", parameters=[SLUG, NAME, PART], responses=FILES)
    def get(self, request: Request, slug: str, name: str) -> HttpResponseBase:
        """Send the records of an event's finished matches with who sat where: its standings can be recalculated from
        them.
        """
        event, _person = event_for(slug, request)
        return _file(request, bulk.of_event(event), name, event.slug, version_of(event))


def part_of(request: Request) -> int:
    """Return the part asked for, or 404."""
    wanted = request.query_params.get("part", "1")
    if not wanted.isdecimal() or len(wanted) > 9 or not 1 <= int(wanted) <= MAX_PARTS:
        raise Http404(wanted)
    return int(wanted)


def _file(request: Request, rows: QuerySet[Match], name: str, stem: str, version: object) -> HttpResponseBase:
    """Send one of the two files of a part. version: of all that is in it."""
    part = part_of(request)
    if name not in NAMES:
        raise Http404(name)
    key, network = (
        digest(["records", code_version(), bulk.PART, stem, part, name, version]),
        where_from(request),
    )

    def make() -> File:
        found = bulk.archive(rows, part)
        called = f"{stem}-{part}"
        # Part 1 of a day without matches is an empty file, which tells just that.
        if not found.records and part > 1:
            raise Http404(name)
        if name == NAMES[0]:
            return File(found.packed, ZSTD, f"{called}.jsonl.zst")
        return File(found.listed(f"{called}.jsonl.zst"), "text/plain; charset=utf-8", f"{called}.sha256")

    return send_made(request._request, key, lambda: made(key, make, network=network))
