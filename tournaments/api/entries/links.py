"""Private links of an event's people, for its organisers; and the acts that such a link allows its person."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final
from uuid import UUID

from django.http import Http404
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_serializer
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import User
from tournaments.api.entries.entries import UUID_OF
from tournaments.api.loading import SLUG, about, entry_of, event_to_change
from tournaments.entries import links
from tournaments.entries.links import link_token, read_link
from tournaments.entries.links_query import LinkLine, link_lines
from tournaments.floor import player_actions
from tournaments.lifecycle.transitions import ORGANISERS, roles_of
from tournaments.models import Entry, EntryLink, Tournament
from tournaments.notifications.push.subscriptions import BrowserKeys, digest_of, of_person, subscribe, unsubscribe
from tournaments.presence import sitting_out
from tournaments.ratings import actions as own_ratings
from web.access import require
from web.api_pages import PAGED, in_pages, list_response, list_serializer
from web.bodies import read_body
from web.resource import Resource
from web.throttles import where_from

VERBS: Final = ("renew", "revoke")


class LinkSerializer(serializers.Serializer[Any]):
    """Somebody and their private link. address: null unless it was asked for one by one (`/entries/{uuid}/link`)."""

    entry = serializers.UUIDField(source="entry.uuid")
    name = serializers.CharField(source="entry.player.name")
    team = serializers.CharField(allow_blank=True, help_text="the team they are in")
    has_link = serializers.SerializerMethodField()
    opened_at = serializers.SerializerMethodField()
    address = serializers.SerializerMethodField()

    def get_has_link(self, line: LinkLine) -> bool:
        """Return whether one is open."""
        return line.link is not None

    def get_opened_at(self, line: LinkLine) -> str | None:
        """Return when it was opened last."""
        found = line.link.opened_at if line.link is not None else None
        return found.isoformat() if found is not None else None

    def get_address(self, line: LinkLine) -> str | None:
        """Return the whole address; null, too, where the server's key has changed since: renew it."""
        # A list has no addresses: one answer that leaks would open everybody's day.
        shown = self.context.get("shown")
        if shown is None or line.link is None:
            return None
        token = link_token(line.link)
        return str(shown.build_absolute_uri(reverse("link", args=[token]))) if token else None


def _event(slug: str, request: Request) -> tuple[Tournament, User]:
    """Return the event and its organiser; 404 for others. A link lets its person leave, so scorers see none."""
    event, by = event_to_change(slug, request, "event:write")
    # A link acts as its person: only organisers may see one.
    if not roles_of(event, by) & ORGANISERS:
        raise Http404(slug)
    return event, by


class Links(Resource):
    """The links of an event."""

    @extend_schema(operation_id="links_list", parameters=[SLUG, *PAGED], responses=list_serializer(LinkSerializer))
    def get(self, request: Request, slug: str) -> Response:
        """List who has a link and opened it; without the addresses. For organisers. Scope: event:write."""
        event, _by = _event(slug, request)
        return in_pages(request, link_lines(event), lambda rows: LinkSerializer(rows, many=True).data)

    @extend_schema(
        operation_id="links_create", parameters=[SLUG], request=None, responses=list_serializer(LinkSerializer)
    )
    def post(self, request: Request, slug: str) -> Response:
        """Make a link for everybody who has none; doing it twice makes none. Scope: event:write."""
        event, by = _event(slug, request)
        links.make_links(tournament=event, by=by)
        return list_response(LinkSerializer(link_lines(event), many=True).data)


class EntryLinkOf(Resource):
    """The link of one person."""

    @extend_schema(operation_id="links_retrieve", parameters=[SLUG, UUID_OF], responses=LinkSerializer)
    def get(self, request: Request, slug: str, uuid: UUID) -> Response:
        """Get one person's link with its address: anyone who holds it acts as they. Organisers. Scope: event:write."""
        event, _by = _event(slug, request)
        return _one(event, uuid, request)


class EntryLinkAct(Resource):
    """Acts on a link."""

    @extend_schema(
        operation_id="links_act",
        parameters=[
            SLUG,
            UUID_OF,
            OpenApiParameter("verb", OpenApiTypes.STR, OpenApiParameter.PATH, enum=list(VERBS)),
        ],
        request=None,
        responses=LinkSerializer,
    )
    def post(self, request: Request, slug: str, uuid: UUID, verb: str) -> Response:
        """Renew a link (the old one is dead) or revoke it (then there is none). Organisers. Scope: event:write."""
        if verb not in VERBS:
            raise Http404(verb)
        event, by = _event(slug, request)
        entry = entry_of(event, uuid)
        if verb == "renew":
            links.renew_link(entry=entry, by=by)
        else:
            links.revoke_link(entry=entry, by=by)
        return _one(event, uuid, request)


def _one(event: Tournament, uuid: UUID, request: Request) -> Response:
    found = next((line for line in link_lines(event) if line.entry.uuid == uuid), None)
    if found is None:
        raise Http404(str(uuid))
    return Response(LinkSerializer(found, context={"shown": request}).data, headers={"Cache-Control": "no-store"})


@extend_schema_serializer(component_name="Holder")  # its name in version 1
class GuestSerializer(serializers.Serializer[Any]):
    """The key of a person who holds a private link."""

    link = serializers.CharField(max_length=60, help_text="what the link's address carries")
    first = serializers.IntegerField(
        min_value=1, max_value=999, required=False, help_text="of sit-out, play-on: a round"
    )
    last = serializers.IntegerField(
        min_value=1, max_value=999, required=False, help_text="of sit-out, play-on: the last of several rounds"
    )
    endpoint = serializers.CharField(
        max_length=500,
        required=False,
        default="",
        help_text="of notify, stop-notifying: of a browser",
    )
    p256dh = serializers.CharField(
        max_length=100, required=False, default="", help_text="of notify: the public key of the browser"
    )
    auth = serializers.CharField(
        max_length=40, required=False, default="", help_text="of notify: the secret of the browser"
    )


class OwnDaySerializer(serializers.ModelSerializer[Entry]):
    """Somebody's entry, as they act on it by their link."""

    event = serializers.CharField(source="tournament.slug", read_only=True)
    name = serializers.CharField(source="player.name", read_only=True)
    leaving = serializers.SerializerMethodField()

    class Meta:
        model = Entry
        fields = ("uuid", "event", "name", "state", "leaving")
        read_only_fields = fields

    def get_leaving(self, entry: Entry) -> bool:
        """Return whether they said by this link that they leave."""
        return entry.links.filter(ended_at=None).exclude(leaving_at=None).exists()


def _rounds_of(request: Request) -> dict[str, int]:
    payload = read_body(GuestSerializer, request)
    if "first" not in payload:
        raise serializers.ValidationError({"first": "Name a round."})
    return {name: payload[name] for name in ("first", "last") if name in payload}


def _sit_out(link: EntryLink, request: Request) -> None:
    sitting_out.ask_for_bye(link=link, **_rounds_of(request))


def _play_on(link: EntryLink, request: Request) -> None:
    sitting_out.cancel_bye(link=link, **_rounds_of(request))


def _come(link: EntryLink, _request: Request) -> None:
    player_actions.come(link=link)


def _leave(link: EntryLink, _request: Request) -> None:
    player_actions.drop_out(link=link)


def _stay(link: EntryLink, _request: Request) -> None:
    player_actions.come_back(link=link)


def _mine(link: EntryLink, request: Request) -> None:
    # The link says which entry, the account whose rating: both are needed.
    by = require(request, "event:write", "report:write", of=about(link.entry.tournament))
    own_ratings.claim_entry(entry=link.entry, by=by)


def _not_mine(link: EntryLink, request: Request) -> None:
    by = require(request, "event:write", "report:write", of=about(link.entry.tournament))
    own_ratings.readmit_entry(entry=link.entry, by=by)


def _notify(link: EntryLink, request: Request) -> None:
    payload = read_body(GuestSerializer, request)
    subscribe(browser=BrowserKeys(payload["endpoint"], payload["p256dh"], payload["auth"]), link=link)


def _stop_notifying(link: EntryLink, request: Request) -> None:
    endpoint = read_body(GuestSerializer, request)["endpoint"]
    for row in of_person(link=link).filter(endpoint_digest=digest_of(endpoint)):
        unsubscribe(row=row)


OWN: Final[dict[str, Callable[[EntryLink, Request], None]]] = {
    "here": _come,
    "leave": _leave,
    "stay": _stay,
    "sit-out": _sit_out,
    "play-on": _play_on,
    "mine": _mine,
    "not-mine": _not_mine,
    "notify": _notify,
    "stop-notifying": _stop_notifying,
}


class OwnDay(Resource):
    """Acts of a person by their private link, without an account."""

    @extend_schema(
        operation_id="own_day",
        parameters=[OpenApiParameter("verb", OpenApiTypes.STR, OpenApiParameter.PATH, enum=list(OWN))],
        request=GuestSerializer,
        responses=OwnDaySerializer,
    )
    def post(self, request: Request, verb: str) -> Response:
        """Act by the link alone (here, leave, stay, sit-out, play-on, notify, stop-notifying), or say with an account
        whether it counts for one's ratings (mine, not-mine).

        Each twice changes nothing. Scope of mine, not-mine: event:write or report:write.
        """
        if verb not in OWN:
            raise Http404(verb)
        payload = read_body(GuestSerializer, request)
        # In the body, not in the address: addresses stand in logs.
        link = read_link(payload["link"], network=where_from(request))
        OWN[verb](link, request)
        # Read again: the act may have changed it.
        entry = Entry.objects.select_related("tournament", "player").get(pk=link.entry_id)
        return Response(OwnDaySerializer(entry).data, headers={"Cache-Control": "no-store"})
