"""Where a bot is entered: the answer to "what plays now, and where"."""

from __future__ import annotations

from typing import Any

from django.db.models import F, OuterRef, QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from bots.api.bots import READS, SLUG, bot_named
from tournaments.lifecycle.json_lists import Listed
from tournaments.lifecycle.visibility import named_to
from tournaments.models import Entry, Standing
from web.access import reader
from web.api_pages import Pages
from web.resource import Resource


class BotEntrySerializer(serializers.ModelSerializer[Entry]):
    """An entry of a bot in an event."""

    tournament = serializers.CharField(source="tournament.slug", read_only=True)
    name = serializers.CharField(source="tournament.name", read_only=True, help_text="of the event")
    tournament_state = serializers.CharField(
        source="tournament.state", read_only=True, help_text="how far the event is: registration, running, finished .."
    )
    official = serializers.SerializerMethodField(help_text="an official ladder, which it entered automatically")
    state = serializers.CharField(read_only=True, help_text="of the entry: entered, active, withdrawn ..")
    version = serializers.IntegerField(
        source="bot_version.n",
        read_only=True,
        allow_null=True,
        default=None,
        help_text="the version that is pinned; null: the one that is active when tables are drawn",
    )
    rank = serializers.SerializerMethodField(help_text="in the standings now; null: there are none yet")

    class Meta:
        model = Entry
        fields = ("tournament", "name", "tournament_state", "official", "state", "version", "rank")

    def get_official(self, entry: Entry) -> bool:
        return entry.tournament.official_deal_sets is not None

    def get_rank(self, entry: Entry) -> int | None:
        ranks: list[int] = vars(entry)["ranks"]
        return ranks[-1] if ranks else None


class BotEntries(Resource, ListAPIView[Entry]):
    """Where a bot is entered."""

    serializer_class = BotEntrySerializer
    pagination_class = Pages
    kwargs: dict[str, Any]

    def get_queryset(self) -> QuerySet[Entry]:
        if "slug" not in self.kwargs:  # the schema is made without an address
            return Entry.objects.none()
        bot = bot_named(str(self.kwargs["slug"]), None)
        person = reader(self.request, of=("bot", bot.uuid), scopes=READS)
        rows = Entry.objects.filter(named_to(person, "tournament__"), player__bot=bot, tournament__is_challenge=False)
        now = Standing.objects.filter(entry=OuterRef("pk"), after_round=0).order_by("stage").values(it=F("rank"))
        return rows.select_related("tournament", "bot_version").annotate(ranks=Listed(now)).order_by("-id")

    @extend_schema(operation_id="bots_entries_list", parameters=[SLUG])
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """List the events that a bot is or was entered in, those entered last first; ladders among them."""
        return super().get(request, *args, **kwargs)
