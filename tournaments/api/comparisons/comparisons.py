"""Comparisons of two versions: the list, one, a new one, stopping it."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.http import Http404
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import User
from bots.api.bots import own_bot
from bots.api.serializers import PresetField
from bots.models import BotVersion
from bots.selectors import version_of
from tournaments.comparisons import queries as challenges
from tournaments.comparisons.actions import ChallengePlan, start_challenge, stop_challenge
from tournaments.models import Challenge
from web.access import reader, require, somebody
from web.api_pages import Pages
from web.bodies import read_body
from web.idempotency import KEY_NEEDED, once
from web.resource import Resource

UUID_OF = OpenApiParameter("uuid", OpenApiTypes.UUID, OpenApiParameter.PATH)
FILTERS = [
    OpenApiParameter("mine", OpenApiTypes.BOOL, description="1: asked for by me, or with bots of mine"),
    OpenApiParameter("q", OpenApiTypes.STR, description="words in the name of either bot"),
]


class NamedVersionSerializer(serializers.Serializer[Any]):
    """A version by its bot's address and its number."""

    bot = serializers.CharField(max_length=60)
    n = serializers.IntegerField(min_value=1, max_value=2**31 - 1)


class NewChallengeSerializer(serializers.Serializer[Any]):
    """A question: is `candidate` (of yours) stronger than `reference`? elo0, elo1: the hypotheses; alpha, beta: the
    errors.

    cap: most deal sets. options: what differs from the preset.
    """

    candidate = NamedVersionSerializer()
    reference = NamedVersionSerializer()
    preset = PresetField()
    seats = serializers.IntegerField(min_value=2, max_value=7, required=False)
    options = serializers.DictField(required=False)
    elo0 = serializers.FloatField(min_value=-1000, max_value=1000, required=False)
    elo1 = serializers.FloatField(min_value=-1000, max_value=1000, required=False)
    alpha = serializers.FloatField(min_value=0, max_value=1, required=False)
    beta = serializers.FloatField(min_value=0, max_value=1, required=False)
    cap = serializers.IntegerField(min_value=1, max_value=1_000_000, required=False)


class ShownVersionSerializer(serializers.Serializer[Any]):
    """A version of a comparison."""

    bot = serializers.CharField(source="bot.slug")
    n = serializers.IntegerField()


class ChallengeSerializer(serializers.ModelSerializer[Challenge]):
    """A comparison. llr: the log likelihood ratio now; judged, skipped: deal sets; counts: of pairs, lost to won.

    estimate: [score, low, high] of the candidate, empty before the second deal set. event: where its matches are.
    """

    candidate = ShownVersionSerializer(read_only=True)
    reference = ShownVersionSerializer(read_only=True)
    by = serializers.CharField(source="by.username", read_only=True)
    preset = serializers.CharField(source="stage.preset", read_only=True)
    seats = serializers.IntegerField(source="stage.seats_pref", read_only=True)
    event = serializers.CharField(source="stage.tournament.slug", read_only=True)
    reason = serializers.CharField(read_only=True, help_text="why it ended: bound, cap, stopped, unfit; empty before")
    counts = serializers.ListField(child=serializers.IntegerField(), read_only=True)
    estimate = serializers.ListField(child=serializers.FloatField(), read_only=True)

    class Meta:
        model = Challenge
        fields = (
            "uuid",
            "candidate",
            "reference",
            "by",
            "preset",
            "seats",
            "event",
            "elo0",
            "elo1",
            "alpha",
            "beta",
            "cap",
            "state",
            "reason",
            "judged",
            "skipped",
            "llr",
            "counts",
            "estimate",
            "candidate_forfeits",
            "reference_forfeits",
            "created_at",
            "decided_at",
        )
        read_only_fields = fields


def document(challenge: Challenge) -> dict[str, Any]:
    """Return what a GET of it answers."""
    return dict(ChallengeSerializer(challenges.challenge_of(challenge.uuid)).data)


class Challenges(Resource, ListAPIView[Challenge]):
    """Comparisons."""

    serializer_class = ChallengeSerializer
    pagination_class = Pages

    def get_queryset(self) -> QuerySet[Challenge]:
        person, query = reader(self.request), self.request.query_params
        wants_own = query.get("mine") in ("1", "true")
        if wants_own and person is None:
            return Challenge.objects.none()
        rows = challenges.listed(person, whose="mine" if wants_own else "", words=query.get("q", "").strip()[:60])
        # By id: a cursor needs an order that never changes.
        return rows.order_by("-id")

    @extend_schema(operation_id="challenges_list", parameters=FILTERS)
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """List comparisons of bots of two owners, and your own, newest first."""
        return super().get(request, *args, **kwargs)

    @extend_schema(
        operation_id="challenges_create",
        parameters=[KEY_NEEDED],
        request=NewChallengeSerializer,
        responses={201: ChallengeSerializer},
    )
    def post(self, request: Request) -> Response:
        """Compare a version of yours with another one: deal sets are played until it is decided. Scope: bot:write."""
        # 401 before the body is looked at: a stranger learns nothing about it.
        if somebody(request) is None:
            require(request)
        payload = read_body(NewChallengeSerializer, request)
        _bot, by = own_bot(str(payload["candidate"]["bot"]), request, "bot:write")
        plan = {**payload, **{name: _version(payload[name], by) for name in ("candidate", "reference")}}
        # A second request with the key gets the same comparison, even if the first answer was lost.
        return once(request, f"user:{by.pk}", lambda: _start(by, plan))


def _version(named: dict[str, Any], by: User) -> BotVersion:
    # Of what the person may know: a hidden version is a 404.
    found = version_of(str(named["bot"]), int(named["n"]), by)
    if found is None:
        raise Http404(str(named["bot"]))
    return found


def _start(by: User, plan: dict[str, Any]) -> Response:
    made = start_challenge(by=by, plan=ChallengePlan(**plan))
    return Response(document(made), status=201, headers={"Location": reverse("api-challenge", args=[made.uuid])})


class OneChallenge(Resource):
    """One comparison."""

    @extend_schema(operation_id="challenges_retrieve", parameters=[UUID_OF], responses=ChallengeSerializer)
    def get(self, request: Request, uuid: UUID) -> Response:
        """Get one comparison: anyone who has its address may look."""
        return Response(document(named(uuid)))


class ChallengeStop(Resource):
    """Stopping a comparison."""

    @extend_schema(operation_id="challenges_stop", parameters=[UUID_OF], request=None, responses=ChallengeSerializer)
    def post(self, request: Request, uuid: UUID) -> Response:
        """Stop it: inconclusive, unless it is decided. The person who asked for it may, operators too. Scope:
        bot:write, admin.
        """
        if somebody(request) is None:
            require(request)
        found = named(uuid)
        by = require(request, "bot:write", "admin", of=("bot", found.candidate.bot.uuid))
        stop_challenge(challenge=found, by=by)
        return Response(document(found))


def named(uuid: UUID) -> Challenge:
    """Return a comparison by its uuid, or 404."""
    try:
        return challenges.challenge_of(uuid)
    except Challenge.DoesNotExist as missing:
        raise Http404(str(uuid)) from missing
