"""One bot's process as the worker sees it: a pidfd, a CPU clock, a way to kill it. And how processes end."""

from __future__ import annotations

import os
import select
import signal
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from bots.errors import InfraFault

KILL_DEADLINE_S: Final = 10.0
WHERE_SIGNAL: Final = signal.SIGUSR1
"""Has a bot write the lines that it is at into its log (`child.settle`)."""
_CPU_CLOCK: Final = 2  # CPUCLOCK_SCHED: ns resolution; the clock id of a process is (~pid << 3) | 2


@dataclass(frozen=True, slots=True)
class Footprint:
    """Memory with which every process of a fork server starts, in bytes.

    size: address space. data: private memory that was written to. resident: all memory, the libraries' pages included.
    """

    size: int
    data: int
    resident: int


@dataclass(frozen=True, slots=True)
class Exit:
    """End of a process, as the fork server reaped it. status: as waitpid gives it; max_rss_kib: KiB."""

    status: int
    cpu_ms: float
    max_rss_kib: int

    @property
    def signal(self) -> int:
        """The signal that ended it, or 0."""
        return os.WTERMSIG(self.status) if os.WIFSIGNALED(self.status) else 0

    def __str__(self) -> str:
        if self.signal:
            return f"killed by {_name_of(self.signal)}"
        return f"ended with exit code {os.waitstatus_to_exitcode(self.status)}"


def _name_of(number: int) -> str:
    """Return the name of a signal. Those for real time have none of their own."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


class BotProcess:
    """Owns the pidfd. All readings are the kernel's; the bot has no part in them."""

    def __init__(self, number: int, pidfd: int) -> None:
        self.number = number
        self._pidfd = pidfd
        self._poll = select.poll()
        self._poll.register(pidfd, select.POLLIN)
        # Read through the pidfd and not told by the fork server: it is the kernel's word for the pid in our namespace.
        self.pid = _pid_of(pidfd)
        self._clock = (~self.pid << 3) | _CPU_CLOCK
        self._cpu_ms = 0.0

    def cpu_ms(self) -> float:
        """CPU milliseconds it has used since it was forked; of a dead one, what was read last."""
        # The reading first, then the question whether it was alive: a pid that is free again may be another process's.
        reading = self.cpu_ms_if_alive()
        if not self.is_dead():
            self._cpu_ms = reading
        return self._cpu_ms

    def cpu_ms_if_alive(self) -> float:
        """The same with half the calls; of a dead one anything, as its pid may be another process by now."""
        try:
            return time.clock_gettime_ns(self._clock) / 1e6
        except OSError:
            return self._cpu_ms

    def note_end(self, end: Exit) -> None:
        """Note how it ended: what it used after the last reading is known from now on."""
        self._cpu_ms = max(self._cpu_ms, end.cpu_ms)

    def is_dead(self) -> bool:
        """Return whether it has ended, reaped or not."""
        return bool(self._poll.poll(0))

    def dies_within(self, seconds: float) -> bool:
        """Wait for its end; False if it still runs then."""
        return bool(self._poll.poll(seconds * 1000))

    def rest(self) -> None:
        """Stop it where it is; it computes nothing until `go_on`."""
        self._signal(signal.SIGSTOP)

    def go_on(self) -> None:
        """Let it run again."""
        self._signal(signal.SIGCONT)

    def ask_where(self) -> None:
        """Have it write the lines that it is at into its log. One that has turned that off may end of it."""
        self._signal(WHERE_SIGNAL)

    def _signal(self, number: signal.Signals) -> None:
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._pidfd, number)

    def kill(self) -> None:
        """End it and see that it is dead. Raises InfraFault if the kernel does not let go of it."""
        try:
            signal.pidfd_send_signal(self._pidfd, signal.SIGKILL)
        except ProcessLookupError:
            return
        # A process in uninterruptible sleep takes no signal.
        if not self.dies_within(KILL_DEADLINE_S):
            raise InfraFault("sandbox.kill", f"bot process {self.pid} did not die; restart the worker")

    def close(self) -> None:
        """Free the descriptor."""
        os.close(self._pidfd)


def _pid_of(pidfd: int) -> int:
    with open(f"/proc/self/fdinfo/{pidfd}", encoding="ascii") as lines:
        for line in lines:
            if line.startswith("Pid:"):
                return int(line.split()[1])
    raise InfraFault("sandbox.pidfd", "the kernel does not say whose pidfd this is; /proc must be mounted")
