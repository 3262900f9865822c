"""The set-up of an event by the API: read, looked at, replaced, refused."""

from __future__ import annotations

import pytest

from tests.builders import events as a
from tests.builders.clubs import a_called_night, a_club_night
from tests.builders.keys import Caller, problem
from tournaments.events.create import create_tournament
from tournaments.lifecycle.event_plan import AdvancementPlan, StagePlan

pytestmark = pytest.mark.django_db


@pytest.mark.thorough
def test_a_draft_is_replaced_as_it_was_read_with_one_thing_changed() -> None:
    plan = a.a_plan(who="people", kind="swiss", options={"rounds": 6}, preset="paradise")
    event = create_tournament(by=a.a_user(), plan=plan)
    ann, here = Caller(event.created_by), f"/api/v1/tournaments/{event.slug}/plan"
    read = ann.get(here).json()
    assert (read["preset"], read["options"], read["rounds"]) == ("paradise", {"rounds": 6}, 1)
    same = ann.send("PUT", here, read)
    assert (same.status_code, same.json()["changes"]) == (200, []), same.content
    wanted = {**read, "max_entries": 22, "rounds": 4}
    look = ann.send("PUT", here, {**wanted, "dry_run": True}).json()
    assert [(each["field"], each["stage"], each["after"]) for each in look["changes"]] == [
        ("max_entries", 0, "22"),
        ("rounds", 1, "4"),
    ]
    assert ann.get(here).json() == read
    assert ann.send("PUT", here, wanted).status_code == 200
    assert ann.get(here).json() == wanted
    assert problem(ann.send("PUT", here, {**wanted, "rounds": 0})) == (422, "tournament.bad_rounds")
    late = ann.send("PUT", here, {**wanted, "max_entries": 23, "row_version": 1})
    assert problem(late) == (409, "tournament.changed")
    assert problem(Caller(a.a_user()).get(here)) == (404, "not_found")


def test_a_draft_of_two_stages_is_replaced_as_it_was_read() -> None:
    then = (StagePlan(kind="single_elim", name="Final", seats=2),)
    plan = a.a_plan(who="people", then=then, ways=(AdvancementPlan(source=1, target=2, last=2),))
    event = create_tournament(by=a.a_user(), plan=plan)
    ann, here = Caller(event.created_by), f"/api/v1/tournaments/{event.slug}/plan"
    read = ann.get(here).json()
    assert (read["then"][0]["clock"], read["then"][0]["where"], read["then"][0]["site_clock"]) == ("", "", "")
    same = ann.send("PUT", here, read)
    assert (same.status_code, same.json()["changes"]) == (200, []), same.content
    assert ann.get(here).json() == read
    for field in ("clock", "where", "site_clock"):
        assert problem(ann.send("PUT", here, {**read, field: ""})) == (422, f"tournament.bad_{field}")


@pytest.mark.thorough
def test_what_is_fixed_is_refused_by_name() -> None:
    event = a_called_night(people=6, kind="swiss", rounds=2)
    ann, here = Caller(event.created_by), f"/api/v1/tournaments/{event.slug}/plan"
    read = ann.get(here).json()
    wrong = ann.send("PUT", here, {**read, "kind": "round_robin"})
    assert problem(wrong) == (422, "tournament.fixed_field")
    assert wrong.json()["errors"][0]["pointer"] == "/kind"
    assert ann.send("PUT", here, {**read, "rounds": 3}).status_code == 200


@pytest.mark.thorough
def test_places_are_changed_while_it_runs_and_never_below_who_is_in() -> None:
    event = a_called_night(people=6)
    ann, here = Caller(event.created_by), f"/api/v1/tournaments/{event.slug}"
    assert ann.patch(here, {"max_entries": 80, "visibility": "private"}).status_code == 200
    assert problem(ann.patch(here, {"max_entries": 5}))[1] == "tournament.entries_over"
    assert problem(ann.patch(here, {"min_entries": 4}))[1] == "tournament.wrong_state"
    assert problem(ann.patch(here, {"rounds": 6})) == (400, "request.fixed_field")
    before = a_club_night(people=4)
    caller = Caller(before.created_by)
    assert (
        problem(caller.patch(f"/api/v1/tournaments/{before.slug}", {"max_entries": 3}))[1] == "tournament.entries_over"
    )
