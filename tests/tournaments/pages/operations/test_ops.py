"""The operators' page: what it says, what can be done there, and that nobody else finds it."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.contrib.auth.hashers import get_hashers
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from playwright.sync_api import Page, expect

from accounts.errors import AccountGone
from accounts.models import User
from activity import error_log
from bots.errors import BotError
from bots.models import AuditEvent, Bot, BotVersion, Check, Worker
from bots.services import activate, drain, go_on, lift_bot, suspend_bot, suspend_person, upload_version
from bots.services.suspending import MAX_REASON
from tests.bots.services.test_waiting import many_queued
from tests.browser.looking import axe_violations, sideways
from tests.builders import events as a
from tournaments.entries.bots import enter_bot
from tournaments.models import Match

pytestmark = pytest.mark.django_db
Become = Callable[[User | None], Client]
ACTS = ("/ops/requeue/", "/ops/suspension/suspend/", "/ops/suspension/lift/")


def words(client: Client, path: str = "/ops/") -> str:
    """The text of a page, without tags."""
    answer = client.get(path)
    assert answer.status_code == 200
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.content.decode()))


@pytest.fixture
def operator() -> User:
    return a.a_user("operator", is_staff=True)


def test_there_is_no_such_page_for_anybody_else(as_user: Become, operator: User) -> None:
    worker = a.a_worker()
    for reader in (None, a.a_user()):
        client = as_user(reader)
        assert client.get("/ops/").status_code == 404
        for path in (*ACTS, f"/ops/worker/{worker.pk}/drain/"):
            assert client.post(path, {"kind": "person", "name": "operator", "reason": "x"}).status_code == 404
    worker.refresh_from_db()
    assert worker.draining_at is None
    client = as_user(operator)
    for path in (*ACTS, f"/ops/worker/{worker.pk}/drain/"):
        assert client.get(path).status_code == 405
    assert client.post("/ops/worker/999999/drain/").status_code == 404
    assert client.post(f"/ops/worker/{worker.pk}/explode/").status_code == 404
    assert client.post("/ops/suspension/suspend/", {"kind": "cat", "name": "x"}).status_code == 404


@pytest.mark.thorough
def test_it_says_how_things_are_in_few_queries_however_much_there_is(as_user: Become, operator: User) -> None:
    event = a.a_running_event(bots=4)
    client, counts = as_user(operator), []
    assert "No worker is running." in words(client)
    for rows in (3, 1_200):
        many_queued(event, rows)
        matches = a.matches_of(event)
        Match.objects.filter(pk=matches[0].pk).update(state="quarantined", fault_reason="OSError: /var/full")
        upload_version(owner=a.a_user(), filename="bot.py", data=a.FIRST, name=f"Plum {rows}")
        worker = a.a_worker()
        Worker.objects.filter(pk=worker.pk).update(fault="OSError: [Errno 28] no space")
        suspend_bot(bot=a.a_bot(name=f"Rude {rows}"), by=operator, reason="It was rude")
        with CaptureQueriesContext(connection) as seen:
            page = words(client)
        counts.append(len(seen))
    assert counts[0] == counts[1] <= 10
    for said in (
        "more than 1,000",
        "/var/full",
        "Errno 28",
        "Rude 1200",
        "It was rude",
        ("there is no backup yet; make one with"),
    ):
        assert said in page.replace("1000", "1,000"), said


@pytest.mark.thorough
@pytest.mark.django_db(transaction=True)
def test_it_says_when_the_last_backup_was_written(as_user: Become, operator: User, tmp_path: object) -> None:
    client = as_user(operator)
    call_command("backup", f"{tmp_path}/there.zst")
    assert "recent" in words(client)
    call_command("backup", f"{tmp_path}/there.zst", "--check")
    assert AuditEvent.objects.filter(verb="service.backup").count() == 1
    page = client.get("/ops/").content.decode()
    assert str(tmp_path) not in page


def test_an_error_of_ours_is_listed_by_its_number_and_nothing_private(
    as_user: Become, operator: User, redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_args: object, **_kwargs: object) -> None:
        raise RuntimeError("the secret of plum")

    client = as_user(operator)
    client.raise_request_exception = False
    with monkeypatch.context() as patched:
        patched.setattr("tournaments.pages.people.people.people.person_page", broken)
        answer = client.get("/u/plum-secret/?q=word")
    assert answer.status_code == 500
    number = answer.headers["X-Request-ID"]
    assert number in answer.content.decode()
    page = words(client)
    assert number in page
    assert "RuntimeError" in page
    assert "u/&lt;str:name&gt;/" in page
    for private in ("plum-secret", "the secret", "q=word"):
        assert private not in page
    for n in range(error_log.MAX_ERRORS + 10):
        error_log.record(f"n{n}", method="GET", route="x", kind="E")
    kept = error_log.newest()
    assert kept is not None
    assert (len(kept), kept[0].id) == (error_log.MAX_ERRORS, f"n{error_log.MAX_ERRORS + 9}")


def test_a_worker_is_drained_once_and_the_queue_says_so(as_user: Become, operator: User) -> None:
    worker, client = a.a_worker("plum@host/1"), as_user(operator)
    for _twice in range(2):
        assert client.post(f"/ops/worker/{worker.pk}/drain/").headers["Location"] == "/ops/"
    assert "drained: takes no match" in words(client, "/queue/")
    assert "Resume plum@host/1" in words(client)
    for _twice in range(2):
        client.post(f"/ops/worker/{worker.pk}/go-on/")
    worker.refresh_from_db()
    assert worker.draining_at is None
    verbs = AuditEvent.objects.filter(subject="worker:plum@host/1").order_by("pk").values_list("verb", "actor")
    assert list(verbs) == [("worker.drain", operator.pk), ("worker.go_on", operator.pk)]
    for act in (drain, go_on):
        with pytest.raises(BotError) as refused:
            act(worker=worker, by=a.a_user())
        assert refused.value.code == "ops.not_operator"


@pytest.mark.thorough
def test_everything_held_is_put_back_at_once(as_user: Become, operator: User) -> None:
    event = a.a_running_event(bots=4)
    matches = a.matches_of(event)[:2]
    Match.objects.filter(pk__in=[match.pk for match in matches]).update(state="quarantined", faults=4)
    upload_version(owner=a.a_user(), filename="bot.py", data=a.FIRST, name="Plum")
    Check.objects.filter(state="queued").update(state="quarantined")
    client = as_user(operator)
    assert "3 are back in the queue." in words_after(client.post("/ops/requeue/", follow=True))
    assert not Match.objects.filter(state="quarantined").exists()
    assert not Check.objects.filter(state="quarantined").exists()
    assert "Nothing was requeued" in words_after(client.post("/ops/requeue/", follow=True))


def words_after(answer: object) -> str:
    """The text of an answer that was followed."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.content.decode()))  # type: ignore[attr-defined]  # a response


@pytest.mark.thorough
def test_a_suspended_person_is_out_and_told_why_and_comes_back_with_their_bots(
    as_user: Become, operator: User, client: Client
) -> None:
    person = a.a_user("plum")
    mine, other = a.a_bot(person, name="Mine"), a.a_bot(person, name="Other")
    benched = timezone.now() - timedelta(days=1)
    BotVersion.objects.filter(bot=other).update(benched_at=benched, bench_reason="five forfeits")
    theirs = Client()
    theirs.force_login(person, backend="django.contrib.auth.backends.ModelBackend")
    assert theirs.get("/me/").status_code == 200
    desk = as_user(operator)
    told = {"kind": "person", "name": "plum", "reason": "  Insults\nin names "}
    for _twice in range(2):
        assert desk.post("/ops/suspension/suspend/", told).headers["Location"] == "/ops/"
    assert AuditEvent.objects.filter(verb="account.suspend").count() == 1
    assert theirs.get("/me/").status_code == 302
    assert Client().get("/u/plum/").status_code == 404
    assert Client().post("/login/", {"username": "plum", "password": "plum-blossom-77"}).status_code == 200
    with pytest.raises(BotError) as sent:
        upload_version(owner=person, filename="bot.py", data=a.FIRST + b"# more\n", bot=mine)
    with pytest.raises(BotError) as pointed:
        activate(version=mine.versions.get(), by=person)
    with pytest.raises(BotError) as new:
        upload_version(owner=person, filename="bot.py", data=a.FIRST + b"# new\n", name="New")
    assert sent.value.code == pointed.value.code == new.value.code == "bot.suspended"
    event = a.an_open_event()
    with pytest.raises(AccountGone):  # nothing is made for an account that is closed
        enter_bot(tournament=event, bot=mine, by=person)
    with pytest.raises(BotError) as first:
        lift_bot(bot=mine, by=operator)
    assert first.value.code == "ops.owner_suspended"
    for _twice in range(2):
        desk.post("/ops/suspension/lift/", {"kind": "person", "name": "plum"})
    assert Client().post("/login/", {"username": "plum", "password": "plum-blossom-77"}).status_code == 302
    assert mine.versions.get().benched_at is None
    assert other.versions.get().bench_reason == "five forfeits"
    enter_bot(tournament=event, bot=Bot.objects.get(pk=mine.pk), by=person)


def test_why_somebody_is_suspended_is_told_to_who_knows_the_password(operator: User) -> None:
    suspend_person(person=a.a_user("plum"), by=operator, reason="Insults in names")
    for password, code in (("guess", "auth.wrong"), ("plum-blossom-77", "account.suspended")):
        page = Client().post("/login/", {"username": "plum", "password": password}).content.decode()
        assert code in page
        assert ("Insults" in page) == (code == "account.suspended")


@pytest.mark.parametrize("name", ["plum", "mika", "nobody-has-this-name"])
def test_one_password_is_worked_on_whatever_the_name_is(
    operator: User, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """A suspended account takes as long as any other and as none: time tells nobody which names there are."""
    suspend_person(person=a.a_user("plum"), by=operator, reason="Insults in names")
    a.a_user("mika")
    worked: list[str] = []

    def counting(real: Callable[..., str]) -> Callable[..., str]:
        def encode(*given: object, **more: object) -> str:
            worked.append(name)
            return real(*given, **more)

        return encode

    for kind in {type(hasher) for hasher in get_hashers()}:
        monkeypatch.setattr(kind, "encode", counting(kind.encode))
    assert "auth.wrong" in Client().post("/login/", {"username": name, "password": "guess"}).content.decode()
    assert len(worked) == 1


def test_refusals_say_what_to_do(as_user: Become, operator: User) -> None:
    client, bot = as_user(operator), a.a_bot()
    for told, code in (
        ({"kind": "person", "name": "nobody", "reason": "x"}, "ops.unknown_person"),
        ({"kind": "bot", "name": "nobody", "reason": "x"}, "ops.unknown_bot"),
        ({"kind": "bot", "name": bot.slug, "reason": " "}, "ops.reason_needed"),
        ({"kind": "bot", "name": bot.slug, "reason": "x" * (MAX_REASON + 1)}, "ops.reason_long"),
        ({"kind": "person", "name": "operator", "reason": "x"}, "ops.operator"),
    ):
        answer = client.post("/ops/suspension/suspend/", told)
        assert answer.status_code == 422
        assert code in answer.content.decode()
    for name, thing in (("bot", bot), ("person", a.a_user())):
        act = {"bot": suspend_bot, "person": suspend_person}[name]
        with pytest.raises(BotError) as refused:
            act(**{name: thing}, by=a.a_user(), reason="x")  # type: ignore[operator]  # each takes its own
        assert refused.value.code == "ops.not_operator"


def test_a_version_that_passes_its_check_meanwhile_comes_back_with_its_bot(operator: User) -> None:
    from bots.jobs.checks import _settle_version

    bot = a.a_bot(ready=False)
    suspend_bot(bot=bot, by=operator, reason="A look at it first")
    version = bot.versions.get()
    _settle_version(version, passed=True)
    version.refresh_from_db()
    assert (version.state, version.bench_reason) == ("ready", "A look at it first")
    lift_bot(bot=bot, by=operator)
    version.refresh_from_db()
    assert version.benched_at is None


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_it_reads_well_on_a_phone_and_wide_and_changes_by_itself(
    visit: Callable[..., Page], live_site: str, operator: User
) -> None:
    event = a.a_running_event(bots=4)
    Match.objects.filter(pk=a.matches_of(event)[0].pk).update(
        state="quarantined", fault_reason="OSError: " + "full" * 30
    )
    a.a_worker("worker1@a-machine-with-a-long-name/1")
    suspend_bot(bot=a.a_bot(name="Rude"), by=operator, reason="It was rude")
    error_log.record("n1", method="GET", route="t/<slug:slug>/standings/", kind="OperationalError")
    for width in (1280, 360):
        for scheme in ("light", "dark"):
            page = visit("/ops/", as_=operator)
            page.set_viewport_size({"width": width, "height": 800})
            page.emulate_media(color_scheme=scheme)
            assert (axe_violations(page), sideways(page)) == ([], [])
    expect(page.get_by_text("Live, updated")).to_be_visible()
    drain(worker=Worker.objects.get(), by=operator)
    expect(page.get_by_text("drained: takes no match")).to_be_visible()
    page.get_by_role("button", name="Retry all of them").click()
    expect(page.get_by_text("1 is back in the queue.")).to_be_visible()
