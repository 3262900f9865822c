"""Serializers of tables and of reports there; what is sent as a report is in `claims`."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from tournaments.models import ResultReport
from tournaments.scores.rows import fingerprint
from tournaments.scores.tables import Table


class SideSerializer(serializers.Serializer[Any]):
    """A side of a table. points, victories, place: once they are confirmed. left: people who have left the event
    before.
    """

    side = serializers.IntegerField(source="index")
    names = serializers.ListField(child=serializers.CharField())
    team = serializers.CharField()
    left = serializers.ListField(child=serializers.CharField())
    bot = serializers.BooleanField(source="is_bot")
    points = serializers.IntegerField(allow_null=True)
    victories = serializers.IntegerField(allow_null=True)
    place = serializers.IntegerField(allow_null=True)
    outcome = serializers.CharField()


class TableSerializer(serializers.Serializer[Any]):
    """A table. called: people sit at it and report; else workers play it.

    seen: names what was reported of it, to be sent with a scorer's result; empty for those who do not run the event.
    """

    uuid = serializers.UUIDField(source="match.uuid")
    tournament = serializers.CharField(source="match.stage.tournament.slug")
    stage = serializers.IntegerField(source="match.stage.order")
    round = serializers.IntegerField(source="match.round.number", allow_null=True, default=None)
    table = serializers.IntegerField(source="match.table_no", allow_null=True)
    station = serializers.IntegerField(source="match.station", allow_null=True)
    state = serializers.CharField(source="match.state")
    called = serializers.BooleanField(source="is_called")
    why = serializers.CharField(source="match.why")
    sides = SideSerializer(many=True)
    seen = serializers.SerializerMethodField(
        help_text="names what was reported, for a scorer's result; empty: you do not run the event"
    )

    def get_seen(self, table: Table) -> str:
        # It is made from figures that only those who run the event may read yet.
        return fingerprint(table) if self.context.get("for_organisers") else ""


class ReportSerializer(serializers.ModelSerializer[ResultReport]):
    """One version of a report of a match. side: the side that reported, null for anyone who runs the event."""

    by = serializers.CharField(source="by.username", read_only=True, allow_null=True, default=None)
    side = serializers.SerializerMethodField()
    score = serializers.SerializerMethodField()
    victories = serializers.SerializerMethodField()
    rank = serializers.SerializerMethodField()

    class Meta:
        model = ResultReport
        fields = ("version", "state", "side", "by", "score", "victories", "rank", "reason", "hash", "created_at")
        read_only_fields = fields

    def get_side(self, report: ResultReport) -> int | None:
        side = report.body.get("side")
        return side if isinstance(side, int) else None

    @extend_schema_field({"type": "array", "items": {"type": "integer"}})
    def get_score(self, report: ResultReport) -> object:
        return report.body["score"]

    @extend_schema_field({"type": "array", "items": {"type": "integer", "nullable": True}})
    def get_victories(self, report: ResultReport) -> object:
        return report.body["victories"]

    @extend_schema_field({"type": "array", "items": {"type": "integer"}})
    def get_rank(self, report: ResultReport) -> object:
        return report.body["rank"]
