"""Files of public events, the same as on their pages: JSON, tables, FIDE reports, calendars."""

from django.http import Http404
from django.http.response import HttpResponseBase
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.request import Request

from tournaments.api.loading import SLUG, event_for
from tournaments.interchange.file_versions import version_of
from tournaments.interchange.files import (
    CROSSTABLE,
    TABLES,
    File,
    NoSuchFile,
    calendar_file,
    event_file,
    options_of,
    report_file,
)
from tournaments.interchange.stored_files import made
from tournaments.models import Tournament
from web.resource import Resource
from web.sending import send_made
from web.throttles import where_from

NAMES = ("event.json", *TABLES, CROSSTABLE, "report.trf", "calendar.ics")
NAME = OpenApiParameter("name", OpenApiTypes.STR, OpenApiParameter.PATH, description="which file", enum=NAMES)
QUERY = [
    OpenApiParameter(
        "stage",
        OpenApiTypes.STR,
        description="of standings.csv, crosstable.csv and report.trf, from 1; standings.csv: all is the whole event",
    ),
    OpenApiParameter("round", OpenApiTypes.INT, description="pairings of it; standings after it; report up to it"),
    OpenApiParameter("bom", OpenApiTypes.BOOL, description="tables begin with a byte order mark, for spreadsheets"),
]
FILES = {
    (200, "application/json"): OpenApiResponse(OpenApiTypes.OBJECT, description="event.json"),
    **{
        (200, kind): OpenApiResponse(OpenApiTypes.STR, description="a table, a report, a calendar")
        for kind in ("text/csv", "text/plain", "text/calendar")
    },
}


class Files(Resource):
    """A public event as a file. `event.json` is the whole event in the format hanafuda-tournament/1."""

    @extend_schema(operation_id="tournament_file", parameters=[SLUG, NAME, *QUERY], responses=FILES)
    def get(self, request: Request, slug: str, name: str) -> HttpResponseBase:
        event, _person = event_for(slug, request)
        asked = (
            options_of(request.query_params.dict()),
            request.build_absolute_uri("/") if name == "calendar.ics" else "",
        )
        # “api”: the calendar here has other addresses than the one of the page, so their keys differ.
        key, network = version_of(event, "api", name, *asked), where_from(request)
        try:
            return send_made(
                request._request, key, lambda: made(key, lambda: file_named(request, event, name), network=network)
            )
        except NoSuchFile as missing:
            raise Http404(name) from missing


def file_named(request: Request, event: Tournament, name: str) -> File:
    """Return the file, its query taken from the request. Raises NoSuchFile and TournamentError."""
    query: dict[str, str] = request.query_params.dict()
    if name == "calendar.ics":
        return calendar_file(
            event, lambda each: str(request.build_absolute_uri(reverse("tournament", args=[each.slug])))
        )
    return report_file(event, query) if name == "report.trf" else event_file(event, name, query)
