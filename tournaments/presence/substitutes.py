"""Substitutes of single people: somebody plays on in place of somebody else, with their points or from zero.

With the points the entry goes on under another name: what was played stays with those who sat there, as seats name
them. The person who is replaced keeps an entry of their own that has left, and may come back by it. Private links go
with their people.
"""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from activity.journal import audit, publish
from core.errors import TournamentError
from core.interchange.tables import EntryRow
from tournaments.domain_events.entries import PlayerReplaced
from tournaments.entries.people import (
    DURING,
    GONE,
    check_names,
    enter,
    has_left,
    join_late,
    may_join_late,
    open_for_entries,
    require_people,
    still_entered,
)
from tournaments.lifecycle.transitions import ORGANISERS, may
from tournaments.models import Entry, Registration, Stage, StageEntry, Tournament
from tournaments.pairing import lineups
from tournaments.pairing.departures import let_go
from tournaments.presence.sitting_out import open_stage
from tournaments.progress.derive import fold_event
from tournaments.undo.belongings import move_belongings
from tournaments.undo.recorder import undoable

E = Entry.State


@undoable("replace")
def replace_person(*, entry: Entry, by: User, name: str) -> Entry:
    """Let somebody play on in place of a single person, at every table that has not begun; returns the entry.

    With the points it is the same entry, else another one that starts as a late arrival (`keeps_points`). A name that
    is known here and was never drawn means that person, also of somebody on the waiting list. Raises TournamentError
    "tournament.not_organiser", "entry.gone", "entry.closed", "presence.not_single", "entry.duplicate" (somebody of
    that name plays here), "entry.left" (somebody of that name has results of their own), and what `add_person` raises.
    """
    with transaction.atomic():
        event = Tournament.objects.select_for_update().get(pk=entry.tournament_id)
        may(event, by, ORGANISERS, "replace_person")
        require_people(event)
        entry = still_entered(entry)
        if _same(entry.player.name, name):  # a form that was sent twice
            return entry
        _require_single(event, entry)
        before = entry.player.name
        coming = _coming(event, name, by)
        keeps = keeps_points(event)
        found = _take_over(entry, coming, by) if keeps else _begin(event, entry, coming)
        left = coming if keeps else entry
        after = {"entry": str(found.uuid), "name": before, "substitute": found.player.name, "keeps": keeps}
        audit(PlayerReplaced, f"entry:{found.uuid}", actor=by, channel=event.channel, after=after)
        publish(PlayerReplaced.of(event.channel, {**after, "left": str(left.uuid)}))
    fold_event(event)
    return found


def may_replace(entry: Entry) -> bool:
    """Return whether somebody may play on in place of this person now."""
    event = entry.tournament
    is_single = not event.partners and entry.player.bot_id is None
    return is_single and event.state in DURING and entry.state == E.ACTIVE


def keeps_points(event: Tournament) -> bool:
    """Return whether a substitute plays on with the points: the organiser's choice, and always where nobody joins late.

    There the substitute of somebody who has not played takes over a place without points.
    """
    first = event.stages.order_by("order")[0]
    return event.substitutes_keep_points or not may_join_late(first) or first.state != Stage.State.ACTIVE


def _same(one: str, other: str) -> bool:
    return " ".join(one.split()).casefold() == " ".join(other.split()).casefold()


def _require_single(event: Tournament, entry: Entry) -> None:
    if entry.state in GONE:
        message = _("%(name)s has left the event. Bring them back first.")
        raise TournamentError(message % {"name": entry.player.name}, code="entry.gone")
    if event.state not in DURING:
        message = _("Before the start, withdraw the one and add the other. Once the event is over nobody plays.")
        raise TournamentError(message, code="entry.closed")
    if not may_replace(entry):
        message = _("%(name)s is no single person who plays: name a substitute for a member of the team instead.")
        raise TournamentError(message % {"name": entry.player.name}, code="presence.not_single")


def _coming(event: Tournament, name: str, by: User) -> Entry:
    """Return the entry of the person of that name, known here or new. Nobody of it was ever drawn."""
    rows = Entry.objects.filter(tournament=event, members=None, player__bot=None).select_related("player")
    named = [row for row in rows if _same(row.player.name, name)]
    if not named:
        # Without a look at the places: one comes and one leaves, so the event is as full as before.
        check_names(event, [EntryRow(1, name)])
        return enter(event, EntryRow(1, name), by)
    waiting = [row for row in named if row.state in (E.ENTERED, E.WITHDRAWN, E.WAITLISTED)]
    if len(named) > 1 or not waiting:
        message = _("%(name)s already plays here. Add an initial if this is somebody else.")
        raise TournamentError(message % {"name": name}, code="entry.duplicate")
    if StageEntry.objects.filter(entry=waiting[0]).exists():
        raise has_left(waiting[0], 1)
    return waiting[0]


def _take_over(entry: Entry, coming: Entry, by: User) -> Entry:
    """Exchange the players of two entries, so that the one with the points goes on under the other name."""
    leaving, following = entry.player, coming.player
    # The card of the one who leaves must not open the new person's tables.
    move_belongings(entry.tournament, {leaving.pk: coming.pk, following.pk: entry.pk}, by)
    _exchange_registrations(entry, coming)
    # Three steps: the database allows a player one entry of an event (by `copy`) at any moment.
    Entry.objects.filter(pk=coming.pk).update(player=leaving, copy=1, state=E.WITHDRAWN)
    Entry.objects.filter(pk=entry.pk).update(player=following)
    Entry.objects.filter(pk=coming.pk).update(copy=0)
    entry = Entry.objects.select_related("player", "tournament").get(pk=entry.pk)
    stage = open_stage(entry.tournament)
    if stage is not None:
        lineups.reseat(entry, stage, 1)
    return entry


def _exchange_registrations(one: Entry, other: Entry) -> None:
    """Let registrations go with their people: who withdraws by their own link must not withdraw the substitute."""
    rows = dict(Registration.objects.filter(entry__in=[one.pk, other.pk]).values_list("entry", "pk"))
    # Two steps: an entry has one registration at most.
    Registration.objects.filter(pk__in=rows.values()).update(entry=None)
    for source, target in ((one, other), (other, one)):
        if (row := rows.get(source.pk)) is not None:
            Registration.objects.filter(pk=row).update(entry=target.pk)


def _begin(event: Tournament, entry: Entry, coming: Entry) -> Entry:
    """Let the one leave and the other begin as a late arrival."""
    stage = open_for_entries(event)
    let_go(entry)
    if stage is not None:
        join_late(stage, [coming])
    return coming
