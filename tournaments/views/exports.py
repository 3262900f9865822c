"""An event as files: JSON, FIDE reports, tables for spreadsheets, calendars."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import partial
from typing import Any, Final

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified, JsonResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe
from rest_framework.request import Request

from bots.views.page import signed_in
from bots.views.refusals import refused
from tournaments.errors import TournamentError
from tournaments.interchange import event_tables, ical, trf
from tournaments.interchange.errors import InterchangeError, refusal
from tournaments.interchange.event import schema
from tournaments.interchange.event_ids import original
from tournaments.jobs.exporting import trf_of
from tournaments.jobs.exporting_calendar import appointments_of
from tournaments.jobs.exporting_event import document_of, event_json
from tournaments.models import Match, Tournament
from tournaments.selectors.people import followed_by
from tournaments.services.calendars import close_calendar, open_calendar, reader_of
from tournaments.views.event import load

MOST_MATCHES: Final = 3_000
"""Files of larger events are made by `manage.py export_event`."""
HOUR: Final = 3600
CSV: Final = "text/csv; charset=utf-8"
Asked = HttpRequest | Request
Made = tuple[bytes, str, str]
"""Content, its type, the name of the file."""


def file_of(request: Asked, made: Made) -> HttpResponse:
    """A file to keep, or 304 for who has it."""
    content, kind, name = made
    etag = f'"{hashlib.sha256(content).hexdigest()[:32]}"'
    if request.headers.get("If-None-Match") == etag:
        response: HttpResponse = HttpResponseNotModified()
    else:
        response = HttpResponse(content, content_type=kind)
        response["Content-Disposition"] = f'attachment; filename="{name}"'
    response["ETag"] = etag
    response["Cache-Control"] = "private, no-cache"
    return response


def make(event: Tournament, what: str, query: dict[str, str]) -> Made:
    """One of an event's files. Raises InterchangeError, and Http404 for a file that there is not."""
    if what == "event.json":
        require_size(event)
        return event_json(event), "application/json", f"{event.slug}.json"
    if what in TABLES:
        return _table(event, what, query)
    raise Http404(what)


def require_size(event: Tournament) -> None:
    """Raise InterchangeError "event.too_large" for an event whose file would take long to make."""
    if Match.objects.filter(stage__tournament=event).count() > MOST_MATCHES:
        message = "The event has more than %(most)s matches. Its organiser's operator can export it by command."
        raise refusal("event.too_large", message, most=MOST_MATCHES, where="")


def _table(event: Tournament, what: str, query: dict[str, str]) -> Made:
    require_size(event)
    parts, write, named = TABLES[what]
    asked = {name: number_of(query, key) for key, name in named.items() if key in query}
    suffix = "".join(f"-{key}-{asked[name]}" for key, name in named.items() if name in asked)
    content = write(document_of(event, **parts), bom=bool(query.get("bom")), **asked)
    return content, CSV, f"{event.slug}-{what.removesuffix('.csv')}{suffix}.csv"


def number_of(query: dict[str, str], name: str) -> int:
    """A whole number of the query, or 404."""
    text = query.get(name, "")
    if not (text.isascii() and text.isdigit() and len(text) < 6):
        raise Http404(name)
    return int(text)


TABLES: Final[dict[str, tuple[dict[str, bool], Callable[..., bytes], dict[str, str]]]] = {
    "entries.csv": ({"matches": False}, event_tables.entries_csv, {}),
    "pairings.csv": ({}, event_tables.pairings_csv, {"round": "number"}),
    "matches.csv": ({}, event_tables.matches_csv, {}),
    "deals.csv": ({"records": True}, event_tables.deals_csv, {}),
    "standings.csv": ({"matches": False}, event_tables.standings_csv, {"stage": "stage", "round": "after_round"}),
}
"""What to read of the event, who writes it, and what the query may say."""


@require_safe
def event_file(request: HttpRequest, slug: str, what: str) -> HttpResponse:
    """`event.json` or a table: `pairings.csv?round=2&bom=1`."""
    event = load(request, slug).event
    try:
        return file_of(request, make(event, what, request.GET.dict()))
    except InterchangeError as error:
        return refused(request, said(error), back=reverse("tournament", args=[slug]))


@require_safe
def event_schema(request: HttpRequest) -> HttpResponse:
    """The JSON Schema of the format, at an address that stays."""
    response = JsonResponse(schema(), content_type="application/schema+json", json_dumps_params={"indent": 1})
    patch_cache_control(response, public=True, max_age=HOUR)
    return response


@require_safe
def event_report(request: HttpRequest, slug: str, order: int) -> HttpResponse:
    """A two-seat stage as a FIDE report, `?round=3` up to that round."""
    event = load(request, slug).event
    try:
        return file_of(request, report_of(event, {**request.GET.dict(), "stage": str(order)}))
    except TournamentError as error:
        return refused(request, said(error), back=reverse("tournament", args=[slug]))


def report_of(event: Tournament, query: dict[str, str]) -> Made:
    """The report of `stage` (1 where it is not said) up to `round`. Raises TournamentError "trf.*", and Http404."""
    order = number_of({"stage": "1", **query}, "stage")
    stage = event.stages.select_related("tournament", "ruleset").filter(order=order).first()
    if stage is None:
        raise Http404(str(order))
    content = trf.encode(trf_of(stage, up_to=number_of({"round": "0", **query}, "round")))
    return content, "text/plain; charset=iso-8859-1", f"{event.slug}-{order}.trf"


@require_safe
def event_calendar(request: HttpRequest, slug: str) -> HttpResponse:
    """The event's times for calendars."""
    return file_of(request, calendar_of(request, load(request, slug).event))


def calendar_of(request: Asked, event: Tournament) -> Made:
    """The times of one event."""
    found = appointments_of([event], partial(_address, request))
    uid = f"{original(event.uuid, event.policies)}-calendar@hanami"
    return ical.calendar(uid, event.name, found, zone=event.time_zone), ICAL, f"{event.slug}.ics"


ICAL: Final = "text/calendar; charset=utf-8"


def _address(request: Asked, event: Tournament) -> str:
    return str(request.build_absolute_uri(reverse("tournament", args=[event.slug])))


@require_safe
def own_calendar(request: HttpRequest, token: str) -> HttpResponse:
    """What a person follows and is entered in, for calendars: the address alone opens it."""
    person = reader_of(token)
    if person is None:
        raise Http404
    followed = followed_by(person)
    events = list({event.pk: event for event in (*followed.tournaments, *followed.entered)}.values())
    content = ical.calendar(f"{person.uuid}@hanami", "Hanami", appointments_of(events, partial(_address, request)))
    response = file_of(request, (content, ICAL, "hanami.ics"))
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
    return redirect(f"{reverse('follow')}#calendar")


def said(error: TournamentError) -> TournamentError:
    """The refusal in the reader's language, as far as it can be said in it."""
    msgid = error.extra.get("msgid")
    if isinstance(msgid, str):
        return TournamentError(_(msgid) % error.extra, code=error.code, extra=error.extra)
    return error
