"""Tables of the hall for brackets that flow: single matches are called to a table as soon as one is free.

The number of a match (`table_no`) is its name in the round; `station` is the table at which people sit down, which it
gets when it is called. Matches are called by `in_order`: the one first that most others have to wait for.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, NoReturn

from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from accounts.models import User
from activity.domain_events import DomainEvent
from activity.journal import audit, publish
from core.errors import TournamentError
from tournaments.domain_events.tournaments import HallTablesChosen
from tournaments.lifecycle import locks
from tournaments.lifecycle.transitions import ORGANISERS, act, label, may
from tournaments.models import Match, Round, Seat, Stage, Tournament
from tournaments.pairing.constraints import fixed_tables
from tournaments.standings import brackets
from tournaments.undo.recorder import undoable

M, T = Match.State, Tournament.State
AT_TABLE: Final = (M.CALLED, M.PLAYING)
MAX_HALL_TABLES: Final = 500
OVER: Final = (T.FINISHED, T.ARCHIVED, T.CANCELLED)


@undoable("tables")
def choose_tables(*, tournament: Tournament, by: User, tables: int | None, calls_alone: bool = False) -> int:
    """Choose how many tables there are (None: as many as needed) and whether they are filled as they get free.

    Returns how many matches were called at once because of it. Raises TournamentError "tournament.not_organiser",
    "hall.tables", "hall.count_first" (tables are filled only where their number is known), "hall.already_so",
    "hall.event_over".
    """
    events: list[DomainEvent] = []
    with transaction.atomic():
        may(tournament, by, ORGANISERS, "tables")
        locks.lock_standings(tournament)
        event = Tournament.objects.select_for_update().get(pk=tournament.pk)
        if event.state in OVER:
            raise TournamentError(_("The event is over."), code="hall.event_over")
        wanted = _read(tables)
        if (event.hall_tables, event.calls_alone) == (wanted, calls_alone):
            raise TournamentError(_("The tables are already set that way."), code="hall.already_so")
        event.hall_tables = wanted
        if calls_alone and wanted is None:
            message = _("Say how many tables there are, so that matches can be called to those that are free.")
            raise TournamentError(message, code="hall.count_first", extra={"field": "tables"})
        event.calls_alone = calls_alone
        event.save(update_fields=["hall_tables", "calls_alone"])
        after: dict[str, Any] = {"tables": event.hall_tables or 0, "calls_alone": calls_alone}
        audit(HallTablesChosen, label(event), actor=by, channel=event.channel, after=after)
        events.append(HallTablesChosen(event.channel, **after))
        called = len(fill(event, events, by)) if calls_alone else 0
        publish(*events)
    tournament.refresh_from_db()
    return called


def _read(tables: int | None) -> int | None:
    if tables is None:
        return None
    if not 1 <= tables <= MAX_HALL_TABLES:
        message = _("Enter 1 to %(most)s tables; leave the field empty for as many as are needed.")
        raise TournamentError(
            message % {"most": MAX_HALL_TABLES}, code="hall.tables", extra={"field": "tables", "most": MAX_HALL_TABLES}
        )
    return tables


@undoable("call_match")
def call_match(*, match: Match, by: User, station: int | None = None) -> Match:
    """Call one match of a bracket that flows, to this table of the hall, or to the first that is free.

    Raises TournamentError "tournament.not_organiser", "match.already_called" (a double click), "match.wrong_state",
    "match.not_single" (its round is called as a whole), "round.not_running", "round.people_busy", "hall.full",
    "hall.taken", "hall.tables".
    """
    events: list[DomainEvent] = []
    with transaction.atomic():
        event = match.stage.tournament
        may(event, by, ORGANISERS, "call")
        locks.lock_standings(event)
        rows = Match.objects.select_for_update(of=("self",)).select_related("stage__tournament")
        row = rows.get(pk=match.pk)
        event = row.stage.tournament
        if not row.stage.flows or row.deal_set_id is not None:
            message = _("Tables of this stage are called round by round. Call the round.")
            raise TournamentError(message, code="match.not_single")
        if event.state != T.RUNNING:
            message = _("The event is not running. Start or resume it first.")
            raise TournamentError(message, code="round.not_running", extra={"state": event.state})
        if row.state == M.READY and row not in free_matches(event, [row]):
            message = _("Somebody of this match is still playing at another table. Enter that result first.")
            raise TournamentError(message, code="round.people_busy")
        chosen = _station(event, row, station)
        act(row, "call", by, changes={"station": chosen}, payload={"station": chosen}, later=events)
        publish(*events)
    return row


def _station(event: Tournament, match: Match, wanted: int | None) -> int | None:
    """Return the table for a match: the one that is wanted, else a free one; None where nobody counts them."""
    taken = taken_stations(event)
    if wanted is not None:
        if not 1 <= wanted <= (event.hall_tables or MAX_HALL_TABLES):
            message = _("There is no table %(n)s.")
            raise TournamentError(message % {"n": wanted}, code="hall.tables", extra={"field": "station"})
        if wanted in taken:
            message = _("Table %(n)s is taken. Choose another one.")
            raise TournamentError(message % {"n": wanted}, code="hall.taken", extra={"field": "station"})
        return wanted
    if event.hall_tables is None:
        return None
    free = free_stations(event)
    if not free:
        refuse_call(event)
    # Somebody who needs a certain table gets it if it is free; a person at the desk may call them to another one.
    own = _fixed(event, [match]).get(match.pk)
    return own if own in free else free[0]


@undoable("call_free")
def call_free(*, tournament: Tournament, by: User) -> int:
    """Call waiting matches to all tables that are free, by `in_order`. Returns how many.

    Raises TournamentError "tournament.not_organiser", "round.not_running", "round.nothing_to_call", "hall.full".
    """
    events: list[DomainEvent] = []
    with transaction.atomic():
        may(tournament, by, ORGANISERS, "call")
        locks.lock_standings(tournament)
        event = Tournament.objects.get(pk=tournament.pk)
        if event.state != T.RUNNING:
            message = _("The event is not running. Start or resume it first.")
            raise TournamentError(message, code="round.not_running", extra={"state": event.state})
        called = len(fill(event, events, by))
        if not called:
            refuse_call(event)
        publish(*events)
    return called


def refuse_call(event: Tournament) -> NoReturn:
    """Say why no match was called. Raises TournamentError "hall.full", "round.nothing_to_call"."""
    if event.hall_tables is not None and not free_stations(event):
        message = _("Every table is taken. Wait for a result, or say that there are more tables.")
        raise TournamentError(message, code="hall.full")
    message = _("No match is waiting whose players are free. Reload the page to see where they are.")
    raise TournamentError(message, code="round.nothing_to_call")


def fill(
    event: Tournament, events: list[DomainEvent], by: User | None = None, of_round: Round | None = None
) -> list[Match]:
    """Call waiting matches (of one round; None: of any) to the tables that are free. Needs the event's lock.

    A match that somebody else holds just now is passed over: their act ends with a look at the tables of its own.

    Where nobody counts tables all that can be played are called. A match of somebody with a fixed table waits for it.
    """
    if event.state != T.RUNNING:
        return []
    free = None if event.hall_tables is None else free_stations(event)
    rows = waiting_matches(event) if of_round is None else waiting_matches(event).filter(round=of_round)
    waiting = free_matches(event, in_order(rows.select_for_update(of=("self",), skip_locked=True)))
    fixed = _fixed(event, waiting) if free else {}
    called, busy = list[Match](), set[int]()
    people = _people(event, waiting)
    for match in waiting:
        # Two waiting matches of one person, after a correction that kept a result: the first is called.
        if busy & people[match.pk]:
            continue
        station = fixed.get(match.pk)
        if free is not None:
            # A table that somebody needs who waits, too, is left to them.
            station = station or next((n for n in free if n not in fixed.values()), None)
            if station not in free:
                continue
            free.remove(station)
        busy |= people[match.pk]
        act(match, "call", by, changes={"station": station}, payload={"station": station}, later=events)
        called.append(match)
    return called


def waiting_matches(event: Tournament) -> QuerySet[Match]:
    """Return the matches of brackets that flow which wait to be called."""
    rows = Match.objects.filter(stage__tournament=event, stage__flows=True, stage__state=Stage.State.ACTIVE)
    rows = rows.filter(state=M.READY, deal_set=None).exclude(round__state="draft")
    return rows.select_related("stage__tournament", "round").order_by("stage__order", "round__number", "table_no")


def in_order(waiting: Iterable[Match]) -> list[Match]:
    """Return them in the order in which they are to be called: earlier stages first.

    Then by the chain of matches that follow one another from each: while the longest one stands still the end of the
    event moves on with the clock. Else as the bracket has them.
    """
    rows = list(waiting)
    stages = {match.stage_id: match.stage for match in rows}
    chains = {stage: brackets.chains_of(row) for stage, row in stages.items()}

    def place(match: Match) -> tuple[int, int, int, int]:
        number, table = match.round.number if match.round else 0, match.table_no or 0
        return match.stage.order, -chains[match.stage_id].get((number, table), 0), number, table

    return sorted(rows, key=place)


def free_matches(event: Tournament, waiting: Sequence[Match]) -> list[Match]:
    """Return those whose people sit nowhere: a person sits in at most one running match, of any stage.

    Of a team that sits apart it is the member who is busy, else the entry.
    """
    who = "player" if event.boards else "entry"
    sitting = Seat.objects.filter(match__stage__tournament=event, match__state__in=AT_TABLE).exclude(**{who: None})
    busy = set(sitting.values_list(who, flat=True))
    seats = Seat.objects.filter(match__in=waiting).values_list("match", who)
    blocked = {match for match, each in seats if each in busy}
    # One match with two of them is passed over once: a set of matches, not of seats.
    return [match for match in waiting if match.pk not in blocked]


def _people(event: Tournament, matches: Iterable[Match]) -> dict[int, set[int]]:
    found: dict[int, set[int]] = {match.pk: set() for match in matches}
    for match, entry in Seat.objects.filter(match__in=list(found), entry__isnull=False).values_list("match", "entry"):
        found[match].add(entry)
    return found


def taken_stations(event: Tournament) -> set[int]:
    """Return the tables of the hall at which somebody sits, or is called to."""
    rows = Match.objects.filter(stage__tournament=event, state__in=AT_TABLE, deal_set=None)
    # In a stage that is called round by round the number of a match is that of its table.
    return {n for n in rows.annotate(at=Coalesce("station", "table_no")).values_list("at", flat=True) if n}


def free_stations(event: Tournament) -> list[int]:
    """Return the tables of the hall that are free, in their order; none where nobody counts them."""
    taken = taken_stations(event)
    return [number for number in range(1, (event.hall_tables or 0) + 1) if number not in taken]


def _fixed(event: Tournament, matches: Iterable[Match]) -> dict[int, int]:
    """Return, by match, the table that is fixed for somebody in it, if the hall has that table."""
    wanted = fixed_tables(event)
    if not wanted:
        return {}
    rows = Seat.objects.filter(match__in=[match.pk for match in matches], entry__uuid__in=wanted)
    found = {match: wanted[str(uuid)] for match, uuid in rows.values_list("match", "entry__uuid")}
    return {match: number for match, number in found.items() if number <= (event.hall_tables or 0)}
