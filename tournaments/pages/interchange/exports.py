"""Files of an event, the schema of the format, and a person's own calendar."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from core.errors import TournamentError
from core.interchange.documents.event import schema
from tournaments.interchange import files
from tournaments.interchange.calendars import close_calendar, open_calendar, reader_of
from tournaments.interchange.file_versions import version_of
from tournaments.interchange.stored_files import made
from tournaments.models import Match, Tournament
from tournaments.notifications import followed
from tournaments.pages.entries.guest_access import network_of_reader
from tournaments.pages.events.event import load
from web.page import signed_in
from web.refusals import refused
from web.sending import send_file, send_made

HOUR: Final = 3600


def _send(request: HttpRequest, slug: str, make: Callable[[Tournament], files.File], *asked: str) -> HttpResponseBase:
    """Send the file of an event that the reader may open, or the reason why there is none. asked: which, and the
    query.
    """
    # Who may see the event may have its files: 404 for the others, before anything is read.
    event = load(request, slug).event
    # All that the file depends on (decision 0085): it is the ETag and the name of the stored file.
    key = version_of(event, *asked)
    network = network_of_reader(request)
    try:
        return send_made(request, key, lambda: made(key, lambda: make(event), network=network))
    except files.NoSuchFile as missing:
        raise Http404(str(missing)) from missing
    except TournamentError as error:
        return refused(request, translated(error), back=reverse("tournament", args=[slug]))


def translated(error: TournamentError) -> TournamentError:
    """Return the refusal in the reader's language, as far as it can be said in it."""
    msgid = error.extra.get("msgid")
    if isinstance(msgid, str):
        return TournamentError(_(msgid) % error.extra, code=error.code, extra=error.extra)
    return error


@require_safe
def event_file(request: HttpRequest, slug: str, what: str) -> HttpResponseBase:
    """Send `event.json` or a table: `pairings.csv?round=2&bom=1`."""
    query = request.GET.dict()
    return _send(request, slug, lambda event: files.event_file(event, what, query), what, files.options_of(query))


@require_safe
def event_report(request: HttpRequest, slug: str, order: int) -> HttpResponseBase:
    """Send a two-seat stage as a FIDE report, `?round=3` up to that round."""
    query = {**request.GET.dict(), "stage": str(order)}
    return _send(request, slug, lambda event: files.report_file(event, query), "report.trf", files.options_of(query))


@require_safe
def event_calendar(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Send the event's times for calendars."""
    here = request.build_absolute_uri("/")  # stands in the file
    return _send(
        request, slug, lambda event: files.calendar_file(event, partial(_address, request)), "calendar.ics", here
    )


def _address(request: HttpRequest, thing: Tournament | Match) -> str:
    if isinstance(thing, Match):
        return request.build_absolute_uri(reverse("match", args=[thing.uuid]))
    return request.build_absolute_uri(reverse("tournament", args=[thing.slug]))


@require_safe
def event_schema(request: HttpRequest) -> HttpResponse:
    """Send the JSON Schema of the format, at an address that stays."""
    response = JsonResponse(schema(), content_type="application/schema+json", json_dumps_params={"indent": 1})
    # The same for everybody, and programs ask for it again and again.
    patch_cache_control(response, public=True, max_age=HOUR)
    return response


@require_safe
def own_calendar(request: HttpRequest, token: str) -> HttpResponseBase:
    """Send what a person follows and is entered in, for calendars: the address alone opens it."""
    person = reader_of(token)
    # A closed, an old and an invented address are the same 404.
    if person is None:
        raise Http404
    events, tables = followed.calendar_events(person), followed.calendar_tables(person)
    made = files.own_calendar_file(str(person.uuid), events, tables, partial(_address, request))
    response = send_file(*made, known=request.headers.get("If-None-Match"))
    # The address is the key: no link in the calendar carries it on.
    response["Referrer-Policy"] = "no-referrer"
    return response


@login_required
@require_POST
def calendar_do(request: HttpRequest, verb: str) -> HttpResponse:
    """Open one's own calendar (again: under a new address), or close it."""
    acts: dict[str, Callable[..., Any]] = {"open": open_calendar, "close": close_calendar}
    if verb not in acts:
        raise Http404(verb)
    acts[verb](user=signed_in(request))
    return redirect(f"{reverse('notice-plan')}#calendar")
