"""The newest results of an event: the legs of a table are one line, and the match for third place is named."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from bots.jobs.process import Process
from tests.builders import events as a
from tests.tournaments.standings.test_adjusting import play_all
from tournaments.models import Match, Round, Seat, Stage
from tournaments.pages.events.newest_results import match_lines, result_lines
from tournaments.progress import derive

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


def test_legs_of_a_table_are_one_line_with_their_sum(process: Process, client: Client) -> None:
    event = a.a_running_event(bots=4, kind="single_elim", rounds=1, legs="cyclic")
    play_all(process)
    derive.derive_waiting()
    stage = event.stages.get()
    matches = match_lines(stage)
    lines = result_lines(stage, matches)
    assert len(matches) == 2 * len(lines) > 2
    for line in lines:
        for row in line.rows:
            seats = Seat.objects.filter(match__deal_set=line.match.deal_set, entry=row.entry)
            assert row.points == sum(seat.points or 0 for seat in seats)
    third = lines[0].match
    pod = {"table": third.table_no, "why": [{"code": "bracket.third"}]}
    Round.objects.filter(matches=third).update(plan={"pods": [pod]})
    Stage.objects.filter(pk=stage.pk).update(third_place=True)
    page = client.get(f"/t/{event.slug}/").content.decode().partition('id="lines"')[2].partition("</section>")[0]
    assert page.count("Match for third place") == 1
    assert len(re.findall(r"<li>", page)) == len(lines)


def test_legs_stay_apart_until_all_of_them_are_over(process: Process) -> None:
    event = a.a_running_event(bots=2, legs="cyclic")
    play_all(process)
    derive.derive_waiting()
    stage = event.stages.get()
    Match.objects.filter(stage=stage, leg=2).update(state=Match.State.CLAIMED)
    lines = result_lines(stage, match_lines(stage))
    assert {(line.leg, line.rows) for line in lines} == {(1, ()), (2, ())}
