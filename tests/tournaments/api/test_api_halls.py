"""Halls by the API: tables are counted, matches of a bracket that flows are called to them one by one."""

from __future__ import annotations

import pytest

from tests.builders import events as a
from tests.builders.clubs import a_called_night
from tests.builders.keys import Caller, problem
from tests.tournaments.progress.test_stations import a_hall
from tournaments.models import Match

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.thorough]
PLAN = {"name": "A cup", "preset": "hawaii", "who": "people", "kind": "double_elim", "seats": 2}


def test_a_bracket_that_flows_is_asked_for_and_said() -> None:
    ann = Caller(a.a_user())
    here = ann.post("/api/v1/tournaments", {**PLAN, "flows": True}).headers["Location"]
    assert ann.get(f"{here}/stages").json()["items"][0]["flows"] is True
    assert ann.get(f"{here}/plan").json()["flows"] is True
    whole = ann.post("/api/v1/tournaments", PLAN).headers["Location"]
    assert ann.get(f"{whole}/stages").json()["items"][0]["flows"] is False


def test_tables_are_counted_and_one_match_is_called() -> None:
    event = a_hall(tables=None)
    ann, here = Caller(event.created_by), f"/api/v1/tournaments/{event.slug}"
    read = ann.patch(here, {"hall_tables": 2}).json()
    assert (read["hall_tables"], read["calls_alone"]) == (2, False)
    assert ann.patch(here, {"hall_tables": 2}).status_code == 200
    first, second, third, _fourth = ann.get(f"{here}/tables").json()["items"]
    look = ann.post(f"/api/v1/matches/{third['uuid']}:call", {"station": 2, "dry_run": True})
    assert [each["after"][1] for each in look.json()["changes"] if each["kind"] == "table"] == ["called"]
    assert not Match.objects.filter(state="called").exists()
    assert ann.post(f"/api/v1/matches/{third['uuid']}:call", {"station": 2}).status_code == 200
    row = ann.get(f"/api/v1/tables/{third['uuid']}").json()
    assert (row["table"], row["station"], row["state"]) == (3, 2, "called")
    assert problem(ann.post(f"/api/v1/matches/{first['uuid']}:call", {"station": 2})) == (422, "hall.taken")
    assert ann.post(f"{here}:call").status_code == 200
    assert ann.get(f"/api/v1/matches/{first['uuid']}").json()["station"] == 1
    assert problem(ann.post(f"{here}:call")) == (422, "hall.full")
    assert ann.get(f"/api/v1/tables/{second['uuid']}").json()["station"] is None


def test_tables_that_fill_alone_are_asked_for_by_program() -> None:
    event = a_hall(tables=None)
    ann, here = Caller(event.created_by), f"/api/v1/tournaments/{event.slug}"
    assert problem(ann.patch(here, {"calls_alone": True})) == (422, "hall.count_first")
    assert ann.patch(here, {"hall_tables": 3, "calls_alone": True}).status_code == 200
    assert Match.objects.filter(state="called").count() == 3
    assert problem(ann.patch(here, {"hall_tables": 0}))[0] == 400


def test_a_stranger_and_a_round_called_as_a_whole_are_refused() -> None:
    a_hall()
    match = Match.objects.order_by("pk")[0]
    assert problem(Caller(a.a_user()).post(f"/api/v1/matches/{match.uuid}:call"))[0] == 403
    assert problem(Caller(None).post(f"/api/v1/matches/{match.uuid}:call"))[0] == 401
    night = a_called_night(people=4, kind="single_elim", rounds=1)
    whole = Match.objects.filter(stage__tournament=night)[0]
    refused = Caller(night.created_by).post(f"/api/v1/matches/{whole.uuid}:call")
    assert problem(refused) == (422, "match.not_single")
