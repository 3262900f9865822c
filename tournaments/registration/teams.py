"""Teams by registration: the captain names members, each of them confirms or declines by a link."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from core.errors import TournamentError
from tournaments.domain_events.entries import TeamBroken
from tournaments.domain_events.registration import RegistrationEdited
from tournaments.entries.people import BEFORE, require_name, tidy
from tournaments.entries.team_building import dissolve, read_name
from tournaments.entries.teams import record_team_act
from tournaments.models import Entry, RegisteredTeam, Registration, TeamPlace, Tournament
from tournaments.pairing.lineups_query import team_sizes
from tournaments.progress import waiting_list
from tournaments.registration.letters import post_invitation
from tournaments.registration.register import Details, Sender, limit_letters, record, register, require_address
from tournaments.registration.status import Status, status_of
from tournaments.registration.team_places import FREE, place_taken, record_team, release, settle, take_place, team_of

P = TeamPlace.State
MEMBER: Final = (Status.PENDING, Status.ENTERED, Status.WAITING)


def may_have_team(registration: Registration) -> bool:
    """Return whether its person may name partners now: they are registered, and are in nobody else's team."""
    event = registration.tournament
    is_on = event.is_of_people and bool(event.partners) and event.has_open_entries and event.state in BEFORE
    return (
        is_on and status_of(registration) in MEMBER and not TeamPlace.objects.filter(registration=registration).exists()
    )


def _locked(registration: Registration) -> tuple[Tournament, Registration]:
    event = Tournament.objects.select_for_update().get(pk=registration.tournament_id)
    row = Registration.objects.select_related("entry__player", "user").get(pk=registration.pk)
    row.tournament = event
    if not may_have_team(row):
        message = _("You cannot name partners here now: teams are fixed, or you are in one already.")
        raise TournamentError(message, code="team.not_now")
    return event, row


def name_team(*, registration: Registration, name: str) -> RegisteredTeam:
    """Name the captain's team, which begins with that; "" for one that is called by its members.

    Raises TournamentError "team.not_now", "team.name_invalid", "team.name_taken".
    """
    with transaction.atomic():
        event, row = _locked(registration)
        team = RegisteredTeam.objects.select_related("entry__player").filter(captain=row).first()
        called = read_name(event, name, team.entry if team is not None else None) if name.strip() else ""
        if team is None:
            team = RegisteredTeam(tournament=event, captain=row)
        team.name = called
        team.save()
        _break(team)
        settle(event)
    return team


def add_member(*, registration: Registration, name: str, email: str = "") -> TeamPlace:
    """Invite somebody into the captain's team, by mail or ("") by a link that the captain passes on.

    A place of the event is held for them until entries close, if there is one. The same name twice changes nothing.
    Raises TournamentError "team.not_now", "team.size", "entry.name_invalid", "registration.bad_email", "rate.limited".
    """
    require_name(name, "")
    if email.strip():
        require_address(email.strip())
    with transaction.atomic():
        event, row = _locked(registration)
        team, _made = RegisteredTeam.objects.get_or_create(captain=row, defaults={"tournament": event})
        there = team.places.exclude(state=P.DECLINED)
        if (same := there.filter(name=tidy(name)).first()) is not None:
            return same
        if there.count() + 1 >= team_sizes(event)[-1]:
            message = _("The team is full: it has %(n)s people. Take somebody out first.")
            raise TournamentError(message % {"n": team_sizes(event)[-1]}, code="team.size")
        _break(team)
        place = TeamPlace(team=team, name=tidy(name), email=email.strip())
        has_place = row.entry is not None and row.entry.state in (*FREE, Entry.State.PARTNERED)
        # Of those who wait themselves nothing is held: partners must not overtake the line.
        place.is_held = has_place and waiting_list.taken(event) < waiting_list.places(event)
        place.save()
        if place.email:
            limit_letters(event, place.email)
            post_invitation(place, row)
        record_team(team, row)
    return place


def remove_member(*, registration: Registration, place: TeamPlace) -> None:
    """Take somebody out of the captain's team; who had confirmed is registered alone from then on. Twice is once.

    Raises TournamentError "team.not_now".
    """
    with transaction.atomic():
        event, row = _locked(registration)
        found = TeamPlace.objects.filter(pk=place.pk, team__captain=row).select_related("team").first()
        if found is not None:
            _break(found.team)
            found.delete()
            record_team(found.team, row)
            release(event)


def decline_place(*, place: TeamPlace) -> TeamPlace:
    """Decline a place: everybody who has its link can. Doing it twice changes nothing.

    Raises TournamentError "team.place_taken": somebody has confirmed it; they withdraw by their own registration.
    """
    with transaction.atomic():
        event = Tournament.objects.select_for_update().get(pk=place.team.tournament_id)
        row = TeamPlace.objects.select_related("team__captain").get(pk=place.pk)
        if row.state == P.CONFIRMED:
            raise place_taken()
        if row.state != P.DECLINED:
            row.state, row.email, row.is_held = P.DECLINED, "", False
            row.save()
            record_team(row.team, None)
            release(event)
    return row


def join_team(
    *, place: TeamPlace, person: User | None, details: Details, sender: Sender, is_mailed: bool = False
) -> Registration:
    """Register somebody by the link of a place, or let their registration take it.

    With an account, or by the link of the mail (is_mailed) and its address, they have confirmed; else they confirm by a
    mail of their own. Raises what `register` raises, and TournamentError "team.place_taken", "team.two_teams",
    "partners.too_close".
    """
    event = place.team.tournament
    own = place.registration
    if place.state != P.INVITED:
        # A second click of an account; of anybody else nothing says that it is the same person.
        if own is not None and person is not None and own.user_id == person.pk:
            return own
        raise place_taken()
    row = register(tournament=event, person=person, details=details, sender=sender, place=place, is_mailed=is_mailed)
    proves = person is not None or (is_mailed and _is_theirs(place, details.email))
    is_confirmed = row.state != Registration.State.UNCONFIRMED
    return _joined(place, row) if proves and is_confirmed else row


def _is_theirs(place: TeamPlace, address: str) -> bool:
    return bool(place.email) and place.email.lower() == address.strip().lower()


def _joined(place: TeamPlace, registration: Registration) -> Registration:
    """Let somebody who is registered take the place, with the place of the event that was held for it."""
    with transaction.atomic():
        event = Tournament.objects.select_for_update().get(pk=registration.tournament_id)
        row = Registration.objects.select_related("entry__player", "user").get(pk=registration.pk)
        row.tournament = event
        now = TeamPlace.objects.get(pk=place.pk)
        if now.registration_id == row.pk and now.state == P.CONFIRMED:
            return row
        if status_of(row) not in MEMBER:
            message = _("You are not registered any more. Register again first.")
            raise TournamentError(message, code="team.not_now")
        is_held = now.is_held
        take_place(now, row)
        if is_held and row.entry is not None and row.entry.state == Entry.State.WAITLISTED:
            row.entry.state = Entry.State.ENTERED
            row.entry.save(update_fields=["state"])
        record(event, row, RegistrationEdited, promoted=waiting_list.promote_people(event))
    return row


def _break(team: RegisteredTeam) -> None:
    """Take the team's entry apart, because its people change; they are single until it is whole again."""
    if team.pk is None or team.entry is None:
        return
    entry = Entry.objects.select_related("player", "tournament").get(pk=team.entry.pk)
    team.entry = None
    team.save(update_fields=["entry"])
    record_team_act(entry, TeamBroken, None)
    dissolve(entry)


def places_of(team: RegisteredTeam) -> list[TeamPlace]:
    """Return the places beside the captain's. One query."""
    return list(team.places.select_related("registration").order_by("pk"))


@dataclass(frozen=True, slots=True)
class TeamView:
    """A team as one of its people sees it. team: None for somebody who may begin one. size: people in a full team.

    places: all of them for the captain; for others those that are confirmed. may_change: they may name, invite and take
    out people now. may_add: there is room for one more.
    """

    team: RegisteredTeam | None
    places: tuple[TeamPlace, ...]
    is_captain: bool
    size: int
    may_change: bool
    may_add: bool


def team_view(registration: Registration) -> TeamView | None:
    """Return the team of somebody who is registered; None if they have none and may not begin one. Five queries."""
    team, may = team_of(registration), may_have_team(registration)
    if team is None and not may:
        return None
    is_captain = team is not None and team.captain_id == registration.pk
    rows = places_of(team) if team is not None else []
    size, people = team_sizes(registration.tournament)[-1], 1 + sum(each.state != P.DECLINED for each in rows)
    # Who has not confirmed is known to the captain alone, who named them.
    shown = tuple(each for each in rows if is_captain or each.state == P.CONFIRMED)
    return TeamView(team, shown, is_captain, size, may, may and people < size)


def teams_by_registration(event: Tournament) -> dict[int, RegisteredTeam]:
    """Return the team of every captain and confirmed member, by the registration's key. Two queries."""
    teams: Iterable[RegisteredTeam] = RegisteredTeam.objects.filter(tournament=event).select_related("captain")
    by_key = {team.pk: team for team in teams}
    found = {team.captain_id: team for team in by_key.values()}
    rows = TeamPlace.objects.filter(team__tournament=event, state=P.CONFIRMED).exclude(registration=None)
    return found | {row: by_key[team] for row, team in rows.values_list("registration", "team") if row is not None}
