"""Legs of one deal set are played apart: never two at once, and not one right after the other."""

from __future__ import annotations

import time
from datetime import timedelta

import pytest
from django.utils import timezone

from bots.jobs import claims
from bots.jobs.process import Process
from tests.builders import events as a
from tournaments.matches import play
from tournaments.models import Match, Tournament

pytestmark = pytest.mark.django_db(transaction=True)


def a_league(bots: int = 2) -> Tournament:
    """Let everybody meet everybody once, with the same cards from each seat."""
    return a.a_running_event(bots=bots, legs="cyclic")


def claimed_now() -> list[tuple[int, int]]:
    """Deal set and leg of what a worker would have."""
    rows = play.in_full(Match.objects.all())
    batch = claims.claim(play.queue(), rows=rows, worker=a.a_worker(), limit=64, on_claim=lambda _rows: None)
    return [(row.deal_set_id or 0, row.leg) for row in batch.rows]


@pytest.mark.thorough
def test_a_worker_gets_one_leg_of_each_deal_set_and_nobody_another() -> None:
    a_league(bots=4)
    assert Match.objects.filter(state="queued").count() == 12
    first = claimed_now()
    assert [leg for _set, leg in first] == [1] * 6
    assert len({deal_set for deal_set, _leg in first}) == 6
    assert claimed_now() == []
    assert play.waiting() == 0


def test_the_next_leg_may_be_played_once_the_one_before_is_over_or_held() -> None:
    a_league(bots=3)
    (over, _), (held, _), (given_back, _) = claimed_now()
    for deal_set, state in ((over, "confirmed"), (held, "quarantined"), (given_back, "queued")):
        Match.objects.filter(deal_set=deal_set, leg=1).update(state=state, lease=None)
    assert sorted(claimed_now()) == sorted([(over, 2), (held, 2), (given_back, 1)])


@pytest.mark.slow
def test_other_matches_come_between_two_legs(process: Process, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play, "APART", timedelta(hours=1))  # however busy this machine is
    a_league()
    a.a_running_event(bots=3)
    for _each in range(4):
        process.seconds = 100.0  # so a batch is one match
        assert play.play_batch(process) == 1
    played = Match.objects.filter(state="confirmed").order_by("finished_at")
    assert [match.leg for match in played] == [1, 1, 1, 1]
    assert play.play_batch(process) == 1
    assert Match.objects.filter(state="confirmed", leg=2).count() == 1


@pytest.mark.thorough
def test_where_nothing_else_waits_a_leg_begins_after_a_while_that_nobody_knows(
    process: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(play, "PAUSE_S", (0.25, 0.3))
    a_league()
    assert play.play_batch(process) == 1
    before = time.monotonic()
    assert play.play_batch(process) == 1
    assert time.monotonic() - before >= 0.25
    assert not Match.objects.exclude(state="confirmed").exists()


def test_a_leg_that_was_played_long_ago_holds_nothing_up() -> None:
    a_league()
    Match.objects.filter(leg=1).update(state="confirmed", finished_at=timezone.now())
    assert not play._apart().filter(state="queued").exists()
    Match.objects.filter(leg=1).update(finished_at=timezone.now() - play.APART - timedelta(seconds=1))
    assert play._apart().filter(state="queued").count() == 1
