"""Find me: the present table of a person, found by a part of their name, for people without a link or slip at hand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.db.models import Q

from accounts.alphabet import ByName
from tournaments.matches.schedule import seats_named
from tournaments.models import Entry, Match, Round, Seat, Tournament
from tournaments.scores.tables import Table, tables_of

MAXIMUM: Final = 12
OPEN_ROUNDS: Final = (Round.State.PUBLISHED, Round.State.PLAYING)


@dataclass(frozen=True, slots=True)
class Found:
    """A person of that name. table: theirs in a round that is on; None: they have none now. state: of their entry."""

    name: str
    entry: Entry
    table: Table | None


def found_at(event: Tournament, words: str) -> list[Found]:
    """Return people entered under such a name, each with the table of the round that is on. Three queries.

    A round that nobody else sees yet is left out.
    """
    people = Entry.objects.filter(tournament=event, player__name__icontains=words).select_related("player")
    entries = list(people.exclude(state=Entry.State.WITHDRAWN).order_by(ByName("player__name"), "pk")[:MAXIMUM])
    if not entries:
        return []
    tables = _tables(event, entries)
    return [Found(each.player.name, each, _of(each, tables)) for each in entries]


def _tables(event: Tournament, entries: list[Entry]) -> list[Table]:
    own = Q(player__in=[each.player_id for each in entries]) | Q(entry__in=[each.pk for each in entries])
    seats = Seat.objects.filter(own, match__stage__tournament=event, match__round__state__in=OPEN_ROUNDS)
    rows = Match.objects.filter(pk__in=seats.values("match")).exclude(state=Match.State.VOID)
    rows = rows.select_related("round", "stage").order_by("stage__order", "round__number", "leg", "pk")
    return tables_of(rows.prefetch_related(seats_named()))


def _of(entry: Entry, tables: list[Table]) -> Table | None:
    """Return their first table that is still open, else the last one of the round."""
    own = [table for table in tables if _sits(entry, table.match)]
    still = [table for table in own if table.match.state != Match.State.CONFIRMED]
    return next(iter(still), own[-1] if own else None)


def _sits(entry: Entry, match: Match) -> bool:
    return any(
        # A team's seat names its player; a seat without one belongs to the entry itself.
        seat.player_id == entry.player_id or (seat.player_id is None and seat.entry_id == entry.pk)
        for seat in match.seats.all()
    )
