"""Where a registration stands, and what its person reads about it on their page and in mails."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from django.db.models import Case, CharField, Q, Value, When
from django.utils.translation import gettext as _

from tournaments.models import Entry, Registration
from tournaments.progress.waiting_list import place_of

E, R = Entry.State, Registration.State


class Status(StrEnum):
    """Where a registration stands. REMOVED: it was accepted, and the organiser or the person ended the entry since."""

    UNCONFIRMED = "unconfirmed"
    PENDING = "pending"
    ENTERED = "entered"
    WAITING = "waiting"
    REFUSED = "refused"
    WITHDRAWN = "withdrawn"
    REMOVED = "removed"


_SAME: Final = (R.UNCONFIRMED, R.PENDING, R.REFUSED, R.WITHDRAWN)
GONE: Final = (E.WITHDRAWN, E.DISQUALIFIED)
# The same as `status_of`, for queries.
STATUS: Final = Case(
    *(When(state=state, then=Value(str(state))) for state in _SAME),
    When(entry__state=E.WAITLISTED, then=Value(Status.WAITING.value)),
    When(Q(entry=None) | Q(entry__state__in=GONE), then=Value(Status.REMOVED.value)),
    default=Value(Status.ENTERED.value),
    output_field=CharField(),
)


def status_of(registration: Registration) -> Status:
    """Return where a registration stands. No query if it was read with its entry."""
    if registration.state in _SAME:
        return Status(registration.state)
    entry = registration.entry
    if entry is None or entry.state in GONE:
        return Status.REMOVED
    return Status.WAITING if entry.state == E.WAITLISTED else Status.ENTERED


@dataclass(frozen=True, slots=True)
class Standing:
    """What a person reads about their registration. title: where it stands; following: what happens next."""

    status: Status
    title: str
    following: str


def standing_of(registration: Registration, *, was: str = "") -> Standing:
    """Describe a registration to its person. was: the status that they knew. One query for the place of who waits."""
    status = status_of(registration)
    title, following = _words(registration, status, was)
    return Standing(status, title, following)


def _words(registration: Registration, status: Status, was: str) -> tuple[str, str]:
    match status:
        case Status.UNCONFIRMED:
            return (
                _("One more step: confirm your registration"),
                _("Until you confirm it, nobody sees it and you have no place."),
            )
        case Status.PENDING:
            return (
                _("You are registered. The organiser has to approve it"),
                _("We send you a mail when the organiser has decided. You do not have a place yet."),
            )
        case Status.ENTERED if was == Status.WAITING:
            return (
                _("You moved up from the waiting list: you have a place"),
                _("Check in when you arrive. If you cannot come, withdraw, so that somebody else can play."),
            )
        case Status.ENTERED:
            return (
                _("You have a place"),
                _("Check in when you arrive. If you cannot come, withdraw, so that somebody else can play."),
            )
        case Status.WAITING:
            place = place_of(registration.entry) if registration.entry is not None else 1
            return (
                _("You are number %(n)s on the waiting list") % {"n": place},
                _("You move up as soon as places are free, and we send you a mail when you have one."),
            )
        case Status.REFUSED:
            return _("The organiser did not accept your registration"), registration.reason
        case Status.WITHDRAWN:
            return _("You have withdrawn"), _("You can register again as long as registration is open.")
        case Status.REMOVED:
            return _("You are no longer entered"), _("If that is a mistake, ask the organiser.")
