"""Whole matches at the table with sandboxed bots: what the service plays."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable

import pytest

from bots.errors import InfraFault
from bots.runner.inprocess import UnsafeInProcessLauncher
from bots.runner.spec import BotFiles, MatchSpec
from bots.runner.table import Played, play
from bots.runner.zygote import Zygote
from engine.games import ruleset
from engine.record import verify
from tests.bots.runner.seats import EASY

FIRST = "def choose(obs): return 0"
LAST = "def choose(obs): return len(obs['legal']) - 1"
SEED = bytes(range(16))
BY_BOTH_NAMES = """
import engine.cards
import hanafuda
from hanafuda.cards import code_of
from hanafuda.games import ruleset
assert hanafuda.cards is engine.cards and code_of is engine.cards.code_of
def choose(obs): return 0
"""


def a_match(*sources: str) -> MatchSpec:
    bots = tuple(BotFiles((("bot.py", source.encode()),), "0" * 64) for source in sources)
    fair: dict[str, object] = {"stage": "s1", "commit": "sha256:" + "0" * 64, "deal_set": "d1", "leg": 1}
    return MatchSpec("m8fk2", ruleset("hawaii"), "hawaii", len(bots), SEED, 1, fair, bots, EASY)


def codes(played: Played) -> list[str | None]:
    return [seat.code for seat in played.seats]


def test_the_same_match_gives_the_same_record(zygote: Zygote) -> None:
    hashes = {play(a_match(FIRST, LAST), zygote).document["hash"] for _ in range(2)}
    assert len(hashes) == 1


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("seats", [2, 4, 7])
def test_records_of_sandboxed_matches_verify(zygote: Zygote, seats: int) -> None:
    played = play(a_match(*[FIRST, LAST] * 3, FIRST) if seats == 7 else a_match(*[FIRST, LAST] * (seats // 2)), zygote)
    assert codes(played) == [None] * seats
    assert verify(played.document).ok
    assert all(seat.cpu_ms > 0 for seat in played.seats)


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize(
    ("source", "code"),
    [
        ("import os\nos._exit(0)", "crash"),
        ("import os\ndef choose(obs): os.execv('/bin/sh', ['sh'])", "crash"),
        ("def choose(obs): return None", "illegal"),
        ("def choose(obs): return bytearray(500 << 20)", "memory"),
        ("import os\ndef choose(obs): return os.write(3, b'{}')", "protocol"),
    ],
)
def test_a_fault_forfeits_one_seat_and_the_match_goes_on(zygote: Zygote, source: str, code: str) -> None:
    played = play(a_match(FIRST, source, LAST), zygote)
    assert codes(played) == [None, code, None]
    assert [(forfeit.seat, forfeit.code) for forfeit in played.forfeits] == [(1, code)]
    assert verify(played.document).ok


def test_the_engine_has_the_name_of_its_published_package_too(zygote: Zygote) -> None:
    assert codes(play(a_match(BY_BOTH_NAMES, LAST), zygote)) == [None, None]
    assert codes(play(a_match(BY_BOTH_NAMES, LAST), UnsafeInProcessLauncher())) == [None, None]


@pytest.mark.slow
def test_a_fork_server_that_dies_costs_nobody_anything(start_zygote: Callable[..., Zygote]) -> None:
    zygote = start_zygote()
    moves = 0

    def heartbeat() -> None:
        nonlocal moves
        moves += 1
        if moves == 5:
            os.kill(zygote.pid, signal.SIGKILL)

    with pytest.raises(InfraFault):
        play(a_match(FIRST, LAST), zygote, heartbeat=heartbeat)
    assert codes(play(a_match(FIRST, LAST), zygote)) == [None, None]
