"""A bot can send itself no signal, so one that is ended by a signal from outside is not to blame."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator

import pytest

from bots.errors import BotFault, InfraFault
from bots.runner.control import PROGRAM
from bots.runner.zygote import Zygote
from tests.bots.runner.seats import EASY, seated

FROM_OUTSIDE = [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR2, signal.SIGALRM]
TRIES_THEM_ALL = """
    import ctypes, os, signal
    libc = ctypes.CDLL(None, use_errno=True)
    def refused(call):
        try:
            return call() == -1
        except OSError:
            return True
    def choose(obs):
        me = os.getpid()
        for number in signal.valid_signals():
            assert refused(lambda: os.kill(me, number)), number
            assert refused(lambda: libc.syscall(SYS_tgkill, me, me, int(number))), number
            assert refused(lambda: libc.syscall(SYS_pidfd_send_signal, 3, int(number), None, 0)), number
        libc.alarm(1)
        assert refused(lambda: signal.setitimer(signal.ITIMER_REAL, 0.01))
        assert refused(lambda: signal.setitimer(signal.ITIMER_VIRTUAL, 0.01))
        for _ in range(500_000): pass
        return 0
"""


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Zygote]:
    """A fork server that ignores no signal, even if the terminal that started the tests makes us ignore some."""
    before = {number: signal.signal(number, signal.SIG_DFL) for number in FROM_OUTSIDE if number != signal.SIGKILL}
    try:
        zygote = Zygote.start()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    with zygote:
        yield zygote


@pytest.mark.thorough
@pytest.mark.parametrize("number", FROM_OUTSIDE, ids=lambda number: number.name)
def test_a_bot_ended_by_a_signal_that_it_cannot_send_is_not_to_blame(number: signal.Signals, sandbox: Zygote) -> None:
    """The signal reaches a bot that rests when it goes on (SIGKILL at once)."""
    with seated(sandbox, "import os\ndef choose(obs): os.read(3, 1)") as bot:
        os.kill(bot.player.process.pid, number)
        with pytest.raises(InfraFault) as caught:
            bot.ask()
    assert caught.value.code == "sandbox.killed"
    assert number.name in str(caught.value)


def test_a_bot_cannot_send_itself_any_signal(sandbox: Zygote) -> None:
    calls = {"x86_64": ("234", "424"), "aarch64": ("131", "424")}[os.uname().machine]
    source = TRIES_THEM_ALL.replace("SYS_tgkill", calls[0]).replace("SYS_pidfd_send_signal", calls[1])
    with seated(sandbox, source) as bot:
        assert bot.ask() == 0


def test_a_bot_that_breaks_down_by_itself_is_to_blame(sandbox: Zygote) -> None:
    with seated(sandbox, "import os\ndef choose(obs): os.abort()") as bot, pytest.raises(BotFault) as caught:
        bot.ask()
    assert caught.value.code == "crash"


class ForksAndDies(Zygote):
    """Its fork server aborts between the fork and the reply, once the child has looked whether it is there."""

    program = PROGRAM.replace(
        "forkserver.main", "import os, time; os.pidfd_open = lambda _: (time.sleep(0.5), os.abort()); forkserver.main"
    )


@pytest.mark.slow
def test_a_fork_server_that_dies_while_it_forks_is_noticed_at_once() -> None:
    """The newborn keeps the control socket open: only the fork server's own end tells that it is gone."""
    with ForksAndDies.start() as zygote, pytest.raises(InfraFault, match="is gone") as caught:
        zygote.launch(EASY)
    assert caught.value.code == "sandbox.zygote"
