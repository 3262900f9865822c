"""Acts of people by their own link, without an account: check in, drop out, come back. Nobody else can do it for them.

Acts at tables go the way of slips (`scores.actions`). The audit names no account: it says that the act came by
a link, and by whose.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from activity.domain_events import DomainEvent
from activity.journal import audit, publish
from core.errors import TournamentError
from tournaments.domain_events.entries import AskedToLeaveByLink, CheckedInByLink, LeftByLink, StayedByLink, TeamBroken
from tournaments.entries.links import ended
from tournaments.entries.people import BEFORE, DURING, GONE
from tournaments.entries.team_building import dissolve
from tournaments.entries.teams import record_team_act
from tournaments.models import Entry, EntryLink, Stage, StageEntry, Tournament
from tournaments.pairing.departures import let_go
from tournaments.progress import waiting_list
from tournaments.progress.derive import fold_event

E, T = Entry.State, Tournament.State


class Leaving(StrEnum):
    """Effect of dropping out now. NOW: they are off the list; TEAM: and their partners are single again; NEXT: they are
    not drawn any more; ASK: their team plays on, the organiser hears of it; NO: it is over, or they left already.
    """

    NOW = "now"
    TEAM = "team"
    NEXT = "next"
    ASK = "ask"
    NO = ""


ON: Final = (*BEFORE, *DURING)


def leaving_of(entry: Entry, team: Entry | None) -> Leaving:
    """Return what dropping out would do to a person now. team: the one they are in."""
    state = entry.tournament.state
    if state not in ON or entry.state in GONE:
        return Leaving.NO
    if state in BEFORE:
        return Leaving.NOW if team is None else Leaving.TEAM
    return Leaving.NEXT if team is None else Leaving.ASK


def team_of(entry: Entry) -> Entry | None:
    """Return the team that a person plays for now. One query; none where nobody has partners."""
    if entry.state != E.PARTNERED:
        return None
    member = entry.memberships.filter(until_round=None).select_related("team__player", "team__tournament").first()
    return member.team if member is not None else None


def may_check_in(entry: Entry, team: Entry | None) -> bool:
    """Return whether a person may say that they are here, or their team."""
    return entry.tournament.state == T.REGISTRATION and (team or entry).state == E.ENTERED


def may_come_back(link: EntryLink) -> bool:
    """Return whether somebody who dropped out by this link may come back: until something was drawn without them."""
    entry = link.entry
    if link.leaving_at is None:
        return False
    if entry.state == E.PARTNERED:
        return True
    if entry.state != E.WITHDRAWN or entry.tournament.state not in ON:
        return False
    return entry.tournament.state in BEFORE or bool(_rows_to_reopen(entry))


def _rows_to_reopen(entry: Entry) -> list[StageEntry]:
    """Return their rows in stages that go on, if nothing was drawn since they left; empty when it is too late."""
    rows = StageEntry.objects.filter(entry=entry).exclude(stage__state=Stage.State.CLOSED).select_related("stage")
    found = list(rows)
    # `let_go` wrote the number of the next round: if that is still the next one, nobody was drawn in between.
    is_still = all(row.left_round == row.stage.rounds.count() + 1 for row in found)
    return found if is_still else []


def _locked(link: EntryLink) -> tuple[EntryLink, Entry | None]:
    """Lock the event, and return the link as it is now and the team. Raises TournamentError "link.ended"."""
    # The event first: an organiser who renews the link or lets somebody go at this moment waits, or is waited for.
    Tournament.objects.select_for_update().get(pk=link.entry.tournament_id)
    row = EntryLink.objects.select_related("entry__player", "entry__tournament").filter(pk=link.pk, ended_at=None)
    found = row.first()
    if found is None:
        raise ended()
    return found, team_of(found.entry)


def come(*, link: EntryLink) -> Entry:
    """Check them in, and their team with them. Doing it twice changes nothing.

    Returns the entry that is noted. Raises TournamentError "link.ended", "entry.gone", "entry.closed".
    """
    with transaction.atomic():
        found, team = _locked(link)
        entry = team or found.entry
        if entry.state == E.ACTIVE:
            return entry
        if not may_check_in(found.entry, team):
            raise _not_now(found.entry)
        entry.state = E.ACTIVE
        entry.save(update_fields=["state"])
        _record(found, CheckedInByLink)
    fold_event(entry.tournament)
    return entry


def _not_now(entry: Entry) -> TournamentError:
    if entry.state in GONE:
        return TournamentError(_("You have left the event. Tell the organiser if you want to play."), code="entry.gone")
    message = _("Check-in is not open now. Tell the organiser that you are here.")
    return TournamentError(message, code="entry.closed")


def drop_out(*, link: EntryLink) -> Leaving:
    """Let them leave; `Leaving` says what that does. Results stay. Doing it twice changes nothing.

    Raises TournamentError "link.ended", "entry.closed" (it is over).
    """
    with transaction.atomic():
        found, team = _locked(link)
        entry = found.entry
        what = leaving_of(entry, team)
        if entry.state in GONE or found.leaving_at is not None:
            return what
        if what is Leaving.NO:
            raise TournamentError(_("The event is over, so nobody can leave any more."), code="entry.closed")
        if what is Leaving.TEAM and team is not None:
            record_team_act(team, TeamBroken, None)
            dissolve(team)
            # Dissolving the team has changed this row: saved as it was read it would be in a team again.
            entry.refresh_from_db()
        if what is not Leaving.ASK:
            let_go(entry)
        found.leaving_at = timezone.now()
        found.save(update_fields=["leaving_at"])
        promoted = waiting_list.promote_people(entry.tournament)
        others = waiting_list.record(entry.tournament, promoted)
        _record(found, AskedToLeaveByLink if what is Leaving.ASK else LeftByLink, *others)
    fold_event(entry.tournament)
    return what


def come_back(*, link: EntryLink) -> Entry:
    """Let them stay after all.

    Doing it twice changes nothing. Raises TournamentError "link.ended", "entry.too_late".
    """
    with transaction.atomic():
        found, _team = _locked(link)
        entry = found.entry
        if found.leaving_at is None and entry.state not in GONE:
            return entry
        if not may_come_back(found):
            message = _("A round has been drawn without you. Ask the organiser whether you can still play.")
            raise TournamentError(message, code="entry.too_late")
        if entry.state == E.WITHDRAWN:
            _take_in(entry)
        found.leaving_at = None
        found.save(update_fields=["leaving_at"])
        _record(found, StayedByLink)
    fold_event(entry.tournament)
    return entry


def _take_in(entry: Entry) -> None:
    """Restore the state before they left: nothing was drawn since."""
    rows = _rows_to_reopen(entry) if entry.tournament.state in DURING else []
    for row in rows:
        row.left_round = None
        row.save(update_fields=["left_round"])
    entry.state = E.ACTIVE if rows else E.ENTERED
    entry.save(update_fields=["state"])


def _record(link: EntryLink, verb: type[DomainEvent], *others: DomainEvent) -> None:
    entry = link.entry
    event = entry.tournament
    after = {"entry": str(entry.uuid), "name": entry.player.name}
    audit(verb, f"entry:{entry.uuid}", actor=None, channel=event.channel, after=after)
    publish(verb.of(event.channel, after), *others)
