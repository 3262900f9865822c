"""Places in teams that people register: taken, left, held and released; teams that are whole are entered."""

from __future__ import annotations

from typing import Final

from django.db import transaction
from django.utils.translation import gettext as _

from activity.journal import audit
from core.errors import TournamentError
from core.formats import ages
from tournaments.domain_events.entries import TeamMade
from tournaments.domain_events.registration import RegisteredTeamChanged
from tournaments.entries.people import BEFORE
from tournaments.entries.team_building import build, read_name
from tournaments.entries.teams import record_team_act
from tournaments.models import Entry, RegisteredTeam, Registration, TeamPlace, Tournament
from tournaments.pairing.lineups_query import team_sizes
from tournaments.progress import waiting_list
from tournaments.registration.letters import tell_changes

P = TeamPlace.State
FREE: Final = (Entry.State.ENTERED, Entry.State.ACTIVE)


def team_of(registration: Registration) -> RegisteredTeam | None:
    """Return the team in which somebody is, as captain or confirmed member. Two queries at most."""
    rows = RegisteredTeam.objects.select_related("captain", "entry__player", "tournament")
    own = rows.filter(captain=registration).first()
    return own or rows.filter(places__registration=registration, places__state=P.CONFIRMED).first()


def claim(place: TeamPlace, row: Registration) -> None:
    """Note who wants to take an open place, until they have confirmed. Needs the event's lock.

    Raises TournamentError "team.place_taken", "team.two_teams".
    """
    now = TeamPlace.objects.get(pk=place.pk)
    if now.state != P.INVITED:
        raise place_taken()
    if TeamPlace.objects.filter(registration=row).exclude(pk=now.pk).exists():
        raise _two_teams()
    now.registration = row
    now.save(update_fields=["registration"])


def claimed_by(row: Registration) -> TeamPlace | None:
    """Return the open place that a registration takes once it is confirmed. One query."""
    return TeamPlace.objects.filter(registration=row, state=P.INVITED).first()


def place_taken() -> TournamentError:
    """Build the refusal of a place that somebody has confirmed already."""
    message = _("Somebody has confirmed this place already. Ask the captain for another link.")
    return TournamentError(message, code="team.place_taken")


def _two_teams() -> TournamentError:
    message = _("You are in a team here already. Withdraw from it first, or ask your captain.")
    return TournamentError(message, code="team.two_teams")


def take_place(place: TeamPlace, row: Registration) -> None:
    """Let a registration take a place that is still open. Needs the event's lock.

    Raises TournamentError "team.place_taken", "team.two_teams", "partners.too_close".
    """
    now = TeamPlace.objects.select_related("team__captain", "team__tournament").get(pk=place.pk)
    if now.state != P.INVITED:
        if now.registration_id == row.pk:
            return
        raise place_taken()
    if (team_of(row) or now.team) != now.team or now.team.captain_id == row.pk:
        raise _two_teams()
    _require_apart(now, row)
    now.state, now.registration, now.email, now.is_held = P.CONFIRMED, row, "", False
    now.save()
    record_team(now.team, row)


def _require_apart(place: TeamPlace, row: Registration) -> None:
    event = place.team.tournament
    if not event.age_gap or event.boards:  # who sits on boards of their own is nobody's partner
        return
    others = place.team.places.filter(state=P.CONFIRMED).values_list("registration__birth_year", flat=True)
    years = [place.team.captain.birth_year, *others]
    if any(ages.too_close(row.birth_year, year, event.age_gap) for year in years):
        message = _("Partners have to be at least %(n)s years apart in age here. Choose somebody else.")
        raise TournamentError(message % {"n": event.age_gap}, code="partners.too_close", extra={"years": event.age_gap})


def leave_team(row: Registration) -> None:
    """End somebody's part in a team because they withdraw; without its captain there is no team. Needs the lock."""
    RegisteredTeam.objects.filter(captain=row).delete()
    TeamPlace.objects.filter(registration=row).update(state=P.DECLINED, registration=None)


def settle(event: Tournament) -> int:
    """Enter every team that is whole: nobody is still to answer, and all have a place. Needs the event's lock.

    Returns how many. A team whose name was taken meanwhile is called by its members.
    """
    if not event.partners or event.state not in BEFORE:
        return 0
    waiting = RegisteredTeam.objects.filter(tournament=event, entry=None).exclude(places__state=P.INVITED)
    return sum(_settled(event, team) for team in waiting.select_related("captain__entry__player").order_by("pk"))


def _settled(event: Tournament, team: RegisteredTeam) -> bool:
    rows = team.places.filter(state=P.CONFIRMED).select_related("registration__entry__player").order_by("pk")
    people = [team.captain.entry, *(row.registration.entry for row in rows if row.registration is not None)]
    entries = [entry for entry in people if entry is not None and entry.state in FREE]
    if len(entries) < len(people) or len(entries) not in team_sizes(event):
        return False
    try:
        name = read_name(event, team.name) if team.name else ""
    except TournamentError:
        name = ""
    team.entry = build(event, entries, event.created_by, name=name)
    team.save(update_fields=["entry"])
    record_team_act(team.entry, TeamMade, None, names=[entry.player.name for entry in entries])
    return True


def release(event: Tournament) -> None:
    """Give away places that are no longer held, and enter teams that are whole now. Needs the event's lock."""
    moved = waiting_list.promote_people(event)
    waiting_list.record(event, moved)
    tell_changes(Registration.objects.filter(entry__in=[entry.pk for entry in moved]))
    settle(event)


def release_held_places() -> int:
    """End the holding of places of events whose entries have closed, and settle teams: part of tidying.

    Returns how many events there were.
    """
    held = TeamPlace.objects.filter(is_held=True).values_list("team__tournament", flat=True).distinct()
    open_teams = RegisteredTeam.objects.filter(entry=None, tournament__state__in=BEFORE)
    waiting = open_teams.exclude(places__state=P.INVITED).values_list("tournament", flat=True).distinct()
    return sum(map(_released, sorted({*held, *waiting})))


def _released(event_id: int) -> bool:
    with transaction.atomic():
        event = Tournament.objects.select_for_update().get(pk=event_id)
        if not event.has_open_entries:
            TeamPlace.objects.filter(team__tournament=event, is_held=True).update(is_held=False)
        release(event)
    return True


def record_team(team: RegisteredTeam, row: Registration | None) -> None:
    """Note in the audit that somebody of a team was named, answered or left. row: of who did it."""
    # No channel and no names: nobody knows of a team before it is entered but its people and the organisers.
    actor = row.user if row is not None else None
    audit(RegisteredTeamChanged, f"registration:{team.captain.uuid}", actor=actor, after={})
