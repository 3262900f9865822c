"""Builders for registration: an event where people register themselves, people who do, the mails they get."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from django.core import mail

from accounts.models import User
from accounts.sending import send_waiting
from tests.builders import events as a
from tournaments.events.create import create_tournament
from tournaments.models import Registration, Tournament
from tournaments.progress.run import open_registration, publish_tournament
from tournaments.registration.decide import approve_registrations, note_payment, reject_registrations
from tournaments.registration.register import Details, Sender, confirm, register
from tournaments.registration.set_up import Asked, set_up_registration

SENDER = Sender("hall", "en")
QUESTIONS = (
    Asked("Do you eat meat?", "choice", ("Yes", "No"), is_required=True),
    Asked("Birth year", "number"),
    Asked("I bring cards", "tick"),
    Asked("Anything else", "text"),
)

PAIRS: Final[dict[str, Any]] = {
    "kind": "round_robin",
    "seats": 4,
    "options": {"teams": "2x2"},
    "partners": "entered",
    "min_entries": 2,
}
"""An event of pairs that register themselves."""


def an_event_with_registration(
    *, places: int = 4, questions: tuple[Asked, ...] = (), chosen: Mapping[str, object] | None = None, **changes: object
) -> Tournament:
    """Make an event of people that takes registrations."""
    by = a.a_user()
    plan = a.a_plan(
        **{"name": "Autumn cup", "who": "people", "kind": "swiss", "rounds": 2, "max_entries": places, **changes}
    )
    event = create_tournament(by=by, plan=plan)
    publish_tournament(tournament=event, by=by)
    open_registration(tournament=event, by=by)
    set_up_registration(tournament=event, by=by, changes={"is_on": True, **(chosen or {})}, questions=questions)
    return event


def registered(event: Tournament, name: str, *, person: User | None = None, **more: Any) -> Registration:
    """Register somebody, and confirm it."""
    address = "-".join(name.lower().split())[:40]
    given = Details(**{"name": name, "email": f"{address}@example.org", **more})
    row = register(tournament=event, person=person, details=given, sender=SENDER)
    return Registration.objects.select_related("entry__player", "tournament", "user").get(pk=confirm(row).pk)


def fresh(row: Registration) -> Registration:
    """Read a registration once more."""
    return Registration.objects.select_related("entry__player", "tournament", "user").get(pk=row.pk)


REGISTRATION_ACTS: Final[dict[str, Callable[[Tournament, Registration], object]]] = {
    "approve_registrations": lambda event, row: approve_registrations(
        tournament=event, by=event.created_by, wanted=[row]
    ),
    "reject_registrations": lambda event, row: reject_registrations(
        tournament=event, by=event.created_by, wanted=[row]
    ),
    "note_payment": lambda event, row: note_payment(tournament=event, by=event.created_by, wanted=[row], paid=True),
    "set_up_registration": lambda event, _row: set_up_registration(
        tournament=event, by=event.created_by, changes={"is_on": False}
    ),
}
"""Acts of an organiser on a registration that waits for approval, by their service."""


def act_on_registration(
    act: Callable[[Tournament, Registration], object],
) -> tuple[User, Callable[[], object]]:
    """Return who does such an act, and the act on a registration made for it."""
    event = an_event_with_registration(chosen={"needs_approval": True})
    row = registered(event, "Aiko")
    return event.created_by, lambda: act(event, row)


def letters() -> list[tuple[str, str]]:
    """Send what waits; return (address, subject) of all mails since the last time, sorted by address."""
    mail.outbox.clear()
    while send_waiting():
        pass
    return sorted((each.to[0], str(each.subject)) for each in mail.outbox)


def link_in_mail() -> str:
    """Return the path of the link in the newest mail."""
    found = re.search(r"https?://[^/\s]+(/t/\S+/register/\S+)", str(mail.outbox[-1].body))
    assert found is not None
    return found[1]
