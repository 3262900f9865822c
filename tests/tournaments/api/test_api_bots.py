"""Bots by the API: make one, upload, see what became of it, act on it. Nobody else sees what is its owner's."""

from __future__ import annotations

import io
import zipfile
from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import KeptAnswer, Token, User
from accounts.tokens import Bound, digest_of, make_token, revoke_token
from bots.models import Bot, BotVersion, Check
from tests.builders import events as a
from tests.builders.keys import Caller, problem

pytestmark = pytest.mark.django_db
BROKEN = b"import socket.nothing\nimport no_such_module\n"


@pytest.fixture
def ann(db: None) -> User:
    return a.a_user("ann")


def test_a_bot_is_made_and_uploaded_to_and_its_owner_sees_where_the_check_is(ann: User) -> None:
    caller = Caller(ann, "bot:write")
    made = caller.post("/api/v1/bots", {"name": "Plum", "plays": ["paradise"]})
    assert made.status_code == 201
    assert made.json() | {"slug": "plum", "owner": "ann", "plays": ["paradise"], "active": None} == made.json()
    sent = caller.upload("plum", a.FIRST, note="first")
    assert sent.status_code == 201, sent.content
    body = sent.json()
    assert (body["n"], body["state"], body["plays"], body["note"]) == (1, "checking", ["paradise"], "first")
    assert body["url"] == "http://testserver/b/plum/v/1/"
    assert sent.headers["Location"] == "/api/v1/bots/plum/versions/1"
    found = caller.get("/api/v1/bots/plum/versions/1").json()
    assert found["queue"] == {"place": 1, "more": False}
    assert {step["name"]: step["state"] for step in found["checks"]} == {
        "static": "passed",
        "start": "waiting",
        "smoke.paradise": "waiting",
        "states": "waiting",
    }
    assert caller.upload("plum", a.FIRST).status_code == 200, "the same bytes are the same version"
    assert BotVersion.objects.count() == 1


def test_a_source_that_cannot_run_is_kept_as_failed_with_the_reason(ann: User) -> None:
    caller = Caller(ann)
    caller.post("/api/v1/bots", {"name": "Plum"})
    body = caller.upload("plum", BROKEN).json()
    assert (body["state"], body["code"]) == ("failed", "bot.static_failed")
    assert body["checks"][0]["state"] == "failed"


@pytest.mark.thorough
def test_strangers_rivals_and_weak_keys_see_and_do_nothing_of_anothers(ann: User) -> None:
    owner, rival = Caller(ann), Caller(a.a_user("ben"))
    owner.post("/api/v1/bots", {"name": "Plum"})
    owner.upload("plum", a.FIRST)
    for other in (rival, Caller(None)):
        seen = other.get("/api/v1/bots/plum/versions/1").json()
        assert (seen["checks"], seen["queue"]) == (None, None)
    for path in ("versions/1/log", "versions/1/source", "failures", "failures/F1"):
        assert problem(rival.get(f"/api/v1/bots/plum/{path}")) == (404, "not_found")
        assert problem(Caller(None).get(f"/api/v1/bots/plum/{path}")) == (401, "auth.needed")
        assert problem(Caller(ann, "read").get(f"/api/v1/bots/plum/{path}")) == (403, "auth.scope_missing")
    assert problem(rival.upload("plum", a.FIRST)) == (404, "not_found")
    assert problem(Caller(None).upload("plum", a.FIRST)) == (401, "auth.needed")
    assert problem(rival.post("/api/v1/bots/plum/versions/1:activate")) == (404, "not_found")
    weak = Caller(ann, "read").upload("plum", a.FIRST)
    assert problem(weak) == (403, "auth.scope_missing")
    assert weak.json()["scopes"] == ["bot:write"]
    assert (
        Caller(a.a_user("op", is_staff=True), "admin", "bot:logs")
        .get("/api/v1/bots/plum/versions/1/source")
        .status_code
        == 404
    )


def test_versions_are_activated_retired_and_hidden_as_on_their_pages(ann: User) -> None:
    bot = a.a_bot(ann, name="Plum")
    a.a_version(bot)
    caller, here = Caller(ann), f"/api/v1/bots/{bot.slug}/versions"
    assert caller.post(f"{here}/2:activate").json()["active"] is True
    missing = caller.post(f"{here}/9:activate")
    assert problem(missing) == (404, "not_found")
    assert missing.json()["title"] == "Plum has no version 9 that you can see; the newest is 2"
    assert problem(caller.post(f"{here}/2:polish")) == (404, "not_found")
    assert caller.post(f"{here}/2:hide").json()["hidden"] is True
    assert problem(Caller(None).get(f"{here}/2")) == (404, "not_found")
    assert "newest is 1" in Caller(None).get(f"{here}/{10**12}").json()["title"]
    assert [row["n"] for row in caller.get(here).json()["items"]] == [2, 1]
    assert [row["n"] for row in Caller(None).get(here).json()["items"]] == [1]
    assert problem(caller.post(f"{here}/2:activate")) == (422, "version.hidden")
    assert caller.post(f"{here}/1:retire").json()["state"] == "retired"


def test_operators_hide_with_a_reason_and_a_key_that_says_so(ann: User) -> None:
    bot = a.a_bot(ann, name="Plum")
    operator, path = a.a_user("op", is_staff=True), f"/api/v1/bots/{bot.slug}/versions/1:hide"
    assert problem(Caller(operator).post(path, {"reason": "rude"})) == (404, "not_found")
    refused = Caller(operator, "admin").post(path)
    assert problem(refused) == (422, "version.reason_needed")
    assert refused.json()["errors"][0]["pointer"] == "/reason"
    assert Caller(operator, "admin").post(path, {"reason": "rude"}).json()["hidden"] is True
    operator.refresh_from_db()
    assert operator.is_staff


def test_a_held_check_is_queued_again(ann: User) -> None:
    caller = Caller(ann)
    caller.post("/api/v1/bots", {"name": "Plum"})
    caller.upload("plum", a.FIRST)
    Check.objects.update(state=Check.State.QUARANTINED)
    states = {step["state"] for step in caller.get("/api/v1/bots/plum/versions/1").json()["checks"]}
    assert states == {"passed", "held"}
    assert caller.post("/api/v1/bots/plum/versions/1:recheck").json()["queue"] == {"place": 1, "more": False}


def test_source_and_log_are_the_owners(ann: User) -> None:
    caller = Caller(ann)
    caller.post("/api/v1/bots", {"name": "Plum"})
    caller.upload("plum", a.FIRST)
    answer = caller.get("/api/v1/bots/plum/versions/1/source")
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        assert archive.read("bot.py") == a.FIRST
    assert answer.headers["Cache-Control"] == "private, no-store"
    assert caller.get("/api/v1/bots/plum/versions/1/log").json() == {"n": 1, "log": ""}


@pytest.mark.thorough
def test_a_token_is_good_for_what_it_is_bound_to_and_no_longer_than_it_lives(ann: User) -> None:
    plum, kiri = a.a_bot(ann, name="Plum"), a.a_bot(ann, name="Kiri")
    bound = Caller(ann, bound=Bound("bot", plum.uuid, plum.name))
    assert bound.post(f"/api/v1/bots/{plum.slug}/versions/1:retire").status_code == 200
    assert problem(bound.post(f"/api/v1/bots/{kiri.slug}/versions/1:retire")) == (403, "auth.bound_elsewhere")
    assert problem(bound.post("/api/v1/bots", {"name": "Third"})) == (403, "auth.bound_elsewhere")
    assert bound.get(f"/api/v1/bots/{kiri.slug}/versions/1").json()["checks"] is None
    assert [row["slug"] for row in bound.get("/api/v1/bots?mine=1").json()["items"]] == [plum.slug]
    assert len(Caller(ann, "bot:write").get("/api/v1/bots?mine=1").json()["items"]) == 2
    assert Caller(ann, "event:write").get("/api/v1/bots?mine=1").json()["items"] == []
    caller = Caller(ann)
    assert Token.objects.filter(digest=digest_of(caller.key), used_at=None).exists()
    assert caller.get("/api/v1/follows").status_code == 200
    row = Token.objects.get(digest=digest_of(caller.key))
    assert row.used_at is not None
    assert caller.key not in str(vars(row))
    Token.objects.filter(pk=row.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    assert problem(caller.get("/api/v1/bots")) == (401, "auth.token_expired")
    revoke_token(token=row)
    assert problem(caller.get("/api/v1/bots")) == (401, "auth.token_revoked")
    caller.key = "hf_" + "x" * 40
    answer = caller.get("/api/v1/bots")
    assert problem(answer) == (401, "auth.token_unknown")
    assert answer.headers["WWW-Authenticate"].startswith("Bearer")


def test_the_key_of_somebody_who_is_shut_out_opens_nothing(ann: User) -> None:
    _token, key = make_token(user=ann, name="x", scopes=["read"])
    User.objects.filter(pk=ann.pk).update(is_active=False)
    caller = Caller(None)
    caller.key = key
    assert problem(caller.get("/api/v1/bots")) == (401, "auth.token_unknown")


@pytest.mark.thorough
def test_an_upload_needs_a_key_that_is_used_for_one_thing(ann: User) -> None:
    caller = Caller(ann)
    caller.post("/api/v1/bots", {"name": "Plum"})
    first = caller.upload("plum", a.FIRST, key="k1", note="a")
    again = caller.upload("plum", a.FIRST, key="k1", note="a")
    assert (again.status_code, again.content) == (201, first.content)
    assert again.headers["Idempotent-Replayed"] == "true"
    assert again.headers["Location"] == first.headers["Location"]
    assert problem(caller.upload("plum", a.FIRST + b"#\n", key="k1", note="a")) == (409, "idem.key_reused")
    assert problem(caller.upload("plum", a.FIRST, key="k1", note="b")) == (409, "idem.key_reused")
    assert problem(caller.upload("plum", a.FIRST, key="a b")) == (400, "idem.key_invalid")
    other = Caller(a.a_user("ben"))
    other.post("/api/v1/bots", {"name": "Kiri"})
    assert other.upload("kiri", a.FIRST, key="k1", note="a").status_code == 201, "keys are each person's own"
    KeptAnswer.objects.update(created_at=timezone.now() - timedelta(hours=49))
    assert caller.upload("plum", a.FIRST + b"#\n", key="k1").status_code == 201, "after 48 hours the key is free"
    assert BotVersion.objects.filter(bot__slug="plum").count() == 2


def test_what_was_refused_did_nothing_so_its_key_is_free(ann: User) -> None:
    caller = Caller(ann)
    caller.post("/api/v1/bots", {"name": "Plum"})
    assert problem(caller.upload("plum", b"", key="k", name="plum.exe"))[0] == 422
    assert not KeptAnswer.objects.exists()
    assert caller.upload("plum", a.FIRST, key="k").status_code == 201


@pytest.mark.thorough
def test_there_are_limits_and_every_answer_tells_them(ann: User) -> None:
    caller = Caller(ann)
    caller.post("/api/v1/bots", {"name": "Plum"})
    answer = caller.get("/api/v1/bots")
    assert answer.headers["RateLimit"].startswith('"read";r=119;t=')
    assert answer.headers["RateLimit-Policy"] == '"read";q=120;w=60'
    for n in range(10):
        sent = caller.upload("plum", a.FIRST + b"# %d\n" % n)
        assert sent.headers["RateLimit"].startswith(f'"upload";r={9 - n};t=')
    refused = caller.upload("plum", a.FIRST + b"# 11\n")
    assert problem(refused) == (429, "rate.limited")
    assert 3000 < int(refused.headers["Retry-After"]) <= 3600
    statuses = [caller.post("/api/v1/bots", {"name": ""}).status_code for _ in range(40)]
    assert statuses.count(400) == 30 - 12
    assert set(statuses) == {400, 429}


def test_bots_are_listed_by_cursor_and_filtered(ann: User, django_assert_max_num_queries: object) -> None:
    for n in range(5):
        a.a_bot(ann, name=f"Plum {n}")
    a.a_bot(a.a_user("ben"), name="Kiri")
    caller = Caller(ann)
    first = caller.get("/api/v1/bots?limit=4&q=plum").json()
    assert [row["name"] for row in first["items"]] == ["Plum 4", "Plum 3", "Plum 2", "Plum 1"]
    rest = caller.get(first["next"]).json()
    assert ([row["name"] for row in rest["items"]], rest["next"]) == (["Plum 0"], None)
    assert [row["name"] for row in caller.get("/api/v1/bots?owner=ben").json()["items"]] == ["Kiri"]
    assert len(caller.get("/api/v1/bots?mine=1").json()["items"]) == 5
    assert Caller(None).get("/api/v1/bots?mine=1").json()["items"] == []
    assert Bot.objects.count() == 6


@pytest.mark.parametrize(
    ("body", "status", "code", "pointer"),
    [
        ({}, 400, "request.invalid", "/name"),
        ({"name": "Plum", "plays": ["chess"]}, 400, "request.invalid", "/plays/0"),
        ({"name": "\u200b\u200b\u200b"}, 422, "bot.name_invalid", "/name"),
    ],
)
def test_refusals_point_at_the_field(ann: User, body: object, status: int, code: str, pointer: str) -> None:
    answer = Caller(ann).post("/api/v1/bots", body)
    assert problem(answer) == (status, code)
    assert answer.json()["errors"][0]["pointer"] == pointer
