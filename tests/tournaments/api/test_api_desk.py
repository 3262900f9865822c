"""Acts of the desk by the API: roles, announcements, clocks, swaps, units by hand, sheets, a stage called off."""

from __future__ import annotations

from typing import Any

import pytest

from accounts.models import User
from tests.builders import events as a
from tests.builders.clubs import a_called_night, a_club_night, person, tables_of
from tests.builders.keys import Caller, problem
from tournaments.models import Adjustment, Match, Role, Seat, Tournament
from tournaments.progress.run import start_tournament

pytestmark = pytest.mark.django_db


def at(event: Tournament) -> str:
    """The address of an event."""
    return f"/api/v1/tournaments/{event.slug}"


@pytest.fixture
def night() -> Tournament:
    """A night whose first round is drawn, with a clock, and not called."""
    event = a_club_night(people=6)
    start_tournament(tournament=event, by=event.created_by)
    return event


@pytest.mark.thorough
def test_roles_are_given_and_taken(night: Tournament) -> None:
    ann, helper = Caller(night.created_by), a.a_user("helper")
    here = f"{at(night)}/roles"
    wanted = {"user": "helper", "role": "scorer"}
    look = ann.post(here, {**wanted, "dry_run": True})
    assert (look.status_code, Role.objects.filter(user=helper).exists()) == (200, False)
    assert ann.post(here, wanted).json() == {**wanted, "name": "helper"}
    assert problem(ann.post(here, wanted)) == (422, "role.has_already")
    assert problem(ann.post(here, {**wanted, "user": "nobody-here"})) == (422, "role.no_such_user")
    assert [row["role"] for row in Caller(helper).get(here).json()["items"]] == ["owner", "scorer"]
    assert problem(Caller(helper).post(here, {**wanted, "role": "owner"}))[0] == 403
    for stranger in (Caller(None), Caller(a.a_user())):
        assert problem(stranger.get(here)) == (404, "not_found")
    assert problem(ann.delete(f"{here}/owner/{night.created_by.username}")) == (422, "role.last_owner")
    assert ann.delete(f"{here}/scorer/helper").status_code == 204
    assert problem(ann.delete(f"{here}/scorer/helper")) == (422, "role.has_not")


@pytest.mark.thorough
def test_what_scorers_see_on_no_page_they_read_nowhere_else(night: Tournament) -> None:
    ann, helper = Caller(night.created_by), a.a_user("helper")
    ann.post(f"{at(night)}/roles", {"user": "helper", "role": "scorer"})
    for path in ("lineups", "pairs", "rehearsal", "stages/1/seeding", "stages/1/seeding/pools"):
        assert ann.get(f"{at(night)}/{path}").status_code in (200, 204), path
        assert problem(Caller(helper).get(f"{at(night)}/{path}")) == (404, "not_found"), path


@pytest.mark.thorough
def test_the_board_says_what_stands(night: Tournament) -> None:
    ann, here = Caller(night.created_by), f"{at(night)}/announcements"
    assert ann.post(here, {"text": "Tea at four.", "dry_run": True}).status_code == 200
    assert Caller(None).get(here).json()["items"] == []
    made = ann.post(here, {"text": "Tea at four."})
    assert (made.status_code, made.json()["n"]) == (201, 1)
    assert problem(ann.post(here, {"text": "Tea at four."})) == (409, "announcement.already_said")
    assert [row["text"] for row in Caller(None).get(here).json()["items"]] == ["Tea at four."]
    assert problem(Caller(a.a_user()).post(here, {"text": "I am here."})) == (403, "tournament.not_organiser")
    assert problem(Caller(night.created_by, "read").post(here, {"text": "x"})) == (403, "auth.scope_missing")
    assert ann.delete(f"{here}/1").status_code == 204
    assert problem(ann.delete(f"{here}/1")) == (409, "announcement.already_withdrawn")


@pytest.mark.thorough
def test_the_clock_of_a_round(night: Tournament) -> None:
    ann, here = Caller(night.created_by), f"{at(night)}/rounds/1/clock"
    assert ann.get(here).json()["minutes"] == 0
    assert ann.patch(at(night), {"round_minutes": 40}).json()["round_minutes"] == 40
    assert ann.patch(at(night), {"round_minutes": 40}).status_code == 200
    assert problem(ann.post(f"{here}:stop")) == (422, "round_clock.none")
    ann.post(f"{at(night)}/rounds/1:publish")
    shown = Caller(None).get(here).json()
    assert (shown["minutes"], shown["stopped"]) == (40, False)
    assert ann.post(f"{here}:stop", {"dry_run": True}).json()["stopped"] is True
    assert ann.get(here).json()["stopped"] is False
    assert ann.post(f"{here}:stop").json()["stopped"] is True
    assert problem(ann.post(f"{here}:stop")) == (409, "round_clock.already_stopped")
    assert ann.post(f"{here}:go").json()["stopped"] is False
    assert problem(ann.post(f"{here}:add", {"minutes": 5, "seen": 30})) == (409, "round_clock.changed")
    assert ann.post(f"{here}:add", {"minutes": 5, "seen": 40}).json()["minutes"] == 45
    assert ann.post(f"{here}:end").json()["left_s"] == 0
    assert problem(ann.post(f"{here}:dance")) == (404, "not_found")


@pytest.mark.thorough
def test_two_change_places(night: Tournament) -> None:
    ann, here = Caller(night.created_by), f"{at(night)}/rounds/1:swap"
    seats = Seat.objects.filter(match__in=tables_of(night), index=0).order_by("match__table_no")
    one, other = (str(seat.entry.uuid) for seat in seats[:2] if seat.entry)
    look = ann.post(here, {"one": one, "other": other, "dry_run": True}).json()
    assert {change["kind"] for change in look["changes"]} == {"table"}
    assert isinstance(look["breaks"], list)
    assert problem(ann.post(here, {"one": one, "other": other})) == (409, "swap.changed")
    assert problem(ann.post(here, {"one": one, "other": one, "dry_run": True})) == (422, "swap.same")
    done = ann.post(here, {"one": one, "other": other, "seen": look["seen"]}).json()
    assert done["changes"] == look["changes"]
    assert problem(Caller(a.a_user()).post(here, {"one": one, "other": other}))[0] == 403


@pytest.mark.slow
def test_units_by_hand_and_revoked() -> None:
    night = a_called_night(people=4)
    ann, here = Caller(night.created_by), f"{at(night)}/stages/1/adjustments"
    match = tables_of(night)[0]
    ann.post(f"/api/v1/tables/{match.uuid}/reports", {"totals": [100, 60]}, Idempotency_Key="k")
    entry = str(person(night, "Aiko").uuid)
    wanted = {"entry": entry, "units": "-10", "reason": "Late."}
    look = ann.post(here, {**wanted, "dry_run": True}).json()
    assert {change["kind"] for change in look["changes"]} == {"standing"}
    assert not Adjustment.objects.exists()
    assert problem(ann.post(here, {**wanted, "seen": "x"})) == (409, "adjust.moved")
    made = ann.post(here, {**wanted, "seen": look["seen"]})
    assert made.status_code == 201, made.content
    assert ann.post(here, {**wanted, "seen": look["seen"]}).json()["id"] == made.json()["id"]
    (row,) = Caller(None).get(here).json()["items"]
    assert (row["name"], row["units"], row["reason"], row["revoked_by"]) == ("Aiko", "-10", "Late.", None)
    undo = f"{here}/{row['id']}:revoke"
    seen = ann.post(undo, {"reason": "She was not.", "dry_run": True}).json()["seen"]
    assert ann.post(undo, {"reason": "She was not.", "seen": seen}).status_code == 200
    assert problem(ann.post(undo, {"reason": "Again.", "seen": seen})) == (409, "adjust.already_revoked")
    assert problem(ann.post(f"{here}/{10**25}:revoke", {"reason": "x"})) == (404, "not_found")
    bad = ann.post(here, {**wanted, "units": "many", "dry_run": True})
    assert problem(bad) == (422, "adjust.bad_units")


@pytest.mark.thorough
def test_a_sheet_is_looked_at_then_entered() -> None:
    night = a_called_night(people=4)
    ann, here = Caller(night.created_by), f"{at(night)}/rounds/1/sheet"
    blank = ann.get(here).content.decode("utf-8-sig")
    head, *lines = blank.strip().splitlines()
    at_points = head.split(",").index("points")

    def filled(line: str, points: int) -> str:
        cells = line.split(",")
        cells[at_points] = str(points)
        return ",".join(cells)

    text = "\n".join([head, *(filled(line, points) for line, points in zip(lines[:2], (100, 60), strict=True))])
    look = ann.post(here, {"sheet": text, "dry_run": True}).json()
    assert ([row["score"] for row in look["tables"]], look["open"]) == ([[100, 60]], 1)
    assert problem(ann.post(here, {"sheet": text, "seen": "x"})) == (409, "sheet.changed")
    assert ann.post(here, {"sheet": text, "seen": look["seen"]}).json()["entered"] == 1
    assert Match.objects.filter(state="confirmed").count() == 1
    wrong = ann.post(here, {"sheet": text.replace("100", "101"), "dry_run": True})
    assert wrong.status_code == 422
    assert problem(Caller(None).post(here, {"sheet": text})) == (401, "auth.needed")


@pytest.mark.slow
def test_a_stage_is_called_off_after_looking() -> None:
    event = a.an_event_whose_next_stage_waits()
    ann, here = Caller(event.created_by), f"{at(event)}/stages/2"
    assert problem(ann.post(f"{here}:void", {"dry_run": True})) == (409, "stage.not_begun")
    drawn = ann.post(f"{here}:draw", {"dry_run": True}).json()
    assert ann.post(f"{here}:draw", {"seen": drawn["seen"]}).status_code == 200
    look = ann.post(f"{here}:void", {"dry_run": True})
    assert look.status_code == 200, look.content
    assert {"table", "stage"} <= {change["kind"] for change in look.json()["changes"]}
    reason = {"reason": "The wrong people."}
    assert problem(ann.post(f"{here}:void", {**reason, "seen": "x"})) == (409, "stage.moved")
    assert problem(Caller(a.a_user()).post(f"{here}:void", {"dry_run": True})) == (403, "tournament.not_organiser")
    done = ann.post(f"{here}:void", {**reason, "seen": look.json()["seen"]})
    assert done.status_code == 200, done.content


@pytest.mark.thorough
def test_a_patch_changes_all_that_it_names_or_nothing() -> None:
    event = a.an_open_event(name="Plum league")
    ann = Caller(event.created_by)
    before = ann.get(at(event))
    etag = before.headers["ETag"]
    wrong = ann.patch(at(event), {"description": "New words.", "time_zone": "Plum/Garden"})
    assert problem(wrong) == (422, "tournament.bad_time_zone")
    assert ann.get(at(event)).headers["ETag"] == etag
    changed = {"description": "New words.", "time_zone": "Asia/Tokyo", "apart": "club", "clock": "slow"}
    answer = ann.patch(at(event), {**changed, "clock": "standard"}, If_Match=etag)
    assert answer.status_code == 200, answer.content
    assert answer.json() | {"description": "New words.", "time_zone": "Asia/Tokyo", "apart": "club"} == answer.json()
    assert problem(ann.patch(at(event), {"description": "Others."}, If_Match=etag)) == (412, "request.outdated")
    assert problem(ann.patch(at(event), {"rated": True})) == (422, "ratings.of_bots")
    assert problem(Caller(a.a_user()).patch(at(event), {"apart": ""})) == (403, "tournament.not_organiser")
    assert problem(ann.patch(at(event), {"clock": "sundial"}))[1] == "tournament.bad_clock"


def test_one_key_makes_one_event(django_user_model: type[User]) -> None:
    ann = Caller(a.a_user("ann"))
    plan: dict[str, Any] = {"name": "Once", "preset": "hawaii", "seats": 2, "kind": "round_robin"}
    first, again = (ann.post("/api/v1/tournaments", plan, Idempotency_Key="k") for _ in range(2))
    assert (first.status_code, again.content) == (201, first.content)
    assert Tournament.objects.filter(name="Once").count() == 1
