"""Teams by hand: people who share a side are put together, named, and taken apart again before they are drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from activity.domain_events import DomainEvent
from activity.journal import audit, publish
from core.errors import TournamentError
from tournaments.domain_events.entries import TeamBroken, TeamMade, TeamRenamed
from tournaments.entries.people import join_late, open_for_entries
from tournaments.entries.team_building import build, dissolve, members_of, read_name
from tournaments.lifecycle.transitions import ORGANISERS, may
from tournaments.models import Entry, StageEntry, Tournament
from tournaments.pairing.lineups_query import team_sizes
from tournaments.progress.derive import fold_event
from tournaments.undo.recorder import undoable

E = Entry.State
FREE: Final = (E.ENTERED, E.ACTIVE)


def require_teams(event: Tournament) -> None:
    """Raise TournamentError "team.not_here" where nobody has partners."""
    if not event.partners:
        message = _("This event has no partners. Create an event in which people share a side.")
        raise TournamentError(message, code="team.not_here")


@undoable("make_team")
def make_team(*, tournament: Tournament, by: User, people: Sequence[Entry], name: str = "") -> Entry:
    """Put single people together, the captain first. Doing it twice changes nothing.

    Once the event runs the team joins at the next draw. Raises TournamentError "tournament.not_organiser",
    "team.not_here", "team.size", "team.not_single", "team.name_invalid", "team.name_taken", "entry.closed",
    "entry.no_late_entry".
    """
    with transaction.atomic():
        event = Tournament.objects.select_for_update().get(pk=tournament.pk)
        may(event, by, ORGANISERS, "make_team")
        require_teams(event)
        found = Entry.objects.filter(tournament=event).select_related("player").in_bulk([each.pk for each in people])
        chosen = [found[each.pk] for each in people if each.pk in found]
        made = _made_before(chosen)
        if made is not None:
            return made
        stage = open_for_entries(event)
        _require_single(event, chosen)
        team = build(event, chosen, by, name=name)
        if stage is not None:
            join_late(stage, [team])
        record_team_act(team, TeamMade, by, names=[person.player.name for person in chosen])
    fold_event(event)
    return team


def _made_before(people: Sequence[Entry]) -> Entry | None:
    """Return the team that exactly these people are already."""
    teams = {member.team for person in people for member in person.memberships.filter(until_round=None)}
    team = teams.pop() if len(teams) == 1 else None
    if team is None or [member.person_id for member in members_of(team)] != [person.pk for person in people]:
        return None
    return team


def _require_single(event: Tournament, people: Sequence[Entry]) -> None:
    sizes = team_sizes(event)
    if len({person.pk for person in people}) not in sizes or len({person.pk for person in people}) < len(people):
        shown = str(sizes[0]) if len(sizes) == 1 else f"{sizes[0]}–{sizes[-1]}"
        message = _("A team here has %(n)s different people. Choose that many.") % {"n": shown}
        raise TournamentError(message, code="team.size", extra={"size": sizes[0]})
    taken = [person.player.name for person in people if person.state not in FREE or person.members.exists()]
    if taken:
        message = _("%(names)s cannot form a team: everybody must be entered and not yet in a team.")
        raise TournamentError(message % {"names": ", ".join(taken)}, code="team.not_single", extra={"names": taken})


@undoable("break_team")
def break_team(*, team: Entry, by: User) -> list[Entry]:
    """Take a team apart that is not drawn yet; its people are single again.

    Raises TournamentError "tournament.not_organiser", "team.gone", "team.drawn".
    """
    with transaction.atomic():
        event = Tournament.objects.select_for_update().get(pk=team.tournament_id)
        may(event, by, ORGANISERS, "break_team")
        row = read_team(team)
        require_undrawn(row)
        # Before it is gone: the line of the log names the team.
        record_team_act(row, TeamBroken, by)
        people = dissolve(row)
    fold_event(event)
    return people


def read_team(team: Entry) -> Entry:
    """Return the team as it is now. Raises TournamentError "team.gone"."""
    found = Entry.objects.select_related("player", "tournament").filter(pk=team.pk, members__isnull=False).first()
    if found is None:
        message = _("This team no longer exists. Reload the page.")
        raise TournamentError(message, code="team.gone")
    return found


def require_undrawn(team: Entry) -> None:
    """Raise TournamentError "team.drawn" for a team that has its tables already."""
    if StageEntry.objects.filter(entry=team).exists():
        message = _("%(name)s already has tables. Name a substitute, or let the team leave.")
        raise TournamentError(message % {"name": team.player.name}, code="team.drawn")


@undoable("rename_team")
def rename_team(*, team: Entry, by: User, name: str) -> Entry:
    """Give a team another name, whenever nobody has signed the end. The same name changes nothing.

    Raises TournamentError "tournament.not_organiser", "team.gone", "team.name_invalid", "team.name_taken",
    "entry.closed".
    """
    with transaction.atomic():
        event = Tournament.objects.select_for_update().get(pk=team.tournament_id)
        may(event, by, ORGANISERS, "rename_team")
        row = read_team(team)
        if event.state in (Tournament.State.FINISHED, Tournament.State.ARCHIVED, Tournament.State.CANCELLED):
            raise TournamentError(_("The event is over, so its teams keep their names."), code="entry.closed")
        called = read_name(event, name, row)
        if called != row.player.name:
            before, row.player.name = row.player.name, called
            row.player.save(update_fields=["name"])
            record_team_act(row, TeamRenamed, by, before=before)
    return row


def record_team_act(team: Entry, verb: type[DomainEvent], by: User | None, **details: object) -> None:
    """Write into the log what was done to a team."""
    after = {"entry": str(team.uuid), "name": team.player.name, **details}
    channel = team.tournament.channel
    audit(verb, f"entry:{team.uuid}", actor=by, channel=channel, after=after)
    publish(verb.of(channel, after))
