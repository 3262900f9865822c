"""Chains of stages: pools, who goes on with which seed, what is carried, and the next stage without hands."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from activity import wake_ups
from bots.jobs import claims
from bots.jobs.process import Process
from bots.models import AuditEvent, BotVersion
from core.errors import TournamentError
from core.formats import progression as pure
from core.interchange import trf
from core.standings.figures import Carry, carried
from engine.deck import commitment
from tests.builders import events as a
from tests.tournaments.matches.test_playing import played_by_hand
from tournaments import tasks
from tournaments.interchange import reports
from tournaments.lifecycle.event_plan import AdvancementPlan, StagePlan
from tournaments.matches import play
from tournaments.matches.records.record import Recorded, record_result
from tournaments.models import Entry, Group, Match, Round, Stage, StageEntry, Standing, Tournament
from tournaments.operations import sweep
from tournaments.pairing import inputs, plans
from tournaments.progress import derive, stages
from tournaments.progress.draws import next_round
from tournaments.progress.run import pause_tournament, resume_tournament
from tournaments.progress.stage_actions import draw_stage
from tournaments.standings import store

pytestmark = pytest.mark.django_db(transaction=True)
GREEDY = b"def choose(obs):\n    return len(obs['legal']) - 1\n"
KNOCK_OUT = StagePlan(kind="single_elim", name="Knock-out")
POOLS: dict[str, Any] = {
    "kind": "round_robin",
    "stage_name": "Pools",
    "groups": 4,
    "min_entries": 16,
    "max_entries": 16,
    "then": (KNOCK_OUT,),
    "ways": (AdvancementPlan(source=1, target=2, last=2),),
}
SMALL: dict[str, Any] = {**POOLS, "groups": 2, "min_entries": 6, "max_entries": 8}


def play_on(process: Process) -> None:
    """Work as workers do at their wake-ups, until nothing waits."""
    while True:
        process.seconds = 0.1
        played = play.play_batch(process)
        derive.derive_waiting()
        if not next_round.advance_waiting() and not stages.begin_waiting() and not played:
            return


def play_the_first_stage(process: Process) -> Stage:
    """Until it is closed. Returns the stage that waits."""
    process.seconds = 0.1
    while play.play_batch(process):
        derive.derive_waiting()
        next_round.advance_waiting()
    return Stage.objects.select_related("tournament", "ruleset").get(order=2)


def met(stage: Stage, number: int) -> list[set[int]]:
    """Return the entries that sat together in a round, by entry."""
    tables = Match.objects.filter(stage=stage, round__number=number, leg=1).order_by("table_no")
    return [{seat.entry_id or 0 for seat in match.seats.all()} for match in tables.prefetch_related("seats")]


@pytest.mark.slow
def test_four_pools_of_four_and_a_knock_out_of_eight(process: Process) -> None:
    event = a.a_running_event(sources=[a.FIRST, GREEDY] * 8, options={"rounds": 1}, **POOLS)
    pools, final = Stage.objects.order_by("order")
    assert [stage.state for stage in (pools, final)] == ["active", "planned"]
    assert commitment(bytes(final.secret or b"")) == final.commitment != pools.commitment
    assert [group.label for group in Group.objects.order_by("number")] == ["A", "B", "C", "D"]
    sizes = Counter(StageEntry.objects.filter(stage=pools).values_list("group__label", flat=True))
    assert set(sizes.values()) == {4}
    for number in (1, 2, 3):
        tables = list(Match.objects.filter(round__number=number, leg=1).values_list("table_no", flat=True))
        assert sorted(table or 0 for table in tables) == list(range(1, 9))

    play_on(process)
    event.refresh_from_db()
    pools, final = Stage.objects.order_by("order")
    assert (event.state, pools.state, final.state) == ("finished", "closed", "closed")
    assert pools.revealed_at is not None
    assert final.revealed_at is not None
    assert Match.objects.filter(stage=pools).count() == 24
    assert Match.objects.filter(stage=final, extra=0).count() == 7
    assert store.differences(pools) == store.differences(final) == []
    groups = dict(StageEntry.objects.filter(stage=pools).values_list("entry", "group__label"))
    for label in "ABCD":
        ranks = [
            row.rank for row in Standing.objects.filter(stage=pools, after_round=0) if groups[row.entry_id] == label
        ]
        assert min(ranks) == 1
        assert len(ranks) == 4
    came = list(StageEntry.objects.filter(stage=final).order_by("seed"))
    assert [row.seed for row in came] == list(range(1, 9))
    assert [row.came_place for row in came] == [1] * 4 + [2] * 4
    assert all(len({groups[entry] for entry in table}) == 2 for table in met(final, 1))
    assert Standing.objects.filter(stage=final, after_round=0).count() == 8
    assert len(trf.read(reports.trf_of(pools)).players) == 16


@pytest.mark.thorough
def test_who_meets_whom_in_pools_stays_in_them(process: Process) -> None:
    a.a_running_event(bots=7, **SMALL)
    stage = Stage.objects.get(order=1)
    groups = dict(StageEntry.objects.filter(stage=stage).values_list("entry", "group"))
    for number in Round.objects.filter(stage=stage).values_list("number", flat=True):
        assert all(len({groups[entry] for entry in table}) == 1 for table in met(stage, number))
    assert sorted(Counter(groups.values()).values()) == [3, 4]
    assert Match.objects.filter(stage=stage).count() == 3 + 6


CHAINS: Any = (
    {"kind": "swiss", "rounds": 2, "groups": 2},
    {"kind": "single_elim", "groups": 2, "then": (StagePlan(kind="round_robin"),)},
    {"kind": "lives", "rounds": 2, "groups": 2},
    {"kind": "round_robin", "groups": 3, "then": (StagePlan(kind="round_robin", groups=2),)},
    {"kind": "round_robin", "groups": 3, "ways": (AdvancementPlan(source=1, target=2, last=2, most=5),)},
    {"kind": "dutch", "rounds": 2, "groups": 1, "ways": (AdvancementPlan(source=1, target=2, last=4, by="draw"),)},
)


@pytest.mark.slow
@pytest.mark.parametrize("changes", CHAINS, ids=lambda value: value["kind"])
def test_chains_of_every_sort_come_to_their_end(process: Process, changes: dict[str, Any]) -> None:
    wanted = {**SMALL, "min_entries": 7, "name": "A chain", **changes}
    a.a_running_event(sources=[a.FIRST, GREEDY, a.FIRST] * 2 + [GREEDY], **wanted)
    play_on(process)
    assert Tournament.objects.get().state == "finished"
    assert set(Stage.objects.values_list("state", flat=True)) == {"closed"}
    for stage in Stage.objects.all():
        assert store.differences(stage) == []
    assert set(Match.objects.values_list("state", flat=True)) == {"confirmed"}


@pytest.mark.thorough
def test_lots_are_the_last_to_decide_and_it_is_written_down() -> None:
    event = a.an_event_whose_next_stage_waits()
    assert {row.rank for row in Standing.objects.filter(after_round=0)} == {1}
    assert stages.begin_waiting() == 0, "it waits for the organiser"
    final = draw_stage(tournament=event, by=event.created_by, order=2)
    came = list(StageEntry.objects.filter(stage=final).order_by("seed").select_related("entry"))
    assert [(row.seed, row.came_place, row.by_lots) for row in came] == [(1, 1, True), (2, 2, True)]
    lots = plans.rng_seed(final, bytes(final.mix or b""))
    names = [str(uuid) for uuid in Entry.objects.values_list("uuid", flat=True)]
    rows = [pure.Finisher(name, 1, "01/000") for name in names]
    found = pure.select(rows, pure.Progression("1", "2", 1, 2), lots=lots)
    assert [str(row.entry.uuid) for row in came] == [item.entry for item in found.seeded]
    told = AuditEvent.objects.filter(verb="stage.seed").order_by("-id")[0]
    assert told.actor == event.created_by
    assert set(told.after["by_lots"]) == {item.entry for item in found.seeded}


@pytest.mark.thorough
def test_a_stage_is_drawn_once_by_those_who_may() -> None:
    event = a.an_event_whose_next_stage_waits()
    for by, order, code in (
        (a.a_user(), 2, "tournament.not_organiser"),
        (event.created_by, 3, "stage.unknown"),
        (event.created_by, 1, "stage.already_drawn"),
    ):
        with pytest.raises(TournamentError) as refused:
            draw_stage(tournament=event, by=by, order=order)
        assert refused.value.code == code
    pause_tournament(tournament=event, by=event.created_by)
    with pytest.raises(TournamentError) as refused:
        draw_stage(tournament=event, by=event.created_by, order=2)
    assert refused.value.code == "stage.not_waiting"
    resume_tournament(tournament=event, by=event.created_by)
    draw_stage(tournament=event, by=event.created_by, order=2)
    with pytest.raises(TournamentError) as refused:
        draw_stage(tournament=event, by=event.created_by, order=2)
    assert refused.value.code == "stage.already_drawn"
    assert Match.objects.filter(stage__order=2).count() == 1


def without_hands(**changes: Any) -> Stage:
    """A stage that waits for nobody, after one without results."""
    then = StagePlan(kind="round_robin")
    a.an_event_whose_next_stage_waits(then=(then,), **changes)
    return Stage.objects.select_related("tournament", "ruleset").get(order=2)


def rows_of_the_next_stage() -> tuple[int, ...]:
    models = (StageEntry, Group, Round, Match)
    return tuple(model._default_manager.filter(stage__order=2).count() for model in models)


@pytest.mark.thorough
def test_a_process_that_dies_in_the_middle_leaves_nothing_and_the_next_one_begins(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stage = without_hands()
    assert sweep.sweep().notified >= 1, "a lost wake-up is repeated"
    with monkeypatch.context() as patch:
        patch.setattr(wake_ups, "notify_on_commit", _die)
        with pytest.raises(Died):
            stages.begin_waiting()
    stage.refresh_from_db()
    assert (stage.state, stage.mix, rows_of_the_next_stage()) == ("planned", None, (0, 0, 0, 0))
    assert stages.begin_waiting() == 1
    stage.refresh_from_db()
    assert (stage.state, rows_of_the_next_stage()) == ("active", (2, 0, 1, 1))
    assert stages.begin_waiting() == 0
    assert not stages.waiting().exists()


@pytest.mark.thorough
def test_one_bell_goes_through_stages_to_which_nobody_comes() -> None:
    """Two stages on, all but one benched: the worker's wake-up ends the event, and no stage stays behind."""
    then = (StagePlan(kind="round_robin"), StagePlan(kind="single_elim"))
    a.an_event_whose_next_stage_waits(
        then=then, ways=(AdvancementPlan(source=1, target=2, last=3), AdvancementPlan(source=2, target=3, last=2))
    )
    kept = BotVersion.objects.order_by("pk")[0]
    BotVersion.objects.exclude(pk=kept.pk).update(benched_at=timezone.now())
    tasks.derive()
    assert list(Stage.objects.order_by("order").values_list("state", flat=True)) == ["closed"] * 3
    assert Tournament.objects.get().state == "finished"


class Died(Exception):
    """A process that was killed."""


def _die(*_args: object, **_rest: object) -> None:
    raise Died


@pytest.mark.thorough
def test_many_processes_that_begin_a_stage_at_once_write_it_once() -> None:
    without_hands()

    def begin(_each: int) -> int:
        try:
            return stages.begin_waiting()
        finally:
            connection.close()

    with ThreadPoolExecutor(5) as pool:
        assert sum(pool.map(begin, range(5))) == 1
    assert rows_of_the_next_stage() == (2, 0, 1, 1)
    assert AuditEvent.objects.filter(verb="stage.activate").count() == 2


def test_who_has_left_or_is_benched_does_not_go_on_and_the_next_one_moves_up() -> None:
    stage = without_hands()
    first = Entry.objects.get(uuid=stages.going_on(stage).comers[0].entry)
    first.state = Entry.State.WITHDRAWN
    first.save()
    stages.begin(stage)
    came = set(StageEntry.objects.filter(stage=stage).values_list("entry", flat=True))
    assert came == set(Entry.objects.exclude(pk=first.pk).values_list("pk", flat=True))


@pytest.mark.thorough
def test_a_stage_to_which_too_few_come_ends_at_once(transactional_db: None) -> None:
    stage = without_hands()
    BotVersion.objects.filter(pk__in=list(BotVersion.objects.values_list("pk", flat=True))[:2]).update(
        benched_at=timezone.now()
    )
    assert stages.begin_waiting() == 1
    stage.refresh_from_db()
    assert (stage.state, stage.revealed_at is not None) == ("closed", True)
    assert Tournament.objects.get().state == "finished"
    assert [row.rank for row in Standing.objects.filter(stage=stage)] == [1]


@pytest.mark.thorough
def test_lost_tables_are_folded_again_before_anybody_goes_on() -> None:
    stage = without_hands()
    Standing.objects.all().delete()
    assert stages.begin_waiting() == 1
    assert StageEntry.objects.filter(stage=stage).count() == 2


@pytest.mark.thorough
@pytest.mark.parametrize(
    "rule", [pytest.param(rule, marks=() if rule is Carry.HALF else pytest.mark.slow) for rule in Carry]
)
def test_what_is_carried_is_what_the_pure_core_says(process: Process, rule: Carry) -> None:
    """A late result of an attempt that is over changes neither the closed stage nor the next one."""
    way = AdvancementPlan(source=1, target=2, last=3, carry=rule.value)
    then = StagePlan(kind="round_robin", tie_breaks=("seed",))
    wanted: dict[str, Any] = {"min_entries": 3, "ways": (way,), "then": (then,), "options": {"rounds": 2}}
    a.a_running_event(sources=[a.FIRST, GREEDY, a.FIRST], **wanted)
    match, spec, played = played_by_hand(process)
    claims.put_back(match, worker="x", reason="worker.lost", is_fault=True)
    stage = play_the_first_stage(process)
    table = store.fold_stage(Stage.objects.get(order=1))
    assert stages.begin_waiting() == 1
    assert record_result(match, spec, played) is Recorded.STALE
    brought = {item.entry: item for item in inputs.adjustments(stage)}
    for row in table.rows:
        points, victories = (row.value(name) for name in ("points", "victories"))
        assert isinstance(points, Fraction)
        assert isinstance(victories, Fraction)
        whole = carried(row.entry, rule, points=points, victories=victories)
        own = brought.get(row.entry)
        got = (own.points, own.victories, own.place) if own else (0, 0, 0)
        assert got == (whole.points, whole.victories, whole.place)
    play_on(process)
    assert Tournament.objects.get().state == "finished"
    assert store.differences(stage) == []
