"""An evening with a clock, a board and an exchange of places goes into its file and comes back the same."""

from __future__ import annotations

import pytest

from tests.builders import events as a
from tests.builders.clubs import close_event, round_of
from tests.tournaments.pairing.test_desk_swaps import done, two_of
from tests.tournaments.progress.test_desk_clock import a_timed_night
from tests.tournaments.progress.test_people import draw_next, finish_round
from tournaments.floor.announcements import announce
from tournaments.interchange.export import event_json
from tournaments.interchange.imports import event as import_event
from tournaments.lifecycle.floor_settings import announcements_of
from tournaments.progress.round_clock import stop_clock
from tournaments.progress.rounds import call_round

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.slow
def test_clock_board_and_exchange_travel_with_the_event() -> None:
    event = a_timed_night()
    by = event.created_by
    announce(tournament=event, by=by, text="Dinner at seven.")
    finish_round(event)
    row = draw_next(event)
    done(event, 2, *two_of(event, 2))
    call_round(round_row=row, by=by)
    stop_clock(round_row=round_of(event, 2), by=by)
    finish_round(event, 2)
    close_event(tournament=event, by=by)
    event.refresh_from_db()
    data = event_json(event)
    copy = import_event.write(import_event.validate_event(data), by=a.a_user(), slug="copy")
    assert event_json(copy) == data
    assert [each.text for each in announcements_of(copy)] == ["Dinner at seven."]
