"""Logs of one's bots in a match, move by move: for their owner alone."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import Http404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from bots.selectors.owned import may_see_inside
from tournaments.matches.queries import match_page, served_document
from tournaments.matches.records.logs import SeatLog, logs_of
from tournaments.models import Match, Seat
from web.access import reader, require, somebody
from web.api_pages import list_response, list_serializer
from web.resource import Resource

UUID_OF = OpenApiParameter("uuid", OpenApiTypes.UUID, OpenApiParameter.PATH, description="of the match")


class PieceSerializer(serializers.Serializer[Any]):
    """Text that was printed before one answer. deal 0: while the bot was loaded."""

    deal = serializers.IntegerField()
    move = serializers.IntegerField()
    text = serializers.CharField(allow_blank=True, help_text="what it printed, its end if that was long")
    fault = serializers.BooleanField(help_text="here the seat forfeited")


class SeatLogSerializer(serializers.Serializer[Any]):
    """The log of one seat."""

    seat = serializers.IntegerField()
    bot = serializers.CharField()
    version = serializers.IntegerField()
    cut = serializers.BooleanField(help_text="only its end is here: it is longer than what is kept or shown")
    pieces = PieceSerializer(many=True, help_text="by deal and move")


class MatchLogs(Resource):
    """Logs of one's bots in a match."""

    @extend_schema(operation_id="matches_logs", parameters=[UUID_OF], responses=list_serializer(SeatLogSerializer))
    def get(self, request: Request, uuid: UUID) -> Response:
        """Get what your bots printed in a finished match, seat by seat. Their owner alone. Scope: bot:logs."""
        person = somebody(request)
        if person is None:
            require(request)
        try:
            page = match_page(uuid, person)
        except Match.DoesNotExist as missing:
            raise Http404(str(uuid)) from missing
        own = [seat for seat in page.seats if seat.bot_version and may_see_inside(seat.bot_version.bot, person)]
        # Not before the match is over: a log may show the cards of a deal that others still play.
        if not own or served_document(page) is None:
            raise Http404(str(uuid))
        # A token bound to one bot gets the logs of that bot, where two of the owner's sit at the table.
        asked = [seat for seat in own if reader(request, of=_about(seat), scopes=("bot:logs",)) is not None]
        by = require(request, "bot:logs", of=_about((asked or own)[0]))
        return list_response([_log_json(log) for log in logs_of(asked, by)])


def _about(seat: Seat) -> tuple[str, UUID]:
    assert seat.bot_version is not None
    return "bot", seat.bot_version.bot.uuid


def _log_json(log: SeatLog) -> dict[str, Any]:
    version = log.seat.bot_version
    assert version is not None
    pieces = [
        {"deal": piece.deal, "move": piece.move, "text": piece.text, "fault": piece.is_fault}
        for part in log.deals
        for piece in part.pieces
    ]
    head = {"seat": log.seat.index, "bot": version.bot.slug, "version": version.n}
    return {**head, "cut": log.is_cut, "pieces": pieces}
