"""Many people at the same moment: every place is given once, in order, and nobody is there twice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from core.errors import TournamentError
from tests.builders import events as a
from tests.builders.registrations import SENDER, an_event_with_registration, fresh
from tournaments.entries.people import add_person, withdraw_person
from tournaments.events.edit import edit_tournament
from tournaments.models import Entry, Registration, Tournament
from tournaments.registration.decide import approve_registrations
from tournaments.registration.own import withdraw_registration
from tournaments.registration.register import Details, confirm, register
from tournaments.registration.status import Status, status_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.thorough]
PHONES = 8


def at_once(*acts: Callable[[], object]) -> Sequence[str]:
    """Do all of it at the same moment, each on a connection of its own; the codes of what was refused."""

    def do(act: Callable[[], object]) -> str:
        try:
            act()
        except TournamentError as refusal:
            return refusal.code
        finally:
            connection.close()
        return ""

    with ThreadPoolExecutor(PHONES) as pool:
        return list(pool.map(do, acts))


def states(event: Tournament) -> dict[str, int]:
    rows = [status_of(row) for row in Registration.objects.filter(tournament=event).select_related("entry")]
    return {str(status): rows.count(status) for status in set(rows)}


def waiting_in_order(event: Tournament) -> bool:
    """Return whether nobody who waits confirmed before somebody who has a place."""
    rows = Entry.objects.filter(tournament=event).order_by("created_at", "pk").values_list("state", flat=True)
    found = list(rows)
    return found == sorted(found, key=lambda state: state == Entry.State.WAITLISTED)


def test_twenty_people_and_eight_places_all_at_once_and_each_link_twice() -> None:
    event = an_event_with_registration(places=8)
    rows = [
        register(tournament=event, person=None, details=Details(f"Person {n}", email=f"p{n}@x.org"), sender=SENDER)
        for n in range(20)
    ]
    codes = at_once(*[lambda row=row: confirm(row) for row in (*rows, *rows)])
    assert set(codes) == {""}
    assert states(event) == {"entered": 8, "waiting": 12}
    assert event.entries.count() == 20
    assert waiting_in_order(event)


def test_the_same_form_sent_at_once_is_one_registration() -> None:
    event, user = an_event_with_registration(), a.a_user()

    def guest() -> object:
        return register(tournament=event, person=None, details=Details("Aiko", email="a@x.org"), sender=SENDER)

    def account() -> object:
        return register(tournament=event, person=user, details=Details("Ben"), sender=SENDER)

    codes = at_once(*[guest] * 3, *[account] * 5)
    assert set(codes) == {""}
    assert Registration.objects.filter(tournament=event).count() == 2
    assert event.entries.count() == 1


def test_people_come_and_go_while_the_organiser_acts() -> None:
    """No order of the locks makes two wait for each other, and every place is taken in the end."""
    event = an_event_with_registration(places=4, chosen={"needs_approval": True})
    by = event.created_by
    rows = [
        confirm(register(tournament=event, person=None, details=Details(f"P{n}", email=f"p{n}@x.org"), sender=SENDER))
        for n in range(10)
    ]
    approve_registrations(tournament=event, by=by, wanted=rows[:6])
    at_once(
        *[lambda row=row: withdraw_registration(registration=row) for row in rows[:2]],
        lambda: approve_registrations(tournament=event, by=by, wanted=rows[6:]),
        lambda: withdraw_person(entry=Entry.objects.get(tournament=event, player__name="P2"), by=by),
        lambda: edit_tournament(tournament=event, by=by, changes={"max_entries": 5}),
        lambda: add_person(tournament=event, by=by, name="Walk-in"),
    )
    taken = event.entries.filter(state=Entry.State.ENTERED).count()
    event.refresh_from_db()
    assert taken == event.max_entries == 5
    assert status_of(fresh(rows[0])) is Status.WITHDRAWN
    assert event.entries.filter(state=Entry.State.WAITLISTED).count() == 10 - 3 - (5 - bool(_walked_in(event)))


def _walked_in(event: Tournament) -> int:
    return Entry.objects.filter(tournament=event, player__name="Walk-in").count()
