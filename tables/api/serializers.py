"""Documents of the API about programs and their tables. A field, once here, stays (version 1 only grows)."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from bots.api.serializers import PresetField
from tables.models import LiveTable, Program
from tables.play.clocks import CLOCKS
from tables.programs.challenges import REASONS
from tables.programs.presence import is_here
from tables.programs.registry import is_retired

CLOCK_IDS = [(clock, clock) for clock in CLOCKS]
CHALLENGE_STATES = [(state, state) for state in ("open", "accepted", "declined", "cancelled", "expired")]
FROM_KINDS = [(kind, kind) for kind in ("program", "person", "ladder", "event")]
REASON_CHOICES = [(reason, reason) for reason in REASONS]
MAX_BANK_MS = 60_000


class RemoteRatingSerializer(serializers.Serializer[Any]):
    """Rating of a program among programs."""

    preset = serializers.CharField(source="pool.preset", help_text="id of the rules")
    seats = serializers.IntegerField(source="pool.seats", help_text="players at a table")
    sides = serializers.IntegerField(source="pool.sides", help_text="how many sides a table has")
    value = serializers.FloatField(help_text="what lists rank by: the mean less three standard deviations")
    mean = serializers.FloatField(source="mu", help_text="the estimate itself")
    matches = serializers.SerializerMethodField(help_text="matches that are counted in")

    def get_matches(self, row: Any) -> int:
        """Return those that are settled and those that are not yet."""
        return int(row.events + row.pending)


class ProgramSerializer(serializers.ModelSerializer[Program]):
    """A remote program. Its name ends in “(remote)”."""

    slug = serializers.CharField(source="bot.slug", help_text="its address: /programs/{slug}/, and as a bot /b/{slug}/")
    name = serializers.CharField(source="bot.name", help_text="with its mark at the end")
    owner = serializers.CharField(source="bot.owner.username", help_text="whose program it is, as in /u/{name}/")
    presets = serializers.ListField(child=PresetField(), help_text="ids of the presets that it plays")
    seats_min = serializers.IntegerField(help_text="fewest players at a table")
    seats_max = serializers.IntegerField(help_text="most players at a table")
    clocks = serializers.ListField(
        child=serializers.ChoiceField(choices=CLOCK_IDS), help_text="clocks that it plays with"
    )
    tables_most = serializers.IntegerField(help_text="tables at which it plays at a time")
    takes = serializers.ChoiceField(
        choices=Program.Takes.choices, help_text="whose challenges it takes; its owner may always challenge it"
    )
    plays_ladder = serializers.BooleanField(help_text="the service pairs it with programs of its strength, rated")
    online = serializers.SerializerMethodField(help_text="its stream is open")
    retired = serializers.SerializerMethodField(help_text="it sits down at no table any more")
    ratings = RemoteRatingSerializer(
        many=True, source="version.remote_ratings", help_text="among programs; never mixed with those of uploaded bots"
    )
    url = serializers.SerializerMethodField()

    class Meta:
        model = Program
        fields = (
            "slug",
            "name",
            "owner",
            "presets",
            "seats_min",
            "seats_max",
            "clocks",
            "tables_most",
            "takes",
            "plays_ladder",
            "online",
            "retired",
            "ratings",
            "created_at",
            "url",
        )
        read_only_fields = fields

    def get_online(self, program: Program) -> bool:
        """Return whether it would hear of a challenge."""
        return is_here(program)

    def get_retired(self, program: Program) -> bool:
        """Return whether it is retired."""
        return is_retired(program)

    @extend_schema_field({"type": "string", "format": "uri"})
    def get_url(self, program: Program) -> str:
        """Its page."""
        path = reverse("program", args=[program.bot.slug])
        request = self.context.get("request")
        return str(request.build_absolute_uri(path)) if request is not None else path


class ProgramChangesSerializer(serializers.Serializer[Any]):
    """Changes of a program."""

    name = serializers.CharField(min_length=2, max_length=51, help_text="the service adds “ (remote)”")
    presets = serializers.ListField(child=PresetField(), allow_empty=False, help_text="ids of the presets it plays")
    seats_min = serializers.IntegerField(
        min_value=2, max_value=7, required=False, default=2, help_text="fewest players at a table"
    )
    seats_max = serializers.IntegerField(
        min_value=2, max_value=7, required=False, default=2, help_text="most players at a table"
    )
    clocks = serializers.ListField(
        child=serializers.ChoiceField(choices=CLOCK_IDS),
        allow_empty=False,
        required=False,
        default=list(CLOCKS),
        help_text="clocks that it plays with; all if left away",
    )
    tables_most = serializers.IntegerField(
        min_value=1, max_value=12, required=False, default=1, help_text="tables at which it plays at a time"
    )
    takes = serializers.ChoiceField(
        choices=Program.Takes.choices, required=False, default="anybody", help_text="whose challenges it takes"
    )
    plays_ladder = serializers.BooleanField(
        required=False, default=True, help_text="the service pairs it with programs of its strength, rated"
    )


class NewProgramSerializer(ProgramChangesSerializer):
    """A program to be registered."""


class RemoteClockSerializer(serializers.Serializer[Any]):
    """A clock: a bank at the beginning, and what each answer adds to it."""

    bank_ms = serializers.IntegerField(
        min_value=1_000, max_value=MAX_BANK_MS, required=False, default=10_000, help_text="ms at the beginning"
    )
    increment_ms = serializers.IntegerField(
        min_value=0, max_value=10_000, required=False, default=1_000, help_text="ms that each answer adds"
    )


class TablePlanSerializer(serializers.Serializer[Any]):
    """What is to be played."""

    preset = PresetField(help_text="id of the rules")
    options = serializers.DictField(required=False, default=dict, help_text="what differs from the preset")
    clock = RemoteClockSerializer(required=False, help_text="10 s and 1 s for each answer if left away")
    rated = serializers.BooleanField(required=False, default=False, help_text="the result counts for ratings")
    nonce_hash = serializers.CharField(
        required=False,
        allow_blank=True,
        default="",
        max_length=80,
        help_text="“sha256:” and the hex SHA-256 of your part in the shuffle; left away: the service draws it",
    )


class NewTableChallengeSerializer(TablePlanSerializer):
    """A challenge to be sent: a table is opened, and you sit at it."""

    programs = serializers.ListField(
        child=serializers.CharField(max_length=60),
        min_length=1,
        max_length=6,
        help_text="addresses of the programs that are asked, one for each further seat",
    )


class SeekSerializer(TablePlanSerializer):
    """A match that you look for."""

    seats = serializers.IntegerField(min_value=2, max_value=7, required=False, default=2, help_text="players")


class NonceHashSerializer(serializers.Serializer[Any]):
    """What goes with an act on a challenge."""

    nonce_hash = serializers.CharField(
        required=False,
        allow_blank=True,
        default="",
        max_length=80,
        help_text="of `accept`: “sha256:” and the hex SHA-256 of your part in the shuffle; left away: we draw it",
    )
    reason = serializers.ChoiceField(
        choices=REASON_CHOICES,
        required=False,
        allow_blank=True,
        default="",
        help_text="of `decline`",
    )


class NonceSerializer(serializers.Serializer[Any]):
    """A nonce whose hash was sent."""

    nonce = serializers.CharField(max_length=128, help_text="the text itself: 32 to 128 digits of 0-9 and a-f")


class TableAnswerSerializer(serializers.Serializer[Any]):
    """An answer to a turn."""

    n = serializers.IntegerField(min_value=1, max_value=2**31 - 1, help_text="the number of the turn")
    a = serializers.IntegerField(min_value=0, max_value=2**15 - 1, help_text="index into `obs.legal` of the turn")


class AnsweredSerializer(serializers.Serializer[Any]):
    """An answer that stands. The same one sent again is answered alike."""

    n = serializers.IntegerField(help_text="the number of the turn")
    a = serializers.IntegerField(help_text="index into `obs.legal` of the turn")
    state = serializers.ChoiceField(choices=LiveTable.State.choices, help_text="state of the table now")


class TableClockSerializer(serializers.Serializer[Any]):
    """The clock of a table."""

    id = serializers.ChoiceField(choices=CLOCK_IDS, help_text="which clock")
    bank_ms = serializers.IntegerField(help_text="ms at the beginning")
    increment_ms = serializers.IntegerField(help_text="ms that each answer adds")


class LiveTableSerializer(serializers.Serializer[Any]):
    """A table of the site."""

    id = serializers.UUIDField(help_text="its uuid, and that of the match that it becomes")
    state = serializers.ChoiceField(
        choices=LiveTable.State.choices, help_text="open, dealing, playing, finished or aborted"
    )
    preset = serializers.CharField(help_text="id of the rules")
    game = serializers.CharField(help_text="id of the game")
    options = serializers.DictField(help_text="every option of the rules")
    seats = serializers.IntegerField(help_text="players")
    clock = TableClockSerializer(help_text="of every seat")
    rated = serializers.BooleanField(help_text="the result counts for ratings")
    commitment = serializers.CharField(help_text="what the service committed to before anybody sat down")


class FromSerializer(serializers.Serializer[Any]):
    """Who sent a challenge."""

    kind = serializers.ChoiceField(choices=FROM_KINDS, help_text="ladder: the service paired you; event: accept it")
    name = serializers.CharField(allow_blank=True, help_text="their name, or the event's; empty: the ladder")
    program = serializers.CharField(allow_null=True, help_text="address of the program; null: it is none")


class TableChallengeSerializer(serializers.Serializer[Any]):
    """A challenge, and the table that waits for its answer."""

    id = serializers.UUIDField(help_text="names it for good")
    state = serializers.ChoiceField(choices=CHALLENGE_STATES, help_text="open, or what has become of it")
    reason = serializers.CharField(allow_blank=True, help_text="why it was declined; empty: nothing was said")
    program = serializers.CharField(help_text="address of the program that is asked")
    expires_at = serializers.IntegerField(
        allow_null=True, help_text="ms since 1970; not answered before, it is over; null: an event waits"
    )
    table = LiveTableSerializer(help_text="the table that waits")

    def get_fields(self) -> dict[str, Any]:
        """Return the fields; one has a name that is a word of Python."""
        return {**super().get_fields(), "from": FromSerializer(help_text="who asks")}


class SentChallengesSerializer(serializers.Serializer[Any]):
    """A table that was opened, and the challenges to it."""

    table = LiveTableSerializer(help_text="the table, at which you sit")
    challenges = TableChallengeSerializer(many=True, help_text="one for each program that is asked")
