"""Lists of the API: {items, next, prev} by cursor, at most 200 a page."""

from functools import cache
from typing import Any

from drf_spectacular.utils import inline_serializer
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.pagination import Cursor, CursorPagination
from rest_framework.request import Request
from rest_framework.response import Response


class Pages(CursorPagination):
    """Newest first unless the view says otherwise. `?limit=` up to 200."""

    page_size = 50
    page_size_query_param = "limit"
    max_page_size = 200
    ordering = "-id"

    def decode_cursor(self, request: Request) -> Cursor | None:
        """Every list is ordered by a number: a cursor that names anything else was not made here."""
        cursor: Cursor | None = super().decode_cursor(request)
        position = "0" if cursor is None or cursor.position is None else str(cursor.position)
        if not (position.isdecimal() and len(position) < 19):
            raise NotFound(self.invalid_cursor_message)
        return cursor

    def get_paginated_response(self, data: Any) -> Response:
        return Response({"items": data, "next": self.get_next_link(), "prev": self.get_previous_link()})

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        link = {"type": "string", "format": "uri", "nullable": True}
        return {
            "type": "object",
            "required": ["items", "next", "prev"],
            "properties": {"items": schema, "next": link, "prev": link},
        }


class InOrder(Pages):
    """First things first: rounds, tables, legs."""

    ordering = "id"


class ByRow(Pages):
    """Standings in their own order."""

    ordering = "row"
    page_size = 200


@cache
def whole(row: type[serializers.Serializer[Any]]) -> serializers.Serializer[Any]:
    """How a list is described that is always answered in full: next and prev are null."""
    name = row.__name__.removesuffix("Serializer")
    fields: dict[str, serializers.Field[Any, Any, Any, Any]] = {
        "items": row(many=True),
        "next": serializers.URLField(allow_null=True),
        "prev": serializers.URLField(allow_null=True),
    }
    made: serializers.Serializer[Any] = inline_serializer(f"{name}List", fields)
    return made


def in_full(items: Any) -> Response:
    """A list that is short enough to be answered whole."""
    return Response({"items": items, "next": None, "prev": None})
