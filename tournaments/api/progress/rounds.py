"""Stages and rounds: reading them, drawing, calling, closing, undoing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from django.http import Http404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import User
from tournaments.api.acting import ActSerializer, DoneSerializer, asked, perform
from tournaments.api.loading import SLUG, STAGE, event_for, event_to_change, round_numbered, stage_numbered, stage_of
from tournaments.api.serializers import RoundSerializer, StageSerializer
from tournaments.lifecycle.transitions import ORGANISERS, may
from tournaments.matches import schedule
from tournaments.models import Round, Stage
from tournaments.progress import rounds
from tournaments.progress import stages as stage_jobs
from tournaments.progress.stage_actions import draw_stage, preview_stage, take_back_stage
from web.api_pages import list_response, list_serializer
from web.resource import Resource

ORDER = OpenApiParameter("order", OpenApiTypes.INT, OpenApiParameter.PATH, description="the stage's number, from 1")
NUMBER = OpenApiParameter("number", OpenApiTypes.INT, OpenApiParameter.PATH, description="the round's number, from 1")
STAGE_VERBS: Final = ("draw", "close", "undo")
ROUND_VERBS: Final[dict[str, Callable[[Round, User], object]]] = {
    "publish": lambda row, by: rounds.call_round(round_row=row, by=by),
    "undo": lambda row, by: _take_back(row, by),
}
Payload = dict[str, Any]


def _take_back(row: Round, by: User) -> None:
    """Undo a draw as the desk does: the first round of a later stage goes with its stage."""
    if row.number == 1 and row.stage.order > 1:
        take_back_stage(stage=row.stage, by=by)
    else:
        rounds.take_back_round(round_row=row, by=by)


class Stages(Resource):
    """The stages of an event."""

    @extend_schema(operation_id="stages_list", parameters=[SLUG], responses=list_serializer(StageSerializer))
    def get(self, request: Request, slug: str) -> Response:
        """List the stages in their order."""
        event, _person = event_for(slug, request)
        items = StageSerializer(event.stages.select_related("ruleset").order_by("order"), many=True).data
        return list_response(items)


class StageAct(Resource):
    """Acts of organisers on a stage."""

    @extend_schema(
        operation_id="stages_act",
        parameters=[
            SLUG,
            ORDER,
            OpenApiParameter("verb", OpenApiTypes.STR, OpenApiParameter.PATH, enum=list(STAGE_VERBS)),
        ],
        request=ActSerializer,
        responses=DoneSerializer,
    )
    def post(self, request: Request, slug: str, order: int, verb: str) -> Response:
        """Draw its next round (or, while it waits, the stage), close it, or take its draw back. Scope: event:write.

        A dry run of a draw answers `plan` and `seen`; sent with the act, another draw is refused: 409 `draw.stale`.
        """
        if verb not in STAGE_VERBS:
            raise Http404(verb)
        event, by = event_to_change(slug, request, "event:write")
        stage, payload = stage_numbered(event, order), asked(request.data)
        if verb == "draw":
            return _draw(stage, by, payload)
        act = {"close": rounds.close_stage, "undo": take_back_stage}[verb]
        return perform(event, lambda: act(stage=stage, by=by), dry_run=payload["dry_run"])


def _draw(stage: Stage, by: User, payload: Payload) -> Response:
    event = stage.tournament
    # Before anything is planned: a dry run tells the whole draw, which scorers must not see early.
    may(event, by, ORGANISERS, "draw")
    if stage.state == Stage.State.PLANNED:
        # A stage that waits is drawn only after a look: the act without `seen` is refused.
        seen = payload["seen"] or (stage_jobs.digest(preview_stage(stage)) if payload["dry_run"] else "")
        return perform(
            event,
            lambda: draw_stage(tournament=event, by=by, order=stage.order, seen=seen),
            dry_run=payload["dry_run"],
            seen=seen,
        )
    drawn = rounds.preview_next(stage=stage, by=by)
    # Without `seen` a program draws what comes out now; with it, only the draw it has looked at.
    seen = payload["seen"] or drawn.hash
    return perform(
        event,
        lambda: rounds.publish_next(stage=stage, by=by, seen=seen),
        dry_run=payload["dry_run"],
        seen=drawn.hash,
        plan={**drawn.plan.to_json(), "names": drawn.names} if drawn.plan is not None else None,
    )


class Rounds(Resource):
    """The rounds of a stage."""

    @extend_schema(
        operation_id="tournaments_rounds_list", parameters=[SLUG, STAGE], responses=list_serializer(RoundSerializer)
    )
    def get(self, request: Request, slug: str) -> Response:
        """List the rounds of a stage with how far each is."""
        event, _person = event_for(slug, request)
        stage = stage_of(event, request.query_params.get("stage", ""))
        items = RoundSerializer(schedule.rounds_of(stage) if stage else [], many=True).data
        return list_response(items)


class RoundAct(Resource):
    """Acts of organisers on a round."""

    @extend_schema(
        operation_id="rounds_act",
        parameters=[
            SLUG,
            NUMBER,
            STAGE,
            OpenApiParameter("verb", OpenApiTypes.STR, OpenApiParameter.PATH, enum=list(ROUND_VERBS)),
        ],
        request=ActSerializer,
        responses=DoneSerializer,
    )
    def post(self, request: Request, slug: str, number: int, verb: str) -> Response:
        """Publish a round (call its tables), or undo its draw while none is called. Scope: event:write."""
        if verb not in ROUND_VERBS:
            raise Http404(verb)
        event, by = event_to_change(slug, request, "event:write")
        row, payload = round_numbered(event, number, request.query_params.get("stage", "")), asked(request.data)
        return perform(event, lambda: ROUND_VERBS[verb](row, by), dry_run=payload["dry_run"])
