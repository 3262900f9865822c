"""The books a process keeps between folds: after any act in between they agree with a full recalculation."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from bots.jobs.process import Process
from bots.models import Outbox
from tests.builders import events as a
from tournaments.lifecycle.transitions import act
from tournaments.matches import play
from tournaments.models import Adjustment, Match, Stage, StageEntry, Standing, Tournament
from tournaments.operations import purge
from tournaments.progress import derive
from tournaments.standings import ledger_cache, store

pytestmark = pytest.mark.django_db(transaction=True)


class Undone(Exception):
    """A transaction that is to leave nothing behind."""


@pytest.fixture(autouse=True)
def no_books() -> Iterator[None]:
    ledger_cache._cache.clear()
    yield
    ledger_cache._cache.clear()


def play_one(process: Process) -> int:
    process.seconds = 5.0  # as long as a batch may last
    return play.play_batch(process)


def penalty(rng: Random, event: Tournament) -> None:
    entry = rng.choice(list(StageEntry.objects.all()))
    Adjustment.objects.create(stage_entry=entry, units="-50", reason="late", by=event.created_by)


def pardon(rng: Random, event: Tournament) -> None:
    Adjustment.objects.update(revoked_by=event.created_by)


def void(rng: Random, event: Tournament) -> None:
    waiting = list(Match.objects.filter(state=Match.State.QUEUED))
    if waiting:
        act(rng.choice(waiting), "void", event.created_by)


def lose_rows(rng: Random, event: Tournament) -> None:
    Outbox.objects.exclude(sent_at=None).delete()


def lose_standings(rng: Random, event: Tournament) -> None:
    Standing.objects.filter(after_round=rng.choice((0, 1, 2))).delete()


def fail(rng: Random, event: Tournament) -> None:
    with pytest.raises(Undone), transaction.atomic():
        derive.derive(event.channel)
        raise Undone


EVENTS: Any = (penalty, pardon, void, lose_rows, lose_standings, fail)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_whatever_happens_books_come_to_what_a_fold_of_everything_does(process: Process, seed: int) -> None:
    """Two processes fold by turns, each with books of its own that miss what the other one did."""
    rng = Random(seed)
    event = a.a_running_event(bots=5, legs="cyclic", scoring="round_victory", tie_breaks=("h2h", "bh", "sb", "seed"))
    stage = Stage.objects.get()
    shelves: list[dict[Any, Any]] = [{}, {}]
    while True:
        process.seconds = ledger_cache.MAX_LEDGERS / rng.randint(4, 12)
        played = play.play_batch(process)
        if Stage.objects.filter(pk=stage.pk, state=Stage.State.ACTIVE).exists():  # a closed one is not folded again
            rng.choice(EVENTS)(rng, event)
        shelf = rng.choice(shelves)
        ledger_cache._cache.clear()
        ledger_cache._cache.update(shelf)
        derive.derive_waiting()
        shelf.clear()
        shelf.update(ledger_cache._cache)
        if not played:
            break
    derive.refresh(Tournament.objects.get())
    assert store.differences(stage) == []
    assert Tournament.objects.get().state == "finished"


@pytest.mark.slow
def test_a_late_fold_costs_what_an_early_one_does(process: Process) -> None:
    """The last results of a league take as many statements as the first ones."""
    a.a_running_event(bots=4, rounds=6)
    counts = []
    while play_one(process):
        with CaptureQueriesContext(connection) as queries:
            derive.derive_waiting()
        counts.append(len(queries))
    assert len(counts) == 36
    assert max(counts[10:-2]) <= max(counts[2:10])


@pytest.mark.slow
def test_only_rows_that_differ_are_written(process: Process) -> None:
    a.a_running_event(bots=7)
    kept: list[int] = []
    before: dict[int, int] = {}
    while play_one(process):
        derive.derive_waiting()
        after = dict(Standing.objects.filter(after_round=0).values_list("entry", "pk"))
        kept.append(sum(before.get(entry) == pk for entry, pk in after.items()))
        before = after
        assert len(set(Standing.objects.filter(after_round=0).values_list("input_hash", flat=True))) == 1
    assert max(kept) >= 3
    assert store.differences(Stage.objects.get()) == []


@pytest.mark.thorough
def test_told_rows_are_dropped_in_time_and_untold_ones_never(process: Process, settings: Any) -> None:
    a.a_running_event(bots=3)
    play.play_batch(process)
    untold = Outbox.objects.filter(sent_at=None).count()
    assert untold
    settings.OUTBOX_KEPT_S = 0
    purge.tidy()
    assert Outbox.objects.filter(sent_at=None).count() == untold
    derive.derive_waiting()
    purge.tidy()
    assert not Outbox.objects.exclude(sent_at=None).exists()
    assert store.differences(Stage.objects.get()) == []
