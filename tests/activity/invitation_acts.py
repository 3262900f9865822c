"""Examples of the acts of invitations, for the test of the audit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from accounts.models import User
from tests.builders import events as a
from tournaments.invitations.answers import accept_invitation, accept_link, decline_invitation
from tournaments.invitations.links import end_invitation_link, make_invitation_link
from tournaments.invitations.people import invite_addresses, invite_person, withdraw_invitation
from tournaments.models import Invitation, Tournament

Deed = Callable[[], object]
Example = Callable[[], tuple[User, Deed]]
INVITATION_ACTS: Final = {
    "tournaments.invitations.answers": (
        "accept_invitation",
        "accept_link",
        "decline_invitation",
        "read_invitation",
        "require_usable",
    ),
    "tournaments.invitations.links": (
        "end_invitation_link",
        "invitation_token",
        "make_invitation_link",
        "opened",
    ),
    "tournaments.invitations.people": (
        "invite_addresses",
        "invite_person",
        "send_invitation_again",
        "withdraw_invitation",
    ),
}
"""Acts of invitations, by the module that does them."""
NOT_AUDITED: Final = {
    "tournaments.read_invitation": "reads",
    "tournaments.require_usable": "reads",
    "tournaments.invitation_token": "reads",
    "tournaments.opened": "a part of inviting",
    "tournaments.send_invitation_again": "the same mail again: who was invited is written down",
}
"""Those that leave no trace, and why."""


def an_invitation(event: Tournament, user: User) -> Invitation:
    """Invite somebody by name."""
    return invite_person(tournament=event, by=event.created_by, username=user.username)


def inviting(deed: Callable[[Tournament, User], object]) -> Example:
    """An act of an organiser on the invitations of a private event."""

    def begin() -> tuple[User, Deed]:
        event = a.an_open_event(visibility="private")
        return event.created_by, lambda: deed(event, event.created_by)

    return begin


def invited(deed: Callable[[Tournament, User], object]) -> Example:
    """An act of somebody who is invited."""

    def begin() -> tuple[User, Deed]:
        event, user = a.an_open_event(visibility="private"), a.a_user()
        return user, lambda: deed(event, user)

    return begin


INVITATION_EXAMPLES: Final[dict[str, Example]] = {
    "tournaments.make_invitation_link": inviting(lambda event, by: make_invitation_link(tournament=event, by=by)),
    "tournaments.end_invitation_link": inviting(
        lambda event, by: end_invitation_link(link=make_invitation_link(tournament=event, by=by), by=by)
    ),
    "tournaments.invite_person": inviting(
        lambda event, by: invite_person(tournament=event, by=by, username=a.a_user().username)
    ),
    "tournaments.invite_addresses": inviting(
        lambda event, by: invite_addresses(tournament=event, by=by, addresses=["ann@plum.example"])
    ),
    "tournaments.withdraw_invitation": inviting(
        lambda event, by: withdraw_invitation(invitation=an_invitation(event, a.a_user()), by=by)
    ),
    "tournaments.accept_invitation": invited(
        lambda event, user: accept_invitation(invitation=an_invitation(event, user), user=user)
    ),
    "tournaments.decline_invitation": invited(
        lambda event, user: decline_invitation(invitation=an_invitation(event, user), user=user)
    ),
    "tournaments.accept_link": invited(
        lambda event, user: accept_link(link=make_invitation_link(tournament=event, by=event.created_by), user=user)
    ),
}
