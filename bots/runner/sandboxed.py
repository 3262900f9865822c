"""The sandboxed player: one locked process, its channel, its log, and every fault told from every other."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Mapping, Sequence, Sized
from typing import TYPE_CHECKING, Final, Protocol, TypeVar, cast

from bots.errors import BotError, BotFault, InfraFault
from bots.protocol import messages
from bots.protocol.messages import Fault
from bots.runner.channel import CLOSED, Channel
from bots.runner.log import BotLog
from bots.runner.process import BotProcess, Exit, Footprint
from bots.runner.whereabouts import note_whereabouts

if TYPE_CHECKING:
    from bots.runner.spec import Clock

LOCK_DEADLINE_S: Final = 15.0
_CLOSING_S: Final = 1.0  # how long a bot that closed its channel may take to end
_CPU_MARGIN_S: Final = 2  # the kernel's own CPU limit lies this far above the clock
# Wide, because waiting measures our load as well: it only ends bots that wait for what never comes.
_WALL_FACTOR: Final = 5
_WALL_MOVE_MS: Final = 1_000.0
_WALL_MATCH_MS: Final = 10_000.0
_MIB: Final = 1 << 20
# Signals that the kernel sends for what a process does itself; the last four end a write or a limit.
_SELF_INFLICTED: Final = frozenset(
    {
        *(signal.SIGSEGV, signal.SIGBUS, signal.SIGFPE, signal.SIGILL, signal.SIGTRAP, signal.SIGSYS),
        *(signal.SIGABRT, signal.SIGPIPE, signal.SIGXFSZ, signal.SIGXCPU),
    }
)
# The filter lets a bot send no signal and set no timer, not even for itself: any other one is somebody else's.
_FROM_OUTSIDE: Final = signal.valid_signals() - _SELF_INFLICTED

T = TypeVar("T")


class Reaper(Protocol):
    """The one that knows how processes ended: the fork server, through `zygote.Zygote`."""

    def exit_of(self, number: int) -> Exit:
        """Return how a dead process ended. Raises InfraFault if the fork server is gone."""

    def forget(self, player: SandboxedPlayer) -> None:
        """Drop a player that is closed: how its process ended is of no interest any more."""


class SandboxedPlayer:
    """One bot in one match (`player.Player`).

    Between its turns it is stopped: anything it computed then would cost its opponent cold caches.
    A step may use its allowance of CPU since the last answer, and 5 times that plus 1 s of waiting; a match the
    clock's CPU, and 5 times the CPU used plus 10 s of waiting. CPU is the bot's own; waiting measures us too.
    """

    def __init__(self, process: BotProcess, channel: Channel, log: BotLog, clock: Clock, reaper: Reaper) -> None:
        self.process = process
        self._channel = channel
        self._log = log
        self._clock = clock
        self._reaper = reaper
        self._base_ms = 0.0  # the process's CPU clock when it was locked
        self._mark_ms = 0.0  # .. and at its last answer
        self._from_ms = 0.0  # .. and at the one before this step
        self._limit_ms = 0.0  # .. and what it may not pass in this step
        self._spent_ms = 0.0
        self._wall_ms = 0.0  # what this step may still wait
        self._waited_ms = 0.0  # what was waited for this bot in the match
        self._resident_most = 0  # bytes that it may have in memory, its share of the fork server's included
        self._is_open = True

    @property
    def cpu_ms(self) -> float:
        """CPU milliseconds since the process was locked, what it did before it was stopped included."""
        return self.process.cpu_ms() - self._base_ms

    @property
    def spent_ms(self) -> float:
        """CPU milliseconds that the last load or ask cost, the time since the one before included; faults cost, too."""
        return self._spent_ms

    def lock(self, footprint: Footprint) -> None:
        """Have the process lock itself. footprint: what it starts with.

        Raises InfraFault, with the layer that failed, if it does not say `locked`: then it gets no source.
        """
        if self._first_word(footprint) != messages.LOCKED:
            reason = self.log()[:300].decode(errors="replace") or "no answer"
            self.close()
            raise InfraFault("sandbox.lock", f"the sandbox could not be locked, so nothing was played: {reason}")
        self._base_ms = self._mark_ms = self.process.cpu_ms()

    def end_of_probe(self, footprint: Footprint) -> Exit | None:
        """For a probe's process instead of `lock`: how it ended, None if it did not. Its report is in the log."""
        word = self._first_word(footprint)
        return self._reaper.exit_of(self.process.number) if word == CLOSED else None

    def _first_word(self, footprint: Footprint) -> bytes | None:
        # Rounded up, and two seconds more: the table's own clock must be the first to end a bot, with the right words.
        cpu_s = -(-self._clock.match_ms // 1000) + _CPU_MARGIN_S
        own = self._clock.memory_mib * _MIB
        self._resident_most = footprint.resident + own
        packet = messages.limits_packet(address_space=footprint.size + own, data=footprint.data + own, cpu_s=cpu_s)
        self._channel.send(packet)
        self._channel.wait_readable(LOCK_DEADLINE_S * 1000)
        return self._channel.receive()

    def load(self, hello: Mapping[str, object], files: Sequence[tuple[str, bytes]]) -> None:
        """Send hello and source, wait for `ready` (`player.Player.load`)."""
        self._begin(self._clock.load_ms)
        self._send(messages.hello_packet(hello, files))
        for packet in messages.file_packets(files):
            self._send(packet)
        self._read(messages.read_ready)

    def ask(self, q: int, obs: Mapping[str, object], allowance_ms: int) -> int:
        """One decision (`player.Player.ask`)."""
        packet = messages.decision_packet(q, obs)
        self._begin(allowance_ms)
        # An answer that was sent before its question is no answer: it may be meant to hide that the bot thinks in
        # others' time.
        if self._channel.has_packet():
            self.process.go_on()
            raise self._early(self._channel.receive())
        is_sent = self._channel.send(packet)  # before it goes on: it is woken once
        self.process.go_on()
        if not is_sent:
            self._send(packet)
        index = self._read(lambda packet: messages.read_answer(packet, q))
        choices = len(cast(Sized, obs["legal"]))
        if not 0 <= index < choices:
            raise self._fault(Fault.ILLEGAL, f"the answer is none of the {choices} legal actions")
        return index

    def log(self) -> bytes:
        """Return what the bot printed (`player.Player.log`)."""
        return self._log.content()

    def log_size(self) -> int:
        """The log's present offset (`player.Player.log_size`)."""
        return self._log.size()

    def close(self) -> None:
        """End the process and free everything but the log's content. May be called twice."""
        if not self._is_open:
            return
        self._is_open = False
        try:
            # A failure to kill is raised, but only after everything else was freed.
            self.process.cpu_ms()  # read once more, for the record
            self.process.kill()
        finally:
            self._reaper.forget(self)
            self._channel.close()
            self._log.close()
            self.process.close()

    def _begin(self, allowance_ms: int) -> None:
        """Begin a step: note what it may cost."""
        self._from_ms = self._mark_ms
        self._limit_ms = min(self._mark_ms + allowance_ms, self._base_ms + self._clock.match_ms)
        self._wall_ms = _WALL_FACTOR * allowance_ms + _WALL_MOVE_MS

    def _send(self, packet: bytes) -> None:
        while not self._channel.send(packet):
            self._wait(self._channel.wait_writable)

    def _read(self, read: Callable[[bytes], T]) -> T:
        """Wait for the one packet that ends this step, charge its CPU and understand it."""
        self._wait(self._channel.wait_readable)
        while (packet := self._channel.receive()) is None:
            self._wait(self._channel.wait_readable)
        if packet == CLOSED:
            raise self._ended()
        # First the reading, then the stop: SIGSTOP takes effect a little later, and what runs until then is the next
        # step's.
        self._charge()
        self.process.rest()
        try:
            understood = read(packet)
        except messages.Reported as report:
            raise self._reported(report) from None
        except messages.BadPacket as error:
            raise self._fault(Fault.PROTOCOL, str(error)) from None
        # The answer came, but the question still lies in the socket: the bot answered without it (decision 0038).
        if not self._channel.is_read():
            raise self._fault(Fault.PROTOCOL, "the bot answered before it had read what it was asked")
        return understood

    def _wait(self, wait: Callable[[float], None]) -> None:
        """Wait once, no longer than the budgets allow. A thread cannot use more CPU than wall time passes."""
        # The cheap reading alone decides nothing: it may be of another process that got the pid. At the limit it is
        # read again.
        now = self.process.cpu_ms_if_alive()
        if now >= self._limit_ms:
            now = self.process.cpu_ms()
        cpu_left = self._limit_ms - now
        if cpu_left <= 0:
            raise self._late(Fault.TIMEOUT_CPU, self._over(now))
        match_left = _WALL_FACTOR * (now - self._base_ms) + _WALL_MATCH_MS - self._waited_ms
        if min(self._wall_ms, match_left) <= 0:
            raise self._late(Fault.TIMEOUT_WALL, "no answer came, though the bot used little CPU time")
        started = time.monotonic()
        wait(min(cpu_left, self._wall_ms, match_left))
        waited_ms = (time.monotonic() - started) * 1000
        self._wall_ms -= waited_ms
        self._waited_ms += waited_ms

    def _charge(self) -> None:
        now = self.process.cpu_ms()
        self._spent_ms, self._mark_ms = now - self._from_ms, now
        if now > self._limit_ms:
            raise self._fault(Fault.TIMEOUT_CPU, self._over(now))

    def _over(self, now: float) -> str:
        """Say what this step used and what it could have used."""
        used, allowed = now - self._from_ms, self._limit_ms - self._from_ms
        return f"the bot used more CPU time than its clock allows: {used:,.0f} of {allowed:,.0f} ms"

    def _early(self, packet: bytes | None) -> BotError:
        """Return the fault of a packet that lay there before the question.

        What the bot reports of itself comes first.
        """
        if packet == CLOSED:
            return self._ended()
        try:
            messages.read_ready(packet or b"")
        except messages.Reported as report:
            return self._reported(report)
        except messages.BadPacket:
            pass
        return self._fault(Fault.PROTOCOL, "the bot spoke out of turn")

    def _reported(self, report: messages.Reported) -> BotFault:
        """Return the fault that the bot's side reported itself."""
        what = "ran out of memory" if report.fault is Fault.MEMORY else "crashed"
        fault = self._fault(report.fault, f"the bot {what}; its log says where")
        fault.extra["is_in_log"] = True
        return fault

    def _ended(self) -> BotError:
        """Return the fault of a closed channel: the bot's own, or ours."""
        if not self.process.dies_within(_CLOSING_S):
            return self._fault(Fault.CRASH, "the bot closed its channel and went on running")
        end = self._reaper.exit_of(self.process.number)
        # SIGKILL has three senders: the kernel's CPU limit, the kernel short of memory, or somebody outside.
        if end.signal == signal.SIGKILL and end.cpu_ms >= self._clock.match_ms:
            return self._fault(Fault.TIMEOUT_CPU, "the kernel's CPU limit ended the bot")
        if end.signal == signal.SIGKILL and end.max_rss_kib << 10 > self._resident_most:
            return self._fault(
                Fault.MEMORY, f"the bot had more than its {self._clock.memory_mib} MiB, and was ended for it"
            )
        if end.signal in _FROM_OUTSIDE:
            return InfraFault("sandbox.killed", f"a bot was {end} from outside; is the machine short of memory?")
        hint = "; it made a forbidden system call" if end.signal == signal.SIGSYS else ""
        return self._fault(Fault.CRASH, f"the bot's process {end}{hint}")

    def _late(self, fault: Fault, message: str) -> BotFault:
        """The fault of a bot that still runs; its log ends with the lines that it is at."""
        before_ms = self.process.cpu_ms()
        note_whereabouts(self.process, self._log)
        found = self._fault(fault, message)
        # Our own question is not charged to it.
        self._spent_ms = before_ms - self._from_ms
        return found

    def _fault(self, fault: Fault, message: str) -> BotFault:
        """The fault. The process is dead, and what it used up to its end is charged to this step."""
        if self.process.is_dead():  # it may be gone as soon as it has reported: only the fork server saw its clock then
            self.process.note_end(self._reaper.exit_of(self.process.number))
        self._spent_ms = self.process.cpu_ms() - self._from_ms
        self.process.kill()
        return BotFault(fault.value, message)
