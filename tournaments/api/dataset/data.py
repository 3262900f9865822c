"""The days of the published decisions."""

from __future__ import annotations

from datetime import date
from typing import Any, Final

from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.dataset.catalogue import DayFile
from tournaments.dataset.serving import current, listed
from web.api_pages import list_serializer
from web.resource import Resource

DAYS: Final = 100
BEFORE = OpenApiParameter("before", OpenApiTypes.DATE, description="days before this one")


class DataFileSerializer(serializers.Serializer[Any]):
    """A day's file of decisions."""

    day = serializers.DateField(help_text="the day, in UTC, on which its matches were finished")
    url = serializers.CharField(allow_null=True, help_text="the address of the file; null: it is being made again")
    sha256 = serializers.CharField(help_text="SHA-256 of the file, hex")
    bytes = serializers.IntegerField(help_text="its size")
    matches = serializers.IntegerField(help_text="how many matches it holds")
    decisions = serializers.IntegerField(help_text="how many rows it has")


class DataFiles(Resource):
    """Files of decisions."""

    @extend_schema(operation_id="data_files", parameters=[BEFORE], responses=list_serializer(DataFileSerializer))
    def get(self, request: Request) -> Response:
        """List the files of decisions, a day each, the newest first, a hundred at a time."""
        wanted = request.query_params.get("before", "")
        end = date.fromisoformat(wanted) if wanted else date.max
        found = [file for file in listed() if file.date < end]
        available = current(found[:DAYS])
        items = [_item(file, is_current=file.day in available) for file in found[:DAYS]]
        here = request.build_absolute_uri(request.path)
        following = f"{here}?before={found[DAYS - 1].day}" if len(found) > DAYS else None
        return Response({"items": DataFileSerializer(items, many=True).data, "next": following, "prev": None})


def _item(file: DayFile, *, is_current: bool) -> dict[str, Any]:
    return {
        "day": file.date,
        "url": reverse("data-file", args=[file.name]) if is_current else None,
        "sha256": file.sha256,
        "bytes": file.bytes,
        "matches": file.matches,
        "decisions": file.decisions,
    }
