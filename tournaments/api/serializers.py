"""Serializers of the API's things. A field, once here, stays (version 1 only grows)."""

from collections.abc import Mapping
from typing import Any, ClassVar

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from engine.games import ruleset
from tournaments.lifecycle.floor_settings import minutes_of
from tournaments.lifecycle.house_rules import house_rules, rules_name
from tournaments.models import Entry, Match, Seat, Stage, Standing, Tournament
from tournaments.pairing.constraints import leaders_meet
from tournaments.standings.queries import criteria_of


class PresetSerializer(serializers.Serializer[Any]):
    """A named ruleset with every option resolved."""

    id = serializers.CharField()
    name = serializers.CharField()
    game = serializers.CharField()
    options = serializers.SerializerMethodField()

    @extend_schema_field({"type": "object", "additionalProperties": True})
    def get_options(self, preset: Any) -> object:
        return ruleset(preset.id).resolved()


class TournamentSerializer(serializers.ModelSerializer[Tournament]):
    """A public tournament. matches, done: without those that are void."""

    preset = serializers.CharField(read_only=True)
    seats = serializers.IntegerField(read_only=True)
    scoring = serializers.CharField(read_only=True)
    entries = serializers.IntegerField(source="entries_n", read_only=True, allow_null=True)
    matches = serializers.IntegerField(source="matches_n", read_only=True, allow_null=True)
    done = serializers.IntegerField(source="done_n", read_only=True, allow_null=True)
    round_minutes = serializers.SerializerMethodField(help_text="how long the next rounds are; 0: without a clock")
    age_gap = serializers.IntegerField(read_only=True, help_text="years between the ages of partners; 0: no rule")
    apart = serializers.CharField(read_only=True, help_text='"club": club mates are kept apart')
    leaders = serializers.SerializerMethodField(help_text="in how many last rounds of Swiss tables the leaders meet")
    rated = serializers.BooleanField(read_only=True, help_text="of people: whether results count for their ratings")

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
            "starts_at",
            "venue",
            "started_at",
            "finished_at",
            "visibility",
            "time_zone",
            "entries_per_owner",
            "row_version",
            "round_minutes",
            "apart",
            "age_gap",
            "leaders",
            "rated",
            "hall_tables",
            "calls_alone",
        )

    def get_round_minutes(self, event: Tournament) -> int:
        return minutes_of(event)

    def get_leaders(self, event: Tournament) -> int:
        return leaders_meet(event)


class ShiftSerializer(serializers.Serializer[Any]):
    """Move of a row of the standings; null: it is not in the table."""

    name = serializers.CharField()
    now = serializers.IntegerField(allow_null=True)
    then = serializers.IntegerField(allow_null=True)


class UndoneSerializer(serializers.Serializer[Any]):
    """The act that was undone, or would be. seen: to be sent with the act."""

    dry_run = serializers.BooleanField()
    seen = serializers.CharField()
    what = serializers.CharField()
    lines = serializers.ListField(child=serializers.CharField())
    shifts = ShiftSerializer(many=True)


class EntrySerializer(serializers.ModelSerializer[Entry]):
    """An entry. version: the one pinned when entries closed. bot: null for people and teams."""

    name = serializers.CharField(source="player.name", read_only=True)
    bot = serializers.CharField(source="player.bot.slug", read_only=True, allow_null=True, default=None)
    version = serializers.IntegerField(source="bot_version.n", read_only=True, allow_null=True, default=None)
    kind = serializers.CharField(source="player.kind", read_only=True)
    club = serializers.CharField(source="player.club", read_only=True)

    class Meta:
        model = Entry
        fields = ("uuid", "name", "bot", "version", "seed", "state", "kind", "club")


class NewEntrySerializer(serializers.Serializer[Any]):
    """A bot of one's own (with a text for the decks' randomness), or a person that an organiser writes down."""

    bot = serializers.CharField(max_length=60, required=False, help_text="the address of a bot")
    nonce = serializers.CharField(max_length=64, required=False, allow_blank=True, default="")
    name = serializers.CharField(max_length=60, required=False, help_text="of a person")
    club = serializers.CharField(max_length=60, required=False, allow_blank=True, default="")
    born = serializers.IntegerField(
        min_value=1900,
        max_value=2100,
        required=False,
        allow_null=True,
        default=None,
        help_text="year of birth, for the rule about partners; no answer has it",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Require one of the two."""
        if ("bot" in attrs) == ("name" in attrs):
            raise serializers.ValidationError("Name a bot or a person: one of the two.", code="one_of")
        return attrs


class EntryChangesSerializer(serializers.Serializer[Any]):
    """Change of an entry: withdrawn or back, whether or when a person comes, where they play; or a correction."""

    made_with = NewEntrySerializer

    state = serializers.ChoiceField(choices=("withdrawn", "active"), required=False)
    present = serializers.BooleanField(required=False)
    table = serializers.IntegerField(
        min_value=1, max_value=32767, required=False, allow_null=True, help_text="whenever it is free; null: at any"
    )
    arrives = serializers.IntegerField(
        min_value=1, max_value=999, required=False, help_text="the round for which a late arrival comes"
    )
    name = serializers.CharField(max_length=60, required=False, help_text="of a person or a team")
    club = serializers.CharField(max_length=60, required=False, allow_blank=True, help_text="of a person")
    seed = serializers.IntegerField(
        min_value=1, max_value=9999, required=False, allow_null=True, help_text="for stages drawn from now on"
    )
    rating = serializers.FloatField(
        required=False, allow_null=True, help_text="for the next stage that is seeded by rating"
    )
    born = serializers.IntegerField(
        min_value=1900,
        max_value=2100,
        required=False,
        allow_null=True,
        help_text="year of birth, for the rule about partners; no answer has it",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Require exactly one of the acts, or fields to correct."""
        acts = {"state", "present", "table", "arrives"} & set(attrs)
        if len(acts) > 1 or bool(acts) == bool(set(attrs) - acts):
            message = "Send state, present, table or arrives, one of them; or what is to be corrected."
            raise serializers.ValidationError(message, code="one_of")
        return attrs


class MemberSerializer(serializers.Serializer[Any]):
    """A person in a team. number: the seat of its side, 1 is the captain."""

    entry = serializers.UUIDField(source="person.uuid")
    name = serializers.CharField(source="person.player.name")
    number = serializers.IntegerField()


class TeamSerializer(serializers.Serializer[Any]):
    """A team and its members now."""

    uuid = serializers.UUIDField(source="entry.uuid")
    name = serializers.CharField(source="entry.player.name")
    state = serializers.CharField(source="entry.state")
    seed = serializers.IntegerField(source="entry.seed", allow_null=True)
    members = MemberSerializer(many=True)


class NewTeamSerializer(serializers.Serializer[Any]):
    """People to be put together, the captain first."""

    people = serializers.ListField(child=serializers.UUIDField(), min_length=2, max_length=8)
    name = serializers.CharField(max_length=60, required=False, allow_blank=True, default="")


class TeamChangesSerializer(serializers.Serializer[Any]):
    """A team's other name."""

    made_with = NewTeamSerializer
    fixed: ClassVar[Mapping[str, str | Promise]] = {
        "members": _("The people are chosen when the team is made; POST with :substitute replaces somebody.")
    }

    name = serializers.CharField(max_length=60)


class HouseRuleSerializer(serializers.Serializer[Any]):
    """A rule that differs from the preset's. here, usual: what holds in the event and in the preset, in words."""

    id = serializers.CharField(help_text="of the option, as in `options` of the preset")
    name = serializers.CharField()
    here = serializers.CharField(help_text="what holds in the event, in words")
    usual = serializers.CharField(help_text="what holds in the preset, in words")
    value = serializers.JSONField(help_text="as `options` of a new event takes it")


class StageSerializer(serializers.ModelSerializer[Stage]):
    """A stage. commitment: to the secret of its decks, once entries were opened."""

    ranked_by = serializers.SerializerMethodField()
    rules_name = serializers.SerializerMethodField(help_text="of its rules: the preset, and how many house rules")
    house_rules = serializers.SerializerMethodField(help_text="options that differ from the preset's, in words")

    def get_rules_name(self, stage: Stage) -> str:
        """Return what its rules are called, in the reader's language."""
        return rules_name(stage)

    @extend_schema_field(HouseRuleSerializer(many=True))
    def get_house_rules(self, stage: Stage) -> list[dict[str, Any]]:
        """Return the rules that differ from the preset's."""
        return [dict(HouseRuleSerializer(each).data) for each in house_rules(stage)]

    @extend_schema_field(serializers.ListField(child=serializers.CharField()))
    def get_ranked_by(self, stage: Stage) -> list[str]:
        """Return ids of what is compared, in order."""
        return [each.id for each in criteria_of(stage)]

    class Meta:
        model = Stage
        fields = (
            "order",
            "name",
            "kind",
            "state",
            "preset",
            "rules_name",
            "house_rules",
            "seats_min",
            "seats_pref",
            "seats_max",
            "rounds_planned",
            "advance",
            "scoring",
            "tie_breaks",
            "ranked_by",
            "bye_policy",
            "clock",
            "legs",
            "groups_n",
            "waits",
            "flows",
            "commitment",
            "ends_at",
            "where",
            "site_clock",
            "admits_programs",
        )
        read_only_fields = fields


class RoundSerializer(serializers.Serializer[Any]):
    """A round and how far it is."""

    number = serializers.IntegerField()
    state = serializers.CharField()
    matches = serializers.IntegerField(source="matches_n")
    done = serializers.IntegerField(source="done_n")


class SeatSerializer(serializers.ModelSerializer[Seat]):
    """A seat. version: of the bot that played. points, victories: as the standings count them. fault: why it
    forfeited.
    """

    entry = serializers.UUIDField(source="entry.uuid", read_only=True, allow_null=True, default=None)
    name = serializers.CharField(source="entry.player.name", read_only=True, default="")
    version = serializers.IntegerField(source="bot_version.n", read_only=True, allow_null=True, default=None)
    fault = serializers.SerializerMethodField()

    class Meta:
        model = Seat
        fields = ("index", "side", "entry", "name", "version", "points", "victories", "place", "outcome", "fault")

    @extend_schema_field({"type": "object", "nullable": True, "additionalProperties": True})
    def get_fault(self, seat: Seat) -> object:
        fault = seat.fault
        # Never the rest: a traceback and what was printed are the owner's alone (decision 0022).
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
            "station",
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
        return f"/api/v1/records/{match.uuid}" if vars(match)["has_record"] else None


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
