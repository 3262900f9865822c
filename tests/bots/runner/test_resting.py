"""A bot that rests between its turns: all that happens to it then is found out, charged and gone like any other."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bots.errors import InfraFault
from bots.runner.zygote import Zygote
from tests.bots.runner.seats import Seated, an_observation, seated
from tests.bots.runner.test_faults import THINKS_BETWEEN, state_of
from tests.bots.runner.test_fork_server import is_running

FIRST = "def choose(obs): return 0"
ROOT = Path(__file__).parents[3]


def at_rest(bot: Seated, wait_until: Callable[..., Any]) -> int:
    """Its pid, once it is stopped after an answer."""
    assert bot.ask() == 0
    wait_until(lambda: state_of(bot.player.process.pid) == "T", 30, "the bot rests")
    return bot.player.process.pid


@pytest.mark.parametrize(
    "number", [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP, signal.SIGRTMIN, signal.SIGRTMIN + 6], ids=str
)
def test_a_bot_ended_from_outside_while_it_rests_is_not_to_blame(
    zygote: Zygote, number: int, wait_until: Callable[..., Any]
) -> None:
    with seated(zygote, FIRST) as bot:
        os.kill(at_rest(bot, wait_until), number)
        with pytest.raises(InfraFault) as caught:
            bot.ask()
        assert caught.value.code == "sandbox.killed"
        assert bot.player.process.is_dead()


@pytest.mark.thorough
def test_bots_of_a_worker_that_was_started_with_nohup_are_ended_as_others_are(
    start_zygote: Callable[..., Zygote], wait_until: Callable[..., Any]
) -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        alone = start_zygote()
    finally:
        signal.signal(signal.SIGHUP, before)
    with seated(alone, FIRST) as bot:
        os.kill(at_rest(bot, wait_until), signal.SIGHUP)
        with pytest.raises(InfraFault):
            bot.ask()


@pytest.mark.thorough
def test_a_bot_that_somebody_lets_go_on_pays_for_what_it_does_then(
    zygote: Zygote, wait_until: Callable[..., Any]
) -> None:
    with seated(zygote, THINKS_BETWEEN) as bot:
        pid, used = at_rest(bot, wait_until), bot.player.cpu_ms
        os.kill(pid, signal.SIGCONT)
        wait_until(lambda: bot.player.cpu_ms >= used + 300, 30, "it thinks on")
        bot.ask()
        assert bot.player.spent_ms >= 300


def test_a_bot_that_hears_of_its_rests_gains_nothing_by_it(zygote: Zygote) -> None:
    source = """
        import signal
        heard = []
        signal.signal(signal.SIGCONT, lambda *_: heard.append(1))
        def choose(obs): return len(heard) and 1
    """
    with seated(zygote, source) as bot:
        assert [bot.ask() for _ in range(30)] == [1] * 30


def test_the_dead_neither_rest_nor_go_on(zygote: Zygote, wait_until: Callable[..., Any]) -> None:
    with seated(zygote, FIRST) as bot:
        pid = at_rest(bot, wait_until)
        bot.player.process.kill()
        for _ in range(2):
            bot.player.process.rest()
            bot.player.process.go_on()
            bot.player.process.kill()
            wait_until(lambda: not Path(f"/proc/{pid}").exists(), 60, "it is reaped")


@pytest.mark.parametrize("size", [1, 32_000, 65_536])
def test_as_many_files_as_an_upload_may_have_go_through_the_socket(zygote: Zygote, size: int) -> None:
    more = [(f"data/{number}.bin", bytes([number]) * size) for number in range(60)]
    source = """
        import hanami
        SIZES = {len(hanami.asset(f"data/{n}.bin")) for n in range(60)}
        def choose(obs): return len(SIZES) - 1
    """
    with seated(zygote, source, more=more) as bot:
        assert [bot.ask(), bot.ask()] == [0, 0]


def test_long_questions_go_through_the_smallest_socket_that_holds_one(zygote: Zygote) -> None:
    with seated(zygote, FIRST) as bot:
        bot.player._channel._end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 34_000)  # the kernel doubles it
        assert [bot.ask(an_observation(padding="x" * 60_000)) for _ in range(20)] == [0] * 20


WORKER = """
import sys
from bots.runner.zygote import Zygote
from tests.bots.runner.seats import seated
first = "def choose(obs): return 0"
with Zygote.start() as zygote, seated(zygote, first) as one, seated(zygote, first) as other:
    one.ask()
    print(zygote.pid, one.player.process.pid, other.player.process.pid, flush=True)
    sys.stdin.read()
"""


@pytest.mark.thorough
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_resting_bots_end_with_their_worker(number: int, wait_until: Callable[..., Any]) -> None:
    """However it ends, nothing stays behind, least of all in state T, where only SIGKILL would help."""
    worker = subprocess.Popen(
        [sys.executable, "-c", WORKER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT, text=True
    )
    assert worker.stdout is not None
    assert worker.stdin is not None
    with worker.stdin, worker.stdout:
        server, *resting = (int(pid) for pid in worker.stdout.readline().split())
        wait_until(lambda: [state_of(pid) for pid in resting] == ["T", "T"], 30, "both bots rest")
        worker.send_signal(number)
        worker.wait()
        wait_until(lambda: not any(is_running(pid) for pid in (server, *resting)), 60, "all are gone")
