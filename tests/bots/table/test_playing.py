"""Matches at the table: its messages, questions, charges and records."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest

from bots.house import house_files
from bots.runner.inprocess import InProcessLauncher
from bots.runner.spec import Clock
from bots.runner.table import Played, play
from bots.runner.zygote import Zygote
from engine.deck import bot_rng
from engine.record import verify
from tests.bots.matches import FIRST, LAST, a_spec

TELL = """
import json
from itertools import pairwise
def start(hello):
    print(json.dumps(hello))
def choose(obs):
    print(json.dumps(obs))
    return 0
"""
BURN = """
import json, time
def choose(obs):
    print(obs["deal"], obs["ms_left"])
    end = time.process_time() + 0.03
    while time.process_time() < end:
        pass
    return 0
"""


def told(played: Played, seat: int) -> list[dict[str, Any]]:
    """Return the messages that a TELL bot got, hello first."""
    return [json.loads(line) for line in played.seats[seat].log.splitlines()]


@pytest.mark.thorough
def test_four_house_bots_play_hawaii_and_the_record_verifies(zygote: Zygote) -> None:
    spec = a_spec(*map(house_files, ("random", "greedy", "yaku", "sampler-light")))
    played = play(spec, zygote)
    assert played.forfeits == ()
    assert verify(played.document, seed=spec.seed).ok
    assert [seat["bot"] for seat in played.document["record"]["seats"]] == [
        f"sha256:{bot.version_hash}" for bot in spec.bots
    ]
    assert all(seat.cpu_ms > 0 and seat.code is None and seat.log == b"" for seat in played.seats)


@pytest.mark.thorough
def test_the_sandbox_and_the_process_itself_give_the_same_record(zygote: Zygote) -> None:
    spec = a_spec(*map(house_files, ("greedy", "random", "yaku")), preset="paradise", number=7)
    assert play(spec, zygote).document["hash"] == play(spec, InProcessLauncher()).document["hash"]


@pytest.mark.thorough
def test_hello_is_exactly_protocol_v1(zygote: Zygote) -> None:
    spec = a_spec(FIRST, TELL, LAST, FIRST, teams="2x2", leg=3, rounds=1)
    hello = told(play(spec, zygote), 1)[0]
    assert hello == {
        "v": 1,
        "match": "m1-3",
        "ruleset": spec.ruleset.to_json(),
        "seats": 4,
        "sides": [0, 1, 0, 1],
        "me": "p1",
        "clock": {
            "id": "standard",
            "load_ms": 1000,
            "move_ms": 100,
            "bank_ms": 1000,
            "match_ms": 60000,
            "memory_mib": 256,
        },
        "rng": bot_rng(spec.seed, 3, 1).hex(),
        "files": [["bot.py", len(TELL)]],
    }


@pytest.mark.thorough
def test_a_seat_sees_every_public_event_once_and_no_seed(zygote: Zygote) -> None:
    spec = a_spec(TELL, LAST, rounds=3)
    played = play(spec, zygote)
    seen = told(played, 0)[1:]
    assert all(len(obs["legal"]) > 1 for obs in seen)
    events = [event for obs in seen for event in obs["since"]]
    assert [event["deal"] for event in events if "deal" in event] == [1, 2, 3]
    assert [event["deal_end"] for event in events if "deal_end" in event] == [1, 2]
    last = seen[-1]
    moves = sum(len(deal["moves"]) for deal in played.document["record"]["deals"][: last["deal"] - 1])
    assert len([event for event in events if "by" in event]) == moves + last["move"] - 1
    assert spec.seed.hex() not in json.dumps(seen)
    assert spec.seed.hex() not in json.dumps(told(played, 0)[0])


@pytest.mark.thorough
def test_a_single_legal_action_is_played_by_the_table(zygote: Zygote) -> None:
    played = play(a_spec(LAST, FIRST), zygote)
    deals = played.document["record"]["deals"]
    draws = [move for deal in deals for move in deal["moves"] if move.endswith(" draw")]
    asked = sum(len(seat.offsets) - 1 for seat in played.seats)
    assert len(draws) > 90
    assert asked <= sum(len(deal["moves"]) for deal in deals) - len(draws)


@pytest.mark.thorough
def test_the_bank_is_used_up_within_a_deal_and_full_again_in_the_next(zygote: Zygote) -> None:
    clock = Clock("test", move_ms=20, bank_ms=400, match_ms=60_000)
    lines = play(a_spec(BURN, FIRST, clock=clock, rounds=2), zygote).seats[0].log.split()
    left: dict[bytes, list[int]] = {}
    for deal, ms in zip(lines[::2], lines[1::2]):
        left.setdefault(deal, []).append(int(ms))
    assert sorted(left) == [b"1", b"2"]
    for readings in left.values():
        assert readings[0] == 420
        assert all(later <= earlier - 9 for earlier, later in pairwise(readings))


@pytest.mark.thorough
def test_the_match_limit_ends_a_bot_that_never_breaks_a_move_limit(zygote: Zygote) -> None:
    clock = Clock("test", move_ms=100, bank_ms=1000, match_ms=300)
    played = play(a_spec(BURN, FIRST, clock=clock, rounds=3), zygote)
    (forfeit,) = played.forfeits
    assert (forfeit.seat, forfeit.code) == (0, "timeout.cpu")
    assert int(played.seats[0].log.partition(b"hanami: ")[0].split()[-1]) < 100


@pytest.mark.thorough
def test_cpu_of_a_move_stands_in_the_view_not_in_the_record(zygote: Zygote) -> None:
    clock = Clock("test", move_ms=100, bank_ms=4000)
    document = play(a_spec(BURN, FIRST, clock=clock, rounds=1), zygote).document
    moves = document["view"]["deals"][0]["moves"]
    assert max(move["ms"] for move in moves if move["a"]["by"] == "p0") >= 30
    assert '"ms"' not in json.dumps(document["record"])


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("seats", range(2, 8))
def test_the_same_spec_gives_the_same_record(seats: int) -> None:
    spec = a_spec(*[house_files("random"), house_files("greedy")] * 4, number=seats)
    fitting = type(spec)(
        **{name: getattr(spec, name) for name in spec.__slots__} | {"seats": seats, "bots": spec.bots[:seats]}
    )
    first, second = (play(fitting, InProcessLauncher()) for _ in range(2))
    assert first.document["record"] == second.document["record"]
    assert verify(first.document, seed=spec.seed).ok
