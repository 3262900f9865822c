"""No-shows: how often somebody did not come, and who leaves the event because of it."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Count, Q

from core.standings.model import NO_SHOW
from tournaments.models import Entry, Match, Seat, Stage, Tournament
from tournaments.pairing.departures import let_go

OF_NO_SHOWS = Q(fault__code=NO_SHOW, match__state=Match.State.CONFIRMED) & ~Q(match__stage__state=Stage.State.VOID)


def no_shows_of(event: Tournament, entries: Iterable[int]) -> dict[int, int]:
    """Return how many tables each of these entries (keys) did not come to. One query; none without a limit.

    Of teams whose members sit apart nothing is counted: an empty board is no absent team.
    """
    if not event.no_show_limit or event.boards:
        return {}
    rows = Seat.objects.filter(OF_NO_SHOWS, entry__in=list(entries), match__stage__tournament=event).order_by()
    return dict(rows.values_list("entry").annotate(n=Count("match", distinct=True)))


def about_to_leave(match: Match) -> dict[int, int]:
    """Return who would leave the event by one more no-show: by entry (its key), how many they would have then."""
    event, seats = match.stage.tournament, Seat.objects.filter(match=match, entry__state=Entry.State.ACTIVE)
    if not event.no_show_limit or event.boards:
        return {}
    entries = set(seats.filter(entry__player__bot=None).values_list("entry", flat=True))
    had = no_shows_of(event, entries)
    return {entry: had.get(entry, 0) + 1 for entry in entries if had.get(entry, 0) + 1 >= event.no_show_limit}


def withdraw_no_shows(match: Match) -> list[tuple[Entry, int]]:
    """Let everybody leave who did not come to this table and has not come too often; returns them, and how often.

    Needs the event's lock. Somebody who was brought back leaves by the next no-show.
    """
    event = match.stage.tournament
    seats = Seat.objects.filter(match=match, fault__code=NO_SHOW, entry__state=Entry.State.ACTIVE)
    entries = Entry.objects.filter(pk__in=seats.values("entry"), player__bot=None) if event.no_show_limit else []
    had = no_shows_of(event, [entry.pk for entry in entries])
    gone = [
        entry
        for entry in Entry.objects.filter(pk__in=had).select_related("player", "tournament").order_by("pk")
        if had[entry.pk] >= event.no_show_limit
    ]
    for entry in gone:
        let_go(entry)
    return [(entry, had[entry.pk]) for entry in gone]
