"""Starting real processes of the project for a test, and ending every one of them."""

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Final

from tests.services.waiting import wait_until

ROOT: Final = Path(__file__).resolve().parent.parent.parent
_PR_SET_PDEATHSIG: Final = 1


def tied_to_us(death_signal: signal.Signals) -> Callable[[], None]:
    """Return a `preexec_fn`: the kernel sends `death_signal` when we die, however we die (Linux; elsewhere nothing)."""
    if sys.platform != "linux":
        return lambda: None
    library = ctypes.CDLL(None)

    def tie() -> None:
        library.prctl(_PR_SET_PDEATHSIG, int(death_signal), 0, 0, 0)

    return tie


def end(process: subprocess.Popen[bytes], first: signal.Signals = signal.SIGTERM, grace_s: float = 10) -> None:
    """Ask the process to end, then end its whole group."""
    with contextlib.suppress(ProcessLookupError):
        process.send_signal(first)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(grace_s)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait(10)


def children_of(pid: int) -> list[int]:
    """Return the direct children of a process's main thread (Linux); none if it has ended."""
    try:
        listed = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii")
    except (FileNotFoundError, ProcessLookupError):
        return []
    return [int(child) for child in listed.split()]


@dataclass
class Started:
    """A process of the project with its log in a file."""

    name: str
    process: subprocess.Popen[bytes]
    log_path: Path

    @property
    def pid(self) -> int:
        return self.process.pid

    @property
    def is_alive(self) -> bool:
        return self.process.poll() is None

    def log(self) -> str:
        """Return everything it has written so far."""
        return self.log_path.read_text(encoding="utf-8", errors="replace")

    def wait_for_line(self, words: str, deadline_s: float = 60) -> None:
        """Wait until its log holds `words`; fails at once with the log if the process ends before."""

        def written() -> bool:
            if words in self.log():
                return True
            assert self.is_alive, f"{self.name} ended with {self.process.returncode}:\n{self.log()}"
            return False

        wait_until(written, deadline_s, f"{words!r} in the log of {self.name}")

    def pool_pids(self) -> list[int]:
        """Return its direct children (Linux): a worker's pool processes."""
        return children_of(self.pid)

    def fork_server_pids(self) -> list[int]:
        """Return a worker's fork servers: the children of its pool processes."""
        return [pid for pool in self.pool_pids() for pid in children_of(pool)]

    def bot_pids(self) -> list[int]:
        """Return the bots that a worker plays with just now: the children of its fork servers."""
        return [pid for server in self.fork_server_pids() for pid in children_of(server)]

    def kill(self) -> None:
        """Send SIGKILL to the process alone, as the out-of-memory killer would."""
        self.process.kill()
        self.process.wait(10)

    def stop(self, grace_s: float = 10) -> None:
        """Ask it to end, then make sure of its whole group."""
        end(self.process, signal.SIGTERM, grace_s)


@dataclass
class Project:
    """The project in one environment: its commands and its processes. `stop()` ends what was started.

    environment: what the processes get on top of PATH and the like; it names database, Redis and data folder.
    of_workers: what the workers that play get on top of that.
    """

    environment: Mapping[str, str]
    folder: Path
    started: list[Started] = field(default_factory=list)
    of_workers: Mapping[str, str] = field(default_factory=dict)

    def environ(self, extra: Mapping[str, str] | None = None) -> dict[str, str]:
        """Return the whole environment of a child: ours without its HANAMI_* settings, then the project's own."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith("HANAMI_")}
        kept.pop("DJANGO_SETTINGS_MODULE", None)
        return {**kept, "PYTHONUNBUFFERED": "1", **self.environment, **(extra or {})}

    def manage(self, *arguments: str, extra: Mapping[str, str] | None = None, timeout_s: float = 100) -> str:
        """Run a management command to its end and return what it printed; a failure shows its output."""
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT,
            env=self.environ(extra),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=timeout_s,
            check=False,
        )
        output = done.stdout.decode(errors="replace")
        assert done.returncode == 0, f"manage.py {' '.join(arguments)} ended with {done.returncode}:\n{output}"
        return output

    def start(
        self,
        name: str,
        *arguments: str,
        extra: Mapping[str, str] | None = None,
        output: IO[bytes] | None = None,
        **popen: object,
    ) -> Started:
        """Start `python <arguments>` in its own process group, its output in a file of its own (or in `output`)."""
        log_path = self.folder / f"{name}-{len(self.started)}.log"
        with log_path.open("wb") as log:
            process = subprocess.Popen(
                [sys.executable, *arguments],
                cwd=ROOT,
                env=self.environ(extra),
                stdin=subprocess.DEVNULL,
                stdout=output or log,
                stderr=subprocess.STDOUT,
                process_group=0,
                preexec_fn=tied_to_us(signal.SIGKILL),
                **popen,  # type: ignore[call-overload]  # pass_fds
            )
        self.started.append(Started(name, process, log_path))
        return self.started[-1]

    def worker(
        self,
        *,
        name: str = "",
        queues: str = "tables,play,derive",
        concurrency: int = 1,
        extra: Mapping[str, str] | None = None,
        options: Sequence[str] = (),
        wait: bool = True,
        output: IO[bytes] | None = None,
    ) -> Started:
        """Start a real `celery -A config worker`, ready to take tasks (or, without `wait`, just begun).

        options: further ones of the command line.
        """
        name = name or f"worker{len(self.started)}"
        begun = self.start(
            name,
            *("-m", "celery", "-A", "config", "worker", "--pool", "prefork"),
            *("--concurrency", str(concurrency), "--queues", queues),
            "--hostname",
            f"{name}@%h",
            "--without-gossip",
            "--without-mingle",
            "--loglevel",
            "INFO",
            *options,
            output=output,
            extra={"HANAMI_LOG_LEVEL": "INFO", **self.of_workers, **(extra or {})},
        )
        if wait:
            begun.wait_for_line(" ready.")
        return begun

    def sender(self, *, extra: Mapping[str, str] | None = None) -> Started:
        """Start a real sender: the worker without a sandbox that makes hooks and mail of news and sends them."""
        name = f"sender{len(self.started)}"
        begun = self.start(
            name,
            *("-m", "celery", "-A", "config", "worker", "--pool", "threads", "--concurrency", "3"),
            *("--queues", "send", "--hostname", f"{name}@%h"),
            *("--without-gossip", "--without-mingle", "--loglevel", "INFO"),
            extra={"HANAMI_LOG_LEVEL": "INFO", **(extra or {})},
        )
        begun.wait_for_line(" ready.")
        return begun

    def beat(self, *, extra: Mapping[str, str] | None = None) -> Started:
        """Start a real `celery -A config beat` (the sweep's clock)."""
        schedule = self.folder / f"schedule-{len(self.started)}"
        begun = self.start(
            "beat",
            "-m",
            "celery",
            "-A",
            "config",
            "beat",
            "--schedule",
            str(schedule),
            "--pidfile=",
            "--loglevel",
            "INFO",
            extra={"HANAMI_LOG_LEVEL": "INFO", **(extra or {})},
        )
        begun.wait_for_line("beat: Starting")
        return begun

    def stop(self) -> None:
        """End everything that was started, the last first."""
        while self.started:
            self.started.pop().stop(grace_s=3)
