"""Look-ups that take another way where there is much: both ways say the same."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from bots.models import Bot, Check
from tests.builders import events as a
from tests.builders.leagues import League
from tournaments.matches.records import confirmed
from tournaments.models import Match, Seat
from tournaments.operations import failing

pytestmark = pytest.mark.django_db


def failed(bot: Bot, ended: list[int]) -> None:
    """Matches that a bot lost by a fault that many minutes ago, in this order, and a check that failed in between."""
    event = a.an_open_event(options={"rounds": 1})
    entry = a.entered(event, [bot, a.a_bot()])[0]
    for minutes in ended:
        at = timezone.now() - timedelta(minutes=minutes)
        match = Match.objects.create(stage=event.stages.get(), seats_n=2, state="confirmed", finished_at=at)
        fault = {"code": "crash", "deal": 1, "move": 2}
        who = {"entry": entry, "player": entry.player, "bot_version": bot.active_version, "outcome": "forfeit"}
        Seat.objects.create(match=match, index=0, side=0, fault=fault, **who)
    between = timezone.now() - timedelta(minutes=sorted(ended)[1], seconds=30)
    Check.objects.filter(version__bot=bot).update(state="done", result={"ok": False}, finished_at=between)


def test_the_first_failures_are_those_of_the_whole_list(monkeypatch: pytest.MonkeyPatch) -> None:
    owner = a.a_user("ann")
    bot = a.a_bot(owner, name="Tired")
    failed(bot, [5, 1, 9, 3])
    whole = list(failing.rows_of(bot, owner))
    versions = list(bot.versions.values_list("pk", flat=True))
    assert [letter for letter, _key, _at in whole] == ["F", "F", "C", "F", "F"]
    assert failing.newest_rows(bot, owner, versions, first=0) == whole
    monkeypatch.setattr(failing, "SIZE", 2)
    assert failing.newest_rows(bot, owner, versions, first=2) == whole[2:4]
    monkeypatch.setattr(failing, "NEAR", 0)
    assert failing.newest_rows(bot, owner, versions, first=2) == whole[2:4]


def test_results_of_some_entries_are_the_same_of_a_short_and_of_a_long_stage(
    league: League, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage = league.finished.stages.get()
    some = list(league.finished.entries.order_by("id").values_list("pk", flat=True)[:2])
    short = confirmed.results_of(stage, among=some)
    monkeypatch.setattr(confirmed, "FEW", 0)
    long = confirmed.results_of(stage, among=some)
    assert short
    assert sorted(short, key=lambda each: each.match) == sorted(long, key=lambda each: each.match)
