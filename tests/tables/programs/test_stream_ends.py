"""Streams of programs that end early, and turns that a pause interrupts."""

from __future__ import annotations

import asyncio
import json
from functools import partial

import pytest

from accounts.tokens import revoke_all, usable
from tables.actions.answering import answer
from tables.api import watching
from tables.errors import TableError
from tables.programs.registry import sitter_for
from tables.programs.retiring import retire_program
from tests.tables.players import at_random, folded, play_on
from tests.tables.programs.building import Stream, a_program, a_table_of, caller
from tests.tables.programs.test_events import an_event, called, seated, table_at
from tests.tables.programs.test_streams import STREAM, done, leave_table, of_table, run
from tournaments.progress.run import pause_tournament, resume_tournament

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.thorough
def test_the_streams_of_a_revoked_token_end_soon(redis_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "CHECKED_EVERY_S", 0.2)
    plum, crane = a_program("Plum"), a_program("Crane")
    table = a_table_of(plum, crane)
    first, second = caller(plum).key, caller(crane).key

    async def scene() -> None:
        ended = [Stream(STREAM, first), Stream(of_table(table), first)]
        goes_on = Stream(STREAM, second)
        for stream in (*ended, goes_on):
            await stream.opened()
        await done(lambda: revoke_all(user=plum.bot.owner))
        for stream in ended:
            await stream.ended()
        assert goes_on.status == 200
        await goes_on.leave()

    run(scene)


@pytest.mark.thorough
def test_a_check_that_fails_is_not_the_last(redis_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "CHECKED_EVERY_S", 0.1)
    plum = a_program("Plum")
    key, looks = caller(plum).key, list[int]()

    def breaks_once(tokens: list[int]) -> set[int]:
        looks.append(1)
        if len(looks) == 1:
            raise ZeroDivisionError
        return set(usable(tokens))

    monkeypatch.setattr(watching, "usable", breaks_once)

    async def scene() -> None:
        stream = Stream(STREAM, key)
        await stream.opened()
        async with asyncio.timeout(10):
            while len(looks) < 2:
                await asyncio.sleep(0.05)
        await done(lambda: revoke_all(user=plum.bot.owner))
        await stream.ended()

    run(scene)


@pytest.mark.thorough
def test_the_stream_of_a_retired_program_ends_with_its_last_match(redis_url: str) -> None:
    plum, crane = a_program("Plum"), a_program("Crane")
    table = a_table_of(plum, crane)
    key, owner = caller(plum).key, plum.bot.owner

    async def scene() -> None:
        stream = Stream(STREAM, key)
        await stream.first("table_start")
        await done(lambda: retire_program(program=plum, by=owner))
        again = Stream(STREAM, key)
        await again.first("table_start")
        await done(lambda: leave_table(table, sitter_for(crane)))
        for each in (stream, again):
            await each.ended()
            assert [line["type"] for line in each.lines if line["type"] != "heartbeat"][-1] == "table_end"
        refused = Stream(STREAM, key)
        await refused.ended()
        assert (refused.status, json.loads(refused.body)["code"]) == (400, "program.retired")

    run(scene)


@pytest.mark.thorough
def test_a_pause_of_the_event_is_told_and_the_turn_comes_again(redis_url: str) -> None:
    plum = a_program("Plum")
    event = an_event(plum)
    (match,) = called(event)
    people = seated(match, plum)
    table, key, me = table_at(match), caller(plum).key, sitter_for(plum)
    while (question := folded(table).question) is not None and people[question.seat] != me:
        table = play_on(table, people, at_random(1), moves=1)
    event.refresh_from_db()
    by = event.created_by

    async def scene() -> None:
        stream = Stream(of_table(table), key)
        turn = await stream.first("turn")
        await done(partial(pause_tournament, tournament=event, by=by))
        await stream.first("paused")
        with pytest.raises(TableError) as refused:
            await done(partial(answer, table, me, turn["n"], 0))
        assert refused.value.code == "table.paused"
        await done(partial(resume_tournament, tournament=event, by=by))
        again = await stream.first("turn", 2)
        assert again["n"] == turn["n"]
        assert again["ms_left"] <= turn["ms_left"]
        await done(partial(answer, table, me, again["n"], 0))
        await stream.leave()

    run(scene)
