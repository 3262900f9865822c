"""The streams of programs: what is there comes first, news at once, the present turn again after every cut."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Coroutine
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from accounts.tokens import revoke_all
from tables.actions.answering import answer
from tables.actions.leaving import leave
from tables.api import streaming
from tables.models import LiveTable, Program
from tables.play.shuffle import of_service
from tables.programs.calls import Calls
from tables.programs.challenges import accept, challenge, decline
from tables.programs.lines import Line
from tables.programs.registry import sitter_for
from tests.builders.keys import Caller, problem
from tests.services.looping import run_async
from tests.services.waiting import wait_until
from tests.tables.players import folded
from tests.tables.programs.building import Stream, a_plan, a_program, a_table_of, asked, caller

pytestmark = pytest.mark.django_db(transaction=True)
STREAM = "/api/v1/bot/stream"


def run(scene: Callable[[], Coroutine[Any, Any, None]]) -> None:
    run_async(scene)


async def done(act: Callable[[], Any]) -> Any:
    """Do what a request of some other process would do."""

    def alone() -> Any:
        try:
            return act()
        finally:
            connection.close()

    return await asyncio.to_thread(alone)


def of_table(table: LiveTable) -> str:
    return f"/api/v1/bot/tables/{table.uuid}/stream"


def test_a_challenge_a_start_and_an_end_are_told_at_once(redis_url: str) -> None:
    plum, crane = a_program("Plum", is_here=False), a_program("Crane")
    key, other = caller(plum).key, sitter_for(crane)

    async def scene() -> None:
        stream = Stream(STREAM, key)
        await stream.until(lambda: stream.status == 200)
        assert stream.headers["content-type"] == "application/x-ndjson; charset=utf-8"
        here = Program.objects.filter(pk=plum.pk, seen_at__isnull=False)
        await done(lambda: wait_until(here.exists, 10, "the note that it is here"))
        table = await done(lambda: _challenged(crane, plum))
        told = (await stream.first("challenge"))["challenge"]
        assert told["from"] == {"kind": "program", "name": "Crane (remote)", "program": "crane-remote"}
        assert (told["state"], told["table"]["preset"]) == ("open", "koikoi_nintendo")
        await done(lambda: accept(told["id"], plum, of_service()))
        started = (await stream.first("table_start"))["table"]
        assert (started["id"], started["me"]) == (str(table.uuid), 1)
        assert [each["name"] for each in started["players"]] == ["Crane (remote)", "Plum (remote)"]
        await done(lambda: leave_table(table, other))
        over = await stream.first("table_end")
        assert (over["state"], over["result"]["end"]) == ("finished", "forfeit")
        assert over["result"]["rank"] == [2, 1]
        await stream.leave()

    run(scene)


def _challenged(by: Program, other: Program) -> LiveTable:
    fresh = Program.objects.select_related("bot__owner", "version").get(pk=other.pk)
    return challenge(sitter_for(by), [fresh], a_plan(), of_service(), program=by)


def leave_table(table: LiveTable, sitter: Any) -> None:
    leave(table, sitter)


def test_who_challenged_hears_that_it_was_declined(redis_url: str, monkeypatch: Any) -> None:
    monkeypatch.setattr(streaming, "HEARTBEAT_S", 0.05)
    plum, crane = a_program("Plum"), a_program("Crane")
    key, uuid = caller(crane).key, _challenged(crane, plum).challenges.get().uuid

    async def scene() -> None:
        stream = Stream(STREAM, key)
        # A heartbeat comes after what is there already: of one's own challenge nothing has to be told.
        await stream.first("heartbeat")
        assert stream.of("challenge") == []
        await done(lambda: decline(uuid, plum, "busy"))
        await stream.until(lambda: bool(stream.of("challenge_end")))
        over = stream.of("challenge_end")[0]["challenge"]
        assert (over["state"], over["reason"]) == ("declined", "busy")
        await stream.leave()

    run(scene)


@pytest.mark.thorough
def test_a_program_plays_by_its_streams_and_hears_the_end(redis_url: str) -> None:
    plum, crane = a_program("Plum"), a_program("Crane")
    table = a_table_of(plum, crane)
    keys = {program.pk: caller(program).key for program in (plum, crane)}
    seats = {seat.bot_version_id: seat.index for seat in table.seats.all()}

    async def scene() -> None:
        streams = {program.pk: Stream(of_table(table), keys[program.pk]) for program in (plum, crane)}
        for program in (plum, crane):
            hello = await streams[program.pk].first("hello")
            assert hello["hello"]["v"] == 1
            assert hello["hello"]["me"] == f"p{seats[program.version_id]}"
            assert hello["hello"]["clock"] == {"id": "remote", "bank_ms": 10_000, "increment_ms": 1_000}
        for _each in range(12):
            program, n, choices = await done(lambda: asked(table, plum, crane))
            own = streams[program.pk]
            turn = await own.turn(n)
            assert (turn["n"], len(turn["obs"]["legal"])) == (n, choices)
            assert turn["obs"]["since"], "something was told since the last turn"
            await done(partial(answer, table, sitter_for(program), n, 0))
        await done(lambda: leave_table(table, sitter_for(plum)))
        for stream in streams.values():
            assert (await stream.first("end"))["result"]["end"] == "forfeit"
            await stream.ended()

    run(scene)


@pytest.mark.thorough
def test_after_a_cut_the_present_turn_comes_again_and_nothing_is_lost(redis_url: str) -> None:
    plum, crane = a_program("Plum"), a_program("Crane")
    table = a_table_of(plum, crane)
    keys = {program.pk: caller(program).key for program in (plum, crane)}

    async def scene() -> None:
        for _each in range(9):
            program, n, _choices = await done(lambda: asked(table, plum, crane))
            await done(partial(answer, table, sitter_for(program), n, 0))
        program, n, _choices = await done(lambda: asked(table, plum, crane))
        whole = Stream(of_table(table), keys[program.pk])
        first = await whole.first("turn")
        await whole.leave()
        assert [line["type"] for line in whole.lines][:2] == ["hello", "turn"]
        again = Stream(of_table(table), keys[program.pk], f"after={n - 1}")
        turn = await again.first("turn")
        await again.leave()
        events = (await done(lambda: folded(table))).match.events
        assert first["n"] == turn["n"] == n
        assert first["obs"]["since"] == events
        told = len(turn["obs"]["since"])
        assert 0 < told < len(events)
        assert turn["obs"]["since"] == events[-told:]
        same = {**first["obs"], "since": [], "ms_left": 0}
        assert same == {**turn["obs"], "since": [], "ms_left": 0}

    run(scene)


@pytest.mark.thorough
def test_the_turns_of_one_connection_tell_every_event_once(redis_url: str) -> None:
    plum, crane = a_program("Plum"), a_program("Crane")
    table = a_table_of(plum, crane)
    key = caller(plum).key

    async def scene() -> None:
        stream = Stream(of_table(table), key)
        for _each in range(14):
            program, n, _choices = await done(lambda: asked(table, plum, crane))
            if program is plum:
                await stream.turn(n)
            await done(partial(answer, table, sitter_for(program), n, 0))
        events = (await done(lambda: folded(table))).match.events
        told = [event for turn in stream.of("turn") for event in turn["obs"]["since"]]
        assert told == events[: len(told)]
        assert [turn["n"] for turn in stream.of("turn")][:3] == [1, 2, 3]
        await stream.leave()

    run(scene)


def test_events_for_browsers_have_ids_from_which_they_go_on(redis_url: str) -> None:
    plum, crane = a_program("Plum"), a_program("Crane")
    table = a_table_of(plum, crane)
    program, n, _choices = asked(table, plum, crane)
    key = caller(program).key

    async def scene() -> None:
        stream = Stream(of_table(table), key, accept="text/event-stream")
        await stream.until(lambda: b"event: turn" in stream.body)
        await stream.leave()
        assert stream.headers["content-type"] == "text/event-stream; charset=utf-8"
        frames = stream.body.decode().split("\n\n")
        turn = next(frame for frame in frames if "event: turn" in frame).split("\n")
        assert turn[0] == f"id: {n}"
        assert json.loads(turn[2].removeprefix("data: "))["n"] == n

    run(scene)


@pytest.mark.thorough
def test_a_stream_says_every_few_seconds_that_it_is_there(redis_url: str, monkeypatch: Any) -> None:
    monkeypatch.setattr(streaming, "HEARTBEAT_S", 0.05)
    key = caller(a_program()).key

    async def scene() -> None:
        lines = Stream(STREAM, key)
        await lines.first("heartbeat", 3)
        await lines.leave()
        events = Stream(STREAM, key, accept="text/event-stream")
        await events.until(lambda: events.body.count(b": heartbeat\n\n") >= 2)
        await events.leave()

    run(scene)


@pytest.mark.thorough
def test_an_idle_stream_neither_asks_the_database_nor_keeps_a_thread(redis_url: str, monkeypatch: Any) -> None:
    monkeypatch.setattr(streaming, "HEARTBEAT_S", 0.05)
    monkeypatch.setattr(streaming, "PER_PROGRAM", 40)
    looks: list[object] = []
    look = Calls.fresh

    def counted(self: Calls) -> list[Line]:
        looks.append(self)
        return look(self)

    monkeypatch.setattr(Calls, "fresh", counted)
    key = caller(a_program()).key

    async def scene() -> None:
        streams = [Stream(STREAM, key) for _each in range(30)]
        for stream in streams:
            await stream.first("heartbeat", 4)
        threads, before = threading.active_count(), len(looks)
        for stream in streams:
            await stream.first("heartbeat", 12)
        # Once when it was opened, once when the hub first says how the channel stands.
        assert before <= 2 * len(streams)
        assert len(looks) == before
        assert threading.active_count() <= threads
        assert threads < len(streams), "a pool of threads serves them all"
        for stream in streams:
            await stream.leave()

    run(scene)


@pytest.mark.thorough
def test_a_clock_that_runs_out_ends_the_match_while_both_only_listen(redis_url: str) -> None:
    plum, crane = a_program("Plum"), a_program("Crane")
    table = a_table_of(plum, crane)
    program, _n, _choices = asked(table, plum, crane)
    other = crane if program is plum else plum
    LiveTable.objects.filter(pk=table.pk).update(
        dealt_at=timezone.now() - timedelta(seconds=60), deadline_at=timezone.now() + timedelta(seconds=0.2)
    )
    key = caller(other).key

    async def scene() -> None:
        stream = Stream(of_table(table), key)
        end = await stream.first("end")
        assert end["result"]["end"] == "forfeit"

    run(scene)


def test_refusals_of_streams_are_problem_documents(redis_url: str) -> None:
    plum, crane, third = a_program("Plum"), a_program("Crane"), a_program("Third")
    table = a_table_of(plum, crane)
    keys = {"third": caller(third).key, "plum": caller(plum).key, "no": Caller(plum.bot.owner, "read").key}

    async def refused(path: str, key: str, query: str = "") -> tuple[int, str]:
        stream = Stream(path, key, query)
        await stream.ended()
        assert stream.headers["content-type"] == "application/problem+json"
        return stream.status, json.loads(stream.body)["code"]

    async def scene() -> None:
        assert await refused(STREAM, "hf_made_up") == (401, "auth.token_unknown")
        assert await refused(STREAM, keys["no"]) == (403, "auth.scope_missing")
        assert await refused(of_table(table), keys["third"]) == (400, "table.not_seated")
        nowhere = "/api/v1/bot/tables/00000000-0000-4000-8000-000000000000/stream"
        assert await refused(nowhere, keys["plum"]) == (404, "not_found")
        assert await refused(of_table(table), keys["plum"], "after=x") == (400, "request.invalid")
        assert await refused(STREAM, keys["plum"], "when=now") == (400, "request.unknown_field")

    run(scene)


def test_a_program_holds_at_most_some_streams_open(redis_url: str, monkeypatch: Any) -> None:
    monkeypatch.setattr(streaming, "PER_PROGRAM", 2)
    key = caller(a_program()).key

    async def scene() -> None:
        held = [Stream(STREAM, key) for _each in range(2)]
        for stream in held:
            await stream.opened()
        third = Stream(STREAM, key)
        await third.ended()
        assert (third.status, third.headers["retry-after"]) == (429, "30")
        await held[0].leave()
        again = Stream(STREAM, key)
        await again.until(lambda: again.status == 200)
        for stream in (again, held[1]):
            await stream.leave()

    run(scene)


def test_a_stream_ends_after_an_hour_and_its_token_is_looked_at_again(redis_url: str, monkeypatch: Any) -> None:
    monkeypatch.setattr(streaming, "MAX_STREAM_S", 0.1)
    monkeypatch.setattr(streaming, "HEARTBEAT_S", 0.1)
    plum = a_program()
    key = caller(plum).key

    async def scene() -> None:
        first = Stream(STREAM, key)
        await first.ended()
        assert first.status == 200
        await done(lambda: revoke_all(user=plum.bot.owner))
        second = Stream(STREAM, key)
        await second.ended()
        assert second.status == 401

    run(scene)


def test_tables_that_ended_while_nobody_listened_are_told_afterwards(redis_url: str) -> None:
    plum, crane = a_program("Plum"), a_program("Crane")
    table = a_table_of(plum, crane)
    before = round((timezone.now() - timedelta(seconds=5)).timestamp() * 1000)
    leave_table(table, sitter_for(crane))
    key = caller(plum).key

    async def scene() -> None:
        stream = Stream(STREAM, key, f"after={before}")
        assert (await stream.first("table_end"))["table"]["id"] == str(table.uuid)
        at = stream.of("table_end")[0]["at"]
        await stream.leave()
        later = Stream(STREAM, key, f"after={at}")
        await later.until(lambda: later.status == 200)
        await later.leave()
        assert later.of("table_end") == []

    run(scene)


def test_without_a_server_of_streams_the_answer_is_what_there_is_now() -> None:
    plum, crane = a_program("Plum"), a_program("Crane")
    table = a_table_of(plum, crane)
    program, n, _choices = asked(table, plum, crane)
    lines = [json.loads(line) for line in caller(program).get(of_table(table)).content.splitlines()]
    assert [line["type"] for line in lines] == ["hello", "turn"]
    assert lines[1]["n"] == n
    assert problem(Client().get(STREAM)) == (401, "auth.needed")
    events = caller(program).get(STREAM, Accept="text/event-stream")
    assert b"event: table_start" in events.content


def test_no_hidden_card_and_no_number_of_the_other_is_told(redis_url: str) -> None:
    plum, crane = a_program("Plum"), a_program("Crane")
    # A lucky hand ends its deal before anybody moves (one of eighty), and is shown: such a table tells of two deals.
    tables = (a_table_of(plum, crane) for _try in range(4))
    table = next(each for each in tables if len(folded(each).match.deals) == 1)
    hands = dict(enumerate(_hands(table)))
    for seat, program in enumerate((plum, crane)):
        told = caller(program).get(of_table(table)).content.decode()
        lines = [json.loads(line) for line in told.splitlines()]
        seen = json.dumps([line for line in lines if line["type"] != "hello"])
        assert not [card for card in hands[1 - seat] if f'"{card}"' in seen]
        assert bytes(table.secret).hex() not in told


def _hands(table: LiveTable) -> list[list[str]]:
    match = folded(table).match
    seen: list[Any] = [match.observation(seat, match_id="", preset="", since=0, ms_left=0) for seat in range(2)]
    return [list(each["hand"]) for each in seen]
