"""Read-only resources, version 1. Only what everybody may see: no drafts, nothing private, no source, no log."""

from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.http import Http404
from django.utils.decorators import method_decorator
from django.views.decorators.http import conditional_page
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.generics import ListAPIView, RetrieveAPIView
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer
from rest_framework.views import APIView

from engine.games import PRESETS
from tournaments.api.pages import ByRow, InOrder, Pages
from tournaments.api.serializers import (
    EntrySerializer,
    ExplainedSerializer,
    MatchSerializer,
    PresetSerializer,
    RoundSerializer,
    StandingSerializer,
    TournamentSerializer,
)
from tournaments.models import Entry, Match, Stage, Standing, Tournament
from tournaments.selectors import events, schedule
from tournaments.selectors.matches import match_page, served_document
from tournaments.selectors.schedule import seats_named

SLUG = OpenApiParameter("slug", OpenApiTypes.STR, OpenApiParameter.PATH, description="the tournament's address")

STAGE = OpenApiParameter(
    "stage", OpenApiTypes.INT, description="the number of a stage; without it the last one that was drawn"
)

with_etag = method_decorator(conditional_page, name="dispatch")


def public_tournament(slug: str) -> Tournament:
    """A tournament that everybody may open, or 404."""
    found = Tournament.objects.filter(events.visible_to(None), slug=slug).first()
    if found is None:
        raise Http404(slug)
    return found


def stage_of(tournament: Tournament, request: Request) -> Stage | None:
    """The stage asked for, or the last one that was drawn; 404 for one that there is not."""
    wanted = request.query_params.get("stage", "")
    stages = list(tournament.stages.order_by("order")) if tournament.pk else []
    found = events.shown_stage(stages, wanted)
    if found is None and wanted:
        raise Http404(wanted)
    return found


def public_matches() -> QuerySet[Match]:
    """Matches of tournaments that everybody may open, with what a document of one says."""
    rows = Match.objects.filter(events.visible_to(None, "stage__tournament__"))
    return rows.select_related("stage__tournament", "round", "deal_set").prefetch_related(seats_named())


class ForEverybody(APIView):
    """Reading needs no account; whatever is not reading is answered with 405."""

    permission_classes = (AllowAny,)


@with_etag
class Presets(ForEverybody):
    """Every preset with its options."""

    @extend_schema(operation_id="presets_list", responses=PresetSerializer(many=True))
    def get(self, request: Request) -> Response:
        items = PresetSerializer(list(PRESETS.values()), many=True).data
        return Response({"items": items, "next": None, "prev": None})


@with_etag
class Tournaments(ForEverybody, ListAPIView[Tournament]):
    """Public tournaments, newest first."""

    serializer_class = TournamentSerializer
    pagination_class = Pages

    def get_queryset(self) -> QuerySet[Tournament]:
        return events.with_figures(events.listed(None)).order_by("-id")


@with_etag
class TournamentDetail(ForEverybody, RetrieveAPIView[Tournament]):
    """One tournament."""

    serializer_class = TournamentSerializer
    lookup_field = "slug"

    def get_queryset(self) -> QuerySet[Tournament]:
        return events.with_figures(Tournament.objects.filter(events.visible_to(None)))


class OfTournament(ForEverybody):
    """What lists under a tournament share: the tournament of the address."""

    kwargs: dict[str, Any]

    def tournament(self) -> Tournament:
        """404 when there is none; the schema is made without an address, of no tournament."""
        if "slug" not in self.kwargs:
            return Tournament(pk=0)
        return public_tournament(str(self.kwargs["slug"]))


@with_etag
@extend_schema(parameters=[SLUG])
class Entries(OfTournament, ListAPIView[Entry]):
    """Its entries."""

    serializer_class = EntrySerializer
    pagination_class = InOrder

    def get_queryset(self) -> QuerySet[Entry]:
        return events.entries_of(self.tournament())


@with_etag
class Rounds(OfTournament):
    """Its rounds with how far each is."""

    @extend_schema(
        operation_id="tournaments_rounds_list", parameters=[SLUG, STAGE], responses=RoundSerializer(many=True)
    )
    def get(self, request: Request, slug: str) -> Response:
        stage = stage_of(self.tournament(), request)
        items = RoundSerializer(schedule.rounds_of(stage) if stage else [], many=True).data
        return Response({"items": items, "next": None, "prev": None})


@with_etag
@extend_schema(parameters=[SLUG])
class Matches(OfTournament, ListAPIView[Match]):
    """Its matches in the order they were drawn."""

    serializer_class = MatchSerializer
    pagination_class = InOrder

    def get_queryset(self) -> QuerySet[Match]:
        return public_matches().filter(stage__tournament=self.tournament())


@with_etag
@extend_schema(
    parameters=[
        SLUG,
        STAGE,
        OpenApiParameter("explain", OpenApiTypes.INT, description="1: with what every value is made of"),
    ]
)
class Standings(OfTournament, ListAPIView[Standing]):
    """Its standings now, best first; explain=1 adds the inputs of every value."""

    pagination_class = ByRow

    def get_queryset(self) -> QuerySet[Standing]:
        rows = Standing.objects.filter(stage=stage_of(self.tournament(), self.request), after_round=0)
        return rows.select_related("entry__player").order_by("row")

    def get_serializer_class(self) -> type[BaseSerializer[Standing]]:
        return ExplainedSerializer if self.request.query_params.get("explain") == "1" else StandingSerializer


@with_etag
class MatchDetail(ForEverybody, RetrieveAPIView[Match]):
    """One match."""

    serializer_class = MatchSerializer
    lookup_field = "uuid"

    def get_queryset(self) -> QuerySet[Match]:
        return public_matches()


@with_etag
class Record(ForEverybody):
    """The verified record of a finished match: {"record", "hash", "view"}."""

    @extend_schema(operation_id="records_retrieve", responses=OpenApiTypes.OBJECT)
    def get(self, request: Request, uuid: UUID) -> Response:
        try:
            document = served_document(match_page(uuid, None))
        except Match.DoesNotExist as missing:
            raise Http404(str(uuid)) from missing
        if document is None:
            raise Http404(str(uuid))
        return Response(document)
