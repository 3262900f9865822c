"""Rows by the hundred thousand, for pages that must not notice them: copies of a small league that was really played.

What is copied stays as it was but for names, addresses and places; nothing is folded. Only pages may look at it.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, Final, TypeVar

from django.db.models import Max, Model, OuterRef, Subquery
from django.utils import timezone

from bots.models import AuditEvent, Bot, BotVersion, Check
from tests.site.leagues import League
from tournaments.models import (
    DealSet,
    Entry,
    Match,
    Player,
    Rating,
    RatingPool,
    Seat,
    Stage,
    StageEntry,
    Standing,
    Tournament,
)

Item = TypeVar("Item")
AT_ONCE: Final = 2000


def a_copy(row: Model, /, **changes: Any) -> Any:
    """A row like this one, not saved yet."""
    fields = {
        each.attname: getattr(row, each.attname)
        for each in row._meta.concrete_fields
        if not each.primary_key and each.name not in changes and each.attname not in changes
    }
    if "uuid" in fields:
        fields["uuid"] = uuid.uuid4()
    return type(row)(**fields, **changes)


def batches(items: Iterable[Item]) -> Iterator[list[Item]]:
    """The items, some at a time."""
    left = iter(items)
    while some := list(islice(left, AT_ONCE)):
        yield some


def numbers(first: int, last: int) -> Iterator[list[int]]:
    """From `first` up to before `last`, some at a time."""
    return batches(range(first, last))


def grow(league: League, rows: int) -> None:
    """Until every list of the site has about so many rows: bots, events, entries, matches, results, acts, ratings."""
    bots(league, rows)
    events(league, rows)
    entries(league, rows)
    matches(league, rows, "confirmed", league.finished)
    matches(league, rows, "queued", league.running)
    acts(league, rows)
    ratings(rows)


def bots(league: League, rows: int) -> None:
    """Bots of one owner, each with a version and a player."""
    version = league.bot.versions.get(n=1)
    for some in numbers(Bot.objects.count(), rows):
        made = Bot.objects.bulk_create(
            a_copy(league.bot, name=f"Plum {n:06}", slug=f"plum-{n:06}", active_version_id=None) for n in some
        )
        versions = BotVersion.objects.bulk_create(a_copy(version, bot=bot) for bot in made)
        Check.objects.bulk_create(Check(version=its, state=Check.State.DONE) for its in versions)
        Player.objects.bulk_create(Player(bot=bot, name=bot.name, kind="bot") for bot in made)
    own = BotVersion.objects.filter(bot=OuterRef("pk")).values("pk")[:1]
    Bot.objects.filter(active_version=None, slug__startswith="plum-").update(active_version=Subquery(own))


def events(league: League, rows: int) -> None:
    """Finished events, each with its stage."""
    stage = league.finished.stages.get()
    for some in numbers(Tournament.objects.count(), rows):
        made = Tournament.objects.bulk_create(
            a_copy(league.finished, name=f"Spring league {n:06}", slug=f"spring-{n:06}") for n in some
        )
        Stage.objects.bulk_create(a_copy(stage, tournament=event) for event in made)


def entries(league: League, rows: int) -> None:
    """Entries of the finished event, with their places, and of the one that is open."""
    stage, like = league.finished.stages.get(), league.finished.entries.order_by("id")[0]
    place = Standing.objects.get(stage=stage, after_round=0, entry=like)
    there = StageEntry.objects.get(stage=stage, entry=like)
    taken = Player.objects.filter(entries__tournament__in=[league.finished, league.open])
    free = Player.objects.exclude(pk__in=taken).order_by("id").values_list("id", flat=True)
    for some in batches(enumerate(free[:rows], league.finished.entries.count() + 1)):
        made = Entry.objects.bulk_create(a_copy(like, player_id=player, seed=n) for n, player in some)
        numbered = [(n, entry) for (n, _player), entry in zip(some, made, strict=True)]
        StageEntry.objects.bulk_create(a_copy(there, entry=entry, seed=n) for n, entry in numbered)
        Standing.objects.bulk_create(a_copy(place, entry=entry, rank=n, row=n) for n, entry in numbered)
        Entry.objects.bulk_create(a_copy(like, tournament=league.open, player_id=player) for _n, player in some)


def matches(league: League, rows: int, state: str, event: Tournament) -> None:
    """Matches in one state, each of a deal set of its own, of no round; everybody who is entered has some."""
    stage, like = event.stages.get(), league.match()
    seats, field = list(like.seats.all()), list(event.entries.order_by("id").values_list("id", flat=True))
    last = Match.objects.aggregate(last=Max("priority"))["last"] or 0
    for some in numbers(Match.objects.filter(stage=stage, state=state).count(), rows):
        sets = DealSet.objects.bulk_create(DealSet(stage=stage, commit="sha256:" + "0" * 64) for _n in some)
        places = {"stage": stage, "round": None, "table_no": None, "state": state, "lease_id": None}
        result: dict[str, Any] = {} if state == "confirmed" else {"outcome": "open", "points": None, "place": None}
        when = {"finished_at": timezone.now() if state == "confirmed" else None, "queued_at": timezone.now()}
        made = Match.objects.bulk_create(
            a_copy(like, deal_set=its, priority=last + n, **places, **when) for n, its in zip(some, sets, strict=True)
        )
        Seat.objects.bulk_create(
            a_copy(seat, match=match, **result, entry_id=field[(2 * n + place) % len(field)])
            for n, match in zip(some, made, strict=True)
            for place, seat in enumerate(seats)
        )


def acts(league: League, rows: int) -> None:
    """What the log of the finished event holds."""
    like = AuditEvent.objects.filter(channel=league.finished.channel).order_by("id")[0]
    for some in numbers(AuditEvent.objects.filter(channel=league.finished.channel).count(), rows):
        AuditEvent.objects.bulk_create(a_copy(like) for _n in some)


def ratings(rows: int) -> None:
    """Ratings of the first public pool."""
    pool = RatingPool.objects.filter(stage=None).order_by("id")[0]
    like = Rating.objects.filter(pool=pool).order_by("id")[0]
    versions = BotVersion.objects.filter(state="ready").exclude(ratings__pool=pool).order_by("id")
    for some in batches(versions.values_list("id", "bot_id")[:rows]):
        Rating.objects.bulk_create(
            a_copy(like, version_id=version, line=bot, value=like.value - bot / 1000) for version, bot in some
        )
