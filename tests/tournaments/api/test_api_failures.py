"""Observations of a failed bot, told again to the letter for its owner: the bot prints what it was asked before it
fails.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from accounts.models import User
from bots.jobs.process import Process
from bots.models import Check
from bots.services import upload_version
from tests.builders import events as a
from tests.builders.keys import Caller, problem
from tests.builders.leagues import check_all, play
from tournaments.progress.run import start_tournament

pytestmark = pytest.mark.django_db
TIRED = b"""
import json

def choose(obs):
    if len(obs["hand"]) < 5 and obs["deal"] == 2:
        print("asked " + json.dumps(obs))
        raise ValueError("I am tired.")
    return 0
"""
NEVER_LOADS = b"import hanami\nraise RuntimeError('not today')\n\n\ndef choose(obs):\n    return 0\n"


@pytest.fixture
def ann(db: None) -> User:
    return a.a_user("ann")


def printed(log: str) -> dict[str, Any]:
    """Return what the bot said that it was asked."""
    line = next(line for line in log.splitlines() if line.startswith("asked "))
    found: dict[str, Any] = json.loads(line.removeprefix("asked "))
    return found


def same(told: dict[str, Any], seen: dict[str, Any]) -> None:
    """Compare to the letter; of the clock to the millisecond it is rounded to."""
    assert abs(told.pop("ms_left") - seen.pop("ms_left")) <= 5
    assert told == seen


@pytest.mark.thorough
def test_a_forfeit_in_a_match_is_told_with_what_the_bot_was_asked(player: Process, ann: User) -> None:
    bot = a.a_bot(ann, source=TIRED)
    event = a.an_open_event(options={"rounds": 3})
    a.entered(event, [bot, a.a_bot()])
    start_tournament(tournament=event, by=event.created_by)
    play(player)
    caller, here = Caller(ann, "bot:logs"), f"/api/v1/bots/{bot.slug}/failures"
    (row,) = caller.get(here).json()["items"]
    assert (row["code"], row["deal"], row["version"], row["tournament"]) == ("crash", 2, 1, event.slug)
    found = caller.get(f"{here}/{row['id']}").json()
    assert found["traceback"].startswith("Traceback (most recent call last)")
    assert "I am tired." in found["traceback"]
    assert found["repro"] == f"hanami repro {row['id']}"
    assert (found["match"], found["move"]) == (row["match"], row["move"])
    assert found["legal"] == found["observation"]["legal"]
    assert len(found["legal"]) > 1
    same(found["observation"], printed(found["stderr"]))
    for other in (Caller(a.a_user()), Caller(a.a_user(is_staff=True), "admin", "bot:logs")):
        assert problem(other.get(f"{here}/{row['id']}")) == (404, "not_found")
    assert problem(caller.get(f"{here}/F999999")) == (404, "not_found")
    assert problem(caller.get(f"{here}/x")) == (404, "not_found")
    assert caller.get(f"{here}?version=2").json()["items"] == []


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize(("source", "deal"), [(TIRED, 2), (NEVER_LOADS, 0)])
def test_so_is_a_failed_check(player: Process, ann: User, source: bytes, deal: int) -> None:
    version = upload_version(owner=ann, filename="bot.py", data=source, name="Plum", plays=["hawaii"])
    check_all(player)
    caller = Caller(ann)
    body = caller.get(f"/api/v1/bots/{version.bot.slug}/versions/1").json()
    assert (body["state"], body["code"]) == ("failed", "bot.smoke_failed")
    assert body["failure"] == f"C{Check.objects.get(version=version).pk}"
    assert Caller(None).get(f"/api/v1/bots/{version.bot.slug}/versions/1").json()["failure"] is None
    found = caller.get(f"/api/v1/bots/{version.bot.slug}/failures/{body['failure']}").json()
    assert (found["code"], found["deal"], found["match"]) == ("crash", deal, None)
    assert "Traceback" in found["traceback"]
    if deal:
        same(found["observation"], printed(found["stderr"]))
    else:
        assert (found["observation"], found["legal"]) == (None, [])
