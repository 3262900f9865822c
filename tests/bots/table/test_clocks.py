"""Clocks: the named ones, the bounds of custom ones, and what the record's view says about them."""

from __future__ import annotations

import json
from dataclasses import asdict

import pytest

from bots.runner import spec as clocks
from bots.runner.sandboxed import _WALL_FACTOR, _WALL_MATCH_MS, _WALL_MOVE_MS
from bots.runner.spec import BOUNDS, CLOCKS, Clock, out_of_bounds
from bots.runner.table import play
from bots.runner.zygote import Zygote
from config import settings
from engine.record import record_hash, verify
from tests.bots.matches import FIRST, LAST, a_spec

BURN_25_MS = """
import time
def choose(obs):
    end = time.process_time() + 0.025
    while time.process_time() < end:
        pass
    return 0
"""
MAX_SEATS = 7


def test_the_standard_clock_is_the_one_of_the_design() -> None:
    assert asdict(CLOCKS["standard"]) == {
        "id": "standard",
        "load_ms": 1000,
        "move_ms": 100,
        "bank_ms": 1000,
        "match_ms": 60000,
        "memory_mib": 256,
    }


@pytest.mark.parametrize("clock", CLOCKS.values(), ids=str)
def test_every_named_clock_is_within_the_bounds_of_custom_ones(clock: Clock) -> None:
    assert CLOCKS[clock.id] is clock
    assert out_of_bounds(clock) is None


@pytest.mark.parametrize("name", BOUNDS)
def test_bounds_are_named(name: str) -> None:
    low, high = BOUNDS[name]
    usual = {"load_ms": 1000, "move_ms": 100, "bank_ms": 0, "match_ms": 60_000, "memory_mib": 256}
    for wrong in (low - 1, high + 1):
        found = out_of_bounds(Clock("custom", *{**usual, name: wrong}.values()))
        assert found is not None
        assert (found.figure, found.low, found.high) == (name, low, high)


def test_a_match_is_no_shorter_than_its_longest_move() -> None:
    found = out_of_bounds(Clock("custom", move_ms=1000, bank_ms=3000, match_ms=3999))
    assert found == clocks.OutOfBounds("match_ms", 4000, BOUNDS["match_ms"][1])


def test_the_longest_clock_fits_lease_and_time_limit() -> None:
    longest = {name: high for name, (_low, high) in BOUNDS.items()}
    allowance = longest["move_ms"] + longest["bank_ms"]
    wall_of_a_move_s = (_WALL_FACTOR * max(allowance, longest["load_ms"]) + _WALL_MOVE_MS) / 1000
    assert wall_of_a_move_s + 60 / 3 < 60, "a lease of 60 s, renewed every 20 s between moves, must outlive a move"
    wall_of_a_match_s = (_WALL_FACTOR * longest["match_ms"] + _WALL_MATCH_MS) / 1000
    assert MAX_SEATS * wall_of_a_match_s < settings.CELERY_TASK_SOFT_TIME_LIMIT


@pytest.mark.thorough
def test_the_view_has_the_clock_and_the_reading_and_the_hash_does_not(zygote: Zygote) -> None:
    clock = Clock("custom", move_ms=10, bank_ms=2000, match_ms=30000)
    played = play(a_spec(BURN_25_MS, LAST, clock=clock, rounds=2), zygote)
    document = json.loads(json.dumps(played.document))
    view = document["view"]
    assert view["clock"] == asdict(clock)
    burner, quick = view["cpu"]
    moves = [move for deal in view["deals"] for move in deal["moves"] if move["a"]["by"] == "p0"]
    assert burner["ms"] == round(played.seats[0].cpu_ms) >= sum(move["ms"] for move in moves) - len(moves)
    over = [sum(max(0, move["ms"] - 10) for move in deal["moves"] if move["a"]["by"] == "p0") for deal in view["deals"]]
    assert [abs(used - said) <= len(moves) for used, said in zip(burner["bank"], over, strict=True)] == [True, True]
    assert min(burner["bank"]) > 0
    assert quick["bank"] != burner["bank"]
    assert document["hash"] == record_hash(document["record"])
    assert verify(document, seed=a_spec(FIRST, LAST).seed).ok


@pytest.mark.thorough
def test_the_view_says_how_long_each_answer_took_and_old_records_need_not(zygote: Zygote) -> None:
    """By the clock on the wall, beside the CPU; the proof of a record is the same without."""
    played = play(a_spec(BURN_25_MS, LAST, rounds=2), zygote)
    document = json.loads(json.dumps(played.document))
    view = document["view"]
    assert [len(times) for times in view["wall"]] == [len(deal["moves"]) for deal in view["deals"]]
    moves = [
        pair for deal, times in zip(view["deals"], view["wall"], strict=True) for pair in zip(deal["moves"], times)
    ]
    assert all(wall >= move["ms"] - 2 for move, wall in moves)
    assert all(wall == 0 for move, wall in moves if not move["ms"] and move["a"]["by"] == "p0")
    assert sum(wall for move, wall in moves if move["a"]["by"] == "p0") >= 25
    del document["view"]["wall"]
    assert document["hash"] == record_hash(document["record"])
    assert verify(document).ok


BURN_THEN = """
import os, time
def choose(obs):
    end = time.process_time() + 0.025
    while obs["move"] > 3 and time.process_time() < end:
        pass
    return {act} if obs["move"] > 3 else 0
"""


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("act", "code"),
    [
        ("1 / 0", "crash"),
        ("os._exit(3)", "crash"),
        ("os.abort()", "crash"),
        ("99", "illegal"),
        ("os.write(3, b'[]')", "protocol"),
        ("[0 for _ in iter(int, 1)]", "timeout.cpu"),
        ("time.sleep(99)", "crash"),
        ("__import__('threading').Event().wait()", "timeout.wall"),
    ],
)
def test_what_a_fault_cost_is_shown_at_its_move(zygote: Zygote, act: str, code: str) -> None:
    move_ms = 80 if code.startswith("timeout") else 1_000  # a traceback takes its time on a busy machine
    clock = Clock("custom", load_ms=5_000, move_ms=move_ms, bank_ms=10, match_ms=30_000)
    played = play(a_spec(FIRST, BURN_THEN.replace("{act}", act), clock=clock, rounds=1), zygote)
    (forfeit,) = played.forfeits
    assert forfeit.code == code
    view = json.loads(json.dumps(played.document))["view"]
    moves = view["deals"][0]["moves"]
    shown = moves[forfeit.move - 1]["ms"]
    assert shown >= (89 if code == "timeout.cpu" else 24)
    assert {move["ms"] for move in moves[forfeit.move :] if move["a"]["by"] == "p1"} == {0}
    own = sum(move["ms"] for move in moves if move["a"]["by"] == "p1")
    assert view["cpu"][1]["ms"] >= own - len(moves)
    assert view["cpu"][1]["bank"] == ([10] if code == "timeout.cpu" else [max(0, min(10, shown - move_ms))])
    assert verify(played.document).ok


@pytest.mark.thorough
def test_a_document_without_clock_still_verifies(zygote: Zygote) -> None:
    document = play(a_spec(FIRST, LAST, rounds=1), zygote).document
    del document["view"]["clock"], document["view"]["cpu"]
    assert verify(document).ok


@pytest.mark.thorough
def test_a_seat_that_loads_long_keeps_the_lease(zygote: Zygote) -> None:
    pulses: list[int] = []
    play(a_spec(FIRST, LAST, FIRST, rounds=1), zygote, heartbeat=lambda: pulses.append(1))
    moves = play(a_spec(FIRST, LAST, FIRST, rounds=1), zygote).document["view"]["deals"][0]["moves"]
    assert len(pulses) == 3 + len(moves)
