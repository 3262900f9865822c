"""Webhooks of the reader: the list, one, its deliveries, a test, a new secret. Each secret is answered once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.http import Http404
from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import User
from bots.models import Bot
from core.errors import TournamentError
from tournaments.models import Delivery, Hook, Tournament
from tournaments.webhooks import actions as services
from tournaments.webhooks.actions import KEEP_HOURS, MAX_HOURS, HookPlan
from tournaments.webhooks.queries import deliveries_of, hook_of, hooks_of
from tournaments.webhooks.signing import secret_that_begins
from web.access import Of, require, somebody
from web.api_pages import Pages, list_response, list_serializer
from web.bodies import read_body
from web.idempotency import KEY_NEEDED, OPTIONAL_KEY, once, once_if_keyed
from web.resource import Resource, changed, require_current

READS: Final = ("read", "hook:write")
WRITE: Final = "hook:write"
UUID_OF = OpenApiParameter("uuid", OpenApiTypes.UUID, OpenApiParameter.PATH)
ID_OF = OpenApiParameter("id", OpenApiTypes.STR, OpenApiParameter.PATH, description="the id of the delivery")
FILTERS = [
    OpenApiParameter("state", OpenApiTypes.STR, enum=list(Delivery.State.values), description="how far it is"),
    OpenApiParameter("kind", OpenApiTypes.STR, description="a kind, or ping"),
]


class WantedHookSerializer(serializers.Serializer[Any]):
    """A webhook to be made. watch: mine, followed, event or bot; thing: the address of that event or bot."""

    name = serializers.CharField(max_length=60)
    url = serializers.CharField(max_length=500)
    kinds = serializers.ListField(child=serializers.CharField(max_length=24), max_length=20)
    watch = serializers.CharField(max_length=8, default="mine")
    thing = serializers.CharField(max_length=60, allow_blank=True, default="")
    dry_run = serializers.BooleanField(required=False, default=False, help_text="do nothing, answer what it would be")


class HookChangesSerializer(serializers.Serializer[Any]):
    """Changes of a webhook; what is left out stays. state: active or paused."""

    name = serializers.CharField(max_length=60, required=False)
    url = serializers.CharField(max_length=500, required=False)
    kinds = serializers.ListField(child=serializers.CharField(max_length=24), max_length=20, required=False)
    watch = serializers.CharField(max_length=8, required=False)
    thing = serializers.CharField(max_length=60, allow_blank=True, required=False)
    state = serializers.CharField(max_length=8, required=False)
    dry_run = serializers.BooleanField(required=False, default=False, help_text="do nothing, answer what it would be")


class RotateSerializer(serializers.Serializer[Any]):
    """A change of secret. keep_hours: for how long the previous secret still signs."""

    keep_hours = serializers.IntegerField(min_value=0, max_value=MAX_HOURS, required=False, default=KEEP_HOURS)


class SecretSerializer(serializers.Serializer[Any]):
    """A secret that signs. start: how it begins; ends_at: null, it goes on."""

    start = serializers.CharField()
    made_at = serializers.DateTimeField()
    ends_at = serializers.DateTimeField(allow_null=True)


class HookSerializer(serializers.Serializer[Any]):
    """A hook. state: active, failing, paused (by you) or stopped (by us; reason says why)."""

    uuid = serializers.UUIDField()
    name = serializers.CharField()
    url = serializers.CharField()
    kinds = serializers.ListField(child=serializers.CharField())
    watch = serializers.CharField()
    thing = serializers.SerializerMethodField()
    state = serializers.CharField(source="shown_state")
    reason = serializers.CharField(allow_blank=True)
    failing_since = serializers.DateTimeField(allow_null=True)
    failures = serializers.IntegerField()
    left_out = serializers.IntegerField()
    waiting = serializers.IntegerField()
    delivered_at = serializers.DateTimeField(allow_null=True)
    created_at = serializers.DateTimeField()
    secrets = serializers.SerializerMethodField()

    @extend_schema_field(SecretSerializer(many=True))
    def get_secrets(self, hook: Hook) -> list[dict[str, Any]]:
        """Return its live secrets, the newest first."""
        rows = sorted(hook.secrets.all(), key=lambda row: -row.pk)
        return [dict(SecretSerializer(row).data) for row in rows]

    def get_thing(self, hook: Hook) -> str:
        """Return the address of the one event or bot it watches; empty if it watches no single one."""
        thing = hook.tournament or hook.bot
        return thing.slug if thing is not None else ""


class NewHookSerializer(HookSerializer):
    """A hook and its new secret, which nobody can read again."""

    secret = serializers.CharField()


class DeliverySerializer(serializers.ModelSerializer[Delivery]):
    """A delivery to a webhook. status, ms, answer, error: of the last try; due_at: of the next one."""

    id = serializers.UUIDField(source="uuid", read_only=True)
    state = serializers.CharField(read_only=True)
    kind = serializers.CharField(read_only=True)

    class Meta:
        model = Delivery
        fields = ("id", "kind", "at", "state", "tries", "due_at", "tried_at", "status", "ms", "answer", "error")
        read_only_fields = fields


def _about(hook: Hook) -> Of | None:
    """Return what a token may be bound to that sees this webhook: the one thing it watches."""
    if hook.tournament is not None:
        return ("event", hook.tournament.uuid)
    return ("bot", hook.bot.uuid) if hook.bot is not None else None


def _one(request: Request, uuid: UUID, *scopes: str) -> Hook:
    """Return a webhook of the reader; anybody else's is a 404."""
    person = somebody(request)
    if person is None:
        person = require(request)
    found = hook_of(person, uuid)
    if found is None:
        raise Http404(str(uuid))
    require(request, *scopes, of=_about(found))
    return found


def _document(hook: Hook) -> dict[str, Any]:
    return dict(HookSerializer(hook_of(hook.user, hook.uuid)).data)


def _thing(person: User, watch: str, slug: str) -> Tournament | Bot | None:
    """Return what the body names; whether it is the person's own is for the service to check. A name of nothing is
    refused alike, and so is a thing for a webhook that watches no single one.
    """
    if slug and watch in (Hook.Watch.MINE, Hook.Watch.FOLLOWED):
        message = _("Choose an event or a bot if the webhook is for only one of them; otherwise leave both empty.")
        raise TournamentError(message, code="hook.bad_watch", extra={"pointer": "/thing"})
    if not slug or watch not in (Hook.Watch.EVENT, Hook.Watch.BOT):
        return None
    found: Tournament | Bot | None
    if watch == "event":
        # Only one's own: what does not exist and what is another's are refused with the same words.
        found = Tournament.objects.filter(slug=slug, roles__user=person).first()
    else:
        found = Bot.objects.filter(slug=slug, owner=person).first()
    if found is None:
        message = _("There is nothing of yours with this address.")
        raise TournamentError(message, code="hook.not_yours", extra={"pointer": "/thing"})
    return found


def _plan(person: User, payload: dict[str, Any]) -> HookPlan:
    thing = _thing(person, payload["watch"], payload["thing"])
    return HookPlan(payload["name"], payload["url"], payload["kinds"], payload["watch"], thing)


def _with_secret(answer: Response) -> Response:
    """Return the answer with its secret, which is in no row: also where it is given again for the same key.

    It follows from the row of the secret, as long as there is one.
    """
    if answer.status_code < 300 and isinstance(answer.data, dict) and answer.data.get("secrets"):
        start, uuid = answer.data["secrets"][0]["start"], answer.data["uuid"]
        answer.data = {**answer.data, "secret": secret_that_begins(str(uuid), start)}
    return answer


def _perform(act: Callable[[], Response], *, dry_run: bool) -> Response:
    """Do it; of a dry run nothing stays."""
    # Done and taken back: a dry run cannot differ from the act.
    with transaction.atomic():
        answer = act()
        transaction.set_rollback(dry_run)
    return answer


class Hooks(Resource):
    """My hooks."""

    @extend_schema(operation_id="hooks_list", responses=list_serializer(HookSerializer))
    def get(self, request: Request) -> Response:
        """List your hooks, newest first. Scope: read."""
        person = require(request, *READS)
        return list_response(HookSerializer(hooks_of(person).prefetch_related("secrets"), many=True).data)

    @extend_schema(
        operation_id="hooks_create",
        parameters=[KEY_NEEDED],
        request=WantedHookSerializer,
        responses={201: NewHookSerializer},
    )
    def post(self, request: Request) -> Response:
        """Make a hook; only this answer has its secret. A token that is bound may watch that alone. Scope: hook:write.

        A dry run judges what was sent and makes nothing; its secret is empty.
        """
        person = somebody(request) or require(request)
        payload = read_body(WantedHookSerializer, request)
        plan = _plan(person, payload)
        require(request, WRITE, of=_of_thing(plan.thing))
        if payload["dry_run"]:
            return _perform(lambda: _make(person, plan, status=201), dry_run=True)
        # The secret is put in after the answer was stored: the key's row never holds it.
        return _with_secret(once(request, f"user:{person.pk}", lambda: _make(person, plan, status=201)))


def _of_thing(thing: Tournament | Bot | None) -> Of | None:
    if thing is None:
        return None
    return ("event" if isinstance(thing, Tournament) else "bot", thing.uuid)


def _make(person: User, plan: HookPlan, *, status: int) -> Response:
    hook, _secret = services.make_hook(user=person, plan=plan)
    shown = {**_document(hook), "secret": ""}
    return Response(shown, status=status, headers={"Location": reverse("api-hook", args=[hook.uuid])})


class OneHook(Resource):
    """One hook of mine."""

    @extend_schema(operation_id="hooks_retrieve", parameters=[UUID_OF], responses=HookSerializer)
    def get(self, request: Request, uuid: UUID) -> Response:
        """Get one hook of yours. Scope: read."""
        return Response(_document(_one(request, uuid, *READS)))

    @extend_schema(
        operation_id="hooks_update", parameters=[UUID_OF], request=HookChangesSerializer, responses=HookSerializer
    )
    def patch(self, request: Request, uuid: UUID) -> Response:
        """Change it, switch it off (state paused) or on (active). With If-Match: 412. Scope: hook:write."""
        # The hook first, then the body: another's hook is a 404, no matter what is sent.
        hook = _one(request, uuid, WRITE)
        payload = read_body(HookChangesSerializer, request)
        require_current(request, _document(hook))
        # What is left out stays as it is, also the thing that is watched.
        plan = _changed_plan(hook, payload)
        # Both ends: a bound token may neither change a webhook of another thing nor turn one to it.
        require(request, WRITE, of=_of_thing(plan.thing))
        return _perform(lambda: changed(_change(hook, plan, payload)), dry_run=payload["dry_run"])

    @extend_schema(operation_id="hooks_delete", parameters=[UUID_OF], responses={204: None})
    def delete(self, request: Request, uuid: UUID) -> Response:
        """Delete it with its secrets and deliveries. Scope: hook:write."""
        hook = _one(request, uuid, WRITE)
        services.delete_hook(hook=hook, by=hook.user)
        return Response(status=204)


def _changed_plan(hook: Hook, payload: dict[str, Any]) -> HookPlan:
    now = services.plan_of(hook)
    watch = payload.get("watch", now.watch)
    slug = payload.get("thing", now.thing.slug if now.thing is not None and watch == now.watch else "")
    unchanged = now.thing if watch == now.watch and "thing" not in payload else None
    thing = unchanged or _thing(hook.user, watch, slug)
    return HookPlan(
        payload.get("name", now.name), payload.get("url", now.url), payload.get("kinds", now.kinds), watch, thing
    )


def _change(hook: Hook, plan: HookPlan, payload: dict[str, Any]) -> dict[str, Any]:
    state = payload.get("state", "")
    if state not in ("", "active", "paused"):
        message = "A hook can be made active or paused."
        raise TournamentError(message, code="hook.bad_state", extra={"field": "state"})
    # A PATCH of the state alone is no change of the hook: no entry in the audit.
    if plan != services.plan_of(hook):
        services.change_hook(hook=hook, by=hook.user, plan=plan)
    if state:
        services.switch_hook(hook=hook, by=hook.user, on=state == "active")
    return _document(hook)


class HookTest(Resource):
    """Trying a hook."""

    @extend_schema(
        operation_id="hooks_test",
        parameters=[UUID_OF, OPTIONAL_KEY],
        request=None,
        responses={202: DeliverySerializer},
    )
    def post(self, request: Request, uuid: UUID) -> Response:
        """Send it a `ping`, once; look among its deliveries how it went. Scope: hook:write."""
        hook = _one(request, uuid, WRITE)
        return once_if_keyed(request, f"user:{hook.user_id}", lambda: _tested(hook))


def _tested(hook: Hook) -> Response:
    return Response(DeliverySerializer(services.send_test(hook=hook, by=hook.user)).data, status=202)


class HookRotate(Resource):
    """A new secret."""

    @extend_schema(
        operation_id="hooks_rotate",
        parameters=[UUID_OF, KEY_NEEDED],
        request=RotateSerializer,
        responses=NewHookSerializer,
    )
    def post(self, request: Request, uuid: UUID) -> Response:
        """Make a new secret, which only this answer has; the one before signs on for `keep_hours`. Scope:
        hook:write.
        """
        hook = _one(request, uuid, WRITE)
        payload = read_body(RotateSerializer, request)
        hours = payload["keep_hours"]
        return _with_secret(once(request, f"user:{hook.user_id}", lambda: _rotated(hook, hours)))


def _rotated(hook: Hook, hours: int) -> Response:
    services.rotate_secret(hook=hook, by=hook.user, keep_hours=hours)
    return Response({**_document(hook), "secret": ""})


class Deliveries(Resource, ListAPIView[Delivery]):
    """Deliveries to a webhook."""

    queryset = Delivery.objects.none()  # for the description alone, which is made without a hook
    serializer_class = DeliverySerializer
    pagination_class = Pages

    def get_queryset(self) -> QuerySet[Delivery]:
        hook, query = _one(self.request, self.kwargs["uuid"], *READS), self.request.query_params
        return deliveries_of(hook, state=query.get("state", ""), kind=query.get("kind", "")[:24])

    @extend_schema(operation_id="deliveries_list", parameters=[UUID_OF, *FILTERS])
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """List what was sent to a webhook lately, newest first. Scope: read."""
        return super().get(request, *args, **kwargs)


class DeliveryAgain(Resource):
    """Sending a delivery once more."""

    @extend_schema(
        operation_id="deliveries_resend",
        parameters=[UUID_OF, ID_OF, OPTIONAL_KEY],
        request=None,
        responses={202: DeliverySerializer},
    )
    def post(self, request: Request, uuid: UUID, id: str) -> Response:  # noqa: A002  # the address's own word
        """Send a delivery once more, with the same id. Scope: hook:write."""
        hook = _one(request, uuid, WRITE)
        try:
            found = deliveries_of(hook).select_related("hook").filter(uuid=UUID(id)).first()
        # What is no uuid is the id of no delivery.
        except ValueError:
            found = None
        if found is None:
            raise Http404(id)
        return once_if_keyed(request, f"user:{hook.user_id}", lambda: _again(found, hook.user))


def _again(delivery: Delivery, by: User) -> Response:
    return Response(DeliverySerializer(services.send_again(delivery=delivery, by=by)).data, status=202)
