"""What the API says about each thing. A field, once here, stays (version 1 only grows)."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from engine.games import ruleset
from tournaments.models import Entry, Match, Seat, Standing, Tournament


class PresetSerializer(serializers.Serializer[Any]):
    """A named ruleset with every option resolved."""

    id = serializers.CharField()
    name = serializers.CharField()
    game = serializers.CharField()
    options = serializers.SerializerMethodField()

    @extend_schema_field({"type": "object", "additionalProperties": True})
    def get_options(self, preset: Any) -> object:
        return ruleset(preset.id).to_json()["options"]


class TournamentSerializer(serializers.ModelSerializer[Tournament]):
    """A public tournament. matches, done: without those that are void."""

    preset = serializers.CharField(read_only=True)
    seats = serializers.IntegerField(read_only=True)
    scoring = serializers.CharField(read_only=True)
    entries = serializers.IntegerField(source="entries_n", read_only=True, allow_null=True)
    matches = serializers.IntegerField(source="matches_n", read_only=True, allow_null=True)
    done = serializers.IntegerField(source="done_n", read_only=True, allow_null=True)

    class Meta:
        model = Tournament
        fields = (
            "slug",
            "name",
            "description",
            "state",
            "preset",
            "seats",
            "scoring",
            "entries",
            "matches",
            "done",
            "min_entries",
            "max_entries",
            "entries_close_at",
            "started_at",
            "finished_at",
        )


class EntrySerializer(serializers.ModelSerializer[Entry]):
    """An entry. version: the one pinned when entries closed."""

    name = serializers.CharField(source="player.name", read_only=True)
    bot = serializers.CharField(source="player.bot.slug", read_only=True)
    version = serializers.IntegerField(source="bot_version.n", read_only=True, allow_null=True, default=None)

    class Meta:
        model = Entry
        fields = ("uuid", "name", "bot", "version", "seed", "state")


class RoundSerializer(serializers.Serializer[Any]):
    """A round and how far it is."""

    number = serializers.IntegerField()
    state = serializers.CharField()
    matches = serializers.IntegerField(source="matches_n")
    done = serializers.IntegerField(source="done_n")


class SeatSerializer(serializers.ModelSerializer[Seat]):
    """A seat. points, victories: as the standings count them. fault: why it forfeited."""

    entry = serializers.UUIDField(source="entry.uuid", read_only=True, allow_null=True, default=None)
    name = serializers.CharField(source="entry.player.name", read_only=True, default="")
    fault = serializers.SerializerMethodField()

    class Meta:
        model = Seat
        fields = ("index", "side", "entry", "name", "points", "victories", "place", "outcome", "fault")

    @extend_schema_field({"type": "object", "nullable": True, "additionalProperties": True})
    def get_fault(self, seat: Seat) -> object:
        fault = seat.fault
        return {key: fault.get(key) for key in ("code", "deal", "move")} if fault else None


class MatchSerializer(serializers.ModelSerializer[Match]):
    """A match. commit: of its deal set's seed; record: where its record is, once it is finished."""

    tournament = serializers.CharField(source="stage.tournament.slug", read_only=True)
    round = serializers.IntegerField(source="round.number", read_only=True, allow_null=True, default=None)
    table = serializers.IntegerField(source="table_no", read_only=True, allow_null=True)
    deal_set = serializers.UUIDField(source="deal_set.uuid", read_only=True, allow_null=True, default=None)
    commit = serializers.CharField(source="deal_set.commit", read_only=True, allow_null=True, default=None)
    seats = SeatSerializer(many=True, read_only=True)
    record = serializers.SerializerMethodField()

    class Meta:
        model = Match
        fields = (
            "uuid",
            "tournament",
            "round",
            "table",
            "leg",
            "state",
            "attempt",
            "deal_set",
            "commit",
            "finished_at",
            "seats",
            "record",
        )

    def get_record(self, match: Match) -> str | None:
        return f"/api/v1/records/{match.uuid}" if match.state == Match.State.CONFIRMED else None


class StandingSerializer(serializers.ModelSerializer[Standing]):
    """A row of the standings. key: the compared values, exact, as text."""

    entry = serializers.UUIDField(source="entry.uuid", read_only=True)
    name = serializers.CharField(source="entry.player.name", read_only=True)

    class Meta:
        model = Standing
        fields = ("rank", "row", "entry", "name", "key")


class ExplainedSerializer(StandingSerializer):
    """The same with what every value is made of (`?explain=1`)."""

    class Meta:
        model = Standing
        fields = ("rank", "row", "entry", "name", "key", "explanation")
