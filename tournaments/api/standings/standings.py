"""Standings, the crosstable, the bracket."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_serializer
from rest_framework import serializers
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer

from tournaments.api.loading import SLUG, STAGE, event_for, stage_of
from tournaments.api.serializers import ExplainedSerializer, StandingSerializer
from tournaments.matches.chains import groups_of
from tournaments.matches.schedule import seats_named
from tournaments.models import Match, Seat, Standing
from tournaments.standings import queries as standings
from tournaments.standings.remarks import RemarkKind
from web.api_pages import PAGED, ByRow, in_pages, list_response, list_serializer
from web.resource import Resource

MAXIMUM = 40
"""Rows of a crosstable, as on its page."""
AFTER = OpenApiParameter("after", OpenApiTypes.INT, description="the table as it was after this round; 0: now")
EXPLAIN = OpenApiParameter("explain", OpenApiTypes.INT, description="1: with what every value is made of")


@extend_schema_serializer(component_name="Standing")
class DescribedSerializer(StandingSerializer):
    """A row of the standings, as the description tells of both ways to ask for it."""

    explanation = serializers.ListField(
        child=serializers.DictField(),
        required=False,
        help_text="with explain=1: of each compared value what it is made of (tie_break, value, terms with amounts)",
    )

    class Meta(StandingSerializer.Meta):
        fields = (*StandingSerializer.Meta.fields, "explanation")  # type: ignore[assignment]  # one more of them


@extend_schema(parameters=[SLUG, STAGE, AFTER, EXPLAIN])
class Standings(Resource, ListAPIView[Standing]):
    """The standings, best first; explain=1 adds the inputs of every value."""

    pagination_class = ByRow
    kwargs: dict[str, Any]

    def get_queryset(self) -> QuerySet[Standing]:
        if "slug" not in self.kwargs:  # the schema is made without an address
            return Standing.objects.none()
        event, _person = event_for(str(self.kwargs["slug"]), self.request)
        query = self.request.query_params
        # after_round 0 is the table as it is now; earlier tables are rows of their own.
        number = int(query.get("after") or 0)
        rows = Standing.objects.filter(stage=stage_of(event, query.get("stage", "")), after_round=number)
        return rows.select_related("entry__player").order_by("row")

    def get_serializer_class(self) -> type[BaseSerializer[Standing]]:
        if "slug" not in self.kwargs:  # the schema is made without an address
            return DescribedSerializer
        return ExplainedSerializer if self.request.query_params.get("explain") == "1" else StandingSerializer


class CellSerializer(serializers.Serializer[Any]):
    """One entry against another: results in which they met; above, level, below; share: 1 for above, 1/2 for level."""

    entry = serializers.UUIDField()
    met = serializers.IntegerField()
    above = serializers.IntegerField()
    level = serializers.IntegerField()
    below = serializers.IntegerField()
    share = serializers.CharField()


REMARK_KINDS = [(each.value, each.value) for each in RemarkKind]


class RemarkSerializer(serializers.Serializer[Any]):
    """A remark on a row of the crosstable: rounds without a table, or who else played in the entry's place."""

    kind = serializers.ChoiceField(
        choices=REMARK_KINDS,
        help_text="bye: of the draw; requested_bye, sat_out: by arrangement, worth something or nothing;"
        " absent: without one; substituted: somebody else played; joined: came late; left: withdrew; disqualified",
    )
    rounds = serializers.ListField(
        child=serializers.IntegerField(),
        help_text="joined: the first round for which they were there; left: the first without them",
    )
    worth = serializers.CharField(allow_blank=True, help_text="of a requested bye: 1/2 or 1 of a win")
    name = serializers.CharField(allow_blank=True, help_text="substituted: who sat there in these rounds")


class CrossRowSerializer(serializers.Serializer[Any]):
    """An entry against the others, in the order of the standings."""

    entry = serializers.UUIDField()
    name = serializers.CharField()
    group = serializers.CharField(allow_blank=True)
    total = serializers.CharField()
    against = CellSerializer(many=True)
    remarks = RemarkSerializer(many=True, help_text="rounds without a table, and who else played in its place")


class Crosstable(Resource):
    """Everybody against everybody."""

    @extend_schema(operation_id="crosstable", parameters=[SLUG, STAGE], responses=list_serializer(CrossRowSerializer))
    def get(self, request: Request, slug: str) -> Response:
        """Get everybody against everybody, in the order of the standings; the first forty."""
        event, _person = event_for(slug, request)
        stage = stage_of(event, request.query_params.get("stage", ""))
        has_one = stage is not None and not stage.format.ranks_by_rating
        # A square of cells: forty rows are 1,600 of them.
        rows = standings.rows_of(stage, limit=MAXIMUM) if stage is not None and has_one else []
        parts = standings.cross_parts(stage, rows) if stage is not None and rows else []
        items = [_cross_row(label, row, part) for label, part in parts for row in part]
        return list_response(items)


def _cross_row(label: str, row: standings.CrossRow, part: list[standings.CrossRow]) -> dict[str, Any]:
    against = [
        {
            "entry": str(other.entry.uuid),
            "met": cell.met,
            "above": cell.above,
            "level": cell.level,
            "below": cell.below,
            "share": str(cell.share),
        }
        for other, (cell, _name) in zip(part, row.cells, strict=True)
        if cell is not None
    ]
    head = {"entry": str(row.entry.uuid), "name": row.entry.player.name, "group": label}
    remarks = [
        {"kind": str(each.kind), "rounds": list(each.rounds), "worth": each.worth, "name": each.name}
        for each in row.remarks
    ]
    return {**head, "total": str(row.total), "against": against, "remarks": remarks}


class FeedSerializer(serializers.Serializer[Any]):
    """The place at an earlier table that the one who sits here comes from."""

    match = serializers.UUIDField()
    place = serializers.IntegerField()


class BracketSeatSerializer(serializers.Serializer[Any]):
    """A seat of the bracket; entry: null until it is decided."""

    index = serializers.IntegerField()
    side = serializers.IntegerField()
    entry = serializers.UUIDField(allow_null=True)
    name = serializers.CharField(allow_blank=True)
    place = serializers.IntegerField(allow_null=True)
    comes_from = FeedSerializer(allow_null=True)


class BracketMatchSerializer(serializers.Serializer[Any]):
    """A table of the bracket."""

    uuid = serializers.UUIDField()
    round = serializers.IntegerField(allow_null=True)
    table = serializers.IntegerField(allow_null=True)
    leg = serializers.IntegerField()
    state = serializers.CharField()
    why = serializers.CharField(allow_blank=True)
    group = serializers.CharField(allow_blank=True)
    seats = BracketSeatSerializer(many=True)


class Bracket(Resource):
    """A bracket."""

    @extend_schema(
        operation_id="bracket", parameters=[SLUG, STAGE, *PAGED], responses=list_serializer(BracketMatchSerializer)
    )
    def get(self, request: Request, slug: str) -> Response:
        """List the tables of an elimination stage by round, and where who sits there comes from; empty for other
        stages.
        """
        event, _person = event_for(slug, request)
        stage = stage_of(event, request.query_params.get("stage", ""))
        if stage is None or not stage.format.ranks_by_bracket:
            return list_response([])
        rows = Match.objects.filter(stage=stage).select_related("round").order_by("round__number", "table_no", "leg")
        matches = list(rows.prefetch_related(seats_named()))
        uuids = {match.pk: str(match.uuid) for match in matches}
        groups = groups_of(stage)
        return in_pages(request, matches, lambda rows: [_bracket_match(match, uuids, groups) for match in rows])


def _bracket_match(match: Match, uuids: dict[int, str], groups: dict[int, str]) -> dict[str, Any]:
    seats = list(match.seats.all())
    group = next((groups[seat.entry_id] for seat in seats if seat.entry_id in groups), "")
    return {
        "uuid": str(match.uuid),
        "round": match.round.number if match.round else None,
        "table": match.table_no,
        "leg": match.leg,
        "state": match.state,
        "why": match.why,
        "group": group,
        "seats": [_bracket_seat(seat, uuids) for seat in seats],
    }


def _bracket_seat(seat: Seat, uuids: dict[int, str]) -> dict[str, Any]:
    feed = uuids.get(seat.feed_match_id or 0)
    return {
        "index": seat.index,
        "side": seat.side,
        "entry": str(seat.entry.uuid) if seat.entry else None,
        "name": seat.entry.player.name if seat.entry else "",
        "place": seat.place,
        "comes_from": {"match": feed, "place": seat.feed_place} if feed else None,
    }
