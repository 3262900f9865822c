"""Every way a bot can fail, and the one code it gets for it."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bots.errors import BotError, BotFault, InfraFault
from bots.runner.spec import Clock
from bots.runner.zygote import Zygote
from tests.bots.runner.seats import EASY, a_hello, an_observation, fault_of, files_of, seated
from tests.bots.runner.unprivileged import ROOT

RAW = """
    import os
    def choose(obs):
        os.write(3, {packet})
        os.read(3, 1)
"""


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("def choose(obs): raise RuntimeError('lost')", "RuntimeError: lost"),
        ("raise RuntimeError('at import')", "RuntimeError: at import"),
        ("def choose(obs) return 0", "SyntaxError"),
        ("def start(hello): 1 / 0\ndef choose(obs): return 0", "ZeroDivisionError"),
        ("x = 1", "must define a function choose"),
        ("import sys\ndef choose(obs): sys.exit(0)", "SystemExit"),
        ("def choose(obs): raise KeyboardInterrupt", "KeyboardInterrupt"),
        ("def choose(obs): return choose(obs)", "RecursionError"),
    ],
)
def test_crash_with_the_traceback_in_the_log(zygote: Zygote, source: str, told: str) -> None:
    fault = fault_of(zygote, source)
    assert fault.code == "crash"
    log = str(fault.extra["log"])
    assert told in log
    assert "bot.py" in log
    assert str(ROOT) not in log
    assert "hanami/loop.py" not in log


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize(
    "act",
    [
        "os._exit(0)",
        "os._exit(3)",
        "ctypes.string_at(0)",
        "os.close(3)",
        "os.execv('/bin/sh', ['sh'])",
        "ctypes.CDLL(None).ptrace(0, 0, 0, 0)",
        "ctypes.CDLL(None).syscall(321 if platform.machine() == 'x86_64' else 280, 0, 0, 0)",
    ],
)
def test_crash_without_a_word(zygote: Zygote, act: str) -> None:
    assert fault_of(zygote, f"import os, ctypes, platform\ndef choose(obs): {act}").code == "crash"


def test_a_forbidden_call_is_named_in_the_message(zygote: Zygote) -> None:
    fault = fault_of(zygote, "import os\ndef choose(obs): os.execv('/bin/sh', ['sh'])")
    assert "SIGSYS" in str(fault)
    assert "forbidden" in str(fault)


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize(
    "source",
    [
        "def choose(obs):\n    while True: pass",
        "while True: pass",
        "def choose(obs): pass\ndef start(hello):\n    while True: pass",
    ],
)
def test_endless_loops_are_stopped_by_the_cpu_clock(zygote: Zygote, source: str) -> None:
    clock = Clock("short", load_ms=300, move_ms=100, match_ms=5_000)
    assert fault_of(zygote, source, clock=clock, allowance_ms=100).code == "timeout.cpu"


def test_a_bot_that_ignores_signals_and_errors_is_stopped(zygote: Zygote) -> None:
    source = """
        import signal
        for number in range(1, 65):
            try: signal.signal(number, signal.SIG_IGN)
            except (OSError, ValueError): pass
        def choose(obs):
            while True:
                try:
                    while True: pass
                except BaseException: pass
    """
    assert fault_of(zygote, source, allowance_ms=100).code == "timeout.cpu"


@pytest.mark.thorough
def test_the_match_limit_stops_a_bot_within_its_moves(zygote: Zygote) -> None:
    source = """
        import time
        def choose(obs):
            end = time.process_time() + 0.06
            while time.process_time() < end: pass
            return 0
    """
    clock = Clock("short", load_ms=300, move_ms=1_000, match_ms=500)
    assert fault_of(zygote, source, clock=clock, allowance_ms=1_000, asks=20).code == "timeout.cpu"


THINKS_BETWEEN = """
    import json, os, time
    def choose(obs):
        q = 1
        while True:
            os.write(3, b'{"q":%d,"a":0}' % q)
            end = time.process_time() + 0.4
            while time.process_time() < end: pass
            q = json.loads(os.read(3, 70_000))["q"]
"""


def state_of(pid: int) -> str:
    """One letter, as the kernel gives it: R runs, S sleeps, T is stopped."""
    return Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0]


def test_a_bot_is_stopped_between_its_turns(zygote: Zygote, wait_until: Callable[..., Any]) -> None:
    with seated(zygote, THINKS_BETWEEN) as bot, seated(zygote, "def choose(obs): return 1") as other:
        for _ in range(2):
            bot.ask()
            wait_until(lambda: state_of(bot.player.process.pid) == "T", 30, "the bot rests")
            used = bot.player.cpu_ms
            assert [other.ask() for _ in range(50)] == [1] * 50
            assert bot.player.cpu_ms == used


@pytest.mark.slow
def test_thinking_on_after_an_answer_is_charged_to_the_next(zygote: Zygote) -> None:
    with seated(zygote, THINKS_BETWEEN) as bot:
        bot.ask()
        assert bot.player.spent_ms < 350
        bot.ask()
        assert bot.player.spent_ms > 350
        with pytest.raises(BotFault) as caught:
            bot.ask(allowance_ms=200)
    assert caught.value.code == "timeout.cpu"


def test_a_bot_that_rests_can_be_killed_and_closed(zygote: Zygote, wait_until: Callable[..., Any]) -> None:
    with seated(zygote, THINKS_BETWEEN) as bot:
        bot.ask()
        wait_until(lambda: state_of(bot.player.process.pid) == "T", 30, "the bot rests")
        bot.player.process.kill()
        assert bot.player.process.is_dead()
    with seated(zygote, THINKS_BETWEEN) as bot:
        bot.ask()
    assert bot.player.process.number not in {player.process.number for player in zygote._players}


@pytest.mark.thorough
@pytest.mark.parametrize("packet", ['b\'{"q":2,"a":0}\'', 'b\'{"e":"crash"}\''])
def test_what_is_said_before_the_question_is_read_is_no_answer(zygote: Zygote, packet: str) -> None:
    source = f"""
        import os, time
        def choose(obs):
            os.write(3, b'{{"q":1,"a":0}}')
            end = time.process_time() + 0.5
            while time.process_time() < end: pass
            os.write(3, {packet})
            while True: pass
    """
    fault = fault_of(zygote, source, asks=2)
    assert fault.code == ("crash" if "crash" in packet else "protocol")


@pytest.mark.thorough
@pytest.mark.parametrize("act", ["os._exit(3)", "os.close(3)", "ctypes.string_at(0)"])
def test_an_end_after_an_answer_is_told_as_what_it_is(zygote: Zygote, act: str) -> None:
    source = f"""
        import ctypes, os
        def choose(obs):
            os.write(3, b'{{"q":1,"a":0}}')
            {act}
            while True: pass
    """
    fault = fault_of(zygote, source, asks=2)
    assert fault.code == "crash"


@pytest.mark.parametrize(
    "act",
    [
        "bytearray(500 << 20)",
        "np.ones(100 << 20)",
        "grow()",
    ],
)
def test_memory(zygote: Zygote, act: str) -> None:
    source = f"""
        import numpy as np
        kept = []
        def grow():
            while True: kept.append(bytearray(b"x") * (8 << 20))
        def choose(obs): return {act} and 0
    """
    fault = fault_of(zygote, source)
    assert fault.code == "memory"
    assert "MemoryError" in str(fault.extra["log"])


ALL_IT_CAN_HAVE = """
    import ctypes, mmap
    libc = ctypes.CDLL(None)
    libc.mmap.restype = ctypes.c_void_p
    def choose(obs):
        filled = 0
        while (place := libc.mmap(None, ctypes.c_size_t(1 << 20), 3, 0x22, -1, 0)) != 2**64 - 1:
            ctypes.memset(place, 1, 1 << 20)
            filled += 1
        print(filled)
        return 0
"""


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("mib", [64, 256])
def test_a_bot_has_the_memory_of_its_clock_and_no_more(zygote: Zygote, mib: int) -> None:
    with seated(zygote, ALL_IT_CAN_HAVE, clock=replace(EASY, memory_mib=mib)) as bot:
        bot.ask()
        assert mib - 12 <= int(bot.log()) <= mib


def test_what_the_libraries_keep_unused_is_no_memory_beside(zygote: Zygote) -> None:
    """Of private memory the fork server has little that it does not use: a bot could find it and fill it."""
    status = Path(f"/proc/{zygote.pid}/status").read_text(encoding="ascii")
    data_kib = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmData:"))
    assert (data_kib << 10) - zygote._fork_server().footprint.data < 8 << 20


def test_linear_algebra_works_within_the_smallest_memory(zygote: Zygote) -> None:
    source = """
        import numpy as np
        def choose(obs):
            square = np.eye(300) + np.tri(300)
            is_right = np.allclose(np.linalg.inv(square) @ square, np.eye(300))
            return int(is_right) + len(np.linalg.svd(square)[1]) // 300
    """
    with seated(zygote, source, clock=replace(EASY, memory_mib=64)) as bot:
        assert bot.ask() == 2


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize(
    "packet",
    [
        "b'x' * 513",
        "b'{\"q\":1,\"a\":0' + b' ' * 600 + b'}'",
        'b\'{"q":1,"a":NaN}\'',
        'b\'{"q":1,"a":0.0}\'',
        'b\'{"q":1,"a":true}\'',
        'b\'{"q":1,"a":null}\'',
        'b\'{"q":1,"a":"0"}\'',
        'b\'{"q":1,"a":0,"a":0}\'',
        'b\'{"q":1,"a":0,"seat":1}\'',
        'b\'{"q":2,"a":0}\'',
        'b\'{"q":true,"a":0}\'',
        "b'{\"q\":1}'",
        "b'{\"q\":1,\"a\":' + b'9' * 400 + b'}'",
        "b'[' * 500",
        "b'\\xff\\xfe'",
        "b'{\"ready\":1}'",
        'b\'{"e":"timeout.wall"}\'',
        "b'[]'",
        "b'1'",
    ],
)
def test_protocol_answers(zygote: Zygote, packet: str) -> None:
    assert fault_of(zygote, RAW.format(packet=packet)).code == "protocol"


@pytest.mark.thorough
def test_an_empty_packet_ends_a_bot_as_a_closed_channel_does(zygote: Zygote) -> None:
    source = """
        import ctypes, os
        def choose(obs):
            ctypes.CDLL(None).send(3, b"", 0, 0)
            os.read(3, 1)
    """
    assert fault_of(zygote, source).code == "crash"


def test_speaking_out_of_turn(zygote: Zygote) -> None:
    source = """
        import os
        def choose(obs):
            os.write(3, b'{"q":1,"a":0}')
            return 0
    """
    assert fault_of(zygote, source, asks=2).code == "protocol"


@pytest.mark.parametrize("code", ["memory", "crash"])
def test_what_a_bot_reports_of_itself_counts_before_the_question(
    zygote: Zygote, code: str, wait_until: Callable[..., Any]
) -> None:
    """It failed between its answer and the next question: that is no word out of turn."""
    error = {"memory": "MemoryError", "crash": "RuntimeError"}[code]
    source = f"""
        import os
        def choose(obs):
            os.write(3, b'{{"q":1,"a":0}}')
            raise {error}
    """
    with seated(zygote, source) as bot:
        bot.ask()
        bot.player.process.go_on()
        wait_until(bot.player._channel.has_packet, 30, "the bot says that it failed")
        with pytest.raises(BotFault) as caught:
            bot.ask()
        assert caught.value.code == code
        assert error in bot.log()


def test_memory_that_is_gone_by_the_next_question_is_memory(zygote: Zygote) -> None:
    """The answer is given; there is no room to read the next question into."""
    source = """
        import os
        kept = []
        def choose(obs):
            try:
                for size in (1 << 20, 1 << 12, 1 << 6):
                    while True: kept.append(bytearray(size))
            except MemoryError: pass
            os.write(3, b'{"q":1,"a":0}')
            os.read(3, 60_000_000)
    """
    assert fault_of(zygote, source, asks=2).code == "memory"


def test_anything_but_ready_after_loading(zygote: Zygote) -> None:
    assert fault_of(zygote, 'import os\nos.write(3, b\'{"q":1,"a":0}\')').code == "protocol"


@pytest.mark.parametrize("answer", ["None", "-1", "8", "10 ** 30", "0.0", "True", "'0'", "{'play': '12.4'}", "[0]"])
def test_illegal(zygote: Zygote, answer: str) -> None:
    assert fault_of(zygote, f"def choose(obs): return {answer}").code == "illegal"


def test_an_index_out_of_range_past_the_sdk_is_illegal(zygote: Zygote) -> None:
    assert fault_of(zygote, RAW.format(packet='b\'{"q":1,"a":8}\'')).code == "illegal"


def test_a_faulty_bot_does_not_disturb_its_neighbour(zygote: Zygote) -> None:
    with seated(zygote, "def choose(obs): return 2") as good:
        for source in ("import os\nos._exit(1)", "def choose(obs): return None"):
            fault_of(zygote, source)
            assert good.ask() == 2


def test_a_bot_killed_from_outside_is_not_to_blame(zygote: Zygote) -> None:
    with seated(zygote, "import os\ndef choose(obs): os.read(3, 1)") as bot:
        bot.player.process.kill()
        with pytest.raises(InfraFault) as caught:
            bot.ask()
    assert caught.value.code == "sandbox.killed"


@pytest.mark.parametrize(("mib", "code"), [(100, "memory"), (20, "sandbox.killed")])
def test_who_had_more_than_its_memory_is_to_blame_for_the_machines_end_of_it(
    zygote: Zygote, mib: int, code: str, wait_until: Callable[..., Any]
) -> None:
    """Should a limit ever leak, and the machine's out-of-memory killer come first."""
    clock = replace(EASY, memory_mib=64)
    control = zygote._fork_server()
    player = zygote._fork(control, clock, probe=False)
    loose = replace(control.footprint, size=2 << 30, data=2 << 30)
    try:
        player.lock(loose)
        player.load(a_hello(), files_of(f"kept = bytearray(b'x') * ({mib} << 20)\ndef choose(obs): return 0"))
        os.kill(player.process.pid, signal.SIGKILL)
        wait_until(player.process.is_dead, 30, "it is dead")
        with pytest.raises(BotError) as caught:
            player.ask(1, an_observation(), 1_000)
        assert caught.value.code == code
    finally:
        player.close()


def test_a_packet_too_long_for_the_protocol_is_our_mistake(zygote: Zygote) -> None:
    with seated(zygote, "def choose(obs): return 0") as bot, pytest.raises(ValueError, match="65536"):
        bot.ask(an_observation(padding="x" * 70_000))
