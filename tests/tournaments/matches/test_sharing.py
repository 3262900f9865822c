"""Tournaments share the workers: by the time their matches take, anyone who is bigger or started first."""

from __future__ import annotations

from datetime import timedelta
from itertools import accumulate

import pytest
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from bots.jobs import checks, claims
from bots.models import Check
from bots.services import upload_version
from tests.builders import events as a
from tournaments.matches import play, priorities
from tournaments.models import Match, Stage, Tournament
from tournaments.progress.run import pause_tournament, resume_tournament, start_tournament

COSTS = st.lists(st.integers(1, 5_000), min_size=1, max_size=60)


@pytest.mark.thorough
@given(COSTS, COSTS)
def test_two_that_run_side_by_side_get_equal_time(one: list[int], other: list[int]) -> None:
    """Up to where the shorter one ends, neither is ahead by more than one match of each."""
    order = sorted(
        [(at, cost, 1) for at, cost in zip(priorities.places(0, one), one, strict=True)]
        + [(at, cost, -1) for at, cost in zip(priorities.places(0, other), other, strict=True)]
    )
    ends = min(sum(one), sum(other))
    lead = accumulate(cost * sign for at, cost, sign in order if at <= ends)
    assert all(abs(ahead) <= max(one) + max(other) for ahead in lead)


@given(COSTS, st.integers(0, 10**9))
def test_numbers_grow_by_the_cost(costs: list[int], start: int) -> None:
    found = list(priorities.places(start, costs))
    assert found[-1] == start + sum(costs)
    assert found == sorted(set(found))


def a_league(bots: int, **changes: object) -> Tournament:
    """A started round robin of one person's bots: n * (n - 1) / 2 matches."""
    event = a.an_open_event(max_entries=64, entries_per_owner=64, **changes)
    owner = a.a_user()
    a.entered(event, [a.a_bot(owner) for _ in range(bots)])
    return start_tournament(tournament=event, by=event.created_by)


def order_now() -> list[int]:
    """The tournaments of what waits, in the order it is claimed."""
    waiting = play.queue().filter(state="queued").order_by("priority", "id")
    return list(waiting.values_list("stage__tournament", flat=True))


def finish_first(n: int, *, ms: int = 2 * priorities.GUESS_MS) -> None:
    """Let the first matches of the queue be played, each for so long; by default as long as was guessed."""
    first = list(play.queue().filter(state="queued").order_by("priority", "id").values_list("pk", flat=True)[:n])
    now = timezone.now()
    begun = now - timedelta(milliseconds=ms)
    Match.objects.filter(pk__in=first).update(state="confirmed", claimed_at=begun, finished_at=now)


@pytest.mark.slow
@pytest.mark.django_db
def test_a_new_small_event_does_not_wait_for_the_big_one() -> None:
    big = a_league(46)
    assert Match.objects.count() == 1_035
    finish_first(300)
    small = a_league(5)
    order = order_now()
    assert order.count(small.pk) == 10
    assert set(order[:22]) == {big.pk, small.pk}
    assert order[:22].count(small.pk) == 10, "side by side with the first twelve that the big one has left"


@pytest.mark.slow
@pytest.mark.django_db
def test_two_events_of_a_thousand_and_of_ten_take_turns() -> None:
    big, small = a_league(46), a_league(5)
    order = order_now()[:22]
    for n in range(23):
        assert 0 <= order[:n].count(big.pk) - order[:n].count(small.pk) <= 2
    assert order.count(small.pk) == 10


@pytest.mark.thorough
@pytest.mark.django_db
def test_an_event_that_starts_when_nothing_waits_owes_nobody_anything() -> None:
    a_league(5)
    finish_first(10)
    late, later = a_league(4), a_league(4)
    order = order_now()
    assert set(order[:3]) == {late.pk, later.pk}
    assert order[:8].count(later.pk) >= 3


@pytest.mark.thorough
@pytest.mark.django_db
def test_a_restart_keeps_its_place() -> None:
    a_league(4)
    worker = a.a_worker()
    before = [match.pk for match in Match.objects.order_by("priority", "id")]
    rows = play.in_full(Match.objects.all())
    batch = claims.claim(play.queue(), rows=rows, worker=worker, limit=3, on_claim=lambda _rows: None)
    for row in batch.rows:
        assert claims.put_back(row, worker=worker.name, reason="worker.lost: away", is_fault=True) == "queued"
    assert [match.pk for match in Match.objects.filter(state="queued").order_by("priority", "id")] == before


@pytest.mark.slow
@pytest.mark.django_db
def test_what_rested_joins_the_queue_where_it_is_now() -> None:
    rested, busy = a_league(5), a_league(10)
    pause_tournament(tournament=rested, by=rested.created_by)
    finish_first(30)
    new = a_league(4)
    assert set(order_now()[:3]) == {busy.pk, new.pk}, "what rests does not hold the queue back"
    resume_tournament(tournament=rested, by=rested.created_by)
    order = order_now()
    assert set(order[:6]) == {busy.pk, new.pk, rested.pk}
    own = Match.objects.filter(stage__tournament=rested).order_by("priority", "id")
    assert list(own.values_list("round__number", flat=True)) == sorted(own.values_list("round__number", flat=True))
    pause_tournament(tournament=rested, by=rested.created_by)
    numbers = list(own.values_list("priority", flat=True))
    resume_tournament(tournament=rested, by=rested.created_by)
    assert list(own.values_list("priority", flat=True)) == numbers


@pytest.mark.thorough
@pytest.mark.django_db
def test_the_cost_is_measured_by_ruleset_seats_and_clock() -> None:
    event = a_league(5)
    stage = event.stages.get()
    assert priorities.estimated_ms(stage, 2, 3) == priorities.GUESS_MS * 6
    finish_first(5, ms=400)
    assert priorities.estimated_ms(stage, 2, 3) == 400
    assert priorities.estimated_ms(stage, 3, 3) == priorities.GUESS_MS * 9
    other = a_league(2)
    assert Match.objects.get(stage__tournament=other).priority == priorities.served_now() + 400
    slow = a_league(2, clock="slow").stages.get()
    Stage.objects.filter(pk=slow.pk).update(clock="standard")  # the name alone does not make it the same clock
    assert priorities.estimated_ms(Stage.objects.get(pk=slow.pk), 2, 1) == priorities.GUESS_MS * 2


@pytest.mark.django_db
def test_uploaders_take_turns_and_go_before_every_match() -> None:
    busy, late = a.a_user(), a.a_user()
    for n in range(4):
        upload_version(owner=busy, filename="bot.py", data=a.FIRST, name=f"Busy {n}")
    upload_version(owner=late, filename="bot.py", data=a.FIRST, name="Late")
    owners = list(Check.objects.order_by("priority", "id").values_list("version__bot__owner", flat=True))
    assert owners == [busy.pk, busy.pk, late.pk, busy.pk, busy.pk]


@pytest.mark.django_db
def test_one_check_of_an_owner_is_tried_at_a_time() -> None:
    """However many somebody sends, and however long each takes: they keep one worker, the others play on."""

    def claim() -> list[int]:
        rows = Check.objects.select_related("version__bot")
        batch = claims.claim(checks.queue(), rows=rows, worker=a.a_worker(), limit=1, on_claim=lambda _rows: None)
        return [row.version.bot.owner_id for row in batch.rows]

    busy, late = a.a_user(), a.a_user()
    for n in range(3):
        upload_version(owner=busy, filename="bot.py", data=a.FIRST, name=f"Busy {n}")
    upload_version(owner=late, filename="bot.py", data=a.FIRST, name="Late")
    assert [claim(), claim(), claim()] == [[busy.pk], [late.pk], []]
    assert checks.waiting() == 0
    Check.objects.filter(state="claimed", version__bot__owner=busy).update(state="done")
    assert claim() == [busy.pk]
