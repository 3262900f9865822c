"""A bot at a table of people while the workers are busy with a league: real processes take from their queues."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from celery import current_app

from activity import wake_ups
from tables.models import LiveTable
from tests.builders import events as a
from tests.faults.leagues import TAKES_ITS_TIME
from tests.services.processes import Project
from tests.tables.players import again, at_random, play_on
from tests.tables.test_bots import a_bot, against
from tournaments.matches.play import waiting

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300), pytest.mark.django_db(transaction=True)]
FIRST_CHOICE = "def choose(obs):\n    return 0\n"


def a_table_that_asks_a_bot() -> LiveTable:
    table, people = against(a_bot(FIRST_CHOICE), "koikoi_nintendo")
    while again(table).bot_asked_at is None:
        play_on(table, people, at_random(1), moves=1)
    return again(table)


def test_a_bot_answers_before_the_matches_of_a_league_are_played(
    project: Project, wait_until: Callable[..., Any]
) -> None:
    """Wake-ups of leagues lie in front of its task, and each leads to the next: behind them it would wait for all."""
    a.a_running_event(sources=[TAKES_ITS_TIME] * 6, options={"rounds": 6})
    for _each in range(30):
        current_app.send_task(wake_ups.TASKS["play"], queue="play")
    table = a_table_that_asks_a_bot()
    project.worker()
    wait_until(lambda: again(table).answered > table.answered, 120, "the answer of the bot")
    assert waiting() > 0, "the league goes on"
