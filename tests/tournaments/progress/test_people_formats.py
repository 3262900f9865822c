"""Every format is run from the first draw to the signed standings by people alone."""

from __future__ import annotations

import pytest

from tests.builders.clubs import a_called_night, close_event, round_of, tables_of, totals
from tests.tournaments.progress.test_people import draw_next, stage_of
from tournaments.models import Standing, Tournament
from tournaments.progress.rounds import call_round, preview_next, waits_for_draw
from tournaments.scores.actions import Actor, submit_result
from tournaments.standings import store

pytestmark = pytest.mark.django_db


@pytest.mark.slow
@pytest.mark.parametrize(
    ("people", "changes"),
    [
        (5, {"kind": "single_elim"}),
        (5, {"kind": "double_elim"}),
        (7, {"kind": "pods", "seats": 4, "seats_min": 3}),
        (7, {"kind": "tables", "seats": 4, "seats_min": 3}),
        (6, {"kind": "lives", "seats": 3, "rounds": 1}),
        (6, {"kind": "dutch"}),
        (5, {"kind": "round_robin"}),
        (6, {"kind": "swiss", "seats": 4, "options": {"rounds": 1, "teams": "2x2"}}),
    ],
)
def test_every_format_is_played_to_its_end_by_people(people: int, changes: dict[str, object]) -> None:
    event = a_called_night(people=people, **changes)
    by, number = event.created_by, 1
    while True:
        for match in tables_of(event, number):
            sides = len(set(match.seats.values_list("side", flat=True)))
            claim = totals(*(40 - 10 * side for side in range(sides)))
            submit_result(match=match, actor=Actor(user=by), claim=claim)
        number += 1
        if stage_of(event).rounds.count() < number:
            if not waits_for_draw(stage_of(event)) or preview_next(stage=stage_of(event), by=by).plan is None:
                break
            draw_next(event)
        call_round(round_row=round_of(event, number), by=by)
    close_event(tournament=event, by=by)
    event.refresh_from_db()
    assert event.state == Tournament.State.FINISHED
    assert Standing.objects.filter(stage__tournament=event, after_round=0).count() == people
    assert store.differences(stage_of(event)) == []
