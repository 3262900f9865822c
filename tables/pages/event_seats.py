"""Tables of events as their readers find them: who may see one, which seat is theirs, and what organisers may do."""

from __future__ import annotations

from typing import Any

from django.db.models import F
from django.http import Http404, HttpRequest
from django.utils.translation import gettext as _

from accounts.models import User
from tables.errors import TableError
from tables.events.opened import match_of, name_at, player_at, seats_of
from tables.models import LiveSeat, LiveTable
from tables.view.alike import alike_at
from tournaments.lifecycle.floor_settings import clock_line
from tournaments.lifecycle.transitions import RULERS, may, roles_of
from tournaments.lifecycle.visibility import visible_to
from tournaments.models import Match, Player, Registration, Seat, Tournament
from tournaments.pages.entries.guest_access import granted_side, is_guest, links_at
from web.page import signed_in, viewer

S = LiveTable.State


def require_visible(request: HttpRequest, table: LiveTable) -> None:
    """Raise Http404 for a reader who may not know of the event of a table. No query for one that is open to all."""
    if table.stage is None:
        return
    event = table.stage.tournament
    if event.visibility != Tournament.Visibility.PRIVATE:
        return
    seen = Tournament.objects.filter(visible_to(viewer(request)), pk=event.pk).exists()
    if not seen and not is_guest(request, event.slug):
        raise Http404(str(table.uuid))


def own_indexes(request: HttpRequest, table: LiveTable) -> list[int]:
    """Return the seats of a table of an event that belong to the reader: by their account, their private link or slip.

    At most five queries.
    """
    match = match_of(table)
    if match is None:
        return []
    rows = [seat for seat in seats_of(table.uuid) if _person_at(seat) is not None]
    known = _players_of(request, match, rows)
    found = [seat.index for seat in rows if (player := _person_at(seat)) is not None and player.pk in known]
    granted = granted_side(request, str(table.uuid)) if not found else None
    return found or [seat.index for seat in rows if granted is not None and seat.side == granted[0]]


def _person_at(seat: Seat) -> Player | None:
    player = player_at(seat)
    return player if player is not None and player.bot_id is None else None


def _players_of(request: HttpRequest, match: Match, rows: list[Seat]) -> set[int]:
    """Return the keys of the players that the reader is."""
    event = match.stage.tournament
    known = {link.entry.player_id for link in links_at(request, event.slug)}
    person = viewer(request)
    if person is None:
        return known
    players = [player for seat in rows if (player := _person_at(seat)) is not None]
    known |= {player.pk for player in players if player.user_id == person.pk}
    return known | _registered(event, person)


def _registered(event: Tournament, person: User) -> set[int]:
    # The entry of a registration may go on under a substitute's name, who is somebody else.
    own = Registration.objects.filter(user=person, entry__tournament=event, name=F("entry__player__name"))
    return set(own.values_list("entry__player", flat=True))


def event_context(
    request: HttpRequest, table: LiveTable, seats: list[LiveSeat], own: LiveSeat | None
) -> dict[str, Any]:
    """Return what the page of a table shows of its event; nothing for a table of its own."""
    if table.stage is None:
        return {}
    event, match = table.stage.tournament, match_of(table)
    names = {seat.index: name_at(seat) for seat in seats_of(table.uuid)} if table.dealt_at is None else {}
    taken = {seat.index for seat in seats}
    person = viewer(request)
    staff = person is not None and bool(roles_of(event, person) & RULERS)
    clock = clock_line(event, match.round) if match is not None else None
    return {
        "event": event,
        "event_match": match,
        "places": [(name, index in taken) for index, name in sorted(names.items())],
        "expected": [name for index, name in sorted(names.items()) if index not in taken],
        "may_sit": table.state == S.OPEN and own is None and bool(own_indexes(request, table)),
        "may_run": staff,
        "alike": alike_at(table, seats) if staff else [],
        "clocks": [clock] if clock is not None else [],
    }


def require_ruler(request: HttpRequest, table: LiveTable) -> User:
    """Return the reader who may rule at the table's event. Raises TableError "table.not_of_event", TournamentError."""
    if table.stage is None or viewer(request) is None:
        raise TableError(_("Only organisers of the event can do this."), code="table.not_organiser")
    by = signed_in(request)
    may(table.stage.tournament, by, RULERS, "call_off")
    return by
