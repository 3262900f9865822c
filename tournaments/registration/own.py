"""What people do with their own registration, by their account or the link in their mail: edit, withdraw, return."""

from __future__ import annotations

from typing import Final

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from activity.journal import audit
from core.errors import TournamentError
from tournaments.domain_events.entries import TeamBroken
from tournaments.domain_events.registration import (
    PersonRegistered,
    RegistrationEdited,
    RegistrationLinkRenewed,
    RegistrationWithdrawn,
)
from tournaments.entries.birth_years import store_year
from tournaments.entries.people import BEFORE, tidy
from tournaments.entries.team_building import dissolve
from tournaments.entries.teams import record_team_act
from tournaments.lifecycle.transitions import ORGANISERS, may
from tournaments.models import Entry, Registration, Tournament
from tournaments.pairing.departures import let_go
from tournaments.progress import waiting_list
from tournaments.registration.answers import read_answers, write_answers
from tournaments.registration.letters import RENEWED, post_letter, renewed_is_waiting
from tournaments.registration.register import Details, check_name, check_year, let_in, limit_letters, record
from tournaments.registration.set_up import has_opened, questions_of, require_open, settings_of
from tournaments.registration.status import Status, status_of
from tournaments.registration.team_places import leave_team

S = Registration.State
ON: Final = (Status.PENDING, Status.ENTERED, Status.WAITING)


def may_edit(registration: Registration) -> bool:
    """Return whether its person may still change what they wrote."""
    is_theirs = status_of(registration) in (*ON, Status.UNCONFIRMED)
    return is_theirs and registration.tournament.has_open_entries


def may_withdraw(registration: Registration) -> bool:
    """Return whether its person may withdraw: until the event starts, so that a place is free for somebody else."""
    return status_of(registration) in ON and registration.tournament.state in BEFORE


def may_return(registration: Registration) -> bool:
    """Return whether who withdrew may register again. Two queries."""
    event = registration.tournament
    return status_of(registration) is Status.WITHDRAWN and has_opened(settings_of(event), event)


def _locked(registration: Registration) -> tuple[Tournament, Registration]:
    """Lock the event; return it and the registration as they are now. Raises TournamentError "registration.unknown"."""
    event = Tournament.objects.select_for_update().get(pk=registration.tournament_id)
    row = Registration.objects.select_related("entry__player", "user").filter(pk=registration.pk).first()
    if row is None:
        raise TournamentError(_("This registration was deleted."), code="registration.unknown")
    row.tournament = event
    return event, row


def edit_registration(*, registration: Registration, details: Details) -> Registration:
    """Change name, club, year and answers; the address stays. Doing it twice changes nothing.

    Raises TournamentError "registration.closed", "registration.answer", "registration.birth_year",
    "entry.bad_birth_year", "entry.name_invalid", "entry.duplicate".
    """
    with transaction.atomic():
        event, row = _locked(registration)
        if not may_edit(row):
            message = _("Registration is closed, so you cannot change this any more. Ask the organiser.")
            raise TournamentError(message, code="registration.closed")
        check_name(event, details.name, details.club, without=row.entry)
        write_answers(row, read_answers(questions_of(event), details.answers))
        check_year(event, details)
        row.name, row.club = tidy(details.name), tidy(details.club)
        row.birth_year = details.born if event.age_gap else None
        row.save(update_fields=["name", "club", "birth_year"])
        if row.entry is not None:
            store_year(row.entry, row.birth_year)
            player = row.entry.player
            player.name, player.club = row.name, row.club
            player.save(update_fields=["name", "club"])
        if row.state != S.UNCONFIRMED:
            record(event, row, RegistrationEdited)
    return row


def withdraw_registration(*, registration: Registration) -> Registration:
    """Withdraw; the first of those who wait moves up. Doing it twice changes nothing.

    Raises TournamentError "registration.closed" (the event has started), "registration.not_confirmed".
    """
    with transaction.atomic():
        event, row = _locked(registration)
        if row.state == S.WITHDRAWN:
            return row
        if not may_withdraw(row):
            message = _("You cannot withdraw here any more. Tell the organiser.")
            raise TournamentError(message, code="registration.closed")
        leave_team(row)
        if row.entry is not None:
            _leave(row.entry)
        row.state = S.WITHDRAWN
        row.save(update_fields=["state"])
        record(event, row, RegistrationWithdrawn, promoted=waiting_list.promote_people(event))
    return row


def _leave(entry: Entry) -> None:
    """Let the entry go; partners are single again."""
    if entry.state == Entry.State.PARTNERED:
        member = entry.memberships.filter(until_round=None).select_related("team__player", "team__tournament").first()
        if member is not None:
            record_team_act(member.team, TeamBroken, None)
            dissolve(member.team)
            entry.refresh_from_db()
    let_go(entry)


def renew_link(*, registration: Registration, by: User | None = None) -> Registration:
    """Give a registration another link and mail it to its person; the old one opens nothing from now on.

    by: an organiser, who does not see it; None: the person themselves. Raises TournamentError
    "tournament.not_organiser", "registration.no_address" (an account without one), "rate.limited".
    """
    address = registration.email or (registration.user.mail_address if registration.user is not None else "")
    if not address:
        message = _("%(name)s has no email address, so a new link would reach nobody.")
        raise TournamentError(message % {"name": registration.name}, code="registration.no_address")
    with transaction.atomic():
        event, row = _locked(registration)
        if by is not None:
            may(event, by, ORGANISERS, "renew_registration_link")
            if renewed_is_waiting(row):
                return row
        limit_letters(event, address)
        row.link += 1
        row.save(update_fields=["link"])
        post_letter(row, was=RENEWED)
        # No channel: readers of the log need not know.
        audit(RegistrationLinkRenewed, f"registration:{row.uuid}", actor=by or row.user, after={})
    return row


def return_to(*, registration: Registration) -> Registration:
    """Register again after having withdrawn, at the end of the line. Doing it twice changes nothing.

    Raises TournamentError "registration.off", "registration.not_open", "registration.closed", "entry.duplicate".
    """
    with transaction.atomic():
        event, row = _locked(registration)
        if row.state != S.WITHDRAWN:
            return row
        chosen = settings_of(event)
        require_open(chosen, event)
        row.confirmed_at = timezone.now()
        let_in(event, row, is_approved=not chosen.needs_approval, verb=PersonRegistered)
    return row
