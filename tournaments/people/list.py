"""The list of people: those with a bot or a public event, and nobody else."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import BigIntegerField, Count, Exists, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce, Greatest, JSONObject

from accounts.alphabet import ByName
from accounts.among import has_one
from accounts.models import User
from bots.models import Bot
from tournaments.lifecycle.json_lists import Listed
from tournaments.models import Entry, Rating, Role, Tournament
from tournaments.people.event_lists import listed, with_figures, with_winner
from tournaments.ratings.queries import OF_POOL, OF_STRENGTH, Strength, strength_in

OF_EMBLEM: Final = ("name", "emblem_card", "emblem_colour")


@dataclass(frozen=True, slots=True)
class Best:
    """The best rating of somebody's active versions. bot: enough of it for its emblem."""

    bot: Bot
    strength: Strength


def people_list(words: str = "") -> QuerySet[User]:
    """Return people by user name, with `bots_n` and `events_n`. words: in the user name or the shown name."""
    bots = Bot.objects.filter(owner=OuterRef("pk"))
    runs = Role.objects.filter(Exists(listed(None).filter(pk=OuterRef("tournament"))), user=OuterRef("pk"))
    rows = User.objects.filter(has_one(bots) | has_one(runs), is_active=True)
    if words:
        rows = rows.filter(Q(username__holds=words) | Q(display_name__holds=words))
    bots_n = bots.order_by().values("owner").annotate(n=Count("pk")).values("n")
    events_n = runs.order_by().values("user").annotate(n=Count("tournament", distinct=True)).values("n")
    rows = rows.annotate(bots_n=Coalesce(Subquery(bots_n), 0), events_n=Coalesce(Subquery(events_n), 0))
    return rows.order_by(ByName("username"), "pk")


def with_best(rows: QuerySet[User]) -> QuerySet[User]:
    """Add the best rating of their bots on the leaderboards, for `best_of`."""
    of_bot = {f"bot_{name}": f"version__bot__{name}" for name in OF_EMBLEM}
    rated = Rating.objects.filter(version__bot__owner=OuterRef("pk"), pool__stage=None)
    rated = rated.filter(version=F("version__bot__active_version")).order_by("-value", "pk")
    return rows.annotate(best=Listed(rated.values(it=JSONObject(**OF_STRENGTH, **OF_POOL, **of_bot))[:1]))


def with_last(rows: QuerySet[User]) -> QuerySet[User]:
    """Add `last`: the key of the newest public event that they run or are in, with a bot or themselves; or NULL."""
    person = OuterRef("pk")
    runs = Role.objects.filter(_is_listed("tournament"), user=person).order_by("-tournament")
    plays = Entry.objects.filter(_is_listed("tournament")).exclude(state=Entry.State.WITHDRAWN).order_by("-tournament")
    # One query each: with OR, no index would serve them.
    found = [
        Coalesce(Subquery(each.values("tournament")[:1]), 0, output_field=BigIntegerField())
        for each in (runs, plays.filter(player__bot__owner=person), plays.filter(player__user=person))
    ]
    return rows.annotate(last=Greatest(*found))


def _is_listed(name: str) -> Exists:
    return Exists(listed(None).filter(pk=OuterRef(name), is_challenge=False))


def last_events(people: Iterable[User]) -> dict[int, Tournament]:
    """Return the events that `with_last` named, by key, each with what a row shows of it. One query."""
    rows = Tournament.objects.filter(pk__in=[vars(person)["last"] for person in people])
    return {event.pk: event for event in with_winner(with_figures(rows))}


def best_of(people: Iterable[User]) -> list[tuple[User, Best | None]]:
    """Return each person with their best rating, None without one. people: of `with_best`. No query."""
    return [(person, next(map(_best, vars(person)["best"]), None)) for person in people]


def _best(found: dict[str, Any]) -> Best:
    return Best(Bot(**{name: found[f"bot_{name}"] for name in OF_EMBLEM}), strength_in(found))
