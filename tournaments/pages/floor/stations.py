"""The part of the dashboard for brackets that flow: what is played at which table, what waits, and its calls."""

from __future__ import annotations

from typing import Any, Final

from django.http import Http404, HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from accounts.phrasing import listed
from activity.domain_events import uuid_or_nothing
from tournaments.models import Match, Stage, Tournament
from tournaments.pages.floor.announcements import Act, number
from tournaments.progress import stations
from tournaments.scores import tables as desk

WAITS: Final = (Match.State.READY, Match.State.PENDING, Match.State.QUEUED)


def flow_of(stage: Stage, event: Tournament) -> dict[str, Any]:
    """Return what the dashboard shows of a bracket that flows; nothing of another stage."""
    if not stage.flows or stage.state != Stage.State.ACTIVE:
        return {}
    rows = desk.flowing_tables(stage)
    waiting = {row.match.pk: row for row in rows if row.match.state in WAITS}
    free = stations.free_stations(event)
    return {
        "flow": {
            "played": [row for row in rows if row.match.state not in WAITS],
            "waiting": [waiting[each.pk] for each in stations.in_order(row.match for row in waiting.values())],
            "free": listed(free),
            "has_free": bool(free) or event.hall_tables is None,
            "stations": free,
        }
    }


def _tables(request: HttpRequest, event: Tournament, by: User) -> str:
    alone = request.POST.get("alone") == "1"
    called = stations.choose_tables(tournament=event, by=by, tables=number(request, "tables"), calls_alone=alone)
    if called:
        return _called(called)
    if event.hall_tables is None:
        return _("Tables are not counted: every match gets a table of its own.")
    n = event.hall_tables
    return ngettext("There is %(n)d table.", "There are %(n)d tables.", n) % {"n": n}


def _called(n: int) -> str:
    return ngettext("%(n)d match is called.", "%(n)d matches are called.", n) % {"n": n}


def _call_free(_request: HttpRequest, event: Tournament, by: User) -> str:
    return _called(stations.call_free(tournament=event, by=by))


def _call_match(request: HttpRequest, event: Tournament, by: User) -> str:
    wanted = uuid_or_nothing(request.POST.get("match", ""))
    rows = Match.objects.filter(stage__tournament=event).select_related("stage__tournament")
    match = rows.filter(uuid=wanted).first() if wanted else None
    if match is None:
        raise Http404("match")
    row = stations.call_match(match=match, by=by, station=number(request, "station"))
    return _("Table %(n)s is called.") % {"n": row.shown_table}


FLOW_ACTS: Final[dict[str, tuple[Act, str]]] = {
    "tables": (_tables, "tournament-desk"),
    "call-free": (_call_free, "tournament-desk"),
    "call-match": (_call_match, "tournament-desk"),
}
