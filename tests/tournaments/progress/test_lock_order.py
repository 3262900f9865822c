"""Acts on bots that come at once wait for each other and never crosswise: people first, then bots, then versions."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from bots.errors import BotError
from bots.jobs import checks, claims
from bots.models import Bot, BotVersion, Check
from bots.services import activate, hide, lift_bot, retire, suspend_bot, suspend_person, suspending
from tests.bots.services.test_leaving_races import in_the_middle
from tests.builders import events as a
from tests.services.locks import waits_for_us
from tests.services.waiting import wait_until

pytestmark = pytest.mark.django_db(transaction=True)
Act = Callable[[Bot, User], object]
ACTS: dict[str, Act] = {
    "lift_bot": lambda bot, by: lift_bot(bot=bot, by=by),
    "activate": lambda bot, _by: activate(version=bot.versions.earliest("n"), by=bot.owner),
    "retire": lambda bot, _by: retire(version=bot.versions.earliest("n"), by=bot.owner),
    "hide": lambda bot, _by: hide(version=bot.versions.earliest("n"), by=bot.owner),
}


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("name", ACTS)
def test_an_act_on_a_bot_while_its_owner_is_being_suspended(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The other act begins when the account is held and no bot is; nobody is ended by the database."""
    operator, bot = a.a_user(is_staff=True), a.a_bot()
    a.a_version(bot)
    if name == "lift_bot":
        suspend_bot(bot=bot, by=operator, reason="A look at it first")
    ends: list[str] = []

    def act() -> None:
        try:
            ACTS[name](bot, operator)
            ends.append("done")
        except BotError as refusal:
            ends.append(refusal.code)
        finally:
            connection.close()

    other, go_on = threading.Thread(target=act), suspending._set

    def in_between(*told: Any, **options: Any) -> None:
        other.start()
        wait_until(lambda: waits_for_us() or not other.is_alive(), 20, "the other act waits")
        go_on(*told, **options)

    monkeypatch.setattr(suspending, "_set", in_between)
    suspend_person(person=bot.owner, by=operator, reason="Rude")
    other.join()
    assert ends == [{"lift_bot": "ops.owner_suspended", "activate": "bot.suspended"}.get(name, "done")]
    bot.refresh_from_db()
    assert bot.suspended_at is not None


def test_all_bots_of_a_person_are_told_of_in_one_statement() -> None:
    """Channels are held in the order of their names, as results hold them."""
    owner = a.a_user()
    for name in ("Ume", "Matsu", "Kiri"):
        a.a_bot(owner, name=name)
    with CaptureQueriesContext(connection) as seen:
        suspend_person(person=owner, by=a.a_user(is_staff=True), reason="Rude")
    told = [query["sql"] for query in seen if "INSERT INTO bots_channel" in query["sql"]]
    assert [sum(f"b:{bot.slug}" in sql for bot in owner.bots.all()) for sql in told] == [3, 0]


def test_a_bot_suspended_while_its_check_is_recorded_has_no_version_that_plays() -> None:
    bot = a.a_bot(ready=False)
    rows = Check.objects.select_related("version__bot")
    batch = claims.claim(checks.queue(), rows=rows, worker=a.a_worker(), limit=1, on_claim=lambda _rows: None)
    operator = a.a_user(is_staff=True)
    in_the_middle(
        lambda: suspend_bot(bot=bot, by=operator, reason="A look at it first"),
        lambda: checks.record(batch.rows[0], []),
    )
    version = BotVersion.objects.get()
    assert (version.state, version.benched_at is None, version.bench_reason) == ("ready", False, "A look at it first")
    lift_bot(bot=bot, by=operator)
    version.refresh_from_db()
    assert version.benched_at is None
