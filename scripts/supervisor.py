"""Keeps a handful of processes alive and leaves none behind.

Every child leads its own process group, so Ctrl-C in a terminal reaches only the supervisor, which ends the children
in order. On Linux a child also dies with the supervisor however that dies (parent-death signal), and what a child
leaves behind is handed to the supervisor (child subreaper), which ends it too. One place reaps: `_reap`.
"""

import contextlib
import ctypes
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from scripts.progress import print_line

MAX_PAUSE_S: Final = 30.0
STEADY_S: Final = 60.0
_PR_SET_PDEATHSIG: Final = 1
_PR_SET_CHILD_SUBREAPER: Final = 36
_LIBRARY: Final = ctypes.CDLL(None) if sys.platform == "linux" else None


class Stopped(BaseException):
    """Somebody asked for the end: Ctrl-C, or SIGTERM."""


class CommandFailed(RuntimeError):
    """A command that has to succeed did not; the message is what it printed."""


@dataclass(slots=True)
class Child:
    """One kept process. `wave`: those of wave 0 are stopped first, then wave 1, and so on."""

    name: str
    command: Sequence[str]
    wave: int = 0
    environment: Mapping[str, str] = field(default_factory=dict)
    before: Callable[[], None] = lambda: None
    inherited_fds: tuple[int, ...] = ()
    pid: int | None = None
    started_at: float = 0.0
    falls: int = 0
    again_at: float | None = None


class Supervisor:
    """Starts, watches, restarts and stops `children`; their output goes to `log_folder`/<name>.log."""

    def __init__(self, log_folder: Path, working_folder: Path) -> None:
        self.log_folder = log_folder
        self.working_folder = working_folder
        self.children: list[Child] = []
        self._codes: dict[int, int] = {}
        self._ending = False
        self._asked = 0
        self._read_end, self._write_end = os.pipe()
        for end in (self._read_end, self._write_end):
            os.set_blocking(end, False)
        # The pipe wakes `select` in `wait`: a signal that comes just before it would otherwise be slept through.
        signal.set_wakeup_fd(self._write_end, warn_on_full_buffer=False)
        # A handler that does nothing: without one Python does not write to the wake-up pipe.
        signal.signal(signal.SIGCHLD, lambda *_: None)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._ask_to_stop)
        if _LIBRARY:
            _LIBRARY.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)

    # --- starting ---

    def start(self, child: Child) -> None:
        """Start it now and keep it alive from now on."""
        if child not in self.children:
            self.children.append(child)
        # At every start, also after a fall: a dead server leaves its socket behind.
        child.before()
        child.pid = self._spawn(
            child.command, child.environment, self.log_folder / f"{child.name}.log", child.inherited_fds
        )
        child.started_at, child.again_at = time.monotonic(), None

    def run(self, name: str, command: Sequence[str], environment: Mapping[str, str], *, show: bool = False) -> None:
        """Run a command to its end; raises CommandFailed with its output, Stopped on Ctrl-C. show: print its lines."""
        path = self.log_folder / f"{name}.log"
        path.unlink(missing_ok=True)
        pid = self._spawn(command, environment, path, ())
        shown = 0
        while pid not in self._codes:
            self.wait(0.2)
            if show:
                shown = self._show(path, shown)
        if show:
            self._show(path, shown)
        if code := self._codes.pop(pid):
            raise CommandFailed(f"{name} ended with {code}:\n{self.tail(name, 40)}")

    def _show(self, path: Path, already: int) -> int:
        """Print the whole lines after byte `already`; returns how far that went."""
        new = path.read_bytes()[already:]
        whole = new[: new.rfind(b"\n") + 1]
        for line in whole.decode(errors="replace").splitlines():
            print_line(f"  {line}")
        return already + len(whole)

    def _spawn(
        self, command: Sequence[str], environment: Mapping[str, str], log: Path, inherited: tuple[int, ...]
    ) -> int:
        supervisor = os.getpid()

        def tie() -> None:
            if _LIBRARY:
                _LIBRARY.prctl(_PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0)
                if os.getppid() != supervisor:  # it died before we could tie ourselves to it
                    os._exit(1)

        with log.open("ab") as output:
            process = subprocess.Popen(
                list(command),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                env={**os.environ, **environment},
                cwd=self.working_folder,
                # A group of its own: Ctrl-C in the terminal must not reach the children before the supervisor ends them
                # in order.
                process_group=0,
                pass_fds=inherited,
                preexec_fn=tie,
            )
        process.returncode = 0  # the supervisor reaps on its own; without this Popen would wait for it too
        return process.pid

    # --- watching ---

    def wait(self, seconds: float) -> None:
        """Sleep until something happens, at most `seconds`; restart what is due. Raises Stopped when asked to end."""
        ready, _, _ = select.select([self._read_end], [], [], seconds)
        if ready:
            with contextlib.suppress(BlockingIOError):
                os.read(self._read_end, 4096)
        self._reap()
        if not self._ending:
            if self._asked:
                raise Stopped
            self._mend()

    def fallen_too_often(self, name: str, times: int) -> bool:
        """Return whether the child ended `times` times without staying up for a minute in between."""
        return any(child.name == name and child.falls >= times for child in self.children)

    def tail(self, name: str, lines: int = 15) -> str:
        """The end of a child's log."""
        path = self.log_folder / f"{name}.log"
        text = path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""
        return "\n".join(text.splitlines()[-lines:])

    def _reap(self) -> None:
        """Collect every ended process: our children, our commands, and orphans handed to us."""
        with contextlib.suppress(ChildProcessError):
            while True:
                pid, status = os.waitpid(-1, os.WNOHANG)
                if pid == 0:
                    return
                # Noted for `run`, which waits for a command by looking here.
                self._codes[pid] = os.waitstatus_to_exitcode(status)
                self._note_fall(pid)

    def _note_fall(self, pid: int) -> None:
        for child in self.children:
            if child.pid == pid:
                code = self._codes.pop(pid)
                child.pid = None
                # What a fallen child started itself would otherwise go on beside its successor.
                self._kill_group(pid)
                if self._ending:
                    return
                now = time.monotonic()
                child.falls = 1 if now - child.started_at > STEADY_S else child.falls + 1
                pause = 0.0 if child.falls == 1 else min(MAX_PAUSE_S, 0.5 * 2**child.falls)
                child.again_at = now + pause
                last_line = f": {self.tail(child.name, 1)}" if code > 0 else ""
                when = f" in {pause:.0f} s" if pause else ""
                print_line(f"  {child.name} ended ({_why(code)}{last_line}); starting it again{when}")

    def _mend(self) -> None:
        for child in self.children:
            if child.again_at is not None and time.monotonic() >= child.again_at:
                self.start(child)

    # --- stopping ---

    def _ask_to_stop(self, number: int, _: object) -> None:
        self._asked += 1

    def stop(self, grace_s: float = 10.0) -> None:
        """End everything, wave by wave: ask, wait, then kill. A second Ctrl-C kills at once."""
        self._ending = True
        # Compared later: only a further Ctrl-C cuts the grace short, not the one that began the end.
        asked_before = self._asked
        # The broker is in a later wave than those who still talk to it while they end.
        for wave in sorted({child.wave for child in self.children}):
            self._end_wave([child for child in self.children if child.wave == wave], grace_s, asked_before)
        self._end_orphans()

    def _end_wave(self, wave: list[Child], grace_s: float, asked_before: int) -> None:
        for child in wave:
            self._signal(child, signal.SIGTERM)
        last = time.monotonic() + grace_s
        while any(child.pid for child in wave) and time.monotonic() < last and self._asked == asked_before:
            self.wait(0.1)
        for child in wave:
            if child.pid:
                self._kill_group(child.pid)
        while any(child.pid for child in wave):
            self.wait(0.1)

    def _signal(self, child: Child, number: signal.Signals) -> None:
        if child.pid:
            with contextlib.suppress(ProcessLookupError):
                os.kill(child.pid, number)

    def _kill_group(self, group: int) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(group, signal.SIGKILL)

    def _end_orphans(self) -> None:
        """Kill what our children left behind, until nobody is left that calls us parent."""
        last = time.monotonic() + 5
        while (pids := _children_of(os.getpid())) and time.monotonic() < last:
            for pid in pids:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            self.wait(0.05)


def _why(code: int) -> str:
    if code < 0:
        with contextlib.suppress(ValueError):
            return signal.Signals(-code).name
    return f"exit status {code}"


def _children_of(parent: int) -> list[int]:
    """Pids whose parent is `parent`, from /proc; empty where there is none."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            # Behind the last bracket: a process may call itself anything, also "x) S 1".
            after_name = path.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
            if int(after_name[1]) == parent:
                found.append(int(path.parent.name))
    return found
