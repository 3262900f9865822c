"""Browsers of a person that are notified by Web Push: listed, subscribed, unsubscribed."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import Http404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.models import PushSubscription
from tournaments.notifications.push.keys import server_key
from tournaments.notifications.push.subscriptions import BrowserKeys, of_person, subscribe, unsubscribe
from web.access import WRITES, require
from web.bodies import read_body
from web.resource import Resource

UUID_OF = OpenApiParameter("uuid", OpenApiTypes.UUID, OpenApiParameter.PATH)


class WantedBrowserSerializer(serializers.Serializer[Any]):
    """A browser to be notified, as its PushSubscription says it (W3C Push API)."""

    endpoint = serializers.CharField(max_length=500, help_text="its address at a push service: https, public internet")
    p256dh = serializers.CharField(max_length=100, help_text="its public key, base64url")
    auth = serializers.CharField(max_length=40, help_text="its secret for the encryption, base64url")


class BrowserSerializer(serializers.ModelSerializer[PushSubscription]):
    """A browser that is notified. Its address is not answered: it is a key to the browser."""

    service = serializers.CharField(source="receiver", read_only=True, help_text="its push service")

    class Meta:
        model = PushSubscription
        fields = ("uuid", "service", "created_at", "delivered_at")
        read_only_fields = fields
        extra_kwargs = {"delivered_at": {"help_text": "when a message was last taken"}}


class BrowsersSerializer(serializers.Serializer[Any]):
    """My browsers, ten at most."""

    server_key = serializers.CharField(help_text="what a browser subscribes with, as applicationServerKey")
    browsers = BrowserSerializer(many=True, help_text="those that notify me, the newest first")


class Browsers(Resource):
    """My browsers that are notified."""

    @extend_schema(operation_id="browsers_retrieve", responses=BrowsersSerializer)
    def get(self, request: Request) -> Response:
        """Get the browsers that notify you, newest first, and the key for one more. Scope: read."""
        rows = of_person(user=require(request, "read"))
        return Response(BrowsersSerializer({"server_key": server_key(), "browsers": rows}).data)

    @extend_schema(operation_id="browsers_create", request=WantedBrowserSerializer, responses={201: BrowserSerializer})
    def post(self, request: Request) -> Response:
        """Notify a browser from now on; twice changes nothing. Scope: event:write or bot:write."""
        user = require(request, *WRITES)
        payload = read_body(WantedBrowserSerializer, request)
        keys = BrowserKeys(payload["endpoint"], payload["p256dh"], payload["auth"])
        row = subscribe(browser=keys, user=user)
        return Response(BrowserSerializer(row).data, status=201)


class OneBrowser(Resource):
    """One browser of mine."""

    @extend_schema(operation_id="browsers_delete", parameters=[UUID_OF], responses={204: None})
    def delete(self, request: Request, uuid: UUID) -> Response:
        """Stop notifying it. Scope: event:write or bot:write."""
        user = require(request, *WRITES)
        row = of_person(user=user).filter(uuid=uuid).first()
        if row is None:
            raise Http404(str(uuid))
        unsubscribe(row=row, by=user)
        return Response(status=204)
