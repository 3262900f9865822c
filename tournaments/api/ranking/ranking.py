"""The ranking of a whole event, and its prizes."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.api.loading import SLUG, event_for, event_organised, event_to_change
from tournaments.api.ranking.serializers import (
    CategoryEntriesSerializer,
    PrizesSerializer,
    RankingSerializer,
    plans_from,
    shown_award,
    shown_plan,
)
from tournaments.lifecycle.transitions import ORGANISERS, roles_of
from tournaments.models import PrizeCategory, Tournament
from tournaments.ranking.event_ranking import ranking_of
from tournaments.ranking.prizes import are_public, awards_of, prizes_of, settings_of
from tournaments.ranking.set_prizes import mark_category, set_prizes
from tournaments.ranking.words import explanation_of
from web.bodies import read_body
from web.resource import Resource

NOT_STORED = {"Cache-Control": "no-store"}


class Ranking(Resource):
    """The ranking of a whole event."""

    @extend_schema(operation_id="ranking", parameters=[SLUG], responses=RankingSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """Get everybody over all stages, best first, and the prizes once everybody may see them."""
        event, _person = event_for(slug, request)
        ranking, settings = ranking_of(event), settings_of(event)
        awards = awards_of(prizes_of(event), ranking) if are_public(settings, event) else []
        shown: dict[str, Any] = {
            "is_final": ranking.is_final,
            "explanation": explanation_of(ranking),
            "lines": ranking.lines,
            "awards": [shown_award(each, settings.currency, is_organiser=False) for each in awards],
        }
        return Response(dict(RankingSerializer(shown).data))


class Prizes(Resource):
    """The prizes of an event, for its organisers."""

    @extend_schema(operation_id="prizes", parameters=[SLUG], responses=PrizesSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """Get the prizes, who is in which category, and who would win as things stand. Organisers."""
        event, _person = event_organised(slug, request)
        return _answer(event)

    @extend_schema(
        operation_id="prizes_replace", parameters=[SLUG], request=PrizesSerializer, responses=PrizesSerializer
    )
    def put(self, request: Request, slug: str) -> Response:
        """Replace the prizes and categories; one that stays is named by its id. Organisers. Scope: event:write."""
        event, by = event_to_change(slug, request, "event:write")
        set_prizes(tournament=event, by=by, **plans_from(read_body(PrizesSerializer, request)))
        return _answer(event)


class CategoryEntries(Resource):
    """The entries in a category that is marked by hand."""

    @extend_schema(
        operation_id="prizes_category_replace",
        parameters=[SLUG],
        request=CategoryEntriesSerializer,
        responses=PrizesSerializer,
    )
    def put(self, request: Request, slug: str, uuid: UUID) -> Response:
        """Say who is in a category that is marked by hand. Organisers. Scope: event:write."""
        event, by = event_to_change(slug, request, "event:write")
        payload = read_body(CategoryEntriesSerializer, request)
        # A category that is not there, and one of an event that others organise, are the same 404.
        rows = PrizeCategory.objects.filter(tournament=event, uuid=uuid).select_related("tournament")
        category = rows.first() if roles_of(event, by) & ORGANISERS else None
        if category is None:
            raise Http404(str(uuid))
        mark_category(category=category, by=by, entries=[str(each) for each in payload["entries"]])
        return _answer(event)


def _answer(event: Tournament) -> Response:
    found = prizes_of(event)
    awards = awards_of(found, ranking_of(event))
    shown = shown_plan(event, found)
    shown["awards"] = [shown_award(each, found.settings.currency, is_organiser=True) for each in awards]
    return Response(dict(PrizesSerializer(shown).data), headers=NOT_STORED)
