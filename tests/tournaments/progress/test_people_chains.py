"""Chains of stages that people play: pools side by side, who goes on, the next stage drawn, called and signed."""

from __future__ import annotations

from typing import Any

import pytest

from tests.builders import events as a
from tests.builders.clubs import totals
from tests.tournaments.progress.test_people import refused, with_role
from tournaments.entries.people import add_list, check_in_all, withdraw_person
from tournaments.events.create import create_tournament
from tournaments.lifecycle.event_plan import AdvancementPlan, StagePlan
from tournaments.models import Entry, Match, Round, Seat, Stage, StageEntry, Standing, Tournament
from tournaments.progress import stages
from tournaments.progress.rounds import call_round, close_stage, preview_next, publish_next, waits_for_draw
from tournaments.progress.run import open_registration, pause_tournament, publish_tournament, start_tournament
from tournaments.progress.stage_actions import draw_stage
from tournaments.scores.actions import Actor, submit_result
from tournaments.standings import store

pytestmark = pytest.mark.django_db
M = Match.State
KNOCK_OUT = StagePlan(kind="single_elim", name="Knock-out")
POOLS: dict[str, Any] = {
    "kind": "round_robin",
    "stage_name": "Pools",
    "groups": 2,
    "min_entries": 6,
    "then": (KNOCK_OUT,),
    "ways": (AdvancementPlan(source=1, target=2, last=2),),
}


def a_night(*, people: int = 6, start: bool = True, listed: str = "", **changes: Any) -> Tournament:
    """An event of people in pools, everybody here, started."""
    by = a.a_user()
    event = create_tournament(by=by, plan=a.a_plan(**{"name": "Pools night", "who": "people", **POOLS, **changes}))
    publish_tournament(tournament=event, by=by)
    open_registration(tournament=event, by=by)
    names = listed or "\n".join(f"Player {number:03}" for number in range(1, people + 1))
    add_list(tournament=event, by=by, data=names.encode())
    check_in_all(tournament=event, by=by)
    if start:
        start_tournament(tournament=event, by=by)
    return event


def stage_no(event: Tournament, order: int) -> Stage:
    """One stage, read again."""
    return event.stages.select_related("tournament", "ruleset").get(order=order)


def strength(match: Match) -> list[int]:
    """By side: the entry's seed in the event; a smaller one wins."""
    seats = Seat.objects.filter(match=match).select_related("entry").order_by("index")
    return [seat.entry.seed or 0 for seat in seats if seat.entry is not None]


def by_strength(match: Match) -> tuple[int, int]:
    """Points that let the better seed win."""
    one, other = strength(match)
    return (130, 110) if one < other else (110, 130)


def enter_round(stage: Stage, number: int) -> None:
    """Call a round and enter every result of it."""
    by = stage.tournament.created_by
    row = Round.objects.select_related("stage__tournament").get(stage=stage, number=number)
    call_round(round_row=row, by=by)
    for match in Match.objects.filter(round=row).order_by("table_no"):
        submit_result(match=match, actor=Actor(user=by), claim=totals(*by_strength(match)))


def play(stage: Stage) -> None:
    """Every round of a stage, drawn and entered, up to its end."""
    by, number = stage.tournament.created_by, 1
    while True:
        enter_round(stage, number)
        number += 1
        if stage.rounds.count() < number:
            if not waits_for_draw(stage):
                return
            drawn = preview_next(stage=stage, by=by)
            if drawn.plan is None:
                return
            publish_next(stage=stage, by=by, seen=drawn.hash)


def play_and_close(event: Tournament, order: int) -> Stage:
    """A stage to its signature."""
    stage = stage_no(event, order)
    play(stage)
    close_stage(stage=stage, by=event.created_by)
    return stage_no(event, order)


CHAINS: Any = (
    {},
    {"then": (StagePlan(kind="double_elim", name="Final"),), "ways": (AdvancementPlan(source=1, target=2, last=2),)},
    {"kind": "swiss", "rounds": 2, "groups": 1, "ways": (AdvancementPlan(source=1, target=2, last=4, carry="none"),)},
    {
        "then": (StagePlan(kind="swiss", rounds=2, name="Top"),),
        "ways": (AdvancementPlan(source=1, target=2, last=3, most=5),),
    },
    {
        "then": (StagePlan(kind="lives", rounds=1, name="Lives"),),
        "ways": (AdvancementPlan(source=1, target=2, last=2),),
    },
)


MARKED: Any = [CHAINS[0], *(pytest.param(each, marks=pytest.mark.slow) for each in CHAINS[1:])]


@pytest.mark.thorough
@pytest.mark.parametrize("changes", MARKED, ids=lambda changes: str(changes.get("kind", ""))[:9])
def test_a_chain_of_people_from_the_first_call_to_the_last_signature(changes: dict[str, Any]) -> None:
    event = a_night(**changes)
    first = play_and_close(event, 1)
    event.refresh_from_db()
    assert (event.state, first.state, stage_no(event, 2).state) == ("running", "closed", "planned")
    assert first.revealed_at is not None
    draw_stage(tournament=event, by=event.created_by, order=2)
    second = stage_no(event, 2)
    assert second.state == Stage.State.ACTIVE
    assert Standing.objects.filter(stage=second, after_round=0).count() == second.stage_entries.count()
    play_and_close(event, 2)
    event.refresh_from_db()
    assert event.state == Tournament.State.FINISHED
    for stage in event.stages.select_related("tournament", "ruleset"):
        assert store.differences(stage) == []
    best = Standing.objects.filter(stage=second, after_round=0).order_by("row").select_related("entry")[0]
    assert best.entry.seed == 1


@pytest.mark.thorough
def test_no_stage_is_signed_early_twice_by_others_or_while_it_pauses() -> None:
    event = a_night()
    by, stage = event.created_by, stage_no(event, 1)
    with refused("stage.not_complete"):
        close_stage(stage=stage, by=by)
    play(stage)
    for who in (with_role(event, "scorer"), with_role(event, "arbiter"), a.a_user()):
        with refused("tournament.not_organiser"):
            close_stage(stage=stage, by=who)
    with refused("stage.not_waiting"):
        draw_stage(tournament=event, by=by, order=2)
    close_stage(stage=stage, by=by)
    with refused("stage.already_closed"):
        close_stage(stage=stage, by=by)
    with refused("tournament.not_organiser"):
        draw_stage(tournament=event, by=with_role(event, "scorer"), order=2)
    pause_tournament(tournament=event, by=by)
    with refused("stage.not_waiting"):
        draw_stage(tournament=event, by=by, order=2)


@pytest.mark.thorough
def test_what_was_looked_at_is_what_is_drawn_and_only_once() -> None:
    event = a_night()
    by = event.created_by
    play_and_close(event, 1)
    seen = stages.digest(stages.going_on(stage_no(event, 2)))
    gone = Standing.objects.filter(stage=stage_no(event, 1), after_round=0, rank=1)[0].entry
    withdraw_person(entry=gone, by=by)
    with refused("stage.draw_changed"):
        draw_stage(tournament=event, by=by, order=2, seen=seen)
    assert stage_no(event, 2).state == Stage.State.PLANNED
    now = stages.digest(stages.going_on(stage_no(event, 2)))
    draw_stage(tournament=event, by=by, order=2, seen=now)
    with refused("stage.already_drawn"):
        draw_stage(tournament=event, by=by, order=2, seen=now)
    assert (stage_no(event, 2).rounds.count(), stage_no(event, 2).matches.count()) == (1, 2)
    assert not StageEntry.objects.filter(stage=stage_no(event, 2), entry=gone).exists()


@pytest.mark.slow
def test_who_leaves_after_a_stage_is_signed_changes_nothing_in_it() -> None:
    event = a_night(kind="single_elim", groups=1, ways=(AdvancementPlan(source=1, target=2, last=4),))
    stage = play_and_close(event, 1)
    shown = list(Standing.objects.filter(stage=stage, after_round=0).order_by("row").values_list("entry", "rank"))
    withdraw_person(entry=Entry.objects.get(pk=shown[0][0]), by=event.created_by)
    assert StageEntry.objects.filter(stage=stage, left_round=None).count() == 6
    assert store.differences(stage) == []
    rows = Standing.objects.filter(stage=stage, after_round=0).order_by("row")
    assert list(rows.values_list("entry", "rank")) == shown


@pytest.mark.slow
def test_two_stages_side_by_side_share_no_table_and_nobody_sits_twice() -> None:
    rest = StagePlan(kind="swiss", rounds=1, name="Rest")
    ways = (AdvancementPlan(source=1, target=2, first=3, last=4), AdvancementPlan(source=1, target=3, last=2))
    event = a_night(people=8, min_entries=8, then=(rest, KNOCK_OUT), ways=ways)
    by = event.created_by
    play_and_close(event, 1)
    for order in (2, 3):
        draw_stage(tournament=event, by=by, order=order)
    one, other = stage_no(event, 2), stage_no(event, 3)
    tables = Match.objects.filter(stage__in=(one, other)).order_by("stage__order", "table_no")
    assert list(tables.values_list("table_no", flat=True)) == [1, 2, 3, 4]
    for stage in (one, other):
        row = Round.objects.select_related("stage__tournament").get(stage=stage, number=1)
        assert call_round(round_row=row, by=by) == 2
    for match in Match.objects.filter(stage=one):
        submit_result(match=match, actor=Actor(user=by), claim=totals(130, 110))
    close_stage(stage=one, by=by)
    event.refresh_from_db()
    assert event.state == Tournament.State.RUNNING
    for match in Match.objects.filter(stage=other):
        submit_result(match=match, actor=Actor(user=by), claim=totals(130, 110))
    publish_next(stage=other, by=by, seen=preview_next(stage=other, by=by).hash)
    assert Match.objects.get(stage=other, round__number=2).table_no == 1
    enter_round(other, 2)
    close_stage(stage=other, by=by)
    event.refresh_from_db()
    assert event.state == Tournament.State.FINISHED
    assert store.differences(other) == []


class Died(Exception):
    """A process that was killed."""


@pytest.mark.thorough
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "at",
    [
        pytest.param("tournaments.progress.draws.draw.write_groups", marks=pytest.mark.slow),
        "tournaments.progress.stages.publish",
    ],
)
def test_a_process_that_dies_while_it_draws_leaves_nothing(monkeypatch: pytest.MonkeyPatch, at: str) -> None:
    def die(*_args: object, **_rest: object) -> None:
        raise Died

    event = a_night()
    play_and_close(event, 1)
    with monkeypatch.context() as patch:
        patch.setattr(at, die)
        with pytest.raises(Died):
            draw_stage(tournament=event, by=event.created_by, order=2)
    stage = stage_no(event, 2)
    assert (stage.state, stage.rounds.count(), stage.stage_entries.count()) == ("planned", 0, 0)
    draw_stage(tournament=event, by=event.created_by, order=2)
    assert stage_no(event, 2).matches.count() == 2
