"""One's account, calendar and bots' policies by the API; rehearsals; events from files."""

from __future__ import annotations

from base64 import b64encode

import pytest

from accounts.models import User
from accounts.tokens import Bound
from tests.builders import events as a
from tests.builders.keys import Caller, problem
from tests.tournaments.interchange.test_import_trf import a_simulated_report
from tournaments.models import BotPolicy, Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def ann(db: None) -> User:
    return a.a_user("ann")


def test_the_account_is_read_and_changed(ann: User) -> None:
    caller = Caller(ann)
    before = caller.get("/api/v1/me")
    assert before.json()["username"] == "ann"
    changed = caller.patch("/api/v1/me", {"display_name": "Ann of Hilo"}, If_Match=before.headers["ETag"])
    assert changed.json() == {**before.json(), "display_name": "Ann of Hilo"}
    late = caller.patch("/api/v1/me", {"theme": "dark"}, If_Match=before.headers["ETag"])
    assert problem(late) == (412, "request.outdated")
    wrong = caller.patch("/api/v1/me", {"time_zone": "Plum/Garden"})
    assert problem(wrong) == (400, "request.invalid")
    assert wrong.json()["errors"][0]["pointer"] == "/time_zone"
    fixed = caller.patch("/api/v1/me", {"username": "bob", "theme": "dark"})
    assert problem(fixed) == (400, "request.fixed_field")
    assert "when the account is created" in fixed.json()["title"]
    assert caller.get("/api/v1/me").json() == changed.json()
    assert problem(Caller(None).get("/api/v1/me")) == (401, "auth.needed")
    assert problem(Caller(ann, "read").patch("/api/v1/me", {"theme": "light"})) == (403, "auth.scope_missing")
    event = a.an_open_event()
    bound = Caller(ann, bound=Bound("event", event.uuid, event.name))
    assert problem(bound.patch("/api/v1/me", {"theme": "light"})) == (403, "auth.bound_elsewhere")


def test_a_token_that_may_only_read_gets_no_secret_that_opens_a_calendar(ann: User) -> None:
    Caller(ann).post("/api/v1/me/calendar")
    for scope, status in (("read", 403), ("report:write", 403), ("event:write", 200), ("bot:write", 200)):
        answer = Caller(ann, scope).get("/api/v1/me/calendar")
        assert (answer.status_code, ".ics" in answer.content.decode()) == (status, status == 200), scope


def test_a_calendar_has_an_address_until_it_is_closed(ann: User) -> None:
    caller, here = Caller(ann), "/api/v1/me/calendar"
    assert caller.get(here).json() == {"address": None}
    first = caller.post(here).json()["address"]
    second = caller.post(here).json()["address"]
    assert caller.get(here).json() == {"address": second}
    path = second.removeprefix("http://testserver")
    assert Caller(None).get(path).status_code == 200
    assert Caller(None).get(first.removeprefix("http://testserver")).status_code == 404
    for _ in range(2):
        assert caller.delete(here).status_code == 204
    assert Caller(None).get(path).status_code == 404


def test_an_owner_says_what_others_may_do_with_a_bot(ann: User) -> None:
    bot = a.a_bot(ann)
    caller, here = Caller(ann), f"/api/v1/bots/{bot.slug}/policy"
    before = caller.get(here)
    assert before.json() == {"challenges": "anybody", "in_ladders": True}
    changed = caller.patch(here, {"challenges": "nobody"}, If_Match=before.headers["ETag"])
    assert changed.json() == {"challenges": "nobody", "in_ladders": True}
    assert BotPolicy.objects.get().challenges == "nobody"
    assert problem(caller.patch(here, {"in_ladders": False}, If_Match=before.headers["ETag"]))[0] == 412
    assert problem(caller.patch(here, {"challenges": "friends"})) == (400, "request.invalid")
    for other in (Caller(a.a_user()), Caller(a.a_user(is_staff=True), "admin", "bot:write")):
        assert problem(other.get(here)) == (404, "not_found")
        assert problem(other.patch(here, {"challenges": "nobody"})) == (404, "not_found")


def test_a_bot_is_made_once_with_one_key(ann: User) -> None:
    caller = Caller(ann)
    first, again = (caller.post("/api/v1/bots", {"name": "Plum"}, Idempotency_Key="k") for _ in range(2))
    assert (first.status_code, again.content) == (201, first.content)
    assert problem(caller.post("/api/v1/bots", {"name": "Plum"})) == (422, "bot.name_taken")
    assert problem(caller.post("/api/v1/bots", {"name": "Kiri"}, Idempotency_Key="k")) == (409, "idem.key_reused")


@pytest.mark.thorough
def test_an_event_goes_out_as_a_file_and_comes_in_again(ann: User) -> None:
    event = a.an_open_event(name="Plum league")
    caller, here = Caller(ann), "/api/v1/tournaments:import"
    file = Caller(event.created_by).get(f"/api/v1/tournaments/{event.slug}/files/event.json").content
    sent = {"file": b64encode(file).decode()}
    look = caller.post(here, {**sent, "dry_run": True})
    assert look.status_code == 200, look.content
    assert look.json() == {"dry_run": True, "name": "Plum league", "is_over": False, "event": None}
    assert problem(caller.post(here, sent)) == (400, "idem.key_missing")
    first, again = (caller.post(here, sent, Idempotency_Key="k") for _ in range(2))
    assert (first.status_code, again.content) == (201, first.content)
    assert first.json()["event"]["name"] == "Plum league"
    assert Tournament.objects.count() == 2
    for wrong in ("§", b64encode(b"[]").decode(), b64encode(b"{").decode()):
        answer = caller.post(here, {"file": wrong}, Idempotency_Key="w")
        assert problem(answer)[1].startswith("event."), answer.content


@pytest.mark.thorough
def test_a_report_becomes_an_event(ann: User) -> None:
    caller, here = Caller(ann), "/api/v1/tournaments:import-report"
    sent = {"file": b64encode(a_simulated_report(13, 6, 3)).decode(), "name": "Club day"}
    look = caller.post(here, {**sent, "dry_run": True})
    assert (look.status_code, look.json()["event"]) == (200, None), look.content
    assert not Tournament.objects.exists()
    first, again = (caller.post(here, sent, Idempotency_Key="k") for _ in range(2))
    assert (first.status_code, again.content) == (201, first.content)
    assert first.json()["event"]["name"] == Tournament.objects.get().name == "Club day"
    none = caller.post(here, {"file": b64encode(b"no report").decode()}, Idempotency_Key="w")
    assert problem(none) == (422, "trf.no_players")


def test_a_rehearsal_is_asked_for_and_read(ann: User, redis_url: str) -> None:
    event = a.an_open_event(name="Plum league")
    caller, here = Caller(event.created_by), f"/api/v1/tournaments/{event.slug}/rehearsal"
    assert caller.get(here).status_code == 204
    asked = caller.post(here, {"entries": 4})
    assert asked.status_code == 202, asked.content
    assert asked.json()["asked"]["entries"] == 4
    assert caller.get(here).json()["state"] == "waiting"
    assert problem(caller.post(here, {"entries": 1}))[0] in (400, 422)
    assert problem(Caller(ann).get(here)) == (404, "not_found")
    assert problem(Caller(ann).post(here, {"entries": 4})) == (403, "tournament.not_organiser")
