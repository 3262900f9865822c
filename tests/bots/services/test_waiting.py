"""Places in the queue: right, with an estimate, and never counted further than 1,000 rows."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from bots.models import Check
from bots.selectors.waiting import COUNTED, Amount, checks_before
from bots.services import upload_version
from tests.builders import events as a
from tournaments.matches.queue import Place, place_in_queue, queue, seconds_for
from tournaments.models import Match, ResultReport, Tournament
from tournaments.progress.run import pause_tournament

pytestmark = pytest.mark.django_db


def many_queued(event: Tournament, n: int) -> None:
    """That many more rows of the queue, behind the event's own."""
    first = a.matches_of(event)[0]
    row = {"stage_id": first.stage_id, "seats_n": 2, "state": "queued"}
    Match.objects.bulk_create([Match(priority=10_000 + at, **row) for at in range(n)], batch_size=1_000)


def finished(match: Match, seconds: float) -> None:
    """The match was played, for so long."""
    now = timezone.now()
    Match.objects.filter(pk=match.pk).update(
        state="confirmed", claimed_at=now - timedelta(seconds=seconds), finished_at=now
    )
    ResultReport.objects.create(match=match, attempt=1, source="record", state="confirmed", hash="sha256:00")


@pytest.mark.thorough
def test_a_place_counts_what_is_claimed_before_it_and_not_what_rests() -> None:
    first, resting = a.a_running_event(bots=4), a.a_running_event(bots=4)
    pause_tournament(tournament=resting, by=resting.created_by)
    matches = a.matches_of(first)
    assert [place_in_queue(match) for match in matches] == [Place(Amount(n, False), None) for n in range(6)]
    Match.objects.filter(pk=matches[0].pk).update(state="claimed")
    assert place_in_queue(matches[2]) == Place(Amount(1, False), None)
    matches[0].refresh_from_db()
    assert place_in_queue(matches[0]) is None


def test_the_estimate_is_the_pace_of_the_last_matches_by_those_who_play_now() -> None:
    event = a.a_running_event(bots=5)
    matches = a.matches_of(event)
    for match in matches[:4]:
        finished(match, 15)
    assert seconds_for(6, 0) is None, "nobody plays"
    assert seconds_for(6, 1) == 90
    a.a_worker()
    a.a_worker()
    place = place_in_queue(matches[9])
    assert place is not None
    assert (place.number, place.seconds, place.minutes) == (6, 38, 1)


@pytest.mark.thorough
def test_much_is_counted_up_to_a_thousand() -> None:
    event = a.a_running_event(bots=2)
    many_queued(event, COUNTED + 500)
    last = Match.objects.order_by("-priority")[0]
    with CaptureQueriesContext(connection) as seen:
        place = place_in_queue(last)
    assert place is not None
    assert place.ahead == Amount(1_000, True)
    assert len(seen) <= 3
    assert all("LIMIT" in each["sql"] for each in seen if "COUNT" in each["sql"] and "match" in each["sql"])


@pytest.mark.thorough
def test_the_queue_page_asks_little_however_much_waits() -> None:
    event = a.a_running_event(bots=2)
    many_queued(event, COUNTED + 500)
    with CaptureQueriesContext(connection) as seen:
        found = queue(a.a_user(is_staff=True))
    assert len(seen) <= 11
    assert (found.waiting_n, len(found.waiting)) == (Amount(1_000, True), 40)
    with CaptureQueriesContext(connection) as public:
        queue(None)
    assert len(public) <= 8


def test_a_checks_place_is_among_checks() -> None:
    a.a_running_event(bots=3)
    for n in range(3):
        upload_version(owner=a.a_user(), filename="bot.py", data=a.FIRST, name=f"Bot {n}")
    waiting = list(Check.objects.filter(state="queued").order_by("priority", "id"))
    assert [checks_before(check) for check in waiting] == [Amount(n, False) for n in range(3)]
    Check.objects.update(state="done")
    assert checks_before(Check.objects.all()[0]) is None
    assert checks_before(None) is None
