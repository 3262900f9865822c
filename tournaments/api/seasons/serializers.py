"""Documents of seasons: amounts are decimal numbers as text, so that nothing is rounded on the way."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Final

from rest_framework import serializers

from core.seasons.model import FULL_DECAY, FULL_WEIGHT, POINT, Status
from tournaments.models import Season, SeasonPerson, SeasonRole, Tournament
from tournaments.seasons.explaining import Explanation
from tournaments.seasons.queries import EventLine
from tournaments.seasons.set_up import MAX_BEST, MAX_MOVES, MAX_PLACES, DivisionPlan, SeasonPlan, plan_of

STATUSES: Final = [(each.value, each.value) for each in Status]
EVENT_STATES: Final = [("asked", "asked"), ("in", "in")]


def amount(value: int, unit: int = POINT) -> str:
    """Return a whole number of small units as decimal text."""
    return f"{(Decimal(value) / unit).normalize():f}"


class DivisionSerializer(serializers.Serializer[Any]):
    """A division, the first the highest."""

    name = serializers.CharField(required=False, allow_blank=True, default="", max_length=60, help_text="its name")
    up = serializers.IntegerField(
        required=False, default=0, min_value=0, max_value=MAX_MOVES, help_text="how many go up at the end"
    )
    down = serializers.IntegerField(
        required=False, default=0, min_value=0, max_value=MAX_MOVES, help_text="how many go down at the end"
    )


class SeasonSerializer(serializers.Serializer[Any]):
    """A season and its rules."""

    slug = serializers.CharField(read_only=True, help_text="the season's address")
    name = serializers.CharField(max_length=80, help_text="its name")
    description = serializers.CharField(required=False, allow_blank=True, max_length=2000, help_text="plain text")
    visibility = serializers.ChoiceField(
        choices=Tournament.Visibility.choices, required=False, help_text="who can see it"
    )
    state = serializers.ChoiceField(choices=Season.State.choices, read_only=True, help_text="running or closed")
    measure = serializers.ChoiceField(
        choices=Season.Measure.choices, required=False, help_text="what an event gives points for"
    )
    place_points = serializers.ListField(
        child=serializers.DecimalField(max_digits=9, decimal_places=2, min_value=Decimal(0)),
        required=False,
        max_length=MAX_PLACES,
        help_text="of measure places: points for place 1, 2, ..",
    )
    other_points = serializers.DecimalField(
        max_digits=9, decimal_places=2, min_value=Decimal(0), required=False, help_text="for every other place"
    )
    best = serializers.IntegerField(
        required=False, min_value=0, max_value=MAX_BEST, help_text="how many results of a person count; 0: all"
    )
    decay = serializers.ChoiceField(
        choices=Season.Decay.choices, required=False, allow_blank=True, help_text="when older results lose worth"
    )
    loss = serializers.IntegerField(
        required=False, min_value=0, max_value=99, help_text="percent of what is left, each time"
    )
    divisions = DivisionSerializer(many=True, required=False, help_text="highest first, at most ten")
    previous = serializers.CharField(
        read_only=True, allow_null=True, help_text="the address of the season before it, if that is public"
    )


def season_document(season: Season) -> dict[str, Any]:
    """Return what a GET of a season answers."""
    plan, before = plan_of(season), season.previous
    return {
        "slug": season.slug,
        "name": plan.name,
        "description": plan.description,
        "visibility": plan.visibility,
        "state": season.state,
        "measure": plan.measure,
        "place_points": [amount(each) for each in plan.place_points],
        "other_points": amount(plan.other_points),
        "best": plan.best,
        "decay": plan.decay,
        "loss": plan.loss,
        "divisions": [{"name": each.name, "up": each.up, "down": each.down} for each in plan.divisions],
        "previous": before.slug if before is not None and before.visibility == Tournament.Visibility.PUBLIC else None,
    }


def plan_from(data: Mapping[str, Any], known: SeasonPlan) -> SeasonPlan:
    """Return the plan with what was sent. known: what is kept where nothing was."""
    values = {name: data.get(name, getattr(known, name)) for name in ("name", "description", "visibility", "measure")}
    values |= {name: data.get(name, getattr(known, name)) for name in ("best", "decay", "loss")}
    points, others, divisions = data.get("place_points"), data.get("other_points"), data.get("divisions")
    return SeasonPlan(
        **values,
        place_points=known.place_points if points is None else tuple(int(each * POINT) for each in points),
        other_points=known.other_points if others is None else int(others * POINT),
        divisions=known.divisions if divisions is None else tuple(DivisionPlan(**each) for each in divisions),
    )


class SeasonRowSerializer(serializers.Serializer[Any]):
    """A row of a season's table."""

    person = serializers.UUIDField(source="uuid", help_text="of the person in this season")
    division = serializers.IntegerField(source="division.position", help_text="from 1, the highest")
    rank = serializers.IntegerField(help_text="in the division")
    shared = serializers.BooleanField(help_text="whether somebody else has the same rank")
    name = serializers.CharField(help_text="as in the newest event")
    club = serializers.CharField(allow_blank=True, help_text="as in the newest event")
    user = serializers.SerializerMethodField(help_text="the account's user name; null without one")
    bot = serializers.SerializerMethodField(help_text="the bot's address; null for people")
    total = serializers.SerializerMethodField(help_text="decimal text")
    events = serializers.IntegerField(source="events_n", help_text="in how many events")
    counted = serializers.IntegerField(source="counted_n", help_text="how many results count")
    wins = serializers.IntegerField(help_text="events won")
    best_place = serializers.IntegerField(help_text="0 without a result")

    def get_user(self, row: SeasonPerson) -> str | None:
        """Return the user name."""
        return row.user.username if row.user is not None else None

    def get_bot(self, row: SeasonPerson) -> str | None:
        """Return the address of the bot."""
        return row.bot.slug if row.bot is not None else None

    def get_total(self, row: SeasonPerson) -> str:
        """Return the total as text."""
        return amount(row.total)


class SeasonEventSerializer(serializers.Serializer[Any]):
    """An event of a season. event, name: null for one that the reader may not open."""

    event = serializers.CharField(allow_null=True, help_text="the event's address")
    name = serializers.CharField(allow_null=True, help_text="the event's name")
    state = serializers.ChoiceField(choices=EVENT_STATES, help_text="asked: it waits for its organiser")
    counts = serializers.BooleanField(help_text="whether its results are in the table")
    weight = serializers.CharField(help_text="decimal text; 1 is a usual event")
    left = serializers.CharField(help_text="what the decay leaves of its worth, decimal text")


def event_document(line: EventLine) -> dict[str, Any]:
    """Return an event of a season as JSON."""
    return {
        "event": line.event.slug if line.event is not None else None,
        "name": line.event.name if line.event is not None else None,
        "state": line.row.state,
        "counts": line.counts,
        "weight": amount(line.row.weight, FULL_WEIGHT),
        "left": amount(line.row.decay, FULL_DECAY),
    }


class SeasonResultSerializer(serializers.Serializer[Any]):
    """What one event brings a person: given x weight x left = brings."""

    event = serializers.CharField(allow_null=True, help_text="the event's address; null if the reader may not open it")
    place = serializers.IntegerField(help_text="in the final ranking of the whole event")
    of = serializers.IntegerField(help_text="how many were ranked")
    given = serializers.CharField(help_text="decimal text")
    weight = serializers.CharField(help_text="decimal text")
    left = serializers.CharField(help_text="decimal text")
    brings = serializers.CharField(help_text="decimal text, rounded to hundredths")
    entry = serializers.UUIDField(
        allow_null=True, help_text="in that event, for separate; null if the reader may not open the event"
    )
    status = serializers.ChoiceField(choices=STATUSES, help_text="counted; dropped: others are worth more; twice")
    why = serializers.CharField(help_text="the same in words")


class SeasonTotalSerializer(SeasonRowSerializer):
    """A person's row, and how the total is made, the newest event first."""

    results = SeasonResultSerializer(many=True, help_text="event by event")


def total_document(found: Explanation) -> dict[str, Any]:
    """Return a person's total as JSON."""
    results = [
        {
            "event": each.event.slug if each.event is not None else None,
            "place": each.row.place,
            "of": each.row.field,
            "given": amount(each.line.given),
            "weight": amount(each.line.weight, FULL_WEIGHT),
            "left": amount(each.line.decay, FULL_DECAY),
            "brings": amount(each.line.amount),
            "entry": str(each.row.entry.uuid) if each.event is not None or found.person.season.viewer_role else None,
            "status": each.line.status.value,
            "why": each.why,
        }
        for each in found.lines
    ]
    return {**SeasonRowSerializer(found.person).data, "results": results}


class SeasonRoleSerializer(serializers.Serializer[Any]):
    """A role in a season."""

    user = serializers.CharField(max_length=150, help_text="a user name")
    role = serializers.ChoiceField(choices=SeasonRole.Kind.choices, help_text="owner or manager")


class NewSeasonEventSerializer(serializers.Serializer[Any]):
    """An event for a season."""

    event = serializers.CharField(max_length=300, help_text="the event's address")
    weight = serializers.DecimalField(
        max_digits=5, decimal_places=2, required=False, default=Decimal(1), help_text="1 is a usual event"
    )


class WeightSerializer(serializers.Serializer[Any]):
    """How much an event counts."""

    weight = serializers.DecimalField(max_digits=5, decimal_places=2, help_text="1 is a usual event")


class SeasonActSerializer(serializers.Serializer[Any]):
    """Parameters of an act on a season: those that the verb names."""

    one = serializers.UUIDField(required=False, help_text="merge: the person who becomes part of the other")
    other = serializers.UUIDField(required=False, help_text="merge: the person who stays")
    entry = serializers.UUIDField(required=False, help_text="separate: the entry that is somebody else")
    identity = serializers.UUIDField(required=False, help_text="undo: what was said of who is who")
    person = serializers.UUIDField(required=False, help_text="assign: who plays in another division")
    division = serializers.IntegerField(required=False, min_value=1, help_text="assign: its number, from 1")
    name = serializers.CharField(required=False, max_length=80, help_text="next: the name of the next season")
