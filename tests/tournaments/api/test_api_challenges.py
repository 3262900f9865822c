"""Comparisons by the API: asked for once, read, stopped."""

from __future__ import annotations

from typing import Any

import pytest

from tests.builders import events as a
from tests.builders.challenges import a_bot_of_two_versions
from tests.builders.keys import Caller, problem
from tournaments.models import Challenge

pytestmark = pytest.mark.django_db


@pytest.mark.thorough
def test_a_comparison_is_asked_for_once_read_and_stopped() -> None:
    bot = a_bot_of_two_versions()
    caller, rival = Caller(bot.owner), Caller(a.a_user())
    wanted: dict[str, Any] = {
        "candidate": {"bot": bot.slug, "n": 2},
        "reference": {"bot": bot.slug, "n": 1},
        "preset": "hawaii",
    }
    wanted |= {"options": {"rounds": 1}, "cap": 20}
    assert problem(Caller(None).post("/api/v1/challenges", wanted)) == (401, "auth.needed")
    assert problem(rival.post("/api/v1/challenges", wanted)) == (404, "not_found")
    assert problem(caller.post("/api/v1/challenges", wanted)) == (400, "idem.key_missing")
    weak = Caller(bot.owner, "read").post("/api/v1/challenges", wanted, Idempotency_Key="k")
    assert problem(weak) == (403, "auth.scope_missing")
    first, again = (caller.post("/api/v1/challenges", wanted, Idempotency_Key="k") for _ in range(2))
    assert (first.status_code, again.content) == (201, first.content)
    assert first.json() | {"state": "running", "cap": 20, "judged": 0, "estimate": []} == first.json()
    assert Challenge.objects.count() == 1
    here = first.headers["Location"]
    assert caller.get(here).json()["candidate"] == {"bot": bot.slug, "n": 2}
    assert len(caller.get("/api/v1/challenges?mine=1").json()["items"]) == 1
    assert rival.get("/api/v1/challenges").json()["items"] == [], "one owner's test is in nobody else's list"
    assert problem(rival.post(f"{here}:stop"))[0] in (403, 422)
    assert caller.post(f"{here}:stop").json()["state"] == "inconclusive"


def test_what_cannot_be_compared_points_at_the_field() -> None:
    bot = a_bot_of_two_versions()
    same = {"candidate": {"bot": bot.slug, "n": 2}, "reference": {"bot": bot.slug, "n": 2}, "preset": "hawaii"}
    answer = Caller(bot.owner).post("/api/v1/challenges", same, Idempotency_Key="k")
    assert problem(answer) == (422, "challenge.same")
    assert answer.json()["errors"][0]["pointer"] == "/reference"
