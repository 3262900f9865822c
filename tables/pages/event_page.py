"""The organisers' page of the tables of their event on this site: who sits, who is expected, what looks alike."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from tables.events.opened import GOING_ON, name_at
from tables.models import LiveSeat, LiveTable
from tables.view.alike import Alike, alike_at
from tournaments.models import Match, Seat
from tournaments.pages.floor.dashboard import open_dashboard
from web.page import render_page

SHOWN: Final = 200


@dataclass(frozen=True, slots=True)
class Line:
    """A table: its match, who sits there, the names of who is still expected, what looks alike."""

    table: LiveTable
    match: Match
    seats: tuple[LiveSeat, ...]
    expected: tuple[str, ...]
    alike: tuple[Alike, ...]

    @property
    def is_going_on(self) -> bool:
        """True until it is over."""
        return self.table.state in GOING_ON


@require_safe
@login_required
def event_tables(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the tables of the rounds that are played now; of finished ones those that look alike."""
    page, _roles = open_dashboard(request, slug)
    tables = LiveTable.objects.filter(stage__tournament=page.event).prefetch_related("seats__user").order_by("-pk")
    lines = _lines(list(tables[:SHOWN]))
    context = {
        "event": page.event,
        "going_on": [line for line in lines if line.is_going_on],
        "called_off": [line for line in lines if line.table.state == LiveTable.State.ABORTED],
        "alike": [each for line in lines for each in line.alike],
        "over": sum(line.table.state == LiveTable.State.FINISHED for line in lines),
    }
    return render_page(request, "play/event_tables.html", context, zone=page.event.time_zone)


def _lines(tables: list[LiveTable]) -> list[Line]:
    """Return the tables with their matches. Three queries."""
    rows = Match.objects.filter(uuid__in=[table.uuid for table in tables]).select_related("round")
    matches = {match.uuid: match for match in rows.defer("round__plan")}
    reserved: dict[int, list[Seat]] = {}
    seats = Seat.objects.filter(match__in=matches.values()).select_related("entry__player", "player").order_by("index")
    for seat in seats:
        reserved.setdefault(seat.match_id, []).append(seat)
    # A table whose draw was taken back, or in whose place another one was opened, has no match any more.
    there = [(table, matches[table.uuid]) for table in tables if table.uuid in matches]
    return [_line(table, match, reserved.get(match.pk, [])) for table, match in there]


def _line(table: LiveTable, match: Match, reserved: list[Seat]) -> Line:
    seats = tuple(table.seats.all())
    taken = {seat.index for seat in seats}
    expected = tuple(name_at(seat) for seat in reserved if seat.index not in taken)
    return Line(table, match, seats, expected, tuple(alike_at(table, seats)))
