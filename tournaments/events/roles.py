"""Roles in an event, given and taken by user name. The owner gives all; a director arbiters and scorers."""

from __future__ import annotations

from typing import Final

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from activity.domain_events import DomainEvent
from activity.journal import audit, publish
from core.errors import TournamentError
from tournaments.domain_events.tournaments import RoleGiven, RoleTaken
from tournaments.lifecycle.transitions import ORGANISERS, OWNER, may
from tournaments.models import Role, Tournament
from tournaments.undo.recorder import undoable

BY_DIRECTORS: Final = (Role.Kind.ARBITER, Role.Kind.SCORER)


@undoable("give_role")
def give_role(*, tournament: Tournament, by: User, username: str, role: str) -> Role:
    """Give somebody a role.

    Raises TournamentError "role.unknown", "role.no_such_user", "role.has_already", "tournament.not_organiser".
    """
    with transaction.atomic():
        event = Tournament.objects.select_for_update().get(pk=tournament.pk)
        _require_right(event, by, role)
        person = User.objects.filter(username=username.strip(), is_active=True).first()
        if person is None:
            message = _(
                "Nobody has the user name “%(name)s”. People sign up first; their user name is on their account page."
            )
            raise TournamentError(message % {"name": username.strip()[:60]}, code="role.no_such_user")
        given, is_new = Role.objects.get_or_create(user=person, tournament=event, role=role)
        if not is_new:
            message = _("%(name)s already has this role.") % {"name": person.username}
            raise TournamentError(message, code="role.has_already")
        _record(given, RoleGiven, by)
    return given


@undoable("take_role")
def take_role(*, tournament: Tournament, by: User, username: str, role: str) -> None:
    """Take a role away. An event keeps an owner. Raises TournamentError "role.unknown", "role.has_not",
    "role.last_owner", "tournament.not_organiser".
    """
    with transaction.atomic():
        event = Tournament.objects.select_for_update().get(pk=tournament.pk)
        _require_right(event, by, role)
        found = Role.objects.filter(tournament=event, user__username=username.strip(), role=role).first()
        if found is None:
            message = _("%(name)s no longer has this role.") % {"name": username.strip()[:60]}
            raise TournamentError(message, code="role.has_not")
        # Counted under the event's lock: two owners who leave at once cannot both be the last but one.
        if role == Role.Kind.OWNER and Role.objects.filter(tournament=event, role=role).count() == 1:
            message = _("An event keeps one owner. Give that role to somebody else first.")
            raise TournamentError(message, code="role.last_owner")
        _record(found, RoleTaken, by)
        found.delete()


def _require_right(event: Tournament, by: User, role: str) -> None:
    if role not in Role.Kind.values:
        message = _("There is no such role. Choose one from the list.")
        raise TournamentError(message, code="role.unknown")
    may(event, by, ORGANISERS if role in BY_DIRECTORS else OWNER, "give_role")


def _record(role: Role, verb: type[DomainEvent], by: User) -> None:
    after = {"user": role.user.username, "role": role.role}
    channel = role.tournament.channel
    audit(verb, f"tournament:{role.tournament.uuid}", actor=by, channel=channel, after=after)
    publish(verb.of(channel, after))
