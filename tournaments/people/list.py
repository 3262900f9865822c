"""The list of people: those with a bot or a public event, and nobody else."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce, JSONObject

from accounts.alphabet import ByName
from accounts.among import has_one
from accounts.models import User
from bots.models import Bot
from tournaments.lifecycle.json_lists import Listed
from tournaments.models import Role
from tournaments.people.event_lists import listed

FACES: Final = 3
"""Bots of a person whose emblems a list shows."""


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


def with_faces(rows: QuerySet[User]) -> QuerySet[User]:
    """Add what the emblems of their first bots are drawn from, for `faces_of`."""
    bots = Bot.objects.filter(owner=OuterRef("pk")).order_by(ByName("name"), "pk")
    of_emblem = {column: column for column in ("name", "emblem_card", "emblem_colour")}
    return rows.annotate(faces=Listed(bots.values(it=JSONObject(**of_emblem))[:FACES]))


def faces_of(people: Iterable[User]) -> list[tuple[User, list[Bot]]]:
    """Return each person with their first bots, enough of them for emblems. people: of `with_faces`. No query."""
    return [(person, [Bot(**each) for each in vars(person)["faces"]]) for person in people]
