"""Events that were called off travel as files, too: brackets and lives are folded anew without their secret."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.deck import commitment
from tests.pipeline import builders as a
from tests.pipeline.any_order import SHAPES
from tests.pipeline.clubs import a_called_night, tables_of, totals
from tests.pipeline.test_people import draw_next, refused
from tournaments.jobs import importing
from tournaments.jobs.exporting_event import event_json
from tournaments.models import Stage, Tournament
from tournaments.services import cancel_tournament
from tournaments.services.people import withdraw_person
from tournaments.services.reporting import Hand, submit_result

pytestmark = pytest.mark.django_db


def a_night_called_off(size: int, changes: dict[str, Any]) -> Tournament:
    """Round 1 was played, round 2 drawn if there is one, somebody left, it rains."""
    event = a_called_night(people=size, **{"tie_breaks": ("lots",), **changes})
    by = event.created_by
    for match in tables_of(event):
        sides = len(set(match.seats.values_list("side", flat=True)))
        submit_result(match=match, hand=Hand(user=by), claim=totals(*(80 - 10 * side for side in range(sides))))
    if changes["kind"] not in ("tables", "round_robin"):
        draw_next(event)
    withdraw_person(entry=event.entries.order_by("pk")[0], by=by)
    cancel_tournament(tournament=event, by=by, reason="It rains.")
    event.refresh_from_db()
    return event


@pytest.mark.parametrize("shape", ["single_elim", "double_elim", "lives", "chain", "swiss"])
def test_what_was_called_off_comes_back_and_shows_no_secret(shape: str) -> None:
    event = a_night_called_off(*SHAPES[shape])
    assert tables_of(event)
    data = event_json(event)
    said = json.loads(data)["stages"][0]
    assert said["secret"] is None
    assert all(len(each["rng_seed"]) == 64 for each in said["rounds"])
    stage = Stage.objects.get(tournament=event, order=1)
    assert bytes(stage.secret or b"").hex().encode() not in data
    assert commitment(bytes(stage.secret or b"")).encode() in data
    copy = importing.write(importing.judge(data), by=a.a_user(), slug="copy")
    assert event_json(copy) == data
    again = importing.write(importing.judge(event_json(copy)), by=a.a_user(), slug="copy-of-a-copy")
    assert event_json(again) == data


def test_lots_are_not_told_while_something_may_still_be_drawn_by_them() -> None:
    event = a_called_night(people=5, kind="single_elim")
    assert {each["rng_seed"] for each in json.loads(event_json(event))["stages"][0]["rounds"]} == {""}


def test_policies_that_nobody_wrote_are_refused() -> None:
    said = json.loads(event_json(a_night_called_off(*SHAPES["swiss"])))
    for name, value in {
        "excused": {"1": {"x": {"1": "1/0"}}},
        "report": {"ranks": 7},
        "seeding": {"1": {"ratings": {"x": "y"}}},
    }.items():
        said["tournament"]["policies"][name] = value
        with refused("event.value"):
            importing.judge(json.dumps(said).encode())
        del said["tournament"]["policies"][name]
