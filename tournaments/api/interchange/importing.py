"""Events from files: the exchange format, and reports of FIDE (TRF)."""

from __future__ import annotations

import base64
import binascii
from typing import Any, Final

from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema, extend_schema_serializer
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from bots.api.serializers import PresetField
from core.errors import TournamentError
from core.interchange.documents.read import unpacked
from tournaments.api.events.events import document
from tournaments.api.serializers import TournamentSerializer
from tournaments.interchange.imports.actions import import_event, validate_file
from tournaments.interchange.imports.trf_actions import KINDS, MAX_BYTES, Wanted, import_report, validate_report
from tournaments.models import Tournament
from web.access import require
from web.bodies import read_body
from web.idempotency import KEY_NEEDED, once
from web.one_at_a_time import FILES
from web.resource import Resource

MAX_SENT: Final = 2 * 1024 * 1024
"""Bytes of a file at most, as on the page."""
SMALL: Final = 2**15 - 1


class NewFileSerializer(serializers.Serializer[Any]):
    """A file in the format hanafuda-tournament/1, plain or packed (gzip, zstd), as base64."""

    # base64 has four characters for three bytes.
    file = serializers.CharField(max_length=MAX_SENT * 4 // 3 + 4, help_text="base64 of its bytes")
    dry_run = serializers.BooleanField(required=False, default=False)


class NewReportSerializer(serializers.Serializer[Any]):
    """A FIDE report as base64, and what it does not say. rounds: planned; left: players who have left, by number."""

    file = serializers.CharField(max_length=MAX_BYTES * 4 // 3 + 4, help_text="base64 of its bytes")
    preset = PresetField(required=False, default="hawaii")
    kind = serializers.ChoiceField(choices=[(str(kind), str(kind)) for kind in KINDS], required=False)
    name = serializers.CharField(max_length=80, required=False, allow_blank=True)
    rounds = serializers.IntegerField(min_value=1, max_value=SMALL, required=False)
    left = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=SMALL), max_length=1000, required=False
    )
    sign = serializers.BooleanField(required=False, default=False, help_text="close it at once, if all is played")
    dry_run = serializers.BooleanField(required=False, default=False)


@extend_schema_serializer(component_name="Judged")  # its name in version 1
class CheckedFileSerializer(serializers.Serializer[Any]):
    """Content of a file. is_over: it becomes an archive, else a draft or an event that goes on; event: null if dry."""

    dry_run = serializers.BooleanField()
    name = serializers.CharField(allow_blank=True)
    is_over = serializers.BooleanField()
    event = TournamentSerializer(allow_null=True)


def _bytes(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as wrong:
        message = _("The field `file` holds the bytes of the file as base64.")
        raise TournamentError(message, code="event.packed", extra={"field": "file"}) from wrong


def _made(event: Tournament, answer: dict[str, Any]) -> Response:
    location = reverse("api-tournament", args=[event.slug])
    return Response({**answer, "event": document(event)}, status=201, headers={"Location": location})


class ImportFile(Resource):
    """An event from a file."""

    @extend_schema(
        operation_id="tournaments_import",
        parameters=[KEY_NEEDED],
        request=NewFileSerializer,
        responses={200: CheckedFileSerializer, 201: CheckedFileSerializer},
    )
    def post(self, request: Request) -> Response:
        """Make an event from a file: a copy of one that is over, else a draft. Scope: event:write."""
        by = require(request, "event:write")
        payload = read_body(NewFileSerializer, request)
        dry_run, sent = payload["dry_run"], _bytes(payload["file"])

        def act() -> Response:
            # A packed file may be a hundred times as large in memory: one at a time (decision 0085).
            with FILES.turn("event.busy"):
                checked = validate_file(by=by, data=sent)
                answer = {"dry_run": dry_run, "name": checked.event.tournament.name, "is_over": checked.is_over}
                return (
                    Response({**answer, "event": None})
                    if dry_run
                    else _made(import_event(by=by, checked=checked), answer)
                )

        return act() if dry_run else once(request, f"user:{by.pk}", act)


class ImportReport(Resource):
    """An event from a report."""

    @extend_schema(
        operation_id="tournaments_import_report",
        parameters=[KEY_NEEDED],
        request=NewReportSerializer,
        responses={200: CheckedFileSerializer, 201: CheckedFileSerializer},
    )
    def post(self, request: Request) -> Response:
        """Make an event from a FIDE report, paused until its organiser lets it go on. Scope: event:write."""
        by = require(request, "event:write")
        payload = read_body(NewReportSerializer, request)
        dry_run, sent = payload.pop("dry_run"), unpacked(_bytes(payload.pop("file")), MAX_BYTES)

        def act() -> Response:
            checked = validate_report(by=by, data=sent)
            answer = {"dry_run": dry_run, "name": checked.event.name, "is_over": checked.is_over}
            if dry_run:
                return Response({**answer, "event": None})
            wanted = Wanted(**{"rounds": checked.rounds, **payload})
            return _made(import_report(by=by, checked=checked, wanted=wanted), answer)

        return act() if dry_run else once(request, f"user:{by.pk}", act)
