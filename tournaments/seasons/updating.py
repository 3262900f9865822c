"""When tables of seasons are brought up to date: after all that is published about one of their events.

Those who publish need not know of seasons. A reader of the outbox marks the rows of events that had news, and the same
process reads the marked ones. A mark is a row, so that nothing is lost if a process dies in between.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from accounts.models import User
from accounts.transactions import allow_long_pauses
from activity import consumers, stuck, wake_ups
from activity.journal import publish
from bots.models import Outbox
from tournaments.domain_events.seasons import SeasonTableChanged
from tournaments.models import Season, SeasonEvent, SeasonIdentity, SeasonPerson, SeasonResult, Tournament
from tournaments.seasons.results import OVER, counting, read_event
from tournaments.seasons.tables import write_table

BATCH_SIZE: Final = 500
BEGINNING: Final = "t:"


def follow_news() -> int:
    """Mark the events of seasons that had news, and bring those seasons up to date. Returns how many rows were read."""
    stuck.try_again(consumers.SEASONS.name, _mark_news)
    read = 0
    while some := consumers.advance(consumers.SEASONS, _mark_news, limit=BATCH_SIZE):
        read += some
    update_stale()
    return read


def _mark_news(rows: Sequence[Outbox]) -> None:
    slugs = {row.channel.removeprefix(BEGINNING) for row in rows if row.channel.startswith(BEGINNING)}
    if slugs:
        mark(Tournament.objects.filter(slug__in=sorted(slugs)))


def mark(events: QuerySet[Tournament]) -> int:
    """Note that these events are to be read again by their seasons. Returns in how many places they are."""
    # While an event goes on its seasons have nothing to read; one that counts is looked at in any state.
    wanted = SeasonEvent.objects.filter(Q(counts=True) | Q(tournament__state__in=OVER), tournament__in=events)
    return wanted.update(is_stale=True)


def erase_person(user: User, name: str) -> None:
    """Take an account out of all seasons at once; its results stay under a name that says nothing.

    What organisers said of who it is goes, too: it names the person.
    """
    people = SeasonPerson.objects.filter(user=user)
    for season, key in list(people.values_list("season", "key")):
        SeasonIdentity.objects.filter(Q(source=key) | Q(target=key), season=season).delete()
    people.update(user=None, name=name, club="")
    wake_ups.notify_on_commit("tail")


def stale() -> QuerySet[Season]:
    """Return the seasons whose table is to be brought up to date."""
    events = SeasonEvent.objects.filter(season=OuterRef("pk"), is_stale=True)
    return Season.objects.filter(Q(is_stale=True) | Exists(events)).order_by("pk")


def update_stale() -> int:
    """Bring every season that needs it up to date, each in a transaction of its own. Returns how many differed."""
    return sum(update(pk) for pk in stale().values_list("pk", flat=True))


@transaction.atomic
def update(pk: int, *, everything: bool = False) -> bool:
    """Bring one season up to date: read its marked events, then add up. Returns whether anything differed.

    everything: read all its events, marked or not.
    """
    allow_long_pauses()
    # The lock of the row makes two processes, and an organiser's act, take turns.
    season = Season.objects.select_for_update(no_key=True).get(pk=pk)
    changed = refresh(season, everything=everything)
    if changed:
        publish(SeasonTableChanged(season.channel))
    return changed


def refresh(season: Season, *, everything: bool = False) -> bool:
    """Do the same within the act of an organiser, which holds the season's lock."""
    rows = season.events.all() if everything else season.events.filter(is_stale=True)
    keys = list(rows.values_list("pk", flat=True))
    # First, and then the reading: a mark that comes while we read waits for our commit and is seen next time.
    SeasonEvent.objects.filter(pk__in=keys).update(is_stale=False)
    wanted = set(season.events.filter(counting(season), pk__in=keys).values_list("pk", flat=True))
    changed = False
    for row in SeasonEvent.objects.filter(pk__in=keys).select_related("tournament").order_by("pk"):
        if read_event(row, counts=row.pk in wanted):
            row.save(update_fields=["counts"])
            changed = True
    changed |= write_table(season)
    Season.objects.filter(pk=season.pk, is_stale=True).update(is_stale=False)
    return changed


def differences(season: Season) -> list[str]:
    """Describe where the stored table differs from one that is made of everything now; the stored one is replaced."""
    before = _shown(season)
    update(season.pk, everything=True)
    after = _shown(season)
    return sorted(f"{season.slug}, {key}" for key in before.keys() | after.keys() if before.get(key) != after.get(key))


def _shown(season: Season) -> dict[str, Any]:
    people = SeasonPerson.objects.filter(season=season)
    rows = people.values_list(
        *("key", "division__position", "name", "club", "user", "bot", "total", "rank", "shared", "row"),
        *("events_n", "counted_n", "wins", "best_place"),
    )
    found: dict[str, Any] = {key: rest for key, *rest in rows}
    results = SeasonResult.objects.filter(event__season=season).values_list(
        *("event__tournament__slug", "entry__uuid", "team", "person__key"),
        *("place", "shared", "field", "points", "share"),
    )
    found.update({f"{slug} {entry}": rest for slug, entry, *rest in results})
    events = season.events.values_list("tournament__slug", "counts", "decay", "weight")
    return found | {slug: rest for slug, *rest in events}
