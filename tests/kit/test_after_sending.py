"""After a step the kit says what happened, what plays now and where, and what to do next."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from accounts.tokens import make_token
from bots.jobs import checks
from bots.jobs.process import Process
from bots.models import Bot, BotVersion, Check
from bots.services import house_account
from kit import telling
from kit.output import Output
from tests.builders import events as a
from tests.kit.conftest import Type
from tournaments.ratings.ladders import house

pytestmark = pytest.mark.django_db(transaction=True)
GOOD = "def choose(obs):\n    return 0\n"
ILLEGAL = "def choose(obs):\n    return None\n"


@pytest.mark.thorough
def test_a_failed_check_is_shown_with_its_log_and_how_to_repeat_it(
    type_in: Type, my_bot: Callable[..., Path], signed_in: Any, process: Process
) -> None:
    my_bot(ILLEGAL)
    first = type_in("submit", "mine", "-m", "one")
    assert "It is being checked" in first.out
    assert checks.play_waiting(process) == 1
    check = Check.objects.get()
    found = type_in("submit", "mine", "-m", "one")
    assert found.code == 1, found.out
    assert "choose returned None (NoneType)" in found.out
    assert f"hanami repro C{check.pk}" in found.out
    assert "in the queue" not in found.out
    listed = type_in("logs", "mine")
    assert f"C{check.pk}" in listed.out
    assert "v1  illegal" in listed.out
    newest = type_in("logs", "mine", "--last-failure")
    assert "choose returned None" in newest.out
    again = type_in("repro", f"C{check.pk}", "mine")
    assert (again.code, "choose returned None" in again.out) == (1, True)
    status = type_in("status", "mine").out
    assert "failed its check" in status
    assert "No version is active, so it plays nowhere." in status
    assert "Official ladders" not in status


@pytest.mark.thorough
def test_versions_are_activated_and_the_kit_says_what_plays_and_where(
    type_in: Type, my_bot: Callable[..., Path], signed_in: Any, process: Process
) -> None:
    stage = house.open_ladder(house_account(), preset="hawaii", seats=2)
    my_bot(GOOD)
    assert type_in("submit", "mine").code == 0
    assert checks.play_waiting(process) == 1
    house.enter_ready()
    first = type_in("submit", "mine", "--wait")
    assert "v1 is ready, and it is the one that plays" in first.out
    assert stage.tournament.slug in first.out
    my_bot(GOOD + "# 2\n")
    assert type_in("submit", "mine").code == 0
    assert checks.play_waiting(process) == 1
    second = type_in("submit", "mine", "--json")
    assert (second.json["n"], second.json["active"], second.json["state"]) == (2, 1, "ready")
    assert "v1 is still the one that plays. To let it play:  hanami activate 2" in type_in("submit", "mine").out
    assert "v2 is ready and does not play" in type_in("status", "mine").out
    done = type_in("activate", "2", "mine")
    assert (done.code, stage.tournament.slug in done.out) == (0, True)
    BotVersion.objects.filter(bot__name="mine", n=2).update(clock="deep")
    assert "v2 declares deep" in type_in("status", "mine").out
    BotVersion.objects.filter(bot__name="mine", n=2).update(clock="standard", benched_at=timezone.now())
    assert "active, suspended" in type_in("status", "mine").out
    BotVersion.objects.filter(bot__name="mine", n=2).update(benched_at=None)
    assert type_in("activate", "1", "mine", "--json").json["active"] == 1
    missing = type_in("activate", "9", "mine")
    assert missing.code == 3
    assert "has no version 9 that you can see; the newest is 2. Your bot's versions:  hanami status." in missing.err
    assert "/api/docs/" not in missing.err + type_in("repro", "C999", "mine").err
    assert "The service has nothing of that name" in type_in("repro", "C999", "mine").err
    assert type_in("submit", "mine", "--activate", "--json").json["active"] == 2
    listed = type_in("status", "mine", "--json").json
    assert (listed["active"], [version["n"] for version in listed["versions"]]) == (2, [2, 1])
    renamed = type_in("rename", "Plum", "mine")
    assert (renamed.code, Bot.objects.get().name) == (0, "Plum")
    assert type_in("status", "mine").out.startswith("Plum: ")
    assert type_in("delete", "mine", "--json").json["error"]["code"] == "bot.has_versions"


@pytest.mark.thorough
def test_a_weak_token_and_another_python_are_told_at_once(
    type_in: Type, my_bot: Callable[..., Path], live_site: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, key = make_token(user=a.a_user("kimo"), name="weak", scopes=["read"])
    monkeypatch.setattr(telling, "own_versions", lambda: {"python": "3.99.1", "numpy": ""})
    found = type_in("login", live_site, "--token", key)
    assert found.code == 0
    assert "lacks bot:write (submit, activate); bot:logs (logs, repro)" in found.err
    assert "python is 3.99.1 here" in found.err
    my_bot("def choose(obs)\n    return 0\n")
    tested = type_in("test", "mine")
    assert "python is 3.99.1 here" in tested.err
    assert "bot.py, line 1" in tested.out
    assert type_in("logout").code == 0
    assert "Nobody was signed in" in type_in("logout").out


def said(active: dict[str, Any] | None, ladders: set[str] | None, capsys: pytest.CaptureFixture[str]) -> str:
    telling.tell_entries(Output(), active, [], ladders)
    return " ".join(capsys.readouterr().out.split())


def test_ladders_are_promised_only_to_what_they_take(capsys: pytest.CaptureFixture[str]) -> None:
    version: dict[str, Any] = {"n": 3, "clock": "quick", "plays": ["hawaii"], "benched": False}
    promise = "It is entered nowhere. Official ladders take a bot that is ready within a minute."
    assert said(version, {"hawaii"}, capsys) == promise
    # A service that is too old to list its ladders.
    assert said(version, None, capsys) == promise
    assert said({**version, "clock": "of a later service"}, None, capsys) == promise
    deep = said({**version, "clock": "deep"}, {"hawaii"}, capsys)
    assert "are played with the clock standard, and v3 declares deep" in deep
    assert "events with the clock deep, and in comparisons" in deep
    assert "No official ladder is played by rules that v3 plays (hawaii)" in said(version, {"paradise"}, capsys)
    assert "v3 is suspended" in said({**version, "benched": True}, {"hawaii"}, capsys)
    assert "No version is active, so it plays nowhere." in said(None, {"hawaii"}, capsys)


def test_a_ladder_that_a_bot_is_entered_in_and_that_draws_nothing_for_it_says_so(
    capsys: pytest.CaptureFixture[str],
) -> None:
    entry = {"tournament": "ladder", "tournament_state": "running", "state": "active", "version": None, "rank": 2}
    version: dict[str, Any] = {"n": 3, "clock": "deep", "plays": ["hawaii"], "benched": False}
    telling.tell_entries(Output(), version, [{**entry, "official": True}], {"hawaii"})
    assert "v3 declares deep" in capsys.readouterr().out
    telling.tell_entries(Output(), version, [{**entry, "official": False}], {"hawaii"})
    assert "v3 declares deep" not in capsys.readouterr().out


def test_only_differences_that_matter_are_told() -> None:
    here = telling.own_versions()
    assert telling.differences({**here}) == []
    major, minor = here["python"].split(".")[:2]
    assert telling.differences({"python": f"{major}.{minor}.99", "numpy": here["numpy"]}) == []
    assert len(telling.differences({"python": "2.7.1", "numpy": "1.0"})) == 2
    telling.warn_of_differences(Output(), {})


def test_compare_is_another_word_for_ab(type_in: Type) -> None:
    found = type_in("compare", "house:greedy", "house:greedy", "--json")
    assert found.json["error"]["code"] == "kit.same"
