"""Lists of the API: {items, next, prev} by cursor, at most 200 a page."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Final

from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, inline_serializer
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.pagination import Cursor, CursorPagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param

from web.parameters import InvalidParameters, invalid


def foreign_cursor() -> InvalidParameters:
    """Return the refusal of a cursor that no list has given."""
    return invalid("cursor", _("No page begins there. Take the addresses from next and prev."))


def read_cursor(decode: Callable[[Request], Cursor | None], request: Request) -> Cursor | None:
    """Return what the library reads from a cursor. Raises InvalidParameters."""
    try:
        return decode(request)
    except NotFound as foreign:
        raise foreign_cursor() from foreign


class Pages(CursorPagination):
    """Newest first unless the view says otherwise. `?limit=` up to 200."""

    page_size = 50
    page_size_query_param = "limit"
    max_page_size = 200
    ordering = "-id"

    def decode_cursor(self, request: Request) -> Cursor | None:
        """Return the cursor; every list is ordered by a number, so a cursor that names anything else was not made here.
        Raises InvalidParameters.
        """
        cursor = read_cursor(super().decode_cursor, request)
        position = "0" if cursor is None or cursor.position is None else str(cursor.position)
        # 18 digits always fit a bigint; a longer number would be an error of the database, a 500.
        if not (position.isdecimal() and len(position) < 19):
            raise foreign_cursor()
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
    """A list in its natural order: rounds, tables, legs."""

    ordering = "id"


class ByRow(Pages):
    """Standings in their own order."""

    ordering = "row"
    page_size = 200


# Once per serializer: two inline serializers of one name would be a conflict in the OpenAPI description.
@cache
def list_serializer(row: type[serializers.Serializer[Any]]) -> serializers.Serializer[Any]:
    """Return the description of a list that is always answered in full: next and prev are null."""
    name = row.__name__.removesuffix("Serializer")
    fields: dict[str, serializers.Field[Any, Any, Any, Any]] = {
        "items": row(many=True),
        "next": serializers.URLField(allow_null=True),
        "prev": serializers.URLField(allow_null=True),
    }
    made: serializers.Serializer[Any] = inline_serializer(f"{name}List", fields)
    return made


def list_response(items: Any) -> Response:
    """Return a list that is short enough to be answered in full."""
    return Response({"items": items, "next": None, "prev": None})


PAGED: Final = [
    OpenApiParameter("limit", OpenApiTypes.INT, description=f"how many a page, at most {Pages.max_page_size}"),
    OpenApiParameter("cursor", OpenApiTypes.INT, description="where the page begins; `next` and `prev` name it"),
]
"""Parameters of a list that is computed as a whole and answered in pages."""


def in_pages(request: Request, rows: Sequence[Any], show: Callable[[Sequence[Any]], Any]) -> Response:
    """Answer a list that is computed as a whole in pages; its cursor is the number of items to skip. Raises
    InvalidParameters.

    show: the documents of some rows.
    """
    begin, most = _number(request, "cursor", 0), Pages.max_page_size
    limit = min(_number(request, "limit", most), most)
    here = request.build_absolute_uri()

    def link(at: int) -> str:
        return replace_query_param(here, "cursor", at)

    following = link(begin + limit) if begin + limit < len(rows) else None
    before = link(max(0, begin - limit)) if begin else None
    return Response({"items": show(rows[begin : begin + limit]), "next": following, "prev": before})


def _number(request: Request, name: str, default: int) -> int:
    text = request.query_params.get(name, "")
    # 9 digits at most: no list is longer, and int() refuses thousands of digits with an error that would be a 500.
    if text and not (text.isdecimal() and len(text) < 10):
        raise foreign_cursor()
    return int(text) if text else default
