"""Events: the list, one, a new one, changes and acts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from django.db.models import QuerySet
from django.http import Http404
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import User
from core.errors import TournamentError
from engine.games import PRESETS
from tournaments.api.acting import ActSerializer, DoneSerializer, asked, perform
from tournaments.api.events.change_fields import EventChangesSerializer
from tournaments.api.events.changing import change_event
from tournaments.api.events.plans import NewEventSerializer, plan_from
from tournaments.api.loading import SLUG, event_for, event_to_change
from tournaments.api.serializers import TournamentSerializer, UndoneSerializer
from tournaments.events.create import create_tournament
from tournaments.lifecycle.event_plan import EventPlan
from tournaments.lifecycle.transitions import SCORERS, may
from tournaments.models import Tournament
from tournaments.people import event_lists
from tournaments.progress import undo
from tournaments.progress.run import (
    archive_tournament,
    cancel_tournament,
    open_registration,
    pause_tournament,
    publish_tournament,
    resume_tournament,
    start_tournament,
)
from tournaments.progress.stations import call_free
from tournaments.ratings.ladders.actions import end_ladder
from web.access import reader, require
from web.api_pages import Pages
from web.bodies import read_body
from web.idempotency import OPTIONAL_KEY, once_if_keyed
from web.resource import Resource, changed, require_current

Payload = dict[str, Any]
VERBS: Final[dict[str, Callable[[Tournament, User, Payload], object]]] = {
    "publish": lambda event, by, said: publish_tournament(
        tournament=event, by=by, expected_version=said["row_version"]
    ),
    "open": lambda event, by, said: open_registration(tournament=event, by=by, expected_version=said["row_version"]),
    "start": lambda event, by, said: start_tournament(tournament=event, by=by, expected_version=said["row_version"]),
    "pause": lambda event, by, said: pause_tournament(tournament=event, by=by, expected_version=said["row_version"]),
    "resume": lambda event, by, said: resume_tournament(tournament=event, by=by, expected_version=said["row_version"]),
    "cancel": lambda event, by, said: cancel_tournament(
        tournament=event, by=by, reason=said["reason"], expected_version=said["row_version"]
    ),
    "archive": lambda event, by, said: archive_tournament(tournament=event, by=by),
    "end": lambda event, by, said: end_ladder(tournament=event, by=by),
    "call": lambda event, by, said: call_free(tournament=event, by=by),
}
VERB = OpenApiParameter("verb", OpenApiTypes.STR, OpenApiParameter.PATH, enum=sorted(VERBS))
FILTERS = [
    OpenApiParameter(
        "when",
        OpenApiTypes.STR,
        enum=["live", "soon", "past", "archived", "mine"],
        description="live: running or paused; soon: announced or open for entries; past: finished or cancelled; "
        "archived: put away, or called off before they began; mine: those in which you have a role",
    ),
    OpenApiParameter("preset", OpenApiTypes.STR, enum=sorted(PRESETS), description="of the first stage"),
    OpenApiParameter("seats", OpenApiTypes.INT, description="of the first stage"),
    OpenApiParameter("q", OpenApiTypes.STR, description="words in the name"),
]


class Tournaments(Resource, ListAPIView[Tournament]):
    """Events that the reader may see in lists, newest first; a new one."""

    serializer_class = TournamentSerializer
    pagination_class = Pages

    def get_queryset(self) -> QuerySet[Tournament]:
        query = self.request.query_params
        seats = query.get("seats", "")
        rows = event_lists.tournament_list(
            reader(self.request),
            when=query.get("when", "") or "all",
            preset=query.get("preset", "")[:20],
            seats=int(seats) if seats else None,
            words=query.get("q", "").strip()[:60],
        )
        return rows.order_by("-id")

    @extend_schema(operation_id="tournaments_list", parameters=FILTERS)
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """List events, newest first: public ones, and those that you run."""
        return super().get(request, *args, **kwargs)

    @extend_schema(
        operation_id="tournaments_create",
        parameters=[OPTIONAL_KEY],
        request=NewEventSerializer,
        responses={201: TournamentSerializer},
    )
    def post(self, request: Request) -> Response:
        """Make an event. It is a draft that nobody else sees until it is published. Scope: event:write."""
        by = require(request, "event:write")
        payload = read_body(NewEventSerializer, request)
        plan = plan_from(payload)
        return once_if_keyed(request, f"user:{by.pk}", lambda: _made(by, plan))


def _made(by: User, plan: EventPlan) -> Response:
    event = create_tournament(by=by, plan=plan)
    location = reverse("api-tournament", args=[event.slug])
    return Response(document(event), status=201, headers={"Location": location})


def document(event: Tournament) -> dict[str, Any]:
    """Return what a GET of the event answers."""
    return dict(TournamentSerializer(event_lists.with_figures(Tournament.objects.filter(pk=event.pk)).get()).data)


class TournamentDetail(Resource):
    """One event."""

    @extend_schema(operation_id="tournaments_retrieve", parameters=[SLUG], responses=TournamentSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """Get one event."""
        return Response(document(event_for(slug, request)[0]))

    @extend_schema(
        operation_id="tournaments_update",
        parameters=[SLUG],
        request=EventChangesSerializer,
        responses=TournamentSerializer,
    )
    def patch(self, request: Request, slug: str) -> Response:
        """Change an event: its words, zone, clocks, who is kept apart, ratings; all named fields or none.

        With If-Match: only as it was read, else 412. Scope: event:write.
        """
        event, by = event_to_change(slug, request, "event:write")
        payload = read_body(EventChangesSerializer, request, partial=True)
        require_current(request, document(event))
        change_event(event, by, payload)
        return changed(document(event))


class TournamentAct(Resource):
    """Acts of organisers on an event."""

    @extend_schema(
        operation_id="tournaments_act", parameters=[SLUG, VERB], request=ActSerializer, responses=DoneSerializer
    )
    def post(self, request: Request, slug: str, verb: str) -> Response:
        """Publish, open, start, pause, resume, cancel (reason), archive; end a ladder; call waiting matches of brackets
        that flow to the tables that are free. Scope: event:write.
        """
        if verb not in VERBS:
            raise Http404(verb)
        event, by = event_to_change(slug, request, "event:write")
        payload = asked(request.data)
        return perform(event, lambda: VERBS[verb](event, by, payload), dry_run=payload["dry_run"])


class TournamentUndo(Resource):
    """Undo."""

    @extend_schema(
        operation_id="tournaments_undo", parameters=[SLUG], request=ActSerializer, responses=UndoneSerializer
    )
    def post(self, request: Request, slug: str) -> Response:
        """Undo the last act of an organiser. A dry run answers what that would do, and `seen`. Scope: event:write."""
        event, by = event_to_change(slug, request, "event:write")
        may(event, by, SCORERS, "undo")  # before `seen` is looked at: who has no role learns nothing of what was done
        payload = asked(request.data)
        if payload["dry_run"]:
            return Response(_previewed(event, by))
        # Without `seen` nothing is undone: a program must know which act it undoes.
        if not payload["seen"].isdecimal() or len(payload["seen"]) > 18:
            message = "Look first with dry_run, then send what it answers as `seen`."
            raise TournamentError(message, code="undo.moved", extra={"pointer": "/seen"})
        done = undo.undo(tournament=event, by=by, seen=int(payload["seen"]))
        return Response({"dry_run": False, "seen": payload["seen"], "what": done.what, "lines": [], "shifts": []})


def _previewed(event: Tournament, by: User) -> dict[str, Any]:
    found = undo.preview(tournament=event, by=by)
    shifts = [{"name": each.name, "now": each.rank_now, "then": each.rank_then} for each in found.shifts]
    undoable = found.undoable
    return {
        "dry_run": True,
        "seen": str(undoable.id),
        "what": undoable.what,
        "lines": [str(line) for line in found.lines],
        "shifts": shifts,
    }
