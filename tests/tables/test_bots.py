"""Bots at a table of people: their answers come from the sandbox, once, and a fault forfeits."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
import redis
from django.utils import timezone

from bots.errors import InfraFault
from bots.jobs.process import Process
from bots.models import BotVersion
from bots.services.house import house_account, install_house_bot
from engine.games import PRESETS
from tables.actions.opening import TablePlan, open_table
from tables.actions.waking import send, send_lost
from tables.jobs.answering import answer_seat
from tables.jobs.levels import version_of_level
from tables.models import LiveTable
from tables.play.shuffle import of_service
from tests.tables.players import again, at_random, folded, guest, play_on

pytestmark = pytest.mark.django_db


def against(version: BotVersion, preset: str, seats: int = 2) -> tuple[LiveTable, list[Any]]:
    """A table that asks somebody: one Poka match in five hundred is decided as it is dealt."""
    person = guest()
    plan = TablePlan(preset=preset, seats=seats, bots=[version] * (seats - 1))
    table = open_table(person, plan, of_service())
    while table.state == LiveTable.State.FINISHED:
        table = open_table(person, plan, of_service())
    return table, [person]


def a_bot(source: str) -> BotVersion:
    bot = install_house_bot(
        owner=house_account(), name="Trial", files=[("bot.py", source.encode())], plays=list(PRESETS)
    )
    assert bot.active_version is not None
    return bot.active_version


@pytest.mark.thorough
@pytest.mark.parametrize(("preset", "seats"), [("koikoi_nintendo", 2), ("hawaii", 3), ("oibana", 4), ("poka3", 2)])
def test_a_house_bot_plays_with_a_person_to_the_end(
    preset: str, seats: int, process: Process, django_capture_on_commit_callbacks: Any
) -> None:
    table, people = against(version_of_level("1"), preset, seats)
    choose = at_random(preset)
    for _each in range(60):
        table = again(table)
        question = folded(table).question if table.state == "playing" else None
        if question is None:
            break
        if question.seat == 0:
            play_on(table, people, choose, moves=1)
        else:
            assert table.bot_asked_at is not None
            assert answer_seat(table.uuid, table.answered, process.launcher())
            assert not answer_seat(table.uuid, table.answered, process.launcher()), "it is answered already"
    assert again(table).answered > 5
    assert not folded(again(table)).gone


def test_the_answer_of_a_bot_waits_behind_no_match(redis_url: str, settings: Any) -> None:
    """Hundreds of matches may wait in the queue of leagues; a person sits at a table now."""
    with redis.Redis.from_url(redis_url) as broker:
        broker.flushdb()
        assert send("plum", 0)
        assert (broker.llen("tables"), broker.llen("play")) == (1, 0)
    assert settings.CELERY_BEAT_SCHEDULE["tables"]["options"]["queue"] == "tables", "the sweep watches the clocks"


def test_a_bot_that_crashes_forfeits(process: Process) -> None:
    table, people = against(a_bot("def choose(obs):\n    raise ValueError('no')\n"), "koikoi_nintendo")
    while again(table).bot_asked_at is None:
        play_on(table, people, at_random(1), moves=1)
    table = again(table)
    assert answer_seat(table.uuid, table.answered, process.launcher())
    assert again(table).state == "finished"
    assert [row.code for row in table.answers.filter(index=None)] == ["crash"]


@pytest.mark.thorough
def test_a_bot_is_told_the_whole_match(process: Process) -> None:
    source = (
        "import hanami\n"
        "def choose(obs):\n"
        "    view = hanami.read(obs)\n"
        "    deals = [event for event in obs['since'] if 'deal' in event]\n"
        "    assert len(deals) == obs['deal'], 'a deal is missing'\n"
        "    return 0\n"
    )
    table, people = against(a_bot(source), "koikoi_nintendo")
    for _each in range(80):
        table = again(table)
        if table.state != "playing":
            break
        if table.bot_asked_at is not None:
            answer_seat(table.uuid, table.answered, process.launcher())
        else:
            play_on(table, people, at_random(5), moves=1)
    assert not folded(again(table)).gone
    assert folded(again(table)).match.deal > 1


def test_a_lost_task_is_sent_again(django_capture_on_commit_callbacks: Any) -> None:
    table, people = against(version_of_level("1"), "koikoi_nintendo")
    while again(table).bot_asked_at is None:
        play_on(table, people, at_random(1), moves=1)
    assert send_lost() == 0
    LiveTable.objects.update(bot_asked_at=timezone.now() - timedelta(seconds=20))
    assert send_lost() <= 1


def test_without_a_sandbox_the_question_stays(process: Process) -> None:
    class Broken:
        def launch(self, _clock: object) -> Any:
            raise InfraFault("sandbox.refused", "no sandbox")

        def close(self) -> None:
            """Nothing is open."""

    table, people = against(version_of_level("1"), "koikoi_nintendo")
    while again(table).bot_asked_at is None:
        play_on(table, people, at_random(1), moves=1)
    table = again(table)
    with pytest.raises(InfraFault):
        answer_seat(table.uuid, table.answered, Broken())
    assert again(table).answered == table.answered
    assert answer_seat(table.uuid, table.answered, process.launcher())
