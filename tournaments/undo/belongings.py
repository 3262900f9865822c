"""What belongs to people goes with them when entries exchange players: private links and years of birth.

A card never opens somebody else's tables.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils import timezone

from accounts.models import User
from tournaments.models import BirthYear, EntryLink, Tournament


def move_belongings(event: Tournament, to: Mapping[int, int | None], by: User) -> None:
    """Move what belongs to these people (keys of players) to the entries that they are about to have (keys).

    None: they will have none, so their link ends. Call it before the entries change. Needs the event's lock.
    """
    _move_links(event, to, by)
    born = BirthYear.objects.filter(entry__tournament=event, entry__player__in=to)
    years = dict(born.values_list("entry__player", "year"))
    born.delete()
    targets = ((to[player], year) for player, year in years.items())
    BirthYear.objects.bulk_create(BirthYear(entry_id=entry, year=year) for entry, year in targets if entry is not None)


def _move_links(event: Tournament, to: Mapping[int, int | None], by: User) -> None:
    links = EntryLink.objects.filter(entry__tournament=event, entry__player__in=to)
    rows = list(links.values_list("pk", "entry__player", "ended_at"))
    is_open = {pk: ended is None for pk, _player, ended in rows}
    # Two steps: the database allows an entry one open link at any moment.
    EntryLink.objects.filter(pk__in=[pk for pk in is_open if is_open[pk]]).update(ended_at=timezone.now(), ended_by=by)
    for player, entry in to.items():
        own = [pk for pk, owner, _ended in rows if owner == player]
        if entry is not None and own:
            EntryLink.objects.filter(pk__in=own).update(entry=entry)
            EntryLink.objects.filter(pk__in=[pk for pk in own if is_open[pk]]).update(ended_at=None, ended_by=None)


def return_belongings(event: Tournament, entries: Mapping[str, Mapping[str, Any]], by: User) -> None:
    """Move them as an undo of these changes of entries needs it: {key: {column: [old, new]}}. Before the rows."""
    players = {int(pk): pairs["player_id"] for pk, pairs in entries.items() if "player_id" in pairs}
    if players:
        # A substitute who was entered for it goes with their entry, so that they have none.
        gone: dict[int, int | None] = {new: None for _old, new in players.values()}
        move_belongings(event, gone | {old: pk for pk, (old, _new) in players.items()}, by)
