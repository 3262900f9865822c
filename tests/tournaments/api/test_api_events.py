"""A whole club night by the API alone, and everything that is refused on the way."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from accounts.tokens import Bound
from bots.models import AuditEvent
from core.rulebook.vectors import FILES
from tests.builders import events as a
from tests.builders.clubs import NAMES, a_called_night, a_club_night, person, tables_of
from tests.builders.keys import Caller, problem
from tournaments.api.events.plans import AdvancementSerializer, NewEventSerializer, StagePlanSerializer
from tournaments.lifecycle.event_plan import AdvancementPlan, EventPlan, StagePlan
from tournaments.models import Entry, Follow, Match, ResultReport, Role, Round, Tournament
from tournaments.scores.slips import slip_token

pytestmark = pytest.mark.django_db
PLAN = {"name": "Club night", "preset": "hawaii", "who": "people", "kind": "swiss", "seats": 2, "rounds": 2}


def report(caller: Caller, match: Any, *points: int, key: str = "", **more: Any) -> Any:
    """Send totals for a table."""
    body = {"totals": list(points), **more}
    return caller.post(f"/api/v1/tables/{match}/reports", body, Idempotency_Key=key or uuid4().hex)


@pytest.mark.thorough
def test_a_club_night_by_the_api_alone() -> None:
    ann = Caller(a.a_user("ann"))
    made = ann.post("/api/v1/tournaments", {**PLAN, "options": {"rounds": 1}})
    assert made.status_code == 201, made.content
    assert made.json() | {"state": "draft", "preset": "hawaii", "seats": 2} == made.json()
    here = made.headers["Location"]
    assert problem(Caller(None).get(here)) == (404, "not_found")
    for verb, state in (("publish", "published"), ("open", "registration")):
        assert ann.post(f"{here}:{verb}").json()["state"] == state
    for name in NAMES[:4]:
        added = ann.post(f"{here}/entries", {"name": name, "club": "Kyoto"})
        assert added.status_code == 201
        assert ann.patch(added.headers["Location"], {"present": True}).json()["state"] == "active"
    look = ann.post(f"{here}:start", {"dry_run": True}).json()
    assert {change["kind"] for change in look["changes"]} >= {"stage", "round", "table"}
    assert Tournament.objects.get().state == "registration"
    assert not Round.objects.exists()
    assert ann.post(f"{here}:start").json()["state"] == "running"
    _play_round(ann, here, 1)
    preview = ann.post(f"{here}/stages/1:draw", {"dry_run": True}).json()
    assert preview["plan"]["round"] == 2
    assert Round.objects.count() == 1
    assert problem(ann.post(f"{here}/stages/1:draw", {"seen": "x"})) == (409, "draw.stale")
    drawn = ann.post(f"{here}/stages/1:draw", {"seen": preview["seen"]})
    assert drawn.status_code == 200, drawn.content
    _play_round(ann, here, 2)
    assert ann.post(f"{here}/stages/1:close").json()["state"] == "finished"
    rows = ann.get(f"{here}/standings").json()["items"]
    assert [row["row"] for row in rows] == [1, 2, 3, 4]


def _play_round(ann: Caller, here: str, number: int) -> None:
    """Call a round and enter every table."""
    called = ann.post(f"{here}/rounds/{number}:publish")
    assert called.status_code == 200, called.content
    tables = ann.get(f"{here}/tables?round={number}").json()["items"]
    assert [(table["round"], table["state"], table["called"]) for table in tables] == [(number, "called", True)] * 2
    for table in tables:
        answer = report(ann, table["uuid"], 100, 60)
        assert answer.status_code == 201, answer.content
        assert answer.json()["state"] == "confirmed"


@pytest.mark.thorough
def test_two_phones_report_and_confirm_with_their_slips_and_an_arbiter_rules() -> None:
    event = a_called_night(people=4)
    one, other = tables_of(event)
    phone = Caller(None)
    slips = [slip_token(one, 0), slip_token(one, 1), slip_token(other, 0), slip_token(other, 1)]
    said = report(phone, one.uuid, 100, 60, slip=slips[0])
    assert (said.status_code, said.json()["state"], said.json()["side"]) == (201, "submitted", 0)
    path = f"/api/v1/tables/{one.uuid}/reports"
    assert problem(phone.post(f"{path}:confirm", {"slip": slips[0]})) == (422, "report.own")
    assert phone.post(f"{path}:confirm", {"slip": slips[1]}).json()["state"] == "confirmed"
    assert problem(report(phone, one.uuid, 60, 100, slip=slips[1])) == (409, "report.already_confirmed")
    report(phone, other.uuid, 100, 60, slip=slips[2])
    assert report(phone, other.uuid, 60, 100, slip=slips[3]).json()["state"] == "disputed"
    arbiter = Caller(event.created_by)
    ruled = arbiter.post(f"/api/v1/tables/{other.uuid}/reports:rule", {"version": 1, "reason": "I watched."})
    assert (ruled.json()["state"], ruled.json()["score"]) == ("confirmed", [100, 60])
    assert problem(phone.post(f"{path}:rule", {"slip": slips[0], "version": 1})) == (401, "auth.needed")
    assert problem(report(phone, other.uuid, 1, 2, slip=slips[0])) == (404, "not_found")
    assert problem(report(phone, other.uuid, 1, 2, slip="x.y"))[1] == "slip.unknown"
    assert problem(report(phone, other.uuid, 1, 2)) == (401, "auth.needed")


@pytest.mark.thorough
def test_a_result_is_corrected_after_looking_what_follows() -> None:
    event = a_called_night(people=4)
    match = tables_of(event)[0]
    ann, path = Caller(event.created_by), f"/api/v1/tables/{match.uuid}/reports"
    report(ann, match.uuid, 100, 60)
    look = ann.post(f"{path}:correct", {"totals": [60, 100], "dry_run": True}).json()
    assert {change["kind"] for change in look["changes"]} >= {"standing", "table"}
    wanted = {"totals": [60, 100], "reason": "Mixed up."}
    assert problem(ann.post(f"{path}:correct", {**wanted, "seen": "x"})) == (409, "report.moved")
    assert ann.post(f"{path}:correct", {**wanted, "seen": look["seen"]}).json()["score"] == [60, 100]
    versions = ann.get(path).json()["items"]
    assert [row["state"] for row in versions] == ["confirmed", "superseded"]
    assert [row["state"] for row in Caller(None).get(path).json()["items"]] == ["confirmed"]


@pytest.mark.thorough
def test_a_report_is_sent_twice_and_made_once() -> None:
    match = tables_of(a_called_night(people=4))[0]
    ann = Caller(match.stage.tournament.created_by)
    first, again = (report(ann, match.uuid, 100, 60, key="k") for _ in range(2))
    assert (first.status_code, again.content) == (201, first.content)
    assert problem(report(ann, match.uuid, 60, 100, key="k")) == (409, "idem.key_reused")
    assert ResultReport.objects.count() == 1
    missing = ann.post(f"/api/v1/tables/{match.uuid}/reports", {"totals": [1, 2]})
    assert problem(missing) == (400, "idem.key_missing")


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize(
    ("body", "code", "pointer"),
    [
        ({"totals": [101, 60]}, "report.points_impossible", "/totals/0"),
        ({"deals": [[100, 63]]}, "report.points_impossible", "/deals/0/1"),
        ({"totals": [100]}, "report.sides_wrong", "/totals"),
        ({"totals": ["many", 3]}, "request.invalid", "/totals/0"),
    ],
)
def test_impossible_results_point_at_the_figure(body: object, code: str, pointer: str) -> None:
    match = tables_of(a_called_night(people=4, options={"rounds": 1}))[0]
    ann = Caller(match.stage.tournament.created_by)
    answer = ann.post(f"/api/v1/tables/{match.uuid}/reports", body, Idempotency_Key="k")
    assert problem(answer)[1] == code
    assert answer.json()["errors"][0]["pointer"] == pointer
    assert not ResultReport.objects.exists()


@pytest.mark.thorough
def test_the_scope_is_asked_for_before_anything_is_done() -> None:
    event = a_called_night(people=4)
    match, owner = tables_of(event)[0], event.created_by
    here = f"/api/v1/tournaments/{event.slug}"
    reader = Caller(owner, "read")
    assert problem(report(reader, match.uuid, 100, 60)) == (403, "auth.scope_missing")
    assert problem(reader.post(f"{here}:pause")) == (403, "auth.scope_missing")
    assert problem(Caller(None).post(f"{here}:pause")) == (401, "auth.needed")
    assert problem(Caller(a.a_user()).post(f"{here}:pause")) == (403, "tournament.not_organiser")
    assert problem(report(Caller(a.a_user()), match.uuid, 100, 60)) == (403, "tournament.not_organiser")
    other = a_club_night(people=2)
    Role.objects.create(user=owner, tournament=other, role=Role.Kind.OWNER)
    bound = Caller(owner, bound=Bound("event", event.uuid, event.name))
    assert problem(bound.post(f"/api/v1/tournaments/{other.slug}:start")) == (403, "auth.bound_elsewhere")
    assert bound.post(f"{here}:pause").json()["state"] == "paused"
    assert AuditEvent.objects.filter(verb="tournament.pause", actor=owner).count() == 1


@pytest.mark.thorough
def test_scorers_report_and_do_not_draw() -> None:
    event = a_called_night(people=4)
    scorer = a.a_user()
    Role.objects.create(user=scorer, tournament=event, role=Role.Kind.SCORER)
    caller = Caller(scorer)
    assert report(caller, tables_of(event)[0].uuid, 100, 60).status_code == 201
    assert problem(caller.post(f"/api/v1/tournaments/{event.slug}:cancel", {"reason": "x"}))[0] == 403


@pytest.mark.thorough
def test_an_event_is_changed_only_as_it_was_read() -> None:
    event = a_club_night(people=2)
    ann, here = Caller(event.created_by), f"/api/v1/tournaments/{event.slug}"
    etag = ann.get(here).headers["ETag"]
    assert ann.get(here, **{"If-None-Match": etag}).status_code == 304
    done = ann.patch(here, {"name": "Thursday club", "max_entries": 12}, If_Match=etag)
    assert (done.status_code, done.json()["name"]) == (200, "Thursday club")
    assert done.headers["ETag"] == ann.get(here).headers["ETag"]
    assert problem(ann.patch(here, {"name": "Friday club"}, If_Match=etag)) == (412, "request.outdated")
    assert problem(ann.patch(here, {"max_entries": 1}))[1] == "request.invalid"
    refused = ann.patch(here, {"min_entries": 30})
    assert problem(refused) == (422, "tournament.bad_max_entries")
    assert refused.json()["errors"][0]["pointer"] == "/max_entries"
    assert problem(ann.patch(here, {"visibility": "unlisted"})) == (422, "tournament.bad_visibility")
    assert ann.post(f"{here}:undo", {"dry_run": True}).json()["what"] == ("the description of the event was changed")
    seen = ann.post(f"{here}:undo", {"dry_run": True}).json()["seen"]
    assert ann.post(f"{here}:undo", {"seen": seen}).status_code == 200
    assert ann.get(here).json()["name"] == "Club night"
    assert problem(ann.post(f"{here}:undo", {"seen": seen})) == (409, "undo.already_undone")
    entry = f"{here}/entries/{person(event, 'Aiko').uuid}"
    old = ann.get(entry).headers["ETag"]
    assert ann.patch(entry, {"present": False}, If_Match=old).status_code == 200
    assert problem(ann.patch(entry, {"state": "withdrawn"}, If_Match=old)) == (412, "request.outdated")
    assert problem(ann.patch(entry, {})) == (400, "request.invalid")


@pytest.mark.thorough
def test_owners_enter_and_withdraw_their_bots() -> None:
    event, owner = a.an_open_event(), a.a_user()
    bot, here = a.a_bot(owner), f"/api/v1/tournaments/{event.slug}/entries"
    caller = Caller(owner)
    entered = caller.post(here, {"bot": bot.slug, "nonce": "plum"})
    assert (entered.status_code, entered.json()["bot"], entered.json()["state"]) == (201, bot.slug, "entered")
    assert problem(caller.post(here, {"bot": bot.slug})) == (422, "entry.duplicate")
    assert problem(Caller(a.a_user()).post(here, {"bot": bot.slug})) == (403, "entry.not_owner")
    assert problem(caller.post(here, {"bot": bot.slug, "name": "x"})) == (400, "request.invalid")
    stranger = Caller(a.a_user()).patch(entered.headers["Location"], {"state": "withdrawn"})
    assert problem(stranger) == (422, "entry.not_owner") or problem(stranger)[0] == 403
    bound = Caller(owner, "event:write", bound=Bound("bot", bot.uuid, bot.name))
    assert caller.patch(entered.headers["Location"], {"state": "withdrawn"}).json()["state"] == "withdrawn"
    assert bound.post(here, {"bot": bot.slug}).status_code == 201
    assert problem(bound.post(here, {"bot": a.a_bot(owner).slug})) == (403, "auth.bound_elsewhere")


@pytest.mark.thorough
def test_teams_are_made_named_and_taken_apart() -> None:
    event = a_club_night(people=4, partners="entered", seats=4, options={"rounds": 1, "teams": "2x2"})
    ann, here = Caller(event.created_by), f"/api/v1/tournaments/{event.slug}/teams"
    people = [str(person(event, name).uuid) for name in ("Aiko", "Ben")]
    made = ann.post(here, {"people": people, "name": "Plum"})
    assert made.status_code == 201, made.content
    team = made.json()
    assert [member["name"] for member in team["members"]] == ["Aiko", "Ben"]
    path = f"{here}/{team['uuid']}"
    etag = ann.get(path).headers["ETag"]
    assert ann.patch(path, {"name": "Cherry"}, If_Match=etag).json()["name"] == "Cherry"
    assert problem(ann.patch(path, {"name": "Pine"}, If_Match=etag)) == (412, "request.outdated")
    assert ann.delete(path).status_code == 204
    assert problem(ann.get(path)) == (404, "not_found")
    assert problem(ann.post(here, {"people": people[:1] * 2}))[1] == "team.size"


@pytest.mark.thorough
def test_what_is_private_is_there_for_its_people_alone() -> None:
    event = a_club_night(people=2, visibility="private")
    owner, here = event.created_by, f"/api/v1/tournaments/{event.slug}"
    for part in ("", "/entries", "/teams", "/stages", "/rounds", "/tables", "/matches", "/standings", "/crosstable"):
        assert Caller(owner).get(here + part).status_code == 200
        for stranger in (Caller(None), Caller(a.a_user()), Caller(owner, "bot:logs")):
            assert problem(stranger.get(here + part)) == (404, "not_found")
    assert problem(Caller(a.a_user()).post(f"{here}:start")) == (404, "not_found")
    mine = Caller(owner).get("/api/v1/tournaments?when=mine").json()["items"]
    assert [row["slug"] for row in mine] == [event.slug]
    assert Caller(None).get("/api/v1/tournaments").json()["items"] == []


def test_a_token_that_reads_changes_nothing() -> None:
    event, user = a.an_open_event(), a.a_user()
    reads = Caller(user, "read")
    for method, path, body in (
        ("POST", "/api/v1/follows", {"kind": "event", "slug": event.slug}),
        ("DELETE", f"/api/v1/follows/event/{event.slug}", None),
        ("POST", "/api/v1/me/notices:read", {"upto": 1}),
        ("PATCH", "/api/v1/me/notice-plan", {}),
    ):
        assert problem(reads.send(method, path, body)) == (403, "auth.scope_missing"), path
    assert not Follow.objects.exists()


def test_follows_and_tokens_are_ones_own() -> None:
    event, user = a.an_open_event(), a.a_user()
    caller = Caller(user)
    assert caller.post("/api/v1/follows", {"kind": "event", "slug": event.slug}).status_code == 201
    assert [row["slug"] for row in caller.get("/api/v1/follows").json()["items"]] == [event.slug]
    assert caller.delete(f"/api/v1/follows/event/{event.slug}").status_code == 204
    assert not Follow.objects.exists()
    assert problem(caller.post("/api/v1/follows", {"kind": "event", "slug": "none"})) == (404, "not_found")
    (row,) = caller.get("/api/v1/tokens").json()["items"]
    assert row["current"] is True
    assert caller.key not in str(row)
    assert problem(Caller(a.a_user()).delete(f"/api/v1/tokens/{row['uuid']}")) == (404, "not_found")
    assert Caller(user, "bot:write").delete(f"/api/v1/tokens/{row['uuid']}").status_code == 403
    assert caller.delete(f"/api/v1/tokens/{row['uuid']}").status_code == 204
    assert problem(caller.get("/api/v1/follows")) == (401, "auth.token_revoked")


def test_a_session_may_ask_too_with_the_forms_token(client: Any) -> None:
    user = User.objects.create_user("kimo", password="plum-blossom-77")
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    assert client.get("/api/v1/follows").status_code == 200
    client.handler.enforce_csrf_checks = True
    answer = client.post("/api/v1/bots", {"name": "Plum"}, content_type="application/json")
    assert problem(answer) == (403, "access.denied")


LISTS = ("entries", "matches", "tables", "standings", "crosstable", "rounds", "stages", "bracket", "teams")


@pytest.mark.thorough
def test_queries_do_not_grow_with_rows() -> None:
    small, large = a.a_running_event(bots=2), a.a_running_event(bots=6)
    caller = Caller(None)
    for part in LISTS:
        counts = []
        for event in (small, large):
            with CaptureQueriesContext(
                connection,
            ) as seen:
                assert caller.get(f"/api/v1/tournaments/{event.slug}/{part}?limit=200").status_code == 200
            counts.append(len(seen))
        assert counts[0] == counts[1] <= 10, (part, counts)
    for path in ("tournaments", "bots", "matches", "queue", "ratings"):
        with CaptureQueriesContext(connection) as seen:
            assert caller.get(f"/api/v1/{path}").status_code == 200
        assert len(seen) <= 10, path


def test_a_bracket_is_told_by_round() -> None:
    event = a.a_running_event(bots=4, kind="single_elim")
    here = f"/api/v1/tournaments/{event.slug}"
    rows = Caller(None).get(f"{here}/bracket").json()["items"]
    assert [row["round"] for row in rows] == [1, 1]
    assert all(seat["entry"] and seat["name"] for row in rows for seat in row["seats"])
    assert Caller(None).get(f"/api/v1/tournaments/{a.a_running_event().slug}/bracket").json()["items"] == []


@pytest.mark.thorough
def test_held_matches_are_put_back_or_taken_out() -> None:
    event = a.a_running_event(bots=3)
    ann, operator = Caller(event.created_by), Caller(a.a_user("op", is_staff=True), "admin")
    first, second = Match.objects.order_by("pk")[:2]
    Match.objects.filter(pk__in=(first.pk, second.pk)).update(state=Match.State.QUARANTINED)
    assert operator.post(f"/api/v1/matches/{first.uuid}:retry").status_code == 200
    assert problem(Caller(a.a_user()).post(f"/api/v1/matches/{second.uuid}:retry"))[0] == 403
    assert problem(ann.post(f"/api/v1/matches/{second.uuid}:void"))[1] == "match.reason_needed"
    look = ann.post(f"/api/v1/matches/{second.uuid}:void", {"reason": "Broken.", "dry_run": True}).json()
    assert [change["after"][1] for change in look["changes"] if change["kind"] == "table"] == ["void"]
    assert Match.objects.get(pk=second.pk).state == Match.State.QUARANTINED
    assert ann.post(f"/api/v1/matches/{second.uuid}:void", {"reason": "Broken."}).status_code == 200
    assert Match.objects.get(pk=second.pk).state == Match.State.VOID


def test_an_event_may_be_asked_for_as_fully_as_by_its_form() -> None:
    pairs = (
        (EventPlan, NewEventSerializer),
        (StagePlan, StagePlanSerializer),
        (AdvancementPlan, AdvancementSerializer),
    )
    for plan, serializer in pairs:
        assert {field.name for field in fields(plan)} == set(serializer().fields), serializer


def test_rules_say_what_the_engine_plays() -> None:
    found = Caller(None).get("/api/v1/rules/hawaii").json()
    assert found["game"] == "sakura"
    assert found["hash"].startswith("sha256:")
    options = {option["id"]: option for option in found["options"]}
    assert options["rounds"]["value"]
    assert problem(Caller(None).get("/api/v1/rules/chess")) == (404, "not_found")
    assert Entry.objects.count() == 0


def test_vectors_are_those_that_the_engine_is_tested_with() -> None:
    for name, file in FILES.items():
        assert file.read_bytes() == (Path(__file__).parents[2] / "data" / name).read_bytes()
    items = Caller(None).get("/api/v1/vectors").json()["items"]
    assert len(items) > 100
    assert len({each["id"] for each in items}) == len(items)
    for preset in ("nuki88", "koikoi_zoo"):
        some = Caller(None).get(f"/api/v1/vectors?preset={preset}").json()["items"]
        assert {each["preset"] for each in some} == {preset}
