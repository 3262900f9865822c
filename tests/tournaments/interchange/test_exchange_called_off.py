"""Events that were called off travel as files, too: brackets and lives are folded again without their secret."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest

from engine.deck import commitment
from tests.builders import events as a
from tests.builders.any_order_shapes import SHAPES
from tests.builders.clubs import a_called_night, tables_of, totals
from tests.tournaments.progress.test_people import draw_next, refused
from tests.tournaments.progress.test_people_chains import play_and_close
from tests.tournaments.progress.test_voiding import a_knock_out_begun, void
from tournaments.entries.people import withdraw_person
from tournaments.interchange.export import event_json
from tournaments.interchange.imports import event as import_event
from tournaments.models import Stage, Tournament
from tournaments.progress.run import cancel_tournament
from tournaments.progress.stage_actions import draw_stage
from tournaments.scores.actions import Actor, submit_result

pytestmark = pytest.mark.django_db


def a_night_called_off(size: int, changes: dict[str, Any]) -> Tournament:
    """Round 1 was played, round 2 drawn if there is one, somebody left, it rains."""
    event = a_called_night(people=size, **{"tie_breaks": ("lots",), **changes})
    by = event.created_by
    for match in tables_of(event):
        sides = len(set(match.seats.values_list("side", flat=True)))
        submit_result(match=match, actor=Actor(user=by), claim=totals(*(80 - 10 * side for side in range(sides))))
    if changes["kind"] not in ("tables", "round_robin"):
        draw_next(event)
    withdraw_person(entry=event.entries.order_by("pk")[0], by=by)
    cancel_tournament(tournament=event, by=by, reason="It rains.")
    event.refresh_from_db()
    return event


@pytest.mark.thorough
@pytest.mark.parametrize(
    "shape",
    [
        "double_elim",
        *(pytest.param(each, marks=pytest.mark.slow) for each in ("single_elim", "lives", "chain", "swiss")),
    ],
)
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
    copy = import_event.write(import_event.validate_event(data), by=a.a_user(), slug="copy")
    assert event_json(copy) == data
    again = import_event.write(import_event.validate_event(event_json(copy)), by=a.a_user(), slug="copy-of-a-copy")
    assert event_json(again) == data


@pytest.mark.thorough
def test_lots_are_not_told_while_something_may_still_be_drawn_by_them() -> None:
    event = a_called_night(people=5, kind="single_elim")
    assert {each["rng_seed"] for each in json.loads(event_json(event))["stages"][0]["rounds"]} == {""}


@pytest.mark.thorough
def test_policies_that_nobody_wrote_are_refused() -> None:
    said = json.loads(event_json(a_night_called_off(*SHAPES["swiss"])))
    for name, value in {
        "excused": {"1": {"x": {"1": "1/0"}}},
        "report": {"ranks": 7},
        "seeding": {"1": {"ratings": {"x": "y"}}},
    }.items():
        said["tournament"]["policies"][name] = value
        with refused("event.value"):
            import_event.validate_event(json.dumps(said).encode())
        del said["tournament"]["policies"][name]


def a_stage_called_off() -> Tournament:
    """Pools, a knock-out that was called off after one round, another one in its place, all signed."""
    event = a_knock_out_begun()
    void(event)
    draw_stage(tournament=event, by=event.created_by, order=2)
    play_and_close(event, 2)
    event.refresh_from_db()
    assert event.state == Tournament.State.FINISHED
    return event


@cache
def file_of_it() -> bytes:
    """The file of such an event, played once: what is judged here is the file alone."""
    return event_json(a_stage_called_off())


@pytest.mark.slow
def test_a_stage_called_off_inside_an_event_that_went_on_travels_with_it() -> None:
    event = a_stage_called_off()
    data = event_json(event)
    said = json.loads(data)
    (aside,) = said["called_off"]
    assert [stage["order"] for stage in said["stages"]] == [1, 2]
    assert (aside["order"], aside["state"], aside["reason"]) == (102, "void", "The pools were wrong.")
    assert commitment(bytes.fromhex(aside["secret"])) == aside["commitment"]
    assert {match["state"] for match in aside["matches"]} == {"void"}
    assert any(report["state"] == "superseded" for match in aside["matches"] for report in match["reports"])
    copy = import_event.write(import_event.validate_event(data), by=a.a_user(), slug="copy")
    assert event_json(copy) == data
    kept = Stage.objects.get(tournament=copy, state=Stage.State.VOID)
    assert (kept.order, kept.reason, kept.matches.count()) == (102, "The pools were wrong.", len(aside["matches"]))
    assert list(copy.stages.values_list("order", flat=True)) == [1, 2]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"state": "closed"}, "event.value"),
        ({"standings": [{"after_round": 0, "input_hash": "0" * 64, "rows": []}]}, "event.value"),
        ({"order": 2}, "event.number_twice"),
        ({"secret": "00" * 32}, "event.secret"),
    ],
)
def test_what_claims_to_be_called_off_and_is_not_is_refused(change: dict[str, Any], code: str) -> None:
    document = json.loads(file_of_it())
    document["called_off"][0] |= change
    with refused(code):
        import_event.validate_event(json.dumps(document).encode())


@pytest.mark.slow
def test_a_stage_that_counts_cannot_be_called_off() -> None:
    document = json.loads(file_of_it())
    document["stages"][1]["state"] = "void"
    with refused("event.value"):
        import_event.validate_event(json.dumps(document).encode())
    document["stages"][1]["state"] = "closed"
    document["called_off"][0]["matches"][0]["state"] = "ready"
    with refused("event.unfinished"):
        import_event.validate_event(json.dumps(document).encode())
