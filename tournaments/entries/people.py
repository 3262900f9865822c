"""People of an event: entering them, checking them in, letting them leave. Organisers do it; scorers check in."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from accounts.models import User
from activity.domain_events import DomainEvent
from activity.journal import audit, publish
from core.errors import TournamentError
from core.interchange.tables import EntryRow, read_entries
from core.interchange.team_lists import TeamRow, read_teams
from core.printable import is_printable
from tournaments.domain_events.entries import EntryCheckedIn, EntryCheckedOut, EntryLeft, PeopleAdded
from tournaments.entries.birth_years import require_year, store_year
from tournaments.entries.team_building import build
from tournaments.entries.teams_query import people_in
from tournaments.lifecycle.transitions import ORGANISERS, SCORERS, may
from tournaments.models import Entry, Player, Stage, StageEntry, Tournament
from tournaments.pairing.departures import let_go, sit_out
from tournaments.pairing.lineups_query import team_size, team_sizes
from tournaments.progress import waiting_list
from tournaments.progress.derive import fold_event
from tournaments.ratings.entries import strengths_of
from tournaments.undo.recorder import undoable

T = Tournament.State
BEFORE: Final = (T.DRAFT, T.PUBLISHED, T.REGISTRATION)
DURING: Final = (T.RUNNING, T.PAUSED)
# States of entries that have left the event.
GONE: Final = (Entry.State.WITHDRAWN, Entry.State.DISQUALIFIED)
NAME_LENGTH: Final = 60


def require_people(event: Tournament) -> None:
    """Raise TournamentError "entry.not_of_people" where bots play."""
    if not event.is_of_people:
        message = _("Bots play here, so you cannot add people. Create an event for people instead.")
        raise TournamentError(message, code="entry.not_of_people")


@undoable("add")
def add_person(*, tournament: Tournament, by: User, name: str, club: str = "", born: int | None = None) -> Entry:
    """Enter one person. Once the event runs they join at the next draw. born: the year, for the rule about partners.

    Raises TournamentError "tournament.not_organiser", "entry.not_of_people", "entry.closed", "entry.full",
    "entry.duplicate", "entry.left", "entry.name_invalid", "entry.bad_birth_year", "entry.no_late_entry".
    """
    years = () if born is None else (born,)
    return add_people(tournament=tournament, by=by, rows=[EntryRow(line=1, name=name, club=club, years=years)])[0]


@undoable("add_list")
def add_list(*, tournament: Tournament, by: User, data: bytes) -> list[Entry]:
    """Enter everybody of a pasted list or a CSV file, or nobody. One name a line; name, club, seed as columns.

    Where people share a side, lines may hold partners (`interchange.team_lists`); the entries of those are teams.
    Raises what `add_person` raises, and InterchangeError "csv.*" naming line and column.
    """
    if tournament.partners:
        rows = read_teams(data, team_size(tournament), team_sizes(tournament))
        return add_teams(tournament=tournament, by=by, rows=rows)
    return add_people(tournament=tournament, by=by, rows=read_entries(data))


@undoable("add_list")
def add_people(*, tournament: Tournament, by: User, rows: Sequence[EntryRow]) -> list[Entry]:
    """Enter all of them, or nobody; raises what `add_person` raises."""
    return add_teams(tournament=tournament, by=by, rows=[TeamRow(row.line, (row,), "", row.seed) for row in rows])


@undoable("add_list")
def add_teams(*, tournament: Tournament, by: User, rows: Sequence[TeamRow]) -> list[Entry]:
    """Enter all teams and single people of a list, or nobody; raises what `add_person` raises, "team.name_taken"."""
    with transaction.atomic():
        event = Tournament.objects.select_for_update().get(pk=tournament.pk)
        may(event, by, ORGANISERS, "add_person")
        require_people(event)
        stage = open_for_entries(event)
        people = [person for row in rows for person in row.people]
        _check_rows(event, people)
        entries = [_enter_row(event, row, by) for row in rows]
        if stage is not None:
            join_late(stage, [entry for entry in entries if may_be_drawn_alone(event, entry)])
        names = [person.name for person in people]
        after = {"names": names[:20], "n": len(names)}
        audit(PeopleAdded, f"tournament:{event.uuid}", actor=by, channel=event.channel, after=after)
        publish(PeopleAdded(event.channel, names=names[:20], n=len(names)))
    fold_event(event)
    return entries


def open_for_entries(event: Tournament) -> Stage | None:
    """Return the stage that somebody joins late; None before the event runs."""
    if event.state in BEFORE:
        return None
    if event.state not in DURING:
        message = _("The event is over, so nobody can enter any more.")
        raise TournamentError(message, code="entry.closed")
    stage = event.stages.order_by("order")[0]
    if not may_join_late(stage) or stage.state != Stage.State.ACTIVE:
        raise _no_late_entry(event)
    return stage


def _no_late_entry(event: Tournament) -> TournamentError:
    """Build the refusal of somebody new once all tables are drawn; it says how they can play all the same."""
    message = _("All tables are already drawn, so nobody can join late here.")
    if event.partners:
        more = _("They can play for a team, as the substitute of a member.")
    else:
        more = _("They can take the place of somebody who has not played yet: name them as the substitute.")
    return TournamentError(f"{message} {more}", code="entry.no_late_entry")


def _check_rows(event: Tournament, rows: Sequence[EntryRow]) -> None:
    check_names(event, rows)
    require_room(event, len(rows))


def check_names(event: Tournament, rows: Sequence[EntryRow], *, without: Entry | None = None) -> None:
    """Raise TournamentError "entry.name_invalid", "entry.duplicate", "entry.left" for names that cannot be entered.

    without: the entry whose name is about to change, or that comes back.
    """
    known = Entry.objects.filter(tournament=event, members=None).order_by("pk")
    known = known.exclude(pk=without.pk) if without is not None else known
    # Four columns and no rows of models: a form that hundreds send at once reads this under the event's lock.
    found = known.values_list("player__name", "player__club", "state", "pk")
    named = [(name_key(name, club), state, pk) for name, club, state, pk in found]
    taken = {key for key, state, _pk in named if state not in GONE}
    gone = {key: pk for key, state, pk in named if state in GONE}
    for row in rows:
        require_name(row.name, row.club, line=row.line)
        for year in row.years:
            require_year(year)
        if name_key(row.name, row.club) in taken:
            message = _("%(name)s is already entered (line %(line)s). Add the club or an initial to tell them apart.")
            shown = {"name": row.name, "line": row.line}
            raise TournamentError(message % shown, code="entry.duplicate", extra=dict(shown))
        if (left := gone.get(name_key(row.name, row.club))) is not None:
            raise has_left(Entry.objects.select_related("player").get(pk=left), row.line)
        taken.add(name_key(row.name, row.club))


def require_room(event: Tournament, more: int) -> None:
    """Raise TournamentError "entry.full" if the event has no room for this number of further people."""
    # Who waits for a place takes none: an organiser who enters somebody by name may put them before the waiting list.
    n, most = waiting_list.taken(event) + more, waiting_list.places(event)
    if n > most:
        message = _(
            "That would be %(n)s people, but the event takes at most %(most)s. Enter fewer, or raise the maximum."
        )
        shown = {"n": n, "most": most}
        # What `max_entries` would have to be.
        extra: dict[str, object] = {**shown, "places": -(-n // (most // event.max_entries))}
        raise TournamentError(message % shown, code="entry.full", extra=extra)


def has_left(entry: Entry, line: int) -> TournamentError:
    """Build the refusal of the name of somebody who left: a second entry of the same person would have no results."""
    message = _("%(name)s left the event (line %(line)s). Bring them back, or add an initial if this is somebody else.")
    shown = {"name": entry.player.name, "line": line}
    return TournamentError(message % shown, code="entry.left", extra={**shown, "entry": str(entry.uuid)})


def _names_in(event: Tournament, beside: Entry | None = None) -> set[tuple[str, str]]:
    """Return the names that are taken, as `name_key` has them. beside: an entry whose own name does not count."""
    present = Entry.objects.filter(tournament=event, members=None).exclude(state__in=GONE)
    others = present.exclude(pk=beside.pk) if beside is not None else present
    return {name_key(name, club) for name, club in others.values_list("player__name", "player__club")}


def require_free(event: Tournament, name: str, club: str, *, beside: Entry) -> None:
    """Raise TournamentError "entry.duplicate" if somebody else has this name and club. Needs the event's lock."""
    if name_key(name, club) in _names_in(event, beside):
        message = _("%(name)s is already entered. Add the club or an initial to tell them apart.")
        raise TournamentError(message % {"name": name}, code="entry.duplicate", extra={"field": "name"})


def require_name(name: str, club: str, *, line: int = 1) -> None:
    """Raise TournamentError "entry.name_invalid" (extra: line, of a list)."""
    if not 1 <= len(name.strip()) <= NAME_LENGTH or not (is_printable(name) and is_printable(club)):
        message = _("Give a name of 1 to %(most)s printable characters.") % {"most": NAME_LENGTH}
        raise TournamentError(message, code="entry.name_invalid", extra={"line": line})
    if len(club) > NAME_LENGTH:
        message = _("The club may have at most %(most)s characters. Shorten it.") % {"most": NAME_LENGTH}
        raise TournamentError(message, code="entry.name_invalid", extra={"line": line})


def name_key(name: str, club: str) -> tuple[str, str]:
    """Return what tells two people of an event apart: the name and the club, however they are typed."""
    return " ".join(name.split()).casefold(), " ".join(club.split()).casefold()


def new_people(event: Tournament, rows: Sequence[EntryRow], by: User) -> list[Entry]:
    """Enter people who were not there yet. Needs the event's lock; raises what `add_person` raises of names."""
    _check_rows(event, rows)
    return [enter(event, row, by) for row in rows]


def _enter_row(event: Tournament, row: TeamRow, by: User) -> Entry:
    """Make the entry of a team, or of one person."""
    people = [enter(event, person, by) for person in row.people]
    return people[0] if len(people) == 1 else build(event, people, by, name=row.name, seed=row.seed)


def may_be_drawn_alone(event: Tournament, entry: Entry) -> bool:
    """Return whether the entry has all it needs to be drawn: where people share a side it has to be a team."""
    return not event.partners or entry.members.exists()


def enter(event: Tournament, row: EntryRow, by: User, *, state: str = Entry.State.ENTERED) -> Entry:
    """Make the entry of one person. Needs the event's lock; names and places were checked."""
    name, club = tidy(row.name), tidy(row.club)
    player = Player.objects.create(name=name, club=club, kind=Player.Kind.HUMAN)
    entry = Entry.objects.create(tournament=event, player=player, seed=row.seed, state=state, entered_by=by)
    if row.years:
        store_year(entry, row.years[0])
    return entry


def tidy(text: str) -> str:
    """Return a name without spaces around it and with single ones inside."""
    return " ".join(text.split())


def join_late(stage: Stage, entries: Sequence[Entry]) -> None:
    """Let entries join late, at the bottom of the seeds, from the next round that is drawn."""
    last = StageEntry.objects.filter(stage=stage).aggregate(last=Max("seed"))["last"] or 0
    following, strengths = stage.rounds.count() + 1, strengths_of(stage, entries)
    worth = Fraction(stage.tournament.late_worth)
    for seed, entry in enumerate(entries, last + 1):
        entry.seed, entry.state = seed, Entry.State.ACTIVE
        entry.save(update_fields=["seed", "state"])
        strength = strengths.get(entry.pk, "")
        StageEntry.objects.create(stage=stage, entry=entry, seed=seed, joined_round=following, strength=strength)
        # Written down with its worth: a later change of the setting changes no point that was given.
        if worth and stage.format.is_round_by_round:
            sit_out(stage, entry, range(1, following), worth)


def still_entered(entry: Entry) -> Entry:
    """Return the entry as it is once its event is locked.

    Raises TournamentError "entry.gone": the organiser who entered it undid that.
    """
    found = Entry.objects.select_related("player", "tournament").filter(pk=entry.pk).first()
    if found is None:
        message = _("%(name)s is no longer entered: the entry was undone. Reload the page.")
        raise TournamentError(message % {"name": entry.player.name}, code="entry.gone")
    return found


@undoable("check_in", SCORERS)
def check_in(*, entry: Entry, by: User, is_here: bool = True) -> Entry:
    """Note that somebody has come, or has not after all. Doing it twice changes nothing.

    A person who comes once the event runs joins at the next draw. Raises TournamentError "tournament.not_organiser",
    "entry.gone", "entry.closed", "entry.no_late_entry", "entry.plays" (is drawn already: withdraw them instead),
    "entry.full" (of somebody on the waiting list).
    """
    with transaction.atomic():
        event = Tournament.objects.select_for_update().get(pk=entry.tournament_id)
        may(event, by, SCORERS, "check_in")
        require_people(event)
        entry = still_entered(entry)
        wanted = Entry.State.ACTIVE if is_here else Entry.State.ENTERED
        if entry.state == wanted:
            return entry
        _require_present(entry, is_here, event)
        if entry.state == Entry.State.WAITLISTED:
            require_room(event, 1)
        stage = open_for_entries(event)
        if stage is not None and may_be_drawn_alone(event, entry):
            join_late(stage, [entry])
        entry.state = wanted
        entry.save(update_fields=["state"])
        record_person(entry, EntryCheckedIn if is_here else EntryCheckedOut, by)
    fold_event(event)
    return entry


def _require_present(entry: Entry, is_here: bool, event: Tournament) -> None:
    if entry.state in GONE:
        message = _("%(name)s has left the event. Bring them back first.")
        raise TournamentError(message % {"name": entry.player.name}, code="entry.gone")
    if entry.state == Entry.State.PARTNERED:
        raise _in_team(entry)
    if entry.player.bot_id is not None:
        message = _("%(name)s is a bot: it plays as long as its version is not suspended. Bots are not checked in.")
        raise TournamentError(message % {"name": entry.player.name}, code="entry.of_bot")
    if event.state not in BEFORE and not is_here:
        message = _("%(name)s is already drawn. Withdraw them, or mark them as absent at their table.")
        raise TournamentError(message % {"name": entry.player.name}, code="entry.plays")


def _in_team(entry: Entry) -> TournamentError:
    message = _("%(name)s is in a team: check the team in, name a substitute, or take the team apart first.")
    return TournamentError(message % {"name": entry.player.name}, code="entry.in_team")


@undoable("check_in_all", SCORERS)
def check_in_all(*, tournament: Tournament, by: User) -> int:
    """Check in everybody who is entered. Returns how many people were noted. Only before the event runs."""
    with transaction.atomic():
        event = Tournament.objects.select_for_update().get(pk=tournament.pk)
        may(event, by, SCORERS, "check_in")
        require_people(event)
        if event.state not in BEFORE:
            message = _("The event is running: enter late arrivals one by one.")
            raise TournamentError(message, code="entry.closed")
        waiting = list(Entry.objects.filter(tournament=event, state=Entry.State.ENTERED, player__bot=None))
        noted = people_in(waiting)
        Entry.objects.filter(pk__in=[entry.pk for entry in waiting]).update(state=Entry.State.ACTIVE)
        if noted:
            audit(EntryCheckedIn, f"tournament:{event.uuid}", actor=by, channel=event.channel, after={"n": noted})
            publish(EntryCheckedIn(event.channel, n=noted))
    return noted


@undoable("leave")
def withdraw_person(*, entry: Entry, by: User) -> Entry:
    """Let somebody leave, or a whole team: their results stay, nothing new is drawn for them.

    Matches drawn already are ruled one by one.

    Raises TournamentError "tournament.not_organiser", "entry.already_withdrawn", "entry.closed", "entry.in_team".
    """
    with transaction.atomic():
        event = Tournament.objects.select_for_update().get(pk=entry.tournament_id)
        may(event, by, ORGANISERS, "withdraw_person")
        require_people(event)
        entry = still_entered(entry)
        if entry.state in GONE:
            message = _("%(name)s is already withdrawn.") % {"name": entry.player.name}
            raise TournamentError(message, code="entry.already_withdrawn")
        if event.state not in (*BEFORE, *DURING):
            raise TournamentError(_("The event is over, so nobody can leave any more."), code="entry.closed")
        if entry.state == Entry.State.PARTNERED:
            raise _in_team(entry)
        let_go(entry)
        promoted = waiting_list.promote_people(event)
        record_person(entry, EntryLeft, by, *waiting_list.record(event, promoted))
    fold_event(event)
    return entry


def record_person(entry: Entry, verb: type[DomainEvent], by: User, *others: DomainEvent) -> None:
    """Write what happened to a person down, in the audit and for everybody who listens. others: what else happened."""
    after = {"entry": str(entry.uuid), "name": entry.player.name, "state": entry.state}
    audit(verb, f"entry:{entry.uuid}", actor=by, channel=entry.tournament.channel, after=after)
    publish(verb.of(entry.tournament.channel, after), *others)


def may_join_late(stage: Stage) -> bool:
    """Return whether the stage's next draw may take somebody new in."""
    return stage.format.takes_late_entries and stage.format.needs_results
