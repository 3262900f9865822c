"""The pages of hooks and their part of the API: secrets once, nobody else's, keys and dry runs, journey 25."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.conf import LazySettings
from django.test import Client
from django.utils import timezone

from accounts.models import KeptAnswer, User
from accounts.tokens import Bound
from bots.models import AuditEvent
from bots.services import drain
from tests.builders import events as a
from tests.builders.clubs import a_called_night, tables_of
from tests.builders.keys import Caller, problem
from tests.builders.receivers import Receiver, a_hook, a_receiver, told_and_sent
from tournaments.models import Delivery, Hook, HookSecret
from tournaments.webhooks import actions as services
from tournaments.webhooks import sender

pytestmark = pytest.mark.django_db
Become = Callable[[User | None], Client]
SECRET = re.compile(r"hfw_[A-Za-z0-9_-]{43}")
PUBLIC = "https://example.org/hanami"


@pytest.fixture
def ann(db: None) -> User:
    return a.a_user("ann")


@pytest.fixture
def receiver(settings: LazySettings) -> Iterator[Receiver]:
    settings.HOOK_NETWORKS = ["127.0.0.0/8"]
    with a_receiver() as found:
        yield found


@pytest.mark.thorough
def test_a_hook_is_made_tried_renewed_changed_and_deleted_on_its_pages(
    ann: User, as_user: Become, receiver: Receiver
) -> None:
    client = as_user(ann)
    assert "You have no webhooks yet" in client.get("/me/hooks/").content.decode()
    form = {"name": "my chat", "url": receiver.url, "kinds": ["match.finished"], "watch": "mine"}
    made = client.post("/me/hooks/", form)
    (first,) = SECRET.findall(made.content.decode())
    assert "no-store" in made.headers["Cache-Control"]
    hook = Hook.objects.get()
    here = f"/me/hooks/{hook.uuid}/"
    assert not SECRET.search(client.get(here).content.decode() + client.get("/me/hooks/").content.decode())
    assert client.post(f"{here}do/test/").status_code == 302
    sender.send_waiting()
    assert receiver.sent[0].is_signed_with(first)
    shown = client.get(here).content.decode()
    assert "204" in shown
    assert "ping" in shown
    (second,) = SECRET.findall(client.post(f"{here}do/rotate/", {"keep_hours": "1"}).content.decode())
    assert client.post(f"{here}do/resend/", {"delivery": str(Delivery.objects.get().uuid)}).status_code == 302
    sender.send_waiting()
    assert all(receiver.sent[1].is_signed_with(secret) for secret in (first, second))
    assert receiver.sent[1].body["id"] == receiver.sent[0].body["id"]
    assert client.post(f"{here}do/end-old/").status_code == 302
    assert client.post(here, {**form, "name": "our chat"}).status_code == 302
    assert client.post(f"{here}do/off/").status_code == 302
    refused = client.post(f"{here}do/test/")
    assert (refused.status_code, "hook.off" in refused.content.decode()) == (422, True)
    assert client.post(f"{here}do/on/").status_code == 302
    assert client.post(f"{here}do/delete/", follow=True).redirect_chain == [("/me/hooks/", 302)]
    assert not Hook.objects.exists()
    acts = AuditEvent.objects.filter(subject=f"hook:{hook.uuid}", actor=ann).values_list("verb", flat=True)
    assert {"hook.make", "hook.test", "hook.again", "hook.rotate", "hook.off", "hook.delete"} <= set(acts)
    assert receiver.url not in str(list(AuditEvent.objects.values("before", "after")))


def test_what_cannot_be_is_said_on_the_field(ann: User, as_user: Become) -> None:
    client, other = as_user(ann), a.a_bot()
    good = {"name": "x", "url": PUBLIC, "kinds": ["match.finished"], "watch": "mine"}
    wrong: tuple[dict[str, Any], ...] = (
        {},
        {"url": "http://127.0.0.1/"},
        {"kinds": ["no.such"]},
        {"watch": f"bot:{other.slug}"},
        {"name": "\x07"},
    )
    for each in wrong:
        assert client.post("/me/hooks/", {**good, **each} if each else {}).status_code == 422
    assert "hook.bad_url" in client.post("/me/hooks/", {**good, "url": "http://10.0.0.1/"}).content.decode()
    assert not Hook.objects.exists()
    assert as_user(None).get("/me/hooks/").status_code == 302


@pytest.mark.thorough
def test_nobody_sees_or_uses_anothers_hook(ann: User, as_user: Become) -> None:
    hook, _secret = a_hook(ann, PUBLIC)
    services.send_test(hook=hook, by=ann)
    rival, here = a.a_user("rival"), f"/me/hooks/{hook.uuid}/"
    client = as_user(rival)
    assert client.get(here).status_code == 404
    for verb in ("test", "on", "off", "rotate", "end-old", "resend", "delete", "nonsense"):
        assert client.post(f"{here}do/{verb}/").status_code == 404
    caller, api = Caller(rival), f"/api/v1/hooks/{hook.uuid}"
    assert caller.get("/api/v1/hooks").json()["items"] == []
    answers = [caller.get(api), caller.get(f"{api}/deliveries"), caller.patch(api), caller.delete(api)]
    answers += [caller.post(f"{api}:test"), caller.post(f"{api}:rotate", Idempotency_Key="k")]
    answers += [caller.post(f"{api}/deliveries/{Delivery.objects.get().uuid}:resend")]
    assert {problem(answer) for answer in answers} == {(404, "not_found")}
    assert as_user(ann).post(f"{here}do/resend/", {"delivery": "x"}).status_code == 404


def test_deliveries_are_filtered_and_come_page_by_page(
    ann: User, as_user: Become, django_assert_max_num_queries: Callable[..., Any]
) -> None:
    hook, _secret = a_hook(ann, PUBLIC)
    now = timezone.now()
    kinds = ["match.finished"] * 30 + ["round.published"] * 3
    states = ["failed" if kind == "round.published" else "delivered" for kind in kinds]
    Delivery.objects.bulk_create(
        Delivery(
            uuid=uuid4(), hook=hook, source=f"t:plum@{n}", kind=kind, at=now - timedelta(minutes=n), due_at=now,
            state=state, tries=1, status=204, ms=12, error="answer.refused" if state == "failed" else "",
        )
        for n, (kind, state) in enumerate(zip(kinds, states, strict=True))
    )  # fmt: skip
    client, here = as_user(ann), f"/me/hooks/{hook.uuid}/"
    with django_assert_max_num_queries(10):
        first = client.get(here).content.decode()
    assert first.count("data-row") == 25
    assert "It rejected the request." in first
    assert client.get(f"{here}?page=2").content.decode().count("data-row") == 8
    assert client.get(f"{here}?state=failed").content.decode().count("data-row") == 3
    assert client.get(f"{here}?kind=match.finished&state=failed").content.decode().count("data-row") == 0
    listed = Caller(ann).get(f"/api/v1/hooks/{hook.uuid}/deliveries?state=failed&limit=2").json()
    assert [item["kind"] for item in listed["items"]] == ["round.published"] * 2
    assert listed["next"]


@pytest.mark.thorough
def test_the_api_makes_a_hook_once_and_its_answer_is_given_again_with_its_secret(ann: User) -> None:
    wanted = {"name": "x", "url": PUBLIC, "kinds": ["match.finished", "bot.failed"]}
    caller = Caller(ann)
    assert problem(Caller(ann, "read").post("/api/v1/hooks", wanted, Idempotency_Key="k")) == (
        403,
        "auth.scope_missing",
    )
    assert problem(Caller(None).post("/api/v1/hooks", wanted, Idempotency_Key="k")) == (401, "auth.needed")
    assert problem(caller.post("/api/v1/hooks", wanted)) == (400, "idem.key_missing")
    dry = caller.post("/api/v1/hooks", {**wanted, "dry_run": True})
    assert (dry.status_code, dry.json()["secret"], Hook.objects.count()) == (201, "", 0)
    first, again = (caller.post("/api/v1/hooks", wanted, Idempotency_Key="k") for _ in range(2))
    assert (first.status_code, first.json()) == (201, again.json())
    assert SECRET.fullmatch(first.json()["secret"])
    assert (Hook.objects.count(), HookSecret.objects.count()) == (1, 1)
    assert first.json()["secret"] not in KeptAnswer.objects.get().body, "what is kept of an answer is no secret"
    here = first.headers["Location"]
    read = caller.get(here)
    assert "secret" not in read.json()
    assert read.json()["secrets"][0]["start"] == first.json()["secret"][:10]
    dry = caller.patch(here, {"name": "y", "dry_run": True})
    assert (dry.json()["name"], Hook.objects.get().name) == ("y", "x")
    changed = caller.patch(here, {"name": "y", "state": "paused"}, If_Match=read.headers["ETag"])
    assert (changed.json()["name"], changed.json()["state"]) == ("y", "paused")
    assert problem(caller.patch(here, {"name": "z"}, If_Match=read.headers["ETag"]))[0] == 412
    assert problem(caller.post(f"{here}:test")) == (422, "hook.off")
    assert caller.patch(here, {"state": "active"}).json()["state"] == "active"
    tested, same = (caller.post(f"{here}:test", Idempotency_Key="t") for _ in range(2))
    assert (tested.status_code, tested.json()["id"], Delivery.objects.count()) == (202, same.json()["id"], 1)
    assert caller.post(f"{here}/deliveries/{tested.json()['id']}:resend").status_code == 202
    rotated = caller.post(f"{here}:rotate", {"keep_hours": 2}, Idempotency_Key="r").json()
    assert [each["ends_at"] is None for each in rotated["secrets"]] == [True, False]
    assert rotated["secret"] != first.json()["secret"]
    assert caller.delete(here).status_code == 204
    assert problem(caller.get(here)) == (404, "not_found")
    assert Delivery.objects.count() == HookSecret.objects.count() == 0


@pytest.mark.parametrize(
    ("wrong", "code", "pointer"),
    [
        ({"url": "http://127.0.0.1/"}, "hook.bad_url", "/url"),
        ({"kinds": ["no.such"]}, "hook.bad_kind", "/kinds"),
        ({"kinds": []}, "hook.no_kind", "/kinds"),
        ({"watch": "stars"}, "hook.bad_watch", "/watch"),
        ({"watch": "event"}, "hook.bad_watch", "/watch"),
        ({"watch": "stars", "thing": "plum"}, "hook.bad_watch", "/watch"),
        ({"watch": "mine", "thing": "plum"}, "hook.bad_watch", "/thing"),
        ({"watch": "event", "thing": "nobody-s"}, "hook.not_yours", "/thing"),
        ({"watch": "bot", "thing": "no-such"}, "hook.not_yours", "/thing"),
    ],
)
def test_a_refusal_points_at_the_field(ann: User, wrong: dict[str, object], code: str, pointer: str) -> None:
    wanted = {"name": "x", "url": PUBLIC, "kinds": ["match.finished"], **wrong}
    answer = Caller(ann).post("/api/v1/hooks", wanted, Idempotency_Key="k")
    assert problem(answer) == (422, code)
    assert answer.json()["errors"][0]["pointer"] == pointer


def test_a_token_that_is_bound_makes_and_reads_hooks_of_its_own_thing_alone(ann: User) -> None:
    bot, other = a.a_bot(ann), a.a_bot(ann)
    caller = Caller(ann, bound=Bound("bot", bot.uuid, bot.name))
    wanted = {"name": "x", "url": PUBLIC, "kinds": ["bot.failed"]}
    for more in ({}, {"watch": "bot", "thing": other.slug}, {"watch": "followed"}):
        answer = caller.post("/api/v1/hooks", {**wanted, **more}, Idempotency_Key="k")
        assert problem(answer) == (403, "auth.bound_elsewhere")
    made = caller.post("/api/v1/hooks", {**wanted, "watch": "bot", "thing": bot.slug}, Idempotency_Key="k")
    assert made.status_code == 201
    here = made.headers["Location"]
    assert caller.get(here).json()["thing"] == bot.slug
    assert problem(caller.patch(here, {"watch": "mine"})) == (403, "auth.bound_elsewhere")
    wide, _secret = a_hook(ann, PUBLIC)
    assert problem(caller.get(f"/api/v1/hooks/{wide.uuid}")) == (403, "auth.bound_elsewhere")


@pytest.mark.thorough
def test_journey_25_a_reported_result_by_the_api_arrives_signed(receiver: Receiver, as_user: Become) -> None:
    """A read token may not report; with the right scope one key is one report; it arrives signed; a drain shows."""
    event = a_called_night()
    organiser = event.created_by
    table = tables_of(event)[0]
    reports = f"/api/v1/tables/{table.uuid}/reports"
    result = {"totals": [120, 90]}
    weak = Caller(organiser, "read").post(reports, result, Idempotency_Key="one")
    assert problem(weak) == (403, "auth.scope_missing")
    writer = Caller(organiser, "read", "report:write", "hook:write")
    wanted = {"name": "journey", "url": receiver.url, "kinds": ["report.confirmed"], "watch": "event"}
    told_and_sent()
    hook = writer.post("/api/v1/hooks", {**wanted, "thing": event.slug}, Idempotency_Key="hook").json()
    first, again = (writer.post(reports, result, Idempotency_Key="one") for _ in range(2))
    assert (first.status_code, again.json()) == (201, first.json())
    assert told_and_sent() == 1
    (sent,) = receiver.sent
    assert sent.is_signed_with(hook["secret"])
    assert sent.body["what"] | {"match": str(table.uuid), "score": [120, 90]} == sent.body["what"]
    assert (
        writer.get(sent.body["url"].partition("/api/")[1] + sent.body["url"].partition("/api/")[2]).status_code == 200
    )
    drain(worker=a.a_worker(), by=a.a_user(is_staff=True))
    assert "drained: takes no match" in as_user(None).get("/queue/").content.decode()
