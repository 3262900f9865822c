"""Lists of the API: {items, next, prev} by cursor, at most 200 a page."""

from typing import Any

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
