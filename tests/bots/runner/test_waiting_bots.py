"""The clocks and a bot that waits: for what never comes, for a moment, without reading, or without end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from bots.errors import BotFault
from bots.runner.spec import Clock
from bots.runner.zygote import Zygote
from tests.bots.runner.seats import EASY, an_observation, fault_of, seated


@pytest.mark.thorough
@pytest.mark.parametrize("wait", ["os.read(3, 1)", "[lock.acquire() for _ in range(2)]", "poll.poll()"])
def test_who_waits_for_what_never_comes_is_stopped_by_the_wall_clock(zygote: Zygote, wait: str) -> None:
    source = f"""
        import os, select, threading
        lock, poll = threading.Lock(), select.poll()
        def choose(obs): {wait}
    """
    assert fault_of(zygote, source, allowance_ms=10).code == "timeout.wall"


@pytest.mark.parametrize("moment", [0, 1e-9, 0.001, 60])
def test_nobody_can_sleep(zygote: Zygote, moment: float) -> None:
    """And the author reads where it was tried."""
    fault = fault_of(zygote, f"import time\ndef choose(obs): time.sleep({moment})")
    assert fault.code == "crash"
    assert "time.sleep" in str(fault.extra["log"])
    assert "PermissionError" in str(fault.extra["log"])


@pytest.mark.parametrize(
    "wait",
    [
        "threading.Event().wait(30)",
        "taken.acquire(timeout=30)",
        "threading.Condition(taken).wait(30)",
        "select.select([], [], [], 30)",
        "select.poll().poll(30_000)",
        "libc.usleep(30_000_000)",
        "libc.syscall(271 if X86 else 73, None, 0, ctypes.byref(HALF_A_MINUTE), None, 8)",
    ],
)
def test_a_time_limit_is_over_at_once(zygote: Zygote, wait: str) -> None:
    source = f"""
        import ctypes, platform, select, threading, time
        libc, X86 = ctypes.CDLL(None), platform.machine() == "x86_64"
        HALF_A_MINUTE = (ctypes.c_long * 2)(30, 0)
        taken = threading.Lock()
        taken.acquire()
        def choose(obs):
            started = time.monotonic()
            {wait}
            return int(time.monotonic() - started > 20)
    """
    with seated(zygote, source) as bot:
        assert bot.ask() == 0


def test_a_queue_that_stays_empty_says_so(zygote: Zygote) -> None:
    source = """
        import queue
        def choose(obs):
            try: queue.SimpleQueue().get(timeout=0.05)
            except queue.Empty: return 3
    """
    with seated(zygote, source) as bot:
        assert bot.ask() == 3


def test_a_bot_that_stops_reading_does_not_hold_the_worker(zygote: Zygote) -> None:
    source = """
        import os, time
        def choose(obs):
            for q in range(1, 100):
                os.write(3, b'{"q":%d,"a":0}' % q)
                end = time.process_time() + 0.02
                while time.process_time() < end: pass
    """
    with seated(zygote, source) as bot, pytest.raises(BotFault) as caught:
        for _ in range(60):
            bot.ask(an_observation(padding="x" * 60_000), allowance_ms=50)
    assert caught.value.code in {"protocol", "timeout.wall", "timeout.cpu"}


@pytest.mark.slow
def test_the_kernels_own_cpu_limit_is_a_timeout(zygote: Zygote, wait_until: Callable[..., Any]) -> None:
    clock = Clock("kernel", load_ms=EASY.load_ms, match_ms=1_000)
    source = """
        import os
        def choose(obs):
            os.write(3, b'{"q":1,"a":0}')
            while True: pass
    """
    with seated(zygote, source, clock=clock) as bot:
        bot.ask(allowance_ms=500)
        bot.player.process.go_on()
        wait_until(bot.player.process.is_dead, 60, "the kernel ends a bot whose worker does not look")
        with pytest.raises(BotFault) as caught:
            bot.ask()
    assert caught.value.code == "timeout.cpu"
