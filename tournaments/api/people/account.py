"""One's own account: profile and calendar; and the permissions of others on one's bots."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts import services as accounts
from accounts.forms import ProfileForm
from accounts.models import User
from bots.api.bots import SLUG, own_bot
from bots.models import Bot
from tournaments.interchange.calendars import calendar_token, close_calendar, open_calendar
from tournaments.models import BotPolicy
from tournaments.ratings.bot_policies import choose_policy
from web.access import WRITES, require
from web.bodies import read_body
from web.resource import Resource, changed, require_current


class ProfileSerializer(serializers.ModelSerializer[User]):
    """Profile of a person: how they appear and how the site looks to them. language, time_zone: "" as the browser
    says.
    """

    fixed: ClassVar[Mapping[str, str | Promise]] = {
        "username": _("This is chosen when the account is created and cannot be changed.")
    }

    class Meta:
        model = User
        fields = ("username", *accounts.PROFILE)
        read_only_fields = ("username",)


class Me(Resource):
    """My account."""

    @extend_schema(operation_id="me_retrieve", responses=ProfileSerializer)
    def get(self, request: Request) -> Response:
        """Get your account. Scope: read."""
        return Response(_profile(require(request, "read")))

    @extend_schema(operation_id="me_update", request=ProfileSerializer, responses=ProfileSerializer)
    def patch(self, request: Request) -> Response:
        """Change how you appear and how the site looks to you. With If-Match: 412. Scope: event:write or bot:write."""
        user = require(request, *WRITES)
        wanted = ProfileSerializer(user, data=request.data, partial=True)
        wanted.is_valid(raise_exception=True)
        now = _profile(user)
        require_current(request, now)
        # The page's own form: what it refuses (zones, invisible characters) the API refuses alike. On a fresh object: a
        # form changes its instance even where it is invalid.
        form = ProfileForm({**now, **wanted.validated_data}, instance=User.objects.get(pk=user.pk))
        if not form.is_valid():
            faults = {name: [str(error) for error in errors] for name, errors in form.errors.items()}
            raise serializers.ValidationError(faults)
        accounts.save_profile(user=user, **{name: form.cleaned_data[name] for name in accounts.PROFILE})
        return changed(_profile(user))


def _profile(user: User) -> dict[str, Any]:
    return dict(ProfileSerializer(User.objects.get(pk=user.pk)).data)


class CalendarSerializer(serializers.Serializer[Any]):
    """One's calendar. address: for a calendar program, which reads it without a key; null: there is none."""

    address = serializers.CharField(allow_null=True)


class Calendar(Resource):
    """My calendar."""

    @extend_schema(operation_id="calendar_retrieve", responses=CalendarSerializer)
    def get(self, request: Request) -> Response:
        """Get the address of your calendar, which opens it to anyone who has it. Scope: event:write or bot:write."""
        # Not with `read`: the address goes on working after the token is revoked.
        return _calendar(request, calendar_token(require(request, *WRITES)))

    @extend_schema(operation_id="calendar_create", request=None, responses={201: CalendarSerializer})
    def post(self, request: Request) -> Response:
        """Make a new address; the one before is dead from now on. Scope: event:write or bot:write."""
        return _calendar(request, open_calendar(user=require(request, *WRITES)), status=201)

    @extend_schema(operation_id="calendar_delete", responses={204: None})
    def delete(self, request: Request) -> Response:
        """Remove the address; twice changes nothing. Scope: event:write or bot:write."""
        close_calendar(user=require(request, *WRITES))
        return Response(status=204)


def _calendar(request: Request, token: str, *, status: int = 200) -> Response:
    path = reverse("own-calendar", args=[token]) if token else ""
    address = request.build_absolute_uri(path) if path else None
    return Response({"address": address}, status=status, headers={"Cache-Control": "no-store"})


class PolicySerializer(serializers.ModelSerializer[BotPolicy]):
    """Permissions of others on a bot. in_ladders: whether it enters the official ladders on its own."""

    class Meta:
        model = BotPolicy
        fields = ("challenges", "in_ladders")


class Policy(Resource):
    """Permissions of others on a bot of mine."""

    @extend_schema(operation_id="policy_retrieve", parameters=[SLUG], responses=PolicySerializer)
    def get(self, request: Request, slug: str) -> Response:
        """Get whose bots may be compared with it, and whether it enters the official ladders. Scope: bot:write."""
        bot, _by = own_bot(slug, request, "bot:write")
        return Response(_policy(bot))

    @extend_schema(
        operation_id="policy_update", parameters=[SLUG], request=PolicySerializer, responses=PolicySerializer
    )
    def patch(self, request: Request, slug: str) -> Response:
        """Change it; what is left out stays. With If-Match: 412. Scope: bot:write."""
        bot, by = own_bot(slug, request, "bot:write")
        payload = read_body(PolicySerializer, request, partial=True)
        now = _policy(bot)
        require_current(request, now)
        choose_policy(bot=bot, by=by, **{**now, **payload})
        return changed(_policy(bot))


def _policy(bot: Bot) -> dict[str, Any]:
    return dict(PolicySerializer(BotPolicy.objects.filter(bot=bot).first() or BotPolicy(bot=bot)).data)
