"""Wake-ups that let new versions into ladders: of an activation, and of a check that was passed."""

from __future__ import annotations

from random import Random

import pytest

from activity import wake_ups
from bots.jobs import checks
from bots.jobs.process import Process
from bots.services import house_account, upload_version
from tests.builders import events as a
from tests.tournaments.ratings.test_ladder_folds import end
from tests.tournaments.ratings.test_newcomers import a_league, a_long_ladder, activate_next, bot_of, sets_of
from tournaments import tasks
from tournaments.models import Match
from tournaments.progress import derive
from tournaments.progress.draws import next_round
from tournaments.ratings.ladders import house

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.thorough]


def test_an_activation_is_followed_although_results_came_with_it() -> None:
    """Results that leave every round open bring no draw of their own; the new version does."""
    stage, league = a_long_ladder(), a_league(4)
    tasks.derive()
    bot = bot_of(stage)
    number = activate_next(bot)
    match = Match.objects.filter(stage__tournament=league, state=Match.State.QUEUED).select_related("stage__tournament")
    end(match[0], Random(1))
    tasks.derive()
    assert sets_of(stage, bot, number)
    assert derive.derive_waiting() == derive.Folded(events=0, may_go_on=False)


def test_a_first_version_that_passes_its_check_is_in_the_official_ladder_at_once(
    process: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage = house.open_ladder(house_account(), preset="hawaii", seats=2)
    for _each in range(3):
        a.a_bot()
    house.enter_ready()
    next_round.advance_waiting()
    version = upload_version(owner=a.a_user(), filename="bot.py", data=a.FIRST, name="Plum")
    heard: list[str] = []
    monkeypatch.setattr(wake_ups, "notify_workers", lambda queue, *_more, **_delay: heard.append(queue))
    assert checks.play_waiting(process) == 1
    assert "derive" in heard
    tasks.derive()
    assert sets_of(stage, version.bot, 1)
