"""Things that belong to no event: presets, rules, the queue, ratings."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from django.db.models import QuerySet
from django.http import Http404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.generics import ListAPIView
from rest_framework.pagination import Cursor, CursorPagination
from rest_framework.request import Request
from rest_framework.response import Response

from core.rulebook.vectors import vectors
from engine.cards import CARDS, Card, codes
from engine.games import GAMES, PRESETS, option_table, ruleset
from tournaments.api.serializers import PresetSerializer
from tournaments.lifecycle.visibility import named_to
from tournaments.matches import queue as queues
from tournaments.models import Match, Rating
from tournaments.ratings import queries as ladder
from web.access import reader
from web.api_pages import Pages, foreign_cursor, list_response, list_serializer, read_cursor
from web.resource import Resource

PRESET = OpenApiParameter("preset", OpenApiTypes.STR, OpenApiParameter.PATH, enum=sorted(PRESETS))


class Presets(Resource):
    """The presets with their options."""

    @extend_schema(operation_id="presets_list", responses=list_serializer(PresetSerializer))
    def get(self, request: Request) -> Response:
        """List every preset with its options."""
        items = PresetSerializer(list(PRESETS.values()), many=True).data
        return list_response(items)


class OptionSerializer(serializers.Serializer[Any]):
    """An option of a game. value: as this preset has it; allowed: the choices, or bounds in words."""

    id = serializers.CharField()
    value = serializers.JSONField()
    default = serializers.JSONField()
    allowed = serializers.JSONField()
    meaning = serializers.CharField()
    source = serializers.CharField()  # type: ignore[assignment]  # a field of this name, not the field's own attribute


class YakuSerializer(serializers.Serializer[Any]):
    """A combination that the game rewards."""

    id = serializers.CharField(help_text="as observations and records name it")
    name = serializers.CharField(help_text="in English")
    cards = serializers.ListField(
        child=serializers.CharField(), help_text="codes of its cards; empty where a number of cards of a kind makes it"
    )


class RulesSerializer(serializers.Serializer[Any]):
    """The rules of a preset. hash: names exactly these rules, as records do."""

    preset = serializers.CharField()
    name = serializers.CharField()
    game = serializers.CharField()
    hash = serializers.CharField()
    seats = serializers.ListField(child=serializers.IntegerField())
    options = OptionSerializer(many=True)
    cards = serializers.ListField(child=serializers.CharField(), help_text="codes of the cards of its deck")
    points = serializers.DictField(
        child=serializers.IntegerField(), help_text="card points by code; empty in a game that counts none"
    )
    yaku = YakuSerializer(many=True, help_text="combinations that the game rewards, by their ids")


class CardSerializer(serializers.Serializer[Any]):
    """One of the 48 cards."""

    code = serializers.CharField(help_text="month, dot, number: as observations and records name it")
    index = serializers.IntegerField(help_text="its bit in a set of cards of the SDK, from 0")
    month = serializers.IntegerField(help_text="from 1, January")
    names = serializers.DictField(child=serializers.CharField(), help_text="by language: en, ja, fr")
    category = serializers.CharField(help_text="bright, animal, ribbon or chaff")
    points = serializers.DictField(child=serializers.IntegerField(), help_text="by the id of a game that counts them")
    games = serializers.ListField(child=serializers.CharField(), help_text="ids of the games whose deck has it")


class Cards(Resource):
    """The cards."""

    @extend_schema(operation_id="cards_list", responses=list_serializer(CardSerializer))
    def get(self, request: Request) -> Response:
        """List the 48 cards: their codes, names, kinds, points, and the games that have them."""
        return list_response([_card(card) for card in CARDS])


def _card(card: Card) -> dict[str, Any]:
    games = [game for game in GAMES.values() if game.deck & card.bit]
    points = {game.id: game.words.values[card.code] for game in games if card.code in game.words.values}
    return {
        "code": card.code,
        "index": card.index,
        "month": card.month,
        "names": card.names,
        "category": card.category,
        "points": points,
        "games": [game.id for game in games],
    }


class Rules(Resource):
    """The rules of a preset."""

    @extend_schema(operation_id="rules_retrieve", parameters=[PRESET], responses=RulesSerializer)
    def get(self, request: Request, preset: str) -> Response:
        """Get the rules of a preset, option by option, with the other choices."""
        if preset not in PRESETS:
            raise Http404(preset)
        return Response(rules_of(preset))


def rules_of(preset: str) -> dict[str, Any]:
    """Return what the engine plays under this name."""
    found, rules = PRESETS[preset], ruleset(preset)
    values = rules.resolved()
    options = [
        {
            "id": info.id,
            "value": values.get(info.id),
            "default": _plain(info.default),
            "allowed": _plain(info.allowed),
            "meaning": str(info.meaning),
            "source": str(info.source),
        }
        for info in option_table(found.game)
    ]
    low, high = GAMES[found.game].seat_range
    head = {"preset": preset, "name": str(found.name), "game": found.game, "hash": rules.hash}
    game = GAMES[found.game]
    yaku = [{"id": each.id, "name": str(each.name), "cards": codes(each.cards)} for each in game.words.combinations]
    deck = {"cards": codes(game.deck), "points": dict(game.words.values), "yaku": yaku}
    return {**head, "seats": [low, high], "options": options, **deck}


def _plain(value: Any) -> Any:
    if isinstance(value, tuple | list | frozenset | set):
        return [_plain(each) for each in value]
    return value if isinstance(value, str | int | bool) or value is None else str(value)


class VectorSerializer(serializers.Serializer[Any]):
    """A clause of the rules as an example. options: what differs from the preset."""

    id = serializers.CharField()
    title = serializers.CharField()
    preset = serializers.CharField()
    options = serializers.DictField(required=False)
    given = serializers.DictField()
    action = serializers.JSONField()
    expect = serializers.DictField()
    why = serializers.CharField()
    source = serializers.CharField()  # type: ignore[assignment]  # a field of this name, not the field's own attribute


class Vectors(Resource):
    """The rules as examples."""

    @extend_schema(
        operation_id="vectors_list",
        parameters=[OpenApiParameter("preset", OpenApiTypes.STR, enum=sorted(PRESETS))],
        responses=list_serializer(VectorSerializer),
    )
    def get(self, request: Request) -> Response:
        """List the rules as examples to test another engine with: positions, acts and their expected results."""
        wanted = request.query_params.get("preset", "")
        return list_response([vector for vector in vectors() if wanted in ("", vector["preset"])])


class AmountSerializer(serializers.Serializer[Any]):
    """A count; more: it was counted no further."""

    n = serializers.IntegerField()
    more = serializers.BooleanField(source="is_more")


class QueuedSerializer(serializers.Serializer[Any]):
    """A match of the queue; match, tournament: null where its event is not listed."""

    match = serializers.UUIDField(allow_null=True)
    tournament = serializers.CharField(allow_null=True)
    place = serializers.IntegerField(allow_null=True)
    attempt = serializers.IntegerField()


class WorkerSerializer(serializers.Serializer[Any]):
    """A worker process and its condition. draining: it takes no more matches."""

    id = serializers.IntegerField()
    draining = serializers.BooleanField()
    name = serializers.CharField()
    silent = serializers.BooleanField()
    why = serializers.CharField(allow_blank=True)
    per_hour = serializers.IntegerField()


class QueueSerializer(serializers.Serializer[Any]):
    """The queue: the first of what is played and of what waits. seconds: until it is empty, if that can be told."""

    running = QueuedSerializer(many=True)
    waiting = QueuedSerializer(many=True)
    waiting_n = AmountSerializer()
    paused_n = AmountSerializer()
    held_n = AmountSerializer()
    checks = serializers.IntegerField()
    seconds = serializers.IntegerField(allow_null=True)
    workers = WorkerSerializer(many=True)


class Queue(Resource):
    """The queue."""

    @extend_schema(operation_id="queue_retrieve", responses=QueueSerializer)
    def get(self, request: Request) -> Response:
        """Get what is played now, what waits, and the workers."""
        person = reader(request)
        found = queues.queue(person)
        shown = [*found.running, *(match for _place, match in found.waiting)]
        keys = [match.pk for match in shown]
        # Matches of private events are in the queue for everybody, without a name.
        named = Match.objects.filter(named_to(person, "stage__tournament__"), pk__in=keys)
        listed = set(named.values_list("pk", flat=True))
        document = {
            "running": [_queued(match, None, listed) for match in found.running],
            "waiting": [_queued(match, place.number, listed) for place, match in found.waiting],
            "checks": len(found.checks),
            "seconds": found.empty_in.seconds,
            "workers": [
                {
                    "id": line.worker.pk,
                    "draining": line.worker.draining_at is not None,
                    "name": line.worker.name,
                    "silent": line.is_silent,
                    "why": line.why,
                    "per_hour": line.worker.per_hour,
                }
                for line in found.workers
            ],
            **{name: AmountSerializer(getattr(found, name)).data for name in ("waiting_n", "paused_n", "held_n")},
        }
        return Response(document)


def _queued(match: Match, place: int | None, listed: set[int]) -> dict[str, Any]:
    named = match.pk in listed
    event, uuid = (match.stage.tournament.slug, str(match.uuid)) if named else (None, None)
    return {"match": uuid, "tournament": event, "place": place, "attempt": match.attempt}


class BoardSerializer(serializers.Serializer[Any]):
    """A leaderboard. matches: deal sets counted."""

    preset = serializers.CharField()
    seats = serializers.IntegerField()
    sides = serializers.IntegerField()
    matches = serializers.IntegerField()


class Boards(Resource):
    """The leaderboards."""

    @extend_schema(operation_id="ratings_list", responses=list_serializer(BoardSerializer))
    def get(self, request: Request) -> Response:
        """List the leaderboards, the busiest first."""
        items = BoardSerializer(ladder.boards(), many=True).data
        return list_response(items)


class RatingSerializer(serializers.Serializer[Any]):
    """A rated version. low, high: of its 95 % interval; rank_low, rank_high: the ranks that does not exclude."""

    bot = serializers.CharField(source="strength.row.version.bot.slug")
    name = serializers.CharField(source="strength.row.version.bot.name")
    owner = serializers.CharField(source="strength.row.version.bot.owner.username")
    version = serializers.IntegerField(source="strength.row.version.n")
    value = serializers.FloatField(source="strength.row.value")
    mean = serializers.FloatField(source="strength.row.mu")
    low = serializers.FloatField(source="strength.low")
    high = serializers.FloatField(source="strength.high")
    rank_low = serializers.IntegerField()
    rank_high = serializers.IntegerField()
    games = serializers.IntegerField(source="strength.games")


class ByValue(Pages):
    """A list by rating, the strongest first."""

    ordering = ("-value", "line", "-n")  # type: ignore[assignment]  # one order or several

    def decode_cursor(self, request: Request) -> Cursor | None:
        """Return the cursor, whose position is a rating. Raises InvalidParameters."""
        cursor = read_cursor(partial(CursorPagination.decode_cursor, self), request)
        try:
            value = float(cursor.position or 0) if cursor is not None else 0.0
        except ValueError as foreign:
            raise foreign_cursor() from foreign
        # Written so that NaN, which compares with nothing, is refused as well.
        if not abs(value) < 1e6:
            raise foreign_cursor()
        return cursor


SHAPE = [
    OpenApiParameter("seats", OpenApiTypes.INT, description="of a table; without it the busiest board"),
    OpenApiParameter("sides", OpenApiTypes.INT, description="fewer than seats where people share one"),
    OpenApiParameter("q", OpenApiTypes.STR, description="words in the name of the bot or its owner"),
]


class Ratings(Resource, ListAPIView[Rating]):
    """A leaderboard."""

    pagination_class = ByValue
    serializer_class = RatingSerializer
    kwargs: dict[str, Any]
    board: ladder.Board | None = None

    def get_queryset(self) -> QuerySet[Rating]:
        if "preset" not in self.kwargs:  # the schema is made without an address
            return Rating.objects.none()
        query, preset = self.request.query_params, str(self.kwargs["preset"])
        if preset not in PRESETS:
            raise Http404(preset)
        fits = [
            board
            for board in ladder.boards()
            if board.preset == preset
            and query.get("seats", str(board.seats)) == str(board.seats)
            and query.get("sides", str(board.sides)) == str(board.sides)
        ]
        self.board = fits[0] if fits else None
        return ladder.rows_of(fits[0], words=query.get("q", "").strip()[:60]) if fits else Rating.objects.none()

    def get_serializer(self, *args: Any, **kwargs: Any) -> Any:
        rows: Sequence[Rating] = args[0] if args else []
        # The ranks of these rows among all come from the whole board.
        found = ladder.places(self.board, rows) if self.board is not None else []
        return super().get_serializer(found, *args[1:], **kwargs)

    @extend_schema(operation_id="ratings_retrieve", parameters=[PRESET, *SHAPE])
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """List the leaderboard of a preset, the strongest first."""
        return super().get(request, *args, **kwargs)
