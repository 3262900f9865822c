"""The list of people: those with a bot or a public event, and nobody else."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce, JSONObject

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
    """Add the keys of the newest public events that they run or are in, with a bot or themselves, for `last_events`."""
    person = OuterRef("pk")
    runs = Role.objects.filter(_is_listed("tournament"), user=person)
    plays = Entry.objects.filter(_is_listed("tournament")).exclude(state=Entry.State.WITHDRAWN)
    # One query each: with OR, no index would serve them.
    found = {
        "runs": runs,
        "plays_with": plays.filter(player__bot__owner=person),
        "plays": plays.filter(player__user=person),
    }
    newest = {
        f"last_{name}": Subquery(each.order_by("-tournament_id").values("tournament_id")[:1])
        for name, each in found.items()
    }
    return rows.annotate(**newest)


def _is_listed(name: str) -> Exists:
    return Exists(listed(None).filter(pk=OuterRef(name), is_challenge=False))


def last_events(people: Iterable[User]) -> dict[int, Tournament]:
    """Return the newest of the events that `with_last` named, by the key of the person, with what a row shows of it.

    Who has none is missing. One query.
    """
    keys = {person.pk: key for person in people if (key := _newest(person)) is not None}
    rows = Tournament.objects.filter(pk__in=set(keys.values()))
    found = {event.pk: event for event in with_winner(with_figures(rows))}
    return {person: found[key] for person, key in keys.items() if key in found}


def _newest(person: User) -> int | None:
    """Return the key of the newest event of a person, None without one."""
    of_person = vars(person)
    keys = (of_person["last_runs"], of_person["last_plays_with"], of_person["last_plays"])
    return max((key for key in keys if key is not None), default=None)


def best_of(people: Iterable[User]) -> list[tuple[User, Best | None]]:
    """Return each person with their best rating, None without one. people: of `with_best`. No query."""
    return [(person, next(map(_best, vars(person)["best"]), None)) for person in people]


def _best(found: dict[str, Any]) -> Best:
    return Best(Bot(**{name: found[f"bot_{name}"] for name in OF_EMBLEM}), strength_in(found))
