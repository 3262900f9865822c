"""Serializer of what a PATCH of an event may name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from core.formats.ages import MAX_GAP
from tournaments.api.events.plans import NewEventSerializer
from tournaments.models import Tournament
from tournaments.models.settings import MAX_LEADER_ROUNDS
from tournaments.progress.stations import MAX_HALL_TABLES


class EventChangesSerializer(serializers.Serializer[Any]):
    """Fields of an event that may be changed; what is left out stays."""

    made_with = NewEventSerializer
    fixed: ClassVar[Mapping[str, str | Promise]] = {
        **dict.fromkeys(NewEventSerializer().fields, _("PUT to the event's plan changes it, until it is fixed.")),
        "state": _("Actions change it: POST to the event with :publish, :open, :start, :pause, :cancel and the like."),
    }

    name = serializers.CharField(min_length=3, max_length=80, required=False)
    description = serializers.CharField(max_length=2000, required=False, allow_blank=True)
    visibility = serializers.ChoiceField(choices=Tournament.Visibility.choices, required=False)
    min_entries = serializers.IntegerField(min_value=2, max_value=32767, required=False)
    max_entries = serializers.IntegerField(min_value=2, max_value=32767, required=False)
    entries_per_owner = serializers.IntegerField(min_value=1, max_value=32767, required=False)
    entries_close_at = serializers.DateTimeField(required=False, allow_null=True)
    starts_at = serializers.DateTimeField(required=False, allow_null=True)
    venue = serializers.CharField(max_length=120, required=False, allow_blank=True)
    time_zone = serializers.CharField(max_length=40, required=False)
    round_minutes = serializers.IntegerField(
        min_value=0,
        max_value=600,
        required=False,
        allow_null=True,
        help_text="of rounds called from now on; 0: no clock",
    )
    clock = serializers.CharField(max_length=20, required=False, help_text="of bots, until it starts; or custom")
    figures = serializers.DictField(
        child=serializers.IntegerField(), required=False, help_text="of a custom clock; sent with `clock`"
    )
    apart = serializers.ChoiceField(choices=("", "club"), required=False, help_text="until it starts")
    age_gap = serializers.IntegerField(
        min_value=0,
        max_value=MAX_GAP,
        required=False,
        help_text="years between the ages of partners; it counts from the next draw",
    )
    leaders = serializers.IntegerField(
        min_value=0,
        max_value=MAX_LEADER_ROUNDS,
        required=False,
        help_text="of Swiss tables; it counts from the next draw",
    )
    rated = serializers.BooleanField(required=False, help_text="of people, until it starts")
    hall_tables = serializers.IntegerField(
        min_value=1,
        max_value=MAX_HALL_TABLES,
        required=False,
        allow_null=True,
        help_text="how many tables the hall has; null: as many as are needed",
    )
    calls_alone = serializers.BooleanField(
        required=False, help_text="matches of brackets that flow are called as soon as a table is free"
    )
