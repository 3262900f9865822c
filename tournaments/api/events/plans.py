"""Plan of an event as it is asked for: `EventPlan` as JSON, field by field."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

from bots.api.serializers import PresetField
from tournaments.lifecycle.event_plan import AdvancementPlan, EventPlan, StagePlan
from tournaments.models import Stage, Tournament
from tournaments.models.event import stage_kinds

# The largest number that a smallint column takes.
SMALL = 2**15 - 1
# Named for the schema: two bodies have these choices.
WHO = [("bots", "bots"), ("people", "people"), ("both", "both")]


class StageKindField(serializers.ChoiceField):
    """A format of the registry, as it is when a request comes."""

    def __init__(self, **given: Any) -> None:
        # Read when a serializer is made: a format may be registered after this module was imported.
        super().__init__(choices=stage_kinds(), **given)


class StagePlanSerializer(serializers.Serializer[Any]):
    """A stage after the first. What is left out, or empty as in an answer, is as of the event."""

    kind = StageKindField()
    name = serializers.CharField(max_length=60, required=False, allow_blank=True)
    seats = serializers.IntegerField(min_value=0, max_value=7, required=False)
    seats_min = serializers.IntegerField(min_value=2, max_value=7, required=False, allow_null=True)
    seats_max = serializers.IntegerField(min_value=2, max_value=7, required=False, allow_null=True)
    rounds = serializers.IntegerField(min_value=0, max_value=SMALL, required=False)
    advance = serializers.IntegerField(min_value=1, max_value=6, required=False)
    third_place = serializers.BooleanField(required=False)
    consolation = serializers.BooleanField(
        required=False, help_text="whether those who lose in the first round play on in a knock-out of their own"
    )
    scoring = serializers.ChoiceField(choices=Stage.Scoring.choices, required=False, allow_blank=True)
    legs = serializers.ChoiceField(choices=Stage.Legs.choices, required=False)
    tie_breaks = serializers.ListField(child=serializers.CharField(max_length=40), max_length=20, required=False)
    bye_policy = serializers.CharField(max_length=12, required=False)
    clock = serializers.CharField(max_length=20, required=False, allow_blank=True)
    figures = serializers.DictField(child=serializers.IntegerField(), required=False, help_text="of a custom clock")
    groups = serializers.IntegerField(min_value=1, max_value=SMALL, required=False)
    waits = serializers.BooleanField(required=False, help_text="the organiser draws it")
    flows = serializers.BooleanField(
        required=False, help_text="each match of a bracket is drawn once its sides are known; default false"
    )
    ends_at = serializers.DateTimeField(required=False, allow_null=True)
    where = serializers.ChoiceField(
        choices=Stage.Where.choices,
        required=False,
        allow_blank=True,
        help_text="hall: at tables whose results people report; site: at tables of this site, whose record confirms"
        " the result; default hall, of a later stage that of the event",
    )
    site_clock = serializers.ChoiceField(
        choices=Stage.SiteClock.choices,
        required=False,
        allow_blank=True,
        help_text="of tables of this site: live (3 minutes, 10 seconds more a move) or days (3 days a move)",
    )
    admits_programs = serializers.BooleanField(
        required=False, allow_null=True, help_text="whether remote programs may be entered; null: as of the event"
    )


@extend_schema_serializer(component_name="Way")  # its name in version 1
class AdvancementSerializer(serializers.Serializer[Any]):
    """Places first to last of each group of stage `source` go on to stage `target`."""

    source = serializers.IntegerField(  # type: ignore[assignment]  # a field of this name, not the field's attribute
        min_value=1, max_value=9
    )
    target = serializers.IntegerField(min_value=1, max_value=9)
    first = serializers.IntegerField(min_value=1, max_value=SMALL, required=False)
    last = serializers.IntegerField(min_value=1, max_value=SMALL)
    most = serializers.IntegerField(min_value=1, max_value=SMALL, required=False, allow_null=True)
    by = serializers.ChoiceField(choices=("rank", "draw"), required=False)
    carry = serializers.ChoiceField(choices=("none", "half", "full"), required=False)


class NewEventSerializer(StagePlanSerializer):
    """An event: its first stage, then further ones and the ways between them. It begins as a draft."""

    name = serializers.CharField(min_length=3, max_length=80)
    kind = StageKindField(required=False)
    preset = PresetField()
    options = serializers.DictField(required=False, help_text="what differs from it: /api/v1/rules/{preset}")
    who = serializers.ChoiceField(choices=WHO, required=False)
    draws = serializers.ChoiceField(choices=("", "organiser"), required=False)
    partners = serializers.CharField(max_length=20, required=False, allow_blank=True)
    boards = serializers.IntegerField(min_value=0, max_value=SMALL, required=False)
    team_score = serializers.CharField(max_length=20, required=False, allow_blank=True)
    team_best = serializers.IntegerField(min_value=0, max_value=SMALL, required=False)
    round_minutes = serializers.IntegerField(min_value=1, max_value=600, required=False, allow_null=True)
    apart = serializers.ChoiceField(choices=("", "club"), required=False)
    age_gap = serializers.IntegerField(
        min_value=0, max_value=SMALL, required=False, help_text="years between the ages of partners; 0: no rule"
    )
    seeding = serializers.ChoiceField(choices=("", "draw"), required=False)
    description = serializers.CharField(max_length=2000, required=False, allow_blank=True)
    visibility = serializers.ChoiceField(choices=Tournament.Visibility.choices, required=False)
    time_zone = serializers.CharField(max_length=40, required=False)
    min_entries = serializers.IntegerField(min_value=2, max_value=SMALL, required=False)
    max_entries = serializers.IntegerField(min_value=2, max_value=SMALL, required=False)
    entries_per_owner = serializers.IntegerField(min_value=1, max_value=SMALL, required=False)
    entries_close_at = serializers.DateTimeField(required=False, allow_null=True)
    starts_at = serializers.DateTimeField(required=False, allow_null=True)
    venue = serializers.CharField(max_length=120, required=False, allow_blank=True)
    stage_name = serializers.CharField(max_length=60, required=False, allow_blank=True)
    admits_programs = serializers.BooleanField(
        required=False,
        help_text="whether remote programs may be entered: in an event of people and bots, all of whose stages are"
        " played on this site and admit them; default false",
    )
    then = StagePlanSerializer(many=True, required=False)
    ways = AdvancementSerializer(many=True, required=False)
    waits = None  # type: ignore[assignment]  # the first stage begins with the event


def plan_from(data: dict[str, Any]) -> EventPlan:
    """Return the plan; what is left out is the plan's own. `events.create.create_tournament` validates it."""
    fields = dict(data)
    then = tuple(StagePlan(**_tuples(each)) for each in fields.pop("then", ()))
    ways = tuple(AdvancementPlan(**each) for each in fields.pop("ways", ()))
    return EventPlan(then=then, ways=ways, **_tuples(fields))


def _tuples(fields: dict[str, Any]) -> dict[str, Any]:
    return {**fields, "tie_breaks": tuple(fields["tie_breaks"])} if "tie_breaks" in fields else dict(fields)
