"""Bots: the list, one, a new one."""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID

from django.db import transaction
from django.db.models import Count, Q, QuerySet
from django.http import Http404
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import User
from bots.api.serializers import BotChangesSerializer, BotSerializer, NewBotSerializer
from bots.models import Bot
from bots.selectors.published import has_public_source
from bots.services import choose_emblem, create_bot, delete_bot, rename_bot
from web.access import reader, require, somebody, token_of
from web.api_pages import Pages
from web.bodies import read_body
from web.idempotency import OPTIONAL_KEY, once_if_keyed
from web.resource import Resource, changed, require_current

READS: Final = ("read", "bot:write", "bot:logs")
"""Scopes that read what is one's own about bots."""
SLUG = OpenApiParameter("slug", OpenApiTypes.STR, OpenApiParameter.PATH, description="the bot's address")
FILTERS = [
    OpenApiParameter("q", OpenApiTypes.STR, description="words in the name"),
    OpenApiParameter("owner", OpenApiTypes.STR, description="a user name"),
    OpenApiParameter("mine", OpenApiTypes.BOOL, description="1: my own"),
    OpenApiParameter("source", OpenApiTypes.STR, enum=["public"], description="public: with a published source"),
]


def bots_for(person: User | None) -> QuerySet[Bot]:
    """Every bot with its owner, its active version and how many versions this person may know of. One query."""
    shown = Q(versions__hidden_at=None)
    if person is not None:
        shown = Q(versions__isnull=False) if person.is_staff else shown | Q(owner=person)
    rows = Bot.objects.select_related("owner", "active_version", "fork__origin__bot")
    return rows.annotate(versions_n=Count("versions", filter=shown), source_public=has_public_source())


def bot_named(slug: str, person: User | None) -> Bot:
    """A bot by its address, or 404."""
    found = bots_for(person).filter(slug=slug).first()
    if found is None:
        raise Http404(slug)
    return found


def own_bot(slug: str, request: Request, *scopes: str) -> tuple[Bot, User]:
    """Return a bot of the person who asks, with their right to act on it. Somebody else's counts as missing.

    Raises Http404, NotAuthenticated, ScopeMissing, BoundElsewhere.
    """
    person = somebody(request)
    bot = Bot.objects.select_related("owner", "active_version").filter(slug=slug).first()
    if person is None:
        require(request)
    # 404, not 403: an answer "forbidden" would confirm to a stranger that the address exists.
    if bot is None or person is None or bot.owner_id != person.pk:
        raise Http404(slug)
    return bot, require(request, *scopes, of=("bot", bot.uuid))


def _asking(request: Request) -> User | None:
    """Return the person whose own bots `?mine` lists; a token that is bound to one bot acts for that bot alone."""
    token = token_of(request)
    of = ("bot", token.bound_to) if token is not None and token.bound_kind == "bot" and token.bound_to else None
    return reader(request, of=of, scopes=READS)


def _bound(request: Request) -> dict[str, UUID | None]:
    token = token_of(request)
    return {"uuid": token.bound_to} if token is not None and token.bound_kind == "bot" else {}


class Bots(Resource, ListAPIView[Bot]):
    """Every bot, newest first; a new one."""

    serializer_class = BotSerializer
    pagination_class = Pages

    def get_queryset(self) -> QuerySet[Bot]:
        person, query = _asking(self.request), self.request.query_params
        rows = bots_for(person).order_by("-id")
        words, owner = query.get("q", "").strip()[:60], query.get("owner", "")[:30]
        if words:
            rows = rows.filter(name__holds=words)
        if owner:
            rows = rows.filter(owner__username=owner)
        if query.get("source"):
            rows = rows.filter(has_public_source())
        if query.get("mine") in ("1", "true"):
            # "Mine" of nobody is an empty list, not every bot.
            rows = rows.filter(owner=person, **_bound(self.request)) if person is not None else rows.none()
        return rows

    @extend_schema(operation_id="bots_list", parameters=FILTERS)
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Every bot, newest first."""
        return super().get(request, *args, **kwargs)

    @extend_schema(
        operation_id="bots_create",
        parameters=[OPTIONAL_KEY],
        request=NewBotSerializer,
        responses={201: BotSerializer},
    )
    def post(self, request: Request) -> Response:
        """Make a bot. It needs a version that passes its check before it can play. Scope: bot:write."""
        by = require(request, "bot:write")
        payload = read_body(NewBotSerializer, request)
        return once_if_keyed(request, f"user:{by.pk}", lambda: _make(request, by, payload))


def _make(request: Request, by: User, asked: dict[str, Any]) -> Response:
    emblem = asked.get("emblem", {})
    with transaction.atomic():
        bot = create_bot(owner=by, name=asked["name"], plays=asked.get("plays", ()))
        choose_emblem(bot=bot, by=by, card=emblem.get("card", ""), colour=emblem.get("colour", ""))
    made = document(request, bot.slug, by)
    return Response(made, status=201, headers={"Location": reverse("api-bot", args=[bot.slug])})


def document(request: Request, slug: str, person: User | None) -> dict[str, Any]:
    """Return a bot as its address answers it. Raises Http404."""
    return dict(BotSerializer(bot_named(slug, person), context={"request": request}).data)


class OneBot(Resource):
    """One bot."""

    @extend_schema(operation_id="bots_retrieve", parameters=[SLUG], responses=BotSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """One bot."""
        return Response(document(request, slug, reader(request)))

    @extend_schema(operation_id="bots_update", parameters=[SLUG], request=BotChangesSerializer, responses=BotSerializer)
    def patch(self, request: Request, slug: str) -> Response:
        """Change name or emblem of a bot. With If-Match: only as it was read, else 412. Scope: bot:write."""
        bot, by = own_bot(slug, request, "bot:write")
        wanted = read_body(BotChangesSerializer, request, partial=True)
        require_current(request, document(request, slug, by))
        emblem = wanted.get("emblem", {})
        card, colour = emblem.get("card", bot.emblem_card), emblem.get("colour", bot.emblem_colour)
        with transaction.atomic():
            bot = rename_bot(bot=bot, by=by, name=wanted.get("name", bot.name))
            choose_emblem(bot=bot, by=by, card=card, colour=colour)
        return changed(document(request, bot.slug, by))

    @extend_schema(operation_id="bots_delete", parameters=[SLUG], responses={204: None})
    def delete(self, request: Request, slug: str) -> Response:
        """Delete a bot that never had a version; 409 for others, whose versions are kept. Scope: bot:write."""
        bot, by = own_bot(slug, request, "bot:write")
        delete_bot(bot=bot, by=by)
        return Response(status=204)
