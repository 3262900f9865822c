"""Seasons: the list, one, its table, a person's total, its events, what is done with them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final
from uuid import UUID

from django.db.models import QuerySet
from django.http import Http404
from django.http.response import HttpResponseBase
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import User
from core.seasons.model import FULL_WEIGHT
from tournaments.api.seasons.serializers import (
    NewSeasonEventSerializer,
    SeasonActSerializer,
    SeasonEventSerializer,
    SeasonRowSerializer,
    SeasonSerializer,
    SeasonTotalSerializer,
    WeightSerializer,
    event_document,
    plan_from,
    season_document,
    total_document,
)
from tournaments.models import Season, SeasonEvent, SeasonIdentity
from tournaments.seasons import closing, events, people, queries
from tournaments.seasons.explaining import explanation_of
from tournaments.seasons.files import table_csv
from tournaments.seasons.set_up import SeasonPlan, change_season, create_season, plan_of
from web.access import reader, require, somebody
from web.api_pages import PAGED, Pages, in_pages, list_response, list_serializer
from web.bodies import read_body
from web.idempotency import once_if_keyed
from web.resource import Resource
from web.sending import send_file

SLUG = OpenApiParameter("slug", OpenApiTypes.STR, OpenApiParameter.PATH, description="the season's address")
EVENT = OpenApiParameter("event", OpenApiTypes.STR, OpenApiParameter.PATH, description="the event's address")
UUID_OF = OpenApiParameter("uuid", OpenApiTypes.UUID, OpenApiParameter.PATH, description="of the person")
FILTERS = [
    OpenApiParameter("q", OpenApiTypes.STR, description="words in the name"),
    OpenApiParameter("mine", OpenApiTypes.BOOL, description="1: those you run"),
    OpenApiParameter("state", OpenApiTypes.STR, enum=Season.State.values, description="running or closed ones only"),
]
TABLE_FILTERS = [
    OpenApiParameter("division", OpenApiTypes.INT, description="from 1, the highest; without it all of them"),
    OpenApiParameter("q", OpenApiTypes.STR, description="words in the name"),
    OpenApiParameter("club", OpenApiTypes.STR, description="the club, in any spelling"),
]


def season_shown(slug: str, request: Request) -> tuple[Season, User | None]:
    """Return a season that the reader may open, and who they are; 404 for others."""
    person = reader(request)
    try:
        return queries.season_for(slug, person), person
    except Season.DoesNotExist as missing:
        raise Http404(slug) from missing


def season_to_change(slug: str, request: Request) -> tuple[Season, User]:
    """Return a season and the person who acts on it; 404 for those who do not run it."""
    try:
        season = queries.season_for(slug, somebody(request))
    except Season.DoesNotExist as missing:
        raise Http404(slug) from missing
    by = require(request, "event:write")
    if not season.viewer_role:
        raise Http404(slug)
    return season, by


class Seasons(Resource, ListAPIView[Season]):
    """Seasons."""

    serializer_class = SeasonSerializer
    pagination_class = Pages

    def get_queryset(self) -> QuerySet[Season]:
        person, query = reader(self.request), self.request.query_params
        wants_own = query.get("mine") in ("1", "true")
        if wants_own and person is None:
            return Season.objects.none()
        words = query.get("q", "").strip()[:60]
        rows = queries.season_list(person, words=words, when="mine" if wants_own else "")
        if state := query.get("state", ""):
            rows = rows.filter(state=state)
        return rows.select_related("previous").order_by("-id")

    @extend_schema(operation_id="seasons_list", parameters=FILTERS)
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """List public seasons and those you run, newest first."""
        page = self.paginate_queryset(self.get_queryset())
        return self.get_paginated_response([season_document(each) for each in page or ()])

    @extend_schema(operation_id="seasons_create", request=SeasonSerializer, responses={201: SeasonSerializer})
    def post(self, request: Request) -> Response:
        """Make a season; only its name is needed. Scope: event:write."""
        by = require(request, "event:write")
        payload = read_body(SeasonSerializer, request)

        def make() -> Response:
            made = create_season(by=by, plan=plan_from(payload, SeasonPlan("")))
            where = {"Location": reverse("api-season", args=[made.slug])}
            return Response(season_document(made), status=201, headers=where)

        return once_if_keyed(request, f"user:{by.pk}", make)


class OneSeason(Resource):
    """One season."""

    @extend_schema(operation_id="seasons_retrieve", parameters=[SLUG], responses=SeasonSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """Get a season and its rules."""
        return Response(season_document(season_shown(slug, request)[0]))

    @extend_schema(
        operation_id="seasons_change", parameters=[SLUG], request=SeasonSerializer, responses=SeasonSerializer
    )
    def patch(self, request: Request, slug: str) -> Response:
        """Change the rules or words of a season you run; its table follows. Scope: event:write."""
        season, by = season_to_change(slug, request)
        payload = read_body(SeasonSerializer, request, partial=True)
        changed = change_season(season=season, by=by, plan=plan_from(payload, plan_of(season)))
        return Response(season_document(changed))


class SeasonTable(Resource):
    """The table of a season."""

    @extend_schema(
        operation_id="seasons_table",
        parameters=[SLUG, *TABLE_FILTERS, *PAGED],
        responses=list_serializer(SeasonRowSerializer),
    )
    def get(self, request: Request, slug: str) -> Response:
        """List the rows of the table, division by division, the best first."""
        season, _person = season_shown(slug, request)
        words, club = (request.query_params.get(name, "").strip()[:60] for name in ("q", "club"))
        rows = queries.whole_table(season, words=words, club=club)
        division = request.query_params.get("division", "")
        if division:
            rows = rows.filter(division__position=int(division))
        return in_pages(request, list(rows), lambda some: SeasonRowSerializer(some, many=True).data)


class SeasonTableFile(Resource):
    """The table of a season as a file."""

    @extend_schema(
        operation_id="seasons_table_file",
        parameters=[SLUG],
        responses={(200, "text/csv"): OpenApiResponse(OpenApiTypes.STR, description="the table")},
    )
    def get(self, request: Request, slug: str) -> HttpResponseBase:
        """Get the table of all divisions as CSV."""
        season, _person = season_shown(slug, request)
        known = request.headers.get("If-None-Match")
        return send_file(table_csv(season, bom=False), "text/csv; charset=utf-8", f"{slug}.csv", known=known)


class SeasonTotal(Resource):
    """A person's total."""

    @extend_schema(operation_id="seasons_total", parameters=[SLUG, UUID_OF], responses=SeasonTotalSerializer)
    def get(self, request: Request, slug: str, uuid: UUID) -> Response:
        """Get a person's row and how the total is made, event by event."""
        season, viewer = season_shown(slug, request)
        person = queries.person_of(season, uuid)
        if person is None:
            raise Http404(str(uuid))
        return Response(total_document(explanation_of(person, viewer)))


class SeasonEvents(Resource):
    """The events of a season."""

    @extend_schema(
        operation_id="seasons_events_list", parameters=[SLUG], responses=list_serializer(SeasonEventSerializer)
    )
    def get(self, request: Request, slug: str) -> Response:
        """List the events of a season that you may know of."""
        season, person = season_shown(slug, request)
        lines = queries.event_lines(season, person, role=season.viewer_role or "")
        return list_response([event_document(line) for line in lines])

    @extend_schema(
        operation_id="seasons_events_add",
        parameters=[SLUG],
        request=NewSeasonEventSerializer,
        responses={201: SeasonEventSerializer},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Add an event that you organise, or ask the organisers of another one. Scope: event:write."""
        season, by = season_to_change(slug, request)
        payload = read_body(NewSeasonEventSerializer, request)
        weight = int(payload["weight"] * FULL_WEIGHT)
        row = events.add_event(season=season, by=by, slug=payload["event"], weight=weight)
        return Response(_one_event(row, season), status=201)


def _one_event(row: SeasonEvent, season: Season) -> dict[str, Any]:
    found = SeasonEvent.objects.select_related("tournament").get(pk=row.pk)
    found.season = season
    return event_document(queries.EventLine(found, found.tournament))


class OneSeasonEvent(Resource):
    """One event of a season."""

    @extend_schema(
        operation_id="seasons_events_weigh",
        parameters=[SLUG, EVENT],
        request=WeightSerializer,
        responses=SeasonEventSerializer,
    )
    def patch(self, request: Request, slug: str, event: str) -> Response:
        """Change how much an event counts. Scope: event:write."""
        season, by = season_to_change(slug, request)
        payload = read_body(WeightSerializer, request)
        row = events.weigh_event(row=_row(season, event), by=by, weight=int(payload["weight"] * FULL_WEIGHT))
        return Response(_one_event(row, season))

    @extend_schema(operation_id="seasons_events_remove", parameters=[SLUG, EVENT], responses={204: None})
    def delete(self, request: Request, slug: str, event: str) -> Response:
        """Take an event out of a season; its results count no more. Scope: event:write."""
        season, by = season_to_change(slug, request)
        events.remove_event(row=_row(season, event), by=by)
        return Response(status=204)


def _row(season: Season, event: str) -> SeasonEvent:
    rows = SeasonEvent.objects.select_related("season", "tournament")
    found = rows.filter(season=season, tournament__slug=event).first()
    if found is None:
        raise Http404(event)
    return found


def _merge(season: Season, by: User, data: dict[str, Any]) -> Season:
    source, target = _needed(data, "one", "other")
    people.merge_people(season=season, by=by, source=source, target=target)
    return season


def _separate(season: Season, by: User, data: dict[str, Any]) -> Season:
    people.separate_person(season=season, by=by, entry=_needed(data, "entry")[0])
    return season


def _undo(season: Season, by: User, data: dict[str, Any]) -> Season:
    rows = SeasonIdentity.objects.select_related("season").filter(season=season, uuid=_needed(data, "identity")[0])
    found = rows.first()
    if found is None:
        raise Http404
    people.undo_identity(row=found, by=by)
    return season


def _assign(season: Season, by: User, data: dict[str, Any]) -> Season:
    person, division = _needed(data, "person", "division")
    people.assign_division(season=season, by=by, person=person, division=int(division))
    return season


def _next(season: Season, by: User, data: dict[str, Any]) -> Season:
    return closing.make_next_season(season=season, by=by, name=_needed(data, "name")[0])


def _needed(data: dict[str, Any], *names: str) -> list[str]:
    missing = [name for name in names if name not in data]
    if missing:
        raise serializers.ValidationError({key: ["This verb needs it."] for key in missing}, code="required")
    return [str(data[name]) for name in names]


VERBS: Final[dict[str, Callable[[Season, User, dict[str, Any]], Season]]] = {
    "merge": _merge,
    "separate": _separate,
    "undo": _undo,
    "assign": _assign,
    "close": lambda season, by, _data: closing.close_season(season=season, by=by),
    "reopen": lambda season, by, _data: closing.reopen_season(season=season, by=by),
    "next": _next,
}
VERB = OpenApiParameter("verb", OpenApiTypes.STR, OpenApiParameter.PATH, enum=list(VERBS), description="what to do")


class SeasonAct(Resource):
    """Acts on a season."""

    @extend_schema(
        operation_id="seasons_act", parameters=[SLUG, VERB], request=SeasonActSerializer, responses=SeasonSerializer
    )
    def post(self, request: Request, slug: str, verb: str) -> Response:
        """Say who is who, put somebody into a division, close a season, make the next one; the answer is the season, of
        `next` the new one. Scope: event:write.
        """
        season, by = season_to_change(slug, request)
        if verb not in VERBS:
            raise Http404(verb)
        payload = read_body(SeasonActSerializer, request)
        found = VERBS[verb](season, by, payload)
        found.refresh_from_db()
        return Response(season_document(found))
