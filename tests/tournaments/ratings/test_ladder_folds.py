"""Ratings in rows are a fold of the results, at any time, in any process, after any rollback."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from random import Random
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from activity.journal import publish
from tests.builders import events as a
from tests.builders.ladders import a_ladder, differences, stage_of
from tournaments.domain_events.matches import MatchConfirmed
from tournaments.models import Match, Rating, RatingEvent, RatingPool, Seat, Stage, Standing, Tournament
from tournaments.progress import derive
from tournaments.progress.draws import ladders
from tournaments.ratings import fold as rating
from tournaments.ratings import inputs as rating_inputs
from tournaments.ratings import pools
from tournaments.ratings.ladders import ladder

pytestmark = pytest.mark.django_db(transaction=True)
CHECKS = (HealthCheck.function_scoped_fixture,)
FEW = settings(max_examples=8, deadline=None, suppress_health_check=CHECKS)


def end(match: Match, rng: Random) -> None:
    """A result of a match, as recording leaves it for those who fold."""
    places = rng.choice([(1, 2), (2, 1), (1, 1)])
    for seat, place in zip(match.seats.order_by("index"), places, strict=True):
        points = 0 if places == (1, 1) else 30 - 20 * place
        Seat.objects.filter(pk=seat.pk).update(
            raw_points=points, points=points, raw_victories=0, victories=0, place=place, outcome="played"
        )
    with transaction.atomic():
        Match.objects.filter(pk=match.pk).update(state=Match.State.CONFIRMED, finished_at=timezone.now(), lease=None)
        publish(MatchConfirmed(match.stage.tournament.channel, match=str(match.uuid)))


def a_long_ladder(bots: int = 5) -> Tournament:
    return a_ladder(bots=bots, rounds=0, ends_at=timezone.now() + timedelta(days=1))


def open_of(event: Tournament) -> list[Match]:
    rows = Match.objects.filter(stage__tournament=event, state=Match.State.QUEUED).select_related("stage__tournament")
    return list(rows.order_by("pk"))


def figures(stage: Stage) -> list[Any]:
    columns = ("line", "n", "mu", "sigma", "settled_mu", "settled_sigma", "events", "pending")
    return list(Rating.objects.filter(pool__stage=stage).order_by("line", "n").values_list(*columns))


@pytest.mark.slow
@FEW
@given(st.randoms(use_true_random=False), st.lists(st.integers(1, 6), min_size=1, max_size=6))
def test_equal_to_a_fold_of_everything_in_any_order_of_ending(rng: Random, batches: list[int]) -> None:
    event = a_long_ladder()
    stage = stage_of(event)
    for size in batches:
        waiting = open_of(event)
        for match in rng.sample(waiting, min(size, len(waiting))):
            end(match, rng)
        derive.derive_waiting()
        assert differences(stage) == []
    for match in open_of(event):
        end(match, rng)
    derive.derive_waiting()
    before = figures(stage)
    rating.rebuild(ladder.pool_of(stage))
    assert figures(stage) == before
    assert not Rating.objects.filter(pool__stage=stage, pending__gt=0).exists()


@pytest.mark.thorough
def test_what_ends_before_its_commit_is_done_by_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    """Killed after the fold was written and before anything was committed: nothing is lost, nothing counts twice."""
    event, rng = a_long_ladder(), Random(1)
    stage = stage_of(event)
    for match in open_of(event)[:6]:
        end(match, rng)
    stored = ladder.store

    def die(*_args: Any) -> bool:
        stored(stage, ladder.lines_of(stage))
        raise MemoryError

    with monkeypatch.context() as patch:
        patch.setattr(ladder, "store", die)
        with pytest.raises(MemoryError):
            derive.derive_waiting()
    assert not RatingEvent.objects.filter(pool__stage=stage).exists()
    derive.derive_waiting()
    assert ladder.pool_of(stage).seq == 6
    assert differences(stage) == []


@pytest.mark.slow
def test_processes_that_fold_at_once_count_each_result_once() -> None:
    event, rng = a_long_ladder(bots=6), Random(2)
    stage = stage_of(event)

    def work(_each: int) -> None:
        try:
            derive.derive_waiting()
            pools.fold_stale()
            ladders.go_on_all()
        finally:
            connection.close()

    for _round in range(3):
        for match in open_of(event)[::2]:
            end(match, rng)
        with ThreadPoolExecutor(3) as pool:
            list(pool.map(work, range(3)))
    for match in open_of(event):
        end(match, rng)
    derive.derive_waiting()
    assert differences(stage) == []
    board = RatingPool.objects.get(stage=None)
    RatingPool.objects.filter(pk=board.pk).update(folded_at=None)
    pools.fold_stale()
    board.refresh_from_db()
    assert board.seq == ladder.pool_of(stage).seq
    assert rating.differences(board) == []


@pytest.mark.thorough
def test_what_is_wrong_in_the_rows_is_found_and_put_right() -> None:
    event, rng = a_long_ladder(), Random(3)
    stage = stage_of(event)
    for match in open_of(event):
        end(match, rng)
    derive.derive_waiting()
    pools.fold_stale()
    call_command("refold", "--check")
    call_command("rebuild_ratings", "--check")
    right = figures(stage)
    Rating.objects.update(mu=1.0)
    Standing.objects.filter(stage=stage, row=1).update(rank=3)
    for name in ("refold", "rebuild_ratings"):
        with pytest.raises(CommandError):
            call_command(name, "--check")
        with pytest.raises(CommandError):
            call_command(name)
        call_command(name, "--check")
    assert figures(stage) == right


@pytest.mark.slow
def test_a_deal_set_that_holds_up_a_board_for_long_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """A paused event does not make everybody else provisional; once its match is over all is as if it had waited."""
    monkeypatch.setattr(rating_inputs, "WAITED_FOR", 4)
    event, rng = a_long_ladder(), Random(4)
    slow, *others = open_of(event)
    for match in others:
        end(match, rng)
    derive.derive_waiting()
    pools.fold_stale()
    board = RatingPool.objects.get(stage=None)
    assert board.seq == len(others)
    end(slow, rng)
    derive.derive_waiting()
    RatingPool.objects.update(folded_at=None)
    pools.fold_stale()
    board.refresh_from_db()
    assert board.seq == len(others) + 1
    assert rating.differences(board) == []


@pytest.mark.thorough
def test_private_events_are_on_no_board() -> None:
    event, rng = a_ladder(bots=3, rounds=2, visibility="private"), Random(5)
    for match in open_of(event):
        end(match, rng)
    derive.derive_waiting()
    assert not RatingPool.objects.filter(stage=None).exists()
    assert a.matches_of(event)
