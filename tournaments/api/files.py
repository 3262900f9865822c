"""The files of public events, the same as on their pages: JSON, tables, FIDE reports, calendars."""

from typing import Any

from django.http import Http404, HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.request import Request

from tournaments.api.views import SLUG, ForEverybody, public_tournament
from tournaments.views.exports import TABLES, calendar_of, file_of, make, report_of

NAMES = ("event.json", *TABLES, "report.trf", "calendar.ics")
NAME = OpenApiParameter("name", OpenApiTypes.STR, OpenApiParameter.PATH, description="which file", enum=NAMES)
QUERY = [
    OpenApiParameter("stage", OpenApiTypes.INT, description="of standings.csv and report.trf, from 1"),
    OpenApiParameter("round", OpenApiTypes.INT, description="pairings of it; standings after it; report up to it"),
    OpenApiParameter("bom", OpenApiTypes.BOOL, description="tables begin with a byte order mark, for spreadsheets"),
]
FILE = OpenApiResponse(OpenApiTypes.BINARY, description="the file, with an ETag")


class Files(ForEverybody):
    """A public event as a file. `event.json` is the whole event in the format hanafuda-tournament/1."""

    @extend_schema(operation_id="tournament_file", parameters=[SLUG, NAME, *QUERY], responses={200: FILE})
    def get(self, request: Request, slug: str, name: str) -> HttpResponse:
        event = public_tournament(slug)
        query: dict[str, Any] = request.query_params.dict()
        if name == "calendar.ics":
            return file_of(request, calendar_of(request, event))
        if name == "report.trf":
            return file_of(request, report_of(event, query))
        if name not in NAMES:
            raise Http404(name)
        return file_of(request, make(event, name, query))
