"""The size of Hanafuda Hawaii 2016: 72 entries in nine pools of eight, then a double elimination of sixteen."""

from __future__ import annotations

import pytest

from tests.tournaments.progress.test_cascade import seated, turned
from tests.tournaments.progress.test_people_chains import a_night, play, stage_no
from tournaments.lifecycle.event_plan import AdvancementPlan, StagePlan
from tournaments.models import Match, StageEntry, Standing, Tournament
from tournaments.progress.rounds import close_stage
from tournaments.progress.stage_actions import draw_stage
from tournaments.standings import store

pytestmark = [pytest.mark.django_db, pytest.mark.slow, pytest.mark.timeout(900)]


def test_nine_pools_of_eight_and_a_double_elimination_of_the_winners_and_the_best_seconds() -> None:
    final = StagePlan(kind="double_elim", name="Final")
    way = AdvancementPlan(source=1, target=2, last=2, most=16)
    event = a_night(people=72, groups=9, min_entries=72, max_entries=72, then=(final,), ways=(way,))
    by, pools = event.created_by, stage_no(event, 1)
    assert (pools.matches.count(), pools.rounds.count(), pools.groups.count()) == (252, 7, 9)
    for number in range(1, 8):
        tables = Match.objects.filter(stage=pools, round__number=number).values_list("table_no", flat=True)
        assert sorted(table or 0 for table in tables) == list(range(1, 37))
    play(pools)
    close_stage(stage=pools, by=by)
    draw_stage(tournament=event, by=by, order=2)
    came = StageEntry.objects.filter(stage__order=2).order_by("seed")
    assert [row.came_place for row in came] == [1] * 9 + [2] * 7
    groups = dict(StageEntry.objects.filter(stage=pools).values_list("entry", "group"))
    for match in Match.objects.filter(stage__order=2):
        assert len({groups[seat.entry_id or 0] for seat in match.seats.all()}) == 2
    bracket = stage_no(event, 2)
    turned(next(match for match in Match.objects.filter(stage=pools) if seated(match)[:1] == [1]))
    play(bracket)
    close_stage(stage=bracket, by=by)
    event.refresh_from_db()
    assert event.state == Tournament.State.FINISHED
    assert bracket.matches.count() in (30, 31)
    for stage in (pools, bracket):
        assert store.differences(stage) == []
    strongest = StageEntry.objects.filter(stage=bracket).order_by("entry__seed")[0]  # the result turned may cost seed 1
    assert Standing.objects.get(stage=bracket, after_round=0, rank=1).entry_id == strongest.entry_id
