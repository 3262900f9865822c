"""Notices and how they come, what may be followed, operators' acts and proofs of records, by the API."""

from __future__ import annotations

import json

import pytest
from django.utils import timezone

from tests.builders import events as a
from tests.builders.clubs import a_called_night, person, tables_of
from tests.builders.keys import Caller, problem
from tests.builders.leagues import League
from tournaments.matches.queries import match_page, served_document
from tournaments.models import Follow, Notice

pytestmark = pytest.mark.django_db
API = "/api/v1"


@pytest.mark.thorough
def test_what_may_be_followed() -> None:
    night = a_called_night(people=4)
    ann = Caller(a.a_user("ann"))
    bot, match, player = a.a_bot(), tables_of(night)[0], person(night, "Aiko").player
    things = [
        ("event", night.slug, night.name),
        ("bot", bot.slug, bot.name),
        ("person", night.created_by.username, night.created_by.shown_name),
        ("player", str(player.uuid), "Aiko"),
        ("match", str(match.uuid), None),
    ]
    for kind, slug, name in things:
        for _ in range(2):
            made = ann.post(f"{API}/follows", {"kind": kind, "slug": slug})
            assert made.status_code == 201, made.content
        assert name in (None, made.json()["name"])
    found = ann.get(f"{API}/follows").json()["items"]
    assert [(row["kind"], row["slug"]) for row in found] == [(kind, slug) for kind, slug, _ in reversed(things)]
    for kind, slug, _name in things:
        assert ann.delete(f"{API}/follows/{kind}/{slug}").status_code == 204
    assert not Follow.objects.exists()
    for wrong in ({"kind": "player", "slug": "x"}, {"kind": "event", "slug": "none"}):
        assert problem(ann.post(f"{API}/follows", wrong)) == (404, "not_found")


@pytest.mark.thorough
def test_notices_are_listed_read_and_chosen() -> None:
    night, ann = a_called_night(people=4), a.a_user("ann")
    rows = [
        Notice.objects.create(
            reader=ann, source=f"t:{n}", kind="said", what="said", via="event", tournament=night, at=timezone.now()
        )
        for n in range(3)
    ]
    caller, here = Caller(ann), f"{API}/me/notices"
    shown = caller.get(f"{here}?unread=1").json()["items"]
    assert [row["id"] for row in shown] == [row.pk for row in reversed(rows)]
    assert caller.post(f"{here}:read", {"only": rows[2].pk}).json() == {"unread": 2}
    assert caller.post(f"{here}:read", {"upto": rows[0].pk}).json() == {"unread": 1}
    assert problem(caller.post(f"{here}:read", {})) == (400, "request.invalid")
    plan = f"{API}/me/notice-plan"
    before = caller.get(plan)
    changed = caller.patch(plan, {"round": "page"}, If_Match=before.headers["ETag"])
    assert changed.json() == {**before.json(), "round": "page"}
    assert problem(caller.patch(plan, {"round": "instant"}, If_Match='"old"')) == (412, "request.outdated")
    assert problem(caller.patch(plan, {"round": "pigeon"})) == (400, "request.invalid")
    for path in (here, plan):
        assert problem(Caller(None).get(path)) == (401, "auth.needed")
    assert Caller(a.a_user()).get(here).json()["items"] == []


@pytest.mark.thorough
def test_operators_drain_requeue_and_suspend() -> None:
    worker, bot, bob = a.a_worker("one"), a.a_bot(), a.a_user("bob")
    operator = Caller(a.a_user("operator", is_staff=True), "admin", "read")
    acts = [
        ("POST", f"{API}/workers/{worker.pk}:drain", None),
        ("POST", f"{API}/workers/{worker.pk}:go-on", None),
        ("POST", f"{API}/queue:requeue", None),
        ("POST", f"{API}/suspensions", {"kind": "bot", "name": bot.slug, "reason": "It floods."}),
        ("DELETE", f"{API}/suspensions/bot/{bot.slug}", None),
        ("POST", f"{API}/suspensions", {"kind": "person", "name": "bob", "reason": "Rude."}),
        ("DELETE", f"{API}/suspensions/person/bob", None),
    ]
    for method, path, body in acts:
        assert problem(Caller(bot.owner).send(method, path, body)) == (403, "auth.scope_missing")
        assert problem(Caller(None).send(method, path, body)) == (401, "auth.needed")
        assert problem(Caller(bot.owner, "admin").send(method, path, body)) == (404, "not_found")
        for _ in range(2):
            answer = operator.send(method, path, body)
            assert answer.status_code in (200, 201, 204), answer.content
        if path.endswith(":drain"):
            (shown,) = [row for row in operator.get(f"{API}/queue").json()["workers"] if row["id"] == worker.pk]
            assert shown["draining"] is True
        bot.refresh_from_db()
        bob.refresh_from_db()
        suspended = {"bot": bot.suspended_at, "person": bob.suspended_at}
        if body is not None:
            assert suspended[body["kind"]] is not None
    assert (bot.suspended_at, bob.suspended_at, bob.is_active) == (None, None, True)
    assert problem(operator.post(f"{API}/workers/{10**25}:drain")) == (404, "not_found")
    missing = {"kind": "bot", "name": "none", "reason": "x"}
    assert problem(operator.post(f"{API}/suspensions", missing)) == (404, "not_found")


def test_a_record_is_proven(league: League) -> None:
    document = served_document(match_page(league.match().uuid, None))
    assert document is not None
    caller, here = Caller(None), f"{API}/records:verify"
    whole = caller.post(here, {"record": json.dumps(document)})
    assert whole.status_code == 200, whole.content
    assert whole.json()["state"] in ("ok", "open")
    assert caller.post(here, {"record": document}).json() == whole.json(), "the object itself is as good as its text"
    for other in (7, [document], None, True):
        assert problem(caller.post(here, {"record": other})) == (400, "request.invalid"), other
    moves = document["record"]["deals"][0]["moves"]
    moves[0], moves[2] = moves[2], moves[0]
    broken = caller.post(here, {"record": json.dumps(document)}).json()
    assert broken["state"] == "bad"
    assert any(check["code"] for check in broken["checks"] if check["state"] == "bad")
    refused = caller.post(here, {"record": "{"})
    assert refused.status_code == 422, refused.content
    assert refused.json()["errors"][0]["pointer"] == "/record"
