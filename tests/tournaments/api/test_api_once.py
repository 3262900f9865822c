"""An Idempotency-Key is worth one deed: between twins at the same moment, and after a crash in the middle."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection, connections

from accounts.models import KeptAnswer, User
from bots.models import AuditEvent, BotVersion, Check
from tests.builders import events as a
from tests.builders.keys import Caller, problem

pytestmark = pytest.mark.django_db(transaction=True)
TWINS = 4


@pytest.fixture
def caller(db: None) -> Caller:
    made = Caller(User.objects.create_user("ann", password="plum-blossom-77"))
    made.post("/api/v1/bots", {"name": "Plum"})
    return made


def at_once(count: int, do: Callable[[int], Any]) -> list[Any]:
    """Return what several threads get that begin together."""
    gate, answers = threading.Barrier(count), [None] * count

    def run(number: int) -> None:
        gate.wait(timeout=30)
        try:
            answers[number] = do(number)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    return answers


def test_twins_at_the_same_moment_make_one_version_and_get_one_answer(caller: Caller) -> None:
    answers = at_once(TWINS, lambda _n: caller.upload("plum", a.FIRST, key="one", note="x"))
    assert [answer.status_code for answer in answers] == [201] * TWINS
    assert len({answer.content for answer in answers}) == 1
    assert sum("Idempotent-Replayed" in answer.headers for answer in answers) == TWINS - 1
    assert BotVersion.objects.count() == Check.objects.count() == KeptAnswer.objects.count() == 1
    assert AuditEvent.objects.filter(verb="version.upload").count() == 1


def test_twins_with_other_bodies_make_one_version_and_one_is_told_that_the_key_is_taken(caller: Caller) -> None:
    answers = at_once(2, lambda n: caller.upload("plum", a.FIRST + b"# %d\n" % n, key="one"))
    assert sorted(answer.status_code for answer in answers) == [201, 409]
    refused = next(answer for answer in answers if answer.status_code == 409)
    assert problem(refused) == (409, "idem.key_reused")
    assert BotVersion.objects.count() == 1


def test_a_crash_in_the_middle_leaves_nothing_and_the_next_try_does_it(
    caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The deed is done, the answer is not written yet: the process is gone."""
    with monkeypatch.context() as patched:
        patched.setattr("web.idempotency._store", dies)
        with pytest.raises(SystemExit):
            caller.upload("plum", a.FIRST, key="one")
    assert not BotVersion.objects.exists()
    assert not KeptAnswer.objects.exists()
    assert caller.upload("plum", a.FIRST, key="one").status_code == 201
    assert BotVersion.objects.count() == 1


def dies(*_args: object) -> None:
    """Do what a killed process does: nothing more."""
    raise SystemExit(9)


def test_a_killed_connection_leaves_nothing(caller: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    """The database itself ends the transaction in the middle; the reader is told to try again, and may."""
    with monkeypatch.context() as patched:
        patched.setattr("web.idempotency._store", lambda *_args: cut_off())
        answer = caller.upload("plum", a.FIRST, key="one")
    assert problem(answer) == (503, "server.busy")
    assert answer.headers["Retry-After"] == "1"
    connection.close()
    assert not BotVersion.objects.exists()
    assert caller.upload("plum", a.FIRST, key="one").status_code == 201


def cut_off() -> None:
    """End one's own connection."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(pg_backend_pid())")
