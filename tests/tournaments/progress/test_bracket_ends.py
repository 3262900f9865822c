"""The stored table of a bracket: right after every draw, and at an end that somebody's absence decided."""

from __future__ import annotations

import pytest
from django.utils import timezone

from bots.jobs.process import Process
from bots.models import BotVersion
from tests.builders import events as a
from tests.tournaments.progress.test_advancing import play_on
from tournaments.matches import play
from tournaments.models import Stage, Standing, Tournament
from tournaments.progress import derive
from tournaments.progress.draws import next_round
from tournaments.standings import store

pytestmark = pytest.mark.django_db(transaction=True)


def played(process: Process) -> int:
    """A whole round, folded and not gone on from."""
    process.seconds = 0.1
    tried = play.play_batch(process)
    derive.derive_waiting()
    return tried


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "bots"), [("single_elim", 6), ("double_elim", 5)])
def test_a_draw_leaves_the_table_of_a_bracket_right(process: Process, kind: str, bots: int) -> None:
    a.a_running_event(bots=bots, kind=kind, rounds=1)
    stage = Stage.objects.get()
    while played(process):
        assert store.differences(stage) == []
        next_round.advance_waiting()
        assert store.differences(stage) == []
    assert Tournament.objects.get().state == "finished"


@pytest.mark.slow
def test_who_is_benched_after_the_end_changes_no_table_of_it(process: Process) -> None:
    a.a_running_event(bots=6, kind="single_elim", rounds=1)
    play_on(process)
    for version in BotVersion.objects.all():
        BotVersion.objects.update(benched_at=None)
        BotVersion.objects.filter(pk=version.pk).update(benched_at=timezone.now())
        assert store.differences(Stage.objects.get()) == []


@pytest.mark.thorough
def test_a_finalist_who_is_benched_has_lost_the_final_for_good(process: Process) -> None:
    a.a_running_event(bots=4, kind="single_elim", rounds=1)
    stage = Stage.objects.get()
    while stage.rounds.filter(state="playing").exists() or not Standing.objects.filter(stage=stage).exists():
        played(process)  # a level match plays on
    table = Standing.objects.filter(stage=stage, after_round=0).order_by("entry__seed")
    benched, other = [row for row in table if row.explanation[0]["value"] == "1"]
    BotVersion.objects.filter(entries=benched.entry).update(benched_at=timezone.now())
    play_on(process)
    event = Tournament.objects.get()
    rows = list(Standing.objects.filter(stage=stage, after_round=0).order_by("row"))
    assert (event.state, [row.entry_id for row in rows[:2]]) == ("finished", [other.entry_id, benched.entry_id])
    assert store.differences(stage) == []
    BotVersion.objects.update(benched_at=None)
    assert store.differences(stage) == []
