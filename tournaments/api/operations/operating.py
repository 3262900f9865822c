"""Acts of operators: workers drained, held work requeued, people and bots suspended. 404 for others."""

from __future__ import annotations

from typing import Any, Final

from django.http import Http404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import User
from bots import services as bots_services
from bots.models import Bot, Worker
from tournaments.operations.quarantine import requeue_quarantined
from web.access import require
from web.bodies import read_body
from web.resource import Resource

VERBS: Final = ("drain", "go-on")
KINDS: Final = ("person", "bot")
PK = OpenApiParameter("id", OpenApiTypes.INT, OpenApiParameter.PATH, description="the worker's, as /queue has it")
KIND = OpenApiParameter("kind", OpenApiTypes.STR, OpenApiParameter.PATH, enum=list(KINDS))
NAME = OpenApiParameter("name", OpenApiTypes.STR, OpenApiParameter.PATH, description="a user name, or a bot's address")
BIGGEST: Final = 2**63 - 1


def operator(request: Request) -> User:
    """Return the operator who asks. Raises Http404 for everybody else, and ScopeMissing."""
    # The scope first: a token without it gets a 403 that names the scope, to operators and others alike.
    by = require(request, "admin")
    if not by.is_staff:
        raise Http404
    return by


class WorkerDoneSerializer(serializers.Serializer[Any]):
    """A worker. draining: it takes no more matches."""

    id = serializers.IntegerField(source="pk")
    name = serializers.CharField()
    draining = serializers.SerializerMethodField()

    def get_draining(self, worker: Worker) -> bool:
        return worker.draining_at is not None


class WorkerAct(Resource):
    """Acts on a worker."""

    @extend_schema(
        operation_id="workers_act",
        parameters=[PK, OpenApiParameter("verb", OpenApiTypes.STR, OpenApiParameter.PATH, enum=list(VERBS))],
        request=None,
        responses=WorkerDoneSerializer,
    )
    def post(self, request: Request, id: int, verb: str) -> Response:  # noqa: A002  # the address's own word
        """Drain a worker (it finishes what it plays and takes no more), or let it go on. Twice changes nothing. Scope:
        admin.
        """
        by = operator(request)
        # A larger number would be an error of the database.
        worker = Worker.objects.filter(pk=id).first() if id <= BIGGEST else None
        if worker is None or verb not in VERBS:
            raise Http404(verb)
        (bots_services.drain if verb == "drain" else bots_services.go_on)(worker=worker, by=by)
        return Response(WorkerDoneSerializer(Worker.objects.get(pk=worker.pk)).data)


class RequeuedSerializer(serializers.Serializer[Any]):
    """Number of matches that were requeued."""

    requeued = serializers.IntegerField()


class QueueRequeue(Resource):
    """Requeueing what is held."""

    @extend_schema(operation_id="queue_requeue", request=None, responses=RequeuedSerializer)
    def post(self, request: Request) -> Response:
        """Let everything that is held be played again, as far as its state allows. Scope: admin."""
        return Response({"requeued": requeue_quarantined(by=operator(request))})


class SuspensionSerializer(serializers.Serializer[Any]):
    """Somebody, or a bot, that is suspended. name: a user name, or a bot's address."""

    kind = serializers.ChoiceField(choices=[(kind, kind) for kind in KINDS])
    name = serializers.CharField(max_length=150)
    reason = serializers.CharField(max_length=200)


class Suspensions(Resource):
    """Suspending."""

    @extend_schema(
        operation_id="suspensions_create", request=SuspensionSerializer, responses={201: SuspensionSerializer}
    )
    def post(self, request: Request) -> Response:
        """Suspend a person or a bot for a reason; twice changes nothing. Scope: admin."""
        by = operator(request)
        payload = read_body(SuspensionSerializer, request)
        if payload["kind"] == "person":
            bots_services.suspend_person(person=_person(payload["name"]), by=by, reason=payload["reason"])
        else:
            bots_services.suspend_bot(bot=_bot(payload["name"]), by=by, reason=payload["reason"])
        return Response(payload, status=201)


class OneSuspension(Resource):
    """Lifting."""

    @extend_schema(operation_id="suspensions_delete", parameters=[KIND, NAME], responses={204: None})
    def delete(self, request: Request, kind: str, name: str) -> Response:
        """Lift a suspension; twice changes nothing. Scope: admin."""
        by = operator(request)
        if kind == "person":
            bots_services.lift_person(person=_person(name), by=by)
        elif kind == "bot":
            bots_services.lift_bot(bot=_bot(name), by=by)
        else:
            raise Http404(kind)
        return Response(status=204)


def _person(name: str) -> User:
    found = User.objects.filter(username=name).first()
    if found is None:
        raise Http404(name)
    return found


def _bot(slug: str) -> Bot:
    found = Bot.objects.filter(slug=slug).first()
    if found is None:
        raise Http404(slug)
    return found
