"""Formats that fit a number of people, hours and tables, each with the time it takes and the event to ask for."""

from __future__ import annotations

from dataclasses import asdict
from math import isfinite
from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_serializer
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from bots.api.serializers import PresetField
from tournaments.api.events.plans import NewEventSerializer, StageKindField
from tournaments.events.proposals.choice import Proposal, proposals
from tournaments.events.proposals.question import (
    ALONE,
    CHANGE_MINUTES,
    DEAL_MINUTES,
    HOURS,
    MAX_CHANGE_MINUTES,
    MAX_DEAL_MINUTES,
    MAX_PEOPLE,
    MAX_TABLES,
    MIN_DEAL_MINUTES,
    MIN_PEOPLE,
    TEAM_SIZES,
    Question,
)
from web.access import require
from web.api_pages import list_response, list_serializer
from web.resource import Resource

COMPANIES = [(company, company) for company in TEAM_SIZES]


class FiniteField(serializers.FloatField):
    """A number. Text that spells "nan" or "inf" is none: it compares with no bound, and JSON has no word for it."""

    def to_internal_value(self, data: Any) -> float:
        """Return the number. Raises ValidationError."""
        found = super().to_internal_value(data)
        if not isfinite(found):
            self.fail("invalid")
        return found


class ProposalQuestionSerializer(serializers.Serializer[Any]):
    """What an organiser knows first. What is left out is the usual."""

    people = serializers.IntegerField(min_value=MIN_PEOPLE, max_value=MAX_PEOPLE, help_text="how many people play")
    hours = FiniteField(
        min_value=HOURS[0], max_value=HOURS[1], help_text="that there are, from the first round to the last"
    )
    tables = serializers.IntegerField(
        min_value=1, max_value=MAX_TABLES, required=False, help_text="that there are; left away: enough"
    )
    preset = PresetField(required=False, default="hawaii", help_text="the rules that are played")
    company = serializers.ChoiceField(
        choices=COMPANIES,
        required=False,
        default=ALONE,
        help_text="who plays with whom: alone, pairs (drawn, entered, rotating), or teams of three or four",
    )
    seats = serializers.IntegerField(
        min_value=2, max_value=7, required=False, default=0, help_text="at a table; left away: what suits"
    )
    deal_minutes = FiniteField(
        min_value=MIN_DEAL_MINUTES,
        max_value=MAX_DEAL_MINUTES,
        required=False,
        default=DEAL_MINUTES,
        help_text="how long a deal takes",
    )
    change_minutes = FiniteField(
        min_value=0,
        max_value=MAX_CHANGE_MINUTES,
        required=False,
        default=CHANGE_MINUTES,
        help_text="between two rounds",
    )


class ProposedStageSerializer(serializers.Serializer[Any]):
    """A stage of a proposal."""

    kind = StageKindField(help_text="how its rounds are drawn")
    groups = serializers.IntegerField(help_text="that play among themselves")
    rounds = serializers.IntegerField(help_text="how many")
    tables = serializers.IntegerField(help_text="that its largest round needs")


@extend_schema_serializer(component_name="ProposedPlan")
class ProposedPlanSerializer(NewEventSerializer):
    """A new event without its name: with one it is the body of `POST /api/v1/tournaments`."""

    def get_fields(self) -> dict[str, Any]:
        """Return the fields of a new event but its name, which the organiser gives."""
        fields = super().get_fields()
        del fields["name"]
        return fields


class ProposalSerializer(serializers.Serializer[Any]):
    """A format that is proposed."""

    format = serializers.CharField(help_text="names the format among those of one question")
    title = serializers.CharField(help_text="the format in words")
    good_for = serializers.CharField(help_text="what it is good for, in words")
    hours = serializers.FloatField(help_text="half of such events take no longer")
    hours_at_most = serializers.FloatField(help_text="nine of ten such events take no longer")
    fits = serializers.BooleanField(help_text="whether nine of ten such events end in time")
    deals = serializers.IntegerField(help_text="deals of a match")
    matches = serializers.IntegerField(help_text="matches that are sure for everybody")
    matches_at_most = serializers.IntegerField(help_text="the most matches that somebody can play")
    stages = ProposedStageSerializer(many=True, help_text="in the order of play")
    plan = ProposedPlanSerializer(help_text="the event to ask for")


class Proposals(Resource):
    """Formats that fit."""

    @extend_schema(
        operation_id="proposals_list",
        parameters=[ProposalQuestionSerializer],
        responses=list_serializer(ProposalSerializer),
    )
    def get(self, request: Request) -> Response:
        """List up to five formats for people at tables, those that fit into the time first. Scope: read or event:write.

        Nothing is made. Refused where nothing can be played: proposal.pairs, .too_few, .too_many, .seats.
        """
        # Working it out takes longer than other answers, so strangers do not ask for it.
        require(request, "read", "event:write")
        asked = ProposalQuestionSerializer(data=request.query_params)
        asked.is_valid(raise_exception=True)
        found = proposals(Question(**asked.validated_data))
        return list_response(ProposalSerializer([_shown(each) for each in found], many=True).data)


def _shown(proposal: Proposal) -> dict[str, Any]:
    forecast = proposal.forecast
    hours, hours_at_most = (round(each, 2) for each in forecast.hours)
    stages = [
        {"kind": planned.kind, "groups": stage.groups, "rounds": stage.rounds, "tables": stage.tables}
        for planned, stage in zip(proposal.plan.stages, forecast.stages, strict=True)
    ]
    return {
        "format": proposal.key,
        "title": proposal.candidate.title,
        "good_for": proposal.candidate.good_for,
        "hours": hours,
        "hours_at_most": hours_at_most,
        "fits": proposal.fits,
        "deals": proposal.deals,
        "matches": forecast.matches[0],
        "matches_at_most": forecast.matches[1],
        "stages": stages,
        "plan": _given(asdict(proposal.plan)),
    }


def _given(plan: dict[str, Any]) -> dict[str, Any]:
    """Return a plan without what it leaves to the service: a body has no field for "as usual"."""
    given = {name: value for name, value in plan.items() if value is not None and value != ""}
    return {
        name: [_given(each) for each in value] if name in ("then", "ways") else value for name, value in given.items()
    }
