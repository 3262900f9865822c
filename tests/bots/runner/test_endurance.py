"""Two thousand bots, one after another, each with another end: nothing of them is left, and each end is told apart."""

from __future__ import annotations

import gc
import os
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bots.errors import BotFault, InfraFault
from bots.runner.spec import Clock
from bots.runner.zygote import Zygote
from tests.bots.runner.seats import a_hello, an_observation, files_of

# 31 s on an idle machine, four times as long beside other work.
pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

LAUNCHES = 2_000
# A crash with its traceback costs 1 to 4 ms. On a virtual machine a stall of the host counts as CPU time now and then:
# with 20 ms one crash in 800 was over its time before it was read.
MOVE_MS = 60
CLOCK = Clock("short", load_ms=1_000, move_ms=MOVE_MS, match_ms=2_000, memory_mib=64)
PLAYED, KILLED = "played", "sandbox.killed"
# One bot for each way to end; what the worker says of it.
ENDS = [
    ("def choose(obs): return 0", PLAYED),
    ("def choose(obs): return 1 / 0", "crash"),
    ("import os\nos._exit(3)", "crash"),
    ("import os\ndef choose(obs): os.execv('/bin/sh', ['sh'])", "crash"),
    ("import ctypes\ndef choose(obs): ctypes.string_at(0)", "crash"),
    ("def choose(obs):\n    while True: pass", "timeout.cpu"),
    ("def choose(obs): return bytearray(500 << 20)", "memory"),
    ("def choose(obs): return -1", "illegal"),
    ("import os\ndef choose(obs): os.write(3, b'[]')", "protocol"),
    ("held = [bytearray(1 << 20) for _ in range(20)]\ndef choose(obs): return 0", PLAYED),
]


def open_descriptors(pid: int | str = "self") -> int:
    return len(os.listdir(f"/proc/{pid}/fd"))


def children_of(pid: int) -> list[str]:
    return Path(f"/proc/{pid}/task/{pid}/children").read_text().split()


def resident_mib() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") >> 20


def end_of(zygote: Zygote, source: str, *, killed: bool) -> str:
    """Play one bot to its end; killed: by somebody else, in the middle."""
    player = zygote.launch(CLOCK)
    try:
        player.load(a_hello(), files_of(source))
        if killed:
            player.process.kill()
        player.ask(1, an_observation(), MOVE_MS)
    except (BotFault, InfraFault) as fault:
        return fault.code
    finally:
        player.close()
    return PLAYED


def test_two_thousand_bots_leave_nothing(wait_until: Callable[..., Any]) -> None:
    with Zygote.start() as zygote:
        for source, _ in ENDS:
            end_of(zygote, source, killed=False)
        gc.collect()
        before, resident, servers = open_descriptors(), resident_mib(), {zygote.pid}
        told: Counter[tuple[str, str]] = Counter()
        for number in range(LAUNCHES):
            source, wanted = ENDS[number % len(ENDS)]
            killed = number % (2 * len(ENDS)) == 0
            told[KILLED if killed else wanted, end_of(zygote, source, killed=killed)] += 1
            servers.add(zygote.pid)
            assert open_descriptors() == before
        assert {wanted for wanted, said in told if wanted != said} == set(), told
        assert told[KILLED, KILLED] == LAUNCHES // (2 * len(ENDS))
        assert 4 <= len(servers) <= 7, "renewed after that many processes"
        wait_until(lambda: children_of(zygote.pid) == [], 10, "every child is reaped, none is a zombie")
        assert open_descriptors(zygote.pid) < 16
        gc.collect()
        assert resident_mib() - resident < 8
        assert [pid for pid in servers - {zygote.pid} if Path(f"/proc/{pid}").exists()] == []
