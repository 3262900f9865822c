"""Stages whose next round follows from results: drawn, published and played to their end without hands."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection
from django.db.models import Count, Q

from bots.jobs.process import Process
from core.errors import TournamentError
from tests.builders import events as a
from tournaments.matches import play
from tournaments.models import Entry, Match, Round, Seat, Stage, Standing, Tournament
from tournaments.operations import sweep
from tournaments.operations.quarantine import void_match
from tournaments.progress import derive
from tournaments.progress.draws import next_round
from tournaments.progress.run import pause_tournament, resume_tournament
from tournaments.standings import store

pytestmark = pytest.mark.django_db(transaction=True)
GREEDY = b"def choose(obs):\n    return len(obs['legal']) - 1\n"


def play_on(process: Process) -> None:
    """Work as workers do at their wake-ups, until nothing waits."""
    while True:
        process.seconds = 0.1
        played = play.play_batch(process)
        derive.derive_waiting()
        if not next_round.advance_waiting() and not played:
            return


def meetings(stage: Stage, until: int = 99) -> Counter[frozenset[int]]:
    met: Counter[frozenset[int]] = Counter()
    rows = Match.objects.filter(stage=stage, leg=1, extra=0, round__number__lte=until)
    for match in rows.prefetch_related("seats"):
        at_table = sorted({seat.entry_id or 0 for seat in match.seats.all()})
        met.update(frozenset((one, other)) for one in at_table for other in at_table if one < other)
    return met


def lost(entry: Entry) -> int:
    return Seat.objects.filter(entry=entry, place__gt=1, match__state="confirmed", match__extra=0).count()


def level(entry: Entry) -> int:
    """Matches of equal points (about one in thirty here): no place tells who went on, extra deals did."""
    shared = Match.objects.filter(extra=0).alias(first=Count("seats", filter=Q(seats__place=1))).filter(first__gt=1)
    return Seat.objects.filter(entry=entry, match__in=shared).count()


CASES: Any = (
    ("swiss", 7, {"rounds": 3}, 3),
    ("single_elim", 5, {"third_place": True, "rounds": 1}, 3),
    ("single_elim", 9, {"rounds": 1, "seats": 3, "seats_min": 3, "seats_max": 3}, 2),
    pytest.param("dutch", 6, {"rounds": 3}, 3, marks=pytest.mark.slow),
    pytest.param("pods", 9, {"rounds": 3, "seats": 3}, 3, marks=pytest.mark.slow),
    pytest.param("double_elim", 4, {"rounds": 1}, None, marks=pytest.mark.slow),
    pytest.param("lives", 6, {"rounds": 2, "seats": 3}, None, marks=pytest.mark.slow),
)
"""Rounds drawn from results and a bracket here; the slow run has every format."""


@pytest.mark.thorough
@pytest.mark.parametrize(("kind", "bots", "changes", "rounds"), CASES, ids=lambda value: str(value)[:24])
def test_a_stage_goes_on_by_its_results_to_its_end(
    process: Process, kind: str, bots: int, changes: dict[str, Any], rounds: int | None
) -> None:
    event = a.a_running_event(bots=bots, kind=kind, **changes)
    assert Round.objects.count() == 1
    play_on(process)
    event.refresh_from_db()
    stage = Stage.objects.get()
    assert (event.state, stage.state) == ("finished", "closed")
    assert rounds in (None, Round.objects.count())
    assert set(Round.objects.values_list("state", flat=True)) == {"locked"}
    assert set(Match.objects.values_list("state", flat=True)) == {"confirmed"}
    assert set(Match.objects.values_list("attempt", flat=True)) == {1}
    assert Standing.objects.filter(after_round=0).count() == bots
    assert store.differences(stage) == []
    if kind in ("swiss", "dutch", "pods"):
        until = Round.objects.count() - (kind == "pods")  # in the last one the leaders sit together, come what may
        assert max(meetings(stage, until).values()) == 1


@pytest.mark.slow
def test_in_a_bracket_who_goes_out_later_ranks_higher(process: Process) -> None:
    a.a_running_event(sources=[a.FIRST, GREEDY] * 4, kind="single_elim", options={"rounds": 3})
    play_on(process)
    table = list(Standing.objects.filter(after_round=0).order_by("row").select_related("entry"))
    assert [row.rank for row in table][:2] == [1, 2]
    assert [row.explanation[0]["value"] for row in table] == ["1", "2", "3", "3", "5", "5", "5", "5"]
    assert [row.entry.seats.filter(match__extra=0).count() for row in table] == [3, 3, 2, 2, 1, 1, 1, 1]
    assert lost(table[0].entry) == 0
    assert all(lost(row.entry) <= 1 <= lost(row.entry) + level(row.entry) for row in table[1:])


@pytest.mark.slow
def test_twice_out_of_a_double_elimination(process: Process) -> None:
    a.a_running_event(sources=[a.FIRST, GREEDY, a.FIRST], kind="double_elim", options={"rounds": 3})
    play_on(process)
    table = list(Standing.objects.filter(after_round=0).order_by("row").select_related("entry"))
    assert Match.objects.filter(extra=0).count() in (4, 5)
    assert lost(table[0].entry) <= 1
    assert all(lost(row.entry) <= 2 <= lost(row.entry) + level(row.entry) for row in table[1:])


@pytest.mark.thorough
def test_an_event_of_lives_ends_even_if_every_match_is_cancelled(process: Process) -> None:
    event = a.a_running_event(bots=5, kind="lives", rounds=2)
    for _round in range(5):
        for match in Match.objects.filter(state="queued").order_by("pk"):
            void_match(match=match, by=event.created_by, reason="The hall burnt down.")
        derive.derive_waiting()
        next_round.advance_waiting()
    event.refresh_from_db()
    assert (event.state, Round.objects.count()) == ("finished", 2)
    assert set(Standing.objects.filter(after_round=0).values_list("rank", flat=True)) == {1}
    assert store.differences(Stage.objects.get()) == []


@pytest.mark.thorough
def test_nothing_is_drawn_while_an_event_is_paused(process: Process) -> None:
    event = a.a_running_event(bots=4, kind="swiss", rounds=2)
    process.seconds = 0.1
    assert play.play_batch(process) == 2
    event.refresh_from_db()
    pause_tournament(tournament=event, by=event.created_by)
    derive.derive_waiting()
    assert next_round.advance_waiting() == 0
    assert Round.objects.count() == 1
    resume_tournament(tournament=event, by=event.created_by)
    play_on(process)
    assert Tournament.objects.get().state == "finished"
    assert Round.objects.count() == 2


@pytest.mark.thorough
def test_many_processes_that_draw_at_once_write_one_round(process: Process) -> None:
    a.a_running_event(bots=6, kind="swiss", rounds=3)
    process.seconds = 0.1
    play.play_batch(process)
    derive.derive_waiting()

    def draw(_each: int) -> int:
        try:
            return next_round.advance_waiting()
        finally:
            connection.close()

    with ThreadPoolExecutor(5) as pool:
        assert sum(pool.map(draw, range(5))) == 1
    assert list(Round.objects.order_by("number").values_list("number", "state")) == [(1, "locked"), (2, "published")]
    assert Match.objects.filter(round__number=2, state="queued").count() == 3


@pytest.mark.thorough
def test_a_lost_bell_is_rung_again_by_the_sweep(process: Process) -> None:
    a.a_running_event(bots=4, kind="swiss", rounds=2)
    process.seconds = 0.1
    play.play_batch(process)
    derive.derive_waiting()
    before = sweep.sweep().notified
    next_round.advance_waiting()
    play_on(process)
    assert before >= 1
    assert not next_round.waiting().exists()


@pytest.mark.thorough
def test_who_has_left_or_is_benched_is_not_drawn_again(process: Process) -> None:
    a.a_running_event(bots=6, kind="swiss", rounds=2)
    gone = Entry.objects.order_by("pk")[0]
    process.seconds = 0.1
    play.play_batch(process)
    Entry.objects.filter(pk=gone.pk).update(state=Entry.State.WITHDRAWN)
    play_on(process)
    assert Seat.objects.filter(entry=gone).count() == 1
    assert Tournament.objects.get().state == "finished"


@pytest.mark.parametrize(
    "changes",
    [
        {"kind": "single_elim", "advance": 2},
        {"kind": "pods", "seats": 3, "third_place": True},
        {"kind": "swiss", "seats": 3},
        {"kind": "gauntlet"},
        {"kind": "swiss", "tie_breaks": ("placed",)},
    ],
    ids=str,
)
def test_what_cannot_be_is_refused_at_once(transactional_db: None, changes: dict[str, Any]) -> None:
    with pytest.raises(TournamentError) as refused:
        a.an_open_event(**changes)
    assert refused.value.code in {
        "tournament.bad_advance",
        "tournament.bad_third_place",
        "tournament.bad_seating",
        "tournament.bad_kind",
        "tournament.bad_tie_breaks",
    }
