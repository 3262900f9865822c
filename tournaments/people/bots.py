"""Bots as lists show them: each with its best rating on a leaderboard and the number of its events."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db.models import Count, Exists, F, JSONField, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce, JSONObject

from accounts.models import User
from bots.models import Bot
from bots.selectors.published import has_public_source
from tournaments.models import Entry, Rating
from tournaments.ratings.queries import OF_POOL, OF_STRENGTH, strength_in


def bot_list(*, words: str = "", owner: User | None = None, is_public: bool = False) -> QuerySet[Bot]:
    """Return bots, the newest first, for `rated`. words: in the name; is_public: those with a published source."""
    rows = Bot.objects.select_related("owner", "active_version").annotate(source_public=has_public_source())
    if words:
        rows = rows.filter(name__holds=words)
    if owner is not None:
        rows = rows.filter(owner=owner)
    if is_public:
        rows = rows.filter(has_public_source())
    return with_figures(rows).order_by("-pk")


def best_first(bots: QuerySet[Bot]) -> tuple[QuerySet[Bot], QuerySet[Bot]]:
    """Return the same bots in two parts: those with a rating, the best rated first; those without one, as they are.

    The first are read along the index of ratings: to sort all bots by a rating that is looked up for each took half a
    second with 100,000 of them, three milliseconds so.
    """
    shown = Q(active_version__ratings__isnull=False, active_version__ratings__pool__stage=None)
    rows = bots.filter(shown).annotate(value=F("active_version__ratings__value"), of=F("active_version__ratings__pk"))
    higher = Q(value__gt=OuterRef("value")) | Q(value=OuterRef("value"), pk__gt=OuterRef("of"))
    rows = rows.filter(~Exists(_ratings().filter(higher)))
    return rows.order_by("-value", "-pk"), bots.filter(~Exists(_ratings()))


def with_figures(rows: QuerySet[Bot]) -> QuerySet[Bot]:
    """Add `entries_n`, the number of events they are or were in, and `best`, their best rating, for `rated`."""
    played = Entry.objects.filter(player__bot=OuterRef("pk")).exclude(state=Entry.State.WITHDRAWN).order_by()
    figure = Subquery(played.values("player__bot").annotate(total=Count("pk")).values("total"))
    best = Subquery(_ratings().values(it=JSONObject(**OF_STRENGTH, **OF_POOL))[:1], output_field=JSONField())
    return rows.annotate(entries_n=Coalesce(figure, 0), best=best)


def _ratings() -> QuerySet[Rating, Any]:
    """Return the ratings of a bot's active version on leaderboards, the best first; no season's."""
    return Rating.objects.filter(version=OuterRef("active_version"), pool__stage=None).order_by("-value")


def rated(bots: Iterable[Bot]) -> list[Bot]:
    """Return these bots, each with `rating`: its best one as a Strength, None without one. bots: of `with_figures`."""
    found = list(bots)
    for bot in found:
        own = vars(bot)
        own["rating"] = strength_in(own["best"]) if own["best"] else None
    return found
