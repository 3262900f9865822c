"""Rehearsing an event before it starts: asking, and what came of it."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.api.loading import SLUG, event_organised, event_to_change
from tournaments.simulation.actions import MAX_ENTRIES, MAX_MINUTES, MIN_ENTRIES, Question, rehearsal_of, rehearse_event
from tournaments.simulation.jobs import DONE, FAILED, WAITS, WORKS, Job
from web.bodies import read_body
from web.resource import Resource

STATES = [(state, state) for state in (WAITS, WORKS, DONE, FAILED)]


class QuestionSerializer(serializers.Serializer[Any]):
    """A question: how many play, and how long things take. What is left out is the usual; entries: as many as are
    entered.
    """

    entries = serializers.IntegerField(min_value=MIN_ENTRIES, max_value=MAX_ENTRIES, required=False)
    deal_minutes = serializers.FloatField(min_value=0.1, max_value=MAX_MINUTES, required=False)
    match_minutes = serializers.FloatField(
        min_value=0.1, max_value=MAX_MINUTES, required=False, help_text="instead of minutes of a deal"
    )
    change_minutes = serializers.FloatField(
        min_value=0, max_value=MAX_MINUTES, required=False, help_text="between two rounds"
    )
    tables = serializers.IntegerField(min_value=1, max_value=MAX_ENTRIES, required=False, help_text="that there are")
    tables_an_arbiter = serializers.IntegerField(min_value=1, max_value=MAX_ENTRIES, required=False)


class RehearsalSerializer(serializers.Serializer[Any]):
    """A rehearsal. asked: the question in full; done: runs so far; told: the figures once it is done."""

    state = serializers.ChoiceField(choices=STATES)
    asked = serializers.DictField()
    done = serializers.IntegerField()
    told = serializers.DictField()
    code = serializers.CharField(allow_blank=True, help_text="why it failed")


class Rehearsal(Resource):
    """The rehearsal of an event."""

    @extend_schema(
        operation_id="rehearsal_retrieve", parameters=[SLUG], responses={200: RehearsalSerializer, 204: None}
    )
    def get(self, request: Request, slug: str) -> Response:
        """Get the last rehearsal; 204: there is none. For organisers; 404 for others."""
        event, _by = event_organised(slug, request)
        return _job_response(rehearsal_of(event))

    @extend_schema(
        operation_id="rehearsal_create",
        parameters=[SLUG],
        request=QuestionSerializer,
        responses={202: RehearsalSerializer},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Ask for a rehearsal: a worker plays it. The same asked while it is open is one. Scope: event:write."""
        event, by = event_to_change(slug, request, "event:write")
        payload = read_body(QuestionSerializer, request)
        job = rehearse_event(tournament=event, by=by, question=Question(**payload))
        return _job_response(job, status=202)


def _job_response(job: Job | None, *, status: int = 200) -> Response:
    if job is None:
        return Response(status=204)
    fields = {
        "state": job.state,
        "asked": asdict(job.asked),
        "done": job.done,
        "told": dict(job.told),
        "code": job.code,
    }
    return Response(RehearsalSerializer(fields).data, status=status)
