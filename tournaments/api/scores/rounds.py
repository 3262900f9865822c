"""Reports of a whole round: which of them nobody disputes, and confirming all of those at once."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.api.loading import SLUG, STAGE, event_to_change, round_numbered
from tournaments.api.progress.rounds import NUMBER
from tournaments.lifecycle.transitions import SCORERS, may
from tournaments.scores.rows import accept_reported, digest_of, reported_tables, waiting_report
from tournaments.scores.tables import Table, round_tables
from web.bodies import read_body
from web.resource import Resource


class ConfirmAllSerializer(serializers.Serializer[Any]):
    """Confirmation of a round's reports. seen: what a dry run answered; the act needs it, and confirms exactly that."""

    dry_run = serializers.BooleanField(required=False, default=False, help_text="do nothing, answer what would be")
    seen = serializers.CharField(
        max_length=64, required=False, allow_blank=True, default="", help_text="what a dry run answered"
    )


class ReportedTableSerializer(serializers.Serializer[Any]):
    """A table at which one side reported and nobody disagrees."""

    table = serializers.IntegerField(help_text="its number in the round")
    uuid = serializers.UUIDField(help_text="of the table's match")
    version = serializers.IntegerField(help_text="of the report")
    side = serializers.IntegerField(allow_null=True, help_text="which reported it, from 0")
    score = serializers.ListField(child=serializers.IntegerField(), help_text="by side")


class ConfirmedAllSerializer(serializers.Serializer[Any]):
    """Reports that are confirmed, or would be. confirmed: how many were, 0 in a dry run."""

    dry_run = serializers.BooleanField(help_text="whether nothing was done")
    seen = serializers.CharField(help_text="names exactly these reports; the act needs it")
    tables = ReportedTableSerializer(many=True, help_text="those that are confirmed, or would be")
    confirmed = serializers.IntegerField(help_text="how many were confirmed; of a dry run 0")


class RoundReports(Resource):
    """Reports of a round that nobody disputes."""

    @extend_schema(
        operation_id="rounds_confirm_reports",
        parameters=[SLUG, NUMBER, STAGE],
        request=ConfirmAllSerializer,
        responses=ConfirmedAllSerializer,
    )
    def post(self, request: Request, slug: str, number: int) -> Response:
        """Confirm every report of a round that nobody disputes. Look first with dry_run, then send `seen`. Scope:
        report:write.

        If another report came since, nothing is confirmed: 409 `row.changed`. It is undone as one act.
        """
        event, by = event_to_change(slug, request, "report:write")
        row = round_numbered(event, number, request.query_params.get("stage", ""))
        payload = read_body(ConfirmAllSerializer, request)
        # Before anything is read: what sides have reported is for those who run the event.
        may(event, by, SCORERS, "report")
        tables = reported_tables(round_tables(row))
        n = 0 if payload["dry_run"] else accept_reported(round_row=row, by=by, seen=payload["seen"])
        answer = {
            "dry_run": payload["dry_run"],
            "seen": digest_of(tables),
            "tables": [_shown(table) for table in tables],
            "confirmed": n,
        }
        return Response(ConfirmedAllSerializer(answer).data)


def _shown(table: Table) -> dict[str, Any]:
    report = waiting_report(table)
    assert report is not None, "reported_tables returns no others"
    side = report.body.get("side")
    found = {"table": table.match.table_no, "uuid": table.match.uuid, "version": report.version}
    return {**found, "side": side if isinstance(side, int) else None, "score": report.body["score"]}
