"""Coming back: somebody who left plays on with their points, never as a second entry."""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from core.errors import TournamentError
from tournaments.domain_events.entries import EntryReturned
from tournaments.entries.people import BEFORE, DURING, GONE, record_person, require_people, require_room, still_entered
from tournaments.lifecycle.transitions import ORGANISERS, may
from tournaments.models import Entry, Member, StageEntry, Tournament
from tournaments.pairing.departures import rejoinable, stages_to_rejoin, take_back
from tournaments.progress.derive import fold_event
from tournaments.undo.recorder import undoable


@undoable("bring_back")
def bring_back(*, entry: Entry, by: User) -> Entry:
    """Let somebody who left play on with their points, or a whole team. Doing it twice changes nothing.

    They are drawn from the next round on; the rounds drawn meanwhile count nothing. Before the start, and where they
    were not checked in, they are entered again. Raises TournamentError "tournament.not_organiser", "entry.gone",
    "entry.disqualified", "entry.of_bot", "entry.in_team", "entry.closed", "entry.full", "entry.too_late" (every round
    is drawn, or the bracket has gone on without them).
    """
    with transaction.atomic():
        event = Tournament.objects.select_for_update().get(pk=entry.tournament_id)
        may(event, by, ORGANISERS, "bring_back")
        require_people(event)
        entry = still_entered(entry)
        if entry.state not in GONE:
            return entry
        _require_person(entry)
        take_back(entry, _stages(event, entry))
        record_person(entry, EntryReturned, by)
    fold_event(event)
    return entry


def may_come_back(entry: Entry) -> bool:
    """Return whether somebody who left may still be brought back."""
    event = entry.tournament
    if entry.state != Entry.State.WITHDRAWN or entry.player.bot_id is not None or _is_member(entry):
        return False
    return event.state in BEFORE or (event.state in DURING and (not _was_drawn(entry) or bool(stages_to_rejoin(entry))))


def may_come_back_in(event: Tournament) -> frozenset[int]:
    """Return the keys of everybody of an event who left and may still be brought back. A few queries, however many."""
    gone = Entry.objects.filter(tournament=event, state=Entry.State.WITHDRAWN, player__bot=None)
    # Members of a team come back with their team.
    gone = gone.exclude(pk__in=Member.objects.filter(team__tournament=event, until_round=None).values("person"))
    if event.state in BEFORE:
        return frozenset(gone.values_list("pk", flat=True))
    if event.state not in DURING:
        return frozenset()
    single = gone.filter(stage_entries=None).values_list("pk", flat=True)
    return frozenset(single) | {row.entry_id for row in rejoinable(event)}


def _require_person(entry: Entry) -> None:
    if entry.player.bot_id is not None:
        message = _("%(name)s is a bot: its owner enters it.")
        raise TournamentError(message % {"name": entry.player.name}, code="entry.of_bot")
    if _is_member(entry):
        message = _("%(name)s left with a team: bring the team back.")
        raise TournamentError(message % {"name": entry.player.name}, code="entry.in_team")
    if entry.state == Entry.State.DISQUALIFIED:
        message = _("%(name)s was disqualified and cannot come back.")
        raise TournamentError(message % {"name": entry.player.name}, code="entry.disqualified")


def _stages(event: Tournament, entry: Entry) -> list[StageEntry]:
    """Return the stages in which they play on. Raises the refusals of coming back now."""
    if event.state in BEFORE:
        require_room(event, 1)
        return []
    if event.state not in DURING:
        raise TournamentError(_("The event is over, so nobody can come back any more."), code="entry.closed")
    rows = stages_to_rejoin(entry)
    if not rows and _was_drawn(entry):
        message = _("It is too late for %(name)s to come back: the remaining rounds are drawn without them.")
        raise TournamentError(message % {"name": entry.player.name}, code="entry.too_late")
    return rows


def _is_member(entry: Entry) -> bool:
    return entry.memberships.filter(until_round=None).exists()


def _was_drawn(entry: Entry) -> bool:
    return StageEntry.objects.filter(entry=entry).exists()
