"""`make run` as a test drives it: a real `scripts/run` on a data folder of its own."""

import json
import os
import re
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.services.processes import ROOT, Project, Started, tied_to_us
from tests.services.waiting import wait_until

ADDRESS = re.compile(r"Hanami is running at (http://127\.0\.0\.1:\d+)")


@dataclass
class Running:
    """One installation under `folder`: start it, look at it, stop it, start it again."""

    folder: Path
    environment: Mapping[str, str]
    run: Started | None = None
    address: str = ""

    @property
    def data(self) -> Path:
        """Its data folder."""
        return self.folder / "var"

    @property
    def database(self) -> Path:
        """Its SQLite file."""
        return self.data / "hanami.sqlite3"

    @property
    def project(self) -> Project:
        """The same installation for management commands."""
        return Project(self.settings(), self.folder)

    def settings(self) -> dict[str, str]:
        """Return the settings that a person would make."""
        return {"HANAMI_DATA_DIR": str(self.data), "HANAMI_LOG_LEVEL": "INFO", **self.environment}

    def start(self, deadline_s: float = 300) -> None:
        """`scripts/run` in a session of its own, without a terminal and with stdin closed; returns once it answers."""
        log_path = self.folder / "run.log"
        with log_path.open("wb") as log:
            process = subprocess.Popen(
                [sys.executable, "scripts/run"], cwd=ROOT, env=self.project.environ(), stdin=subprocess.DEVNULL,
                stdout=log, stderr=log, start_new_session=True, preexec_fn=tied_to_us(signal.SIGINT),
            )  # fmt: skip
        self.run = Started("run", process, log_path)
        self.run.wait_for_line("Hanami is running at", deadline_s)
        found = ADDRESS.search(self.run.log())
        assert found, self.run.log()
        self.address = found.group(1)

    def get(self, path: str) -> str:
        """The body of a page."""
        with urllib.request.urlopen(self.address + path, timeout=20) as reply:
            assert reply.status == 200
            return str(reply.read().decode("utf-8"))

    def ready_parts(self) -> dict[str, Any]:
        """Return what /readyz says of each part; empty while nobody answers."""
        try:
            with urllib.request.urlopen(f"{self.address}/readyz", timeout=10) as reply:
                said = json.load(reply)
        except urllib.error.HTTPError as error:
            said = json.load(error)
        except OSError:
            return {}
        return dict(said["parts"])

    def members(self) -> dict[int, str]:
        """Pid and command line of every process of this installation, wherever it went: they all carry its setting."""
        mark = f"HANAMI_DATA_DIR={self.data}".encode()
        found = {}
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                if mark in (folder / "environ").read_bytes():
                    found[int(folder.name)] = (
                        (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                    )
            except OSError:  # it has just gone, or is somebody else's
                continue
        return found

    def below(self) -> set[int]:
        """Pids of all descendants, also of those that cleared their environment (the sandbox)."""
        assert self.run is not None
        parents: dict[int, int] = {}
        for stat in Path("/proc").glob("[0-9]*/stat"):
            try:
                parents[int(stat.parent.name)] = int(stat.read_text(errors="replace").rpartition(")")[2].split()[1])
            except OSError:
                continue
        family = {self.run.pid}
        while more := {pid for pid, parent in parents.items() if parent in family} - family:
            family |= more
        return family

    def pid_of(self, words: str) -> int:
        """The first direct child of the supervisor whose command line holds `words`."""
        assert self.run is not None
        for pid in self.run.pool_pids():
            if words in Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace"):
                return pid
        raise AssertionError(f"no process with {words!r} below {self.run.pid}")

    def stop(self, deadline_s: float = 60) -> None:
        """Ctrl-C, and proof that nothing of it is left."""
        assert self.run is not None
        family = self.below()
        os.killpg(self.run.pid, signal.SIGINT)
        assert self.run.process.wait(deadline_s) == 0, self.run.log()
        wait_until(lambda: not any(_runs(pid) for pid in family), 60, "the whole family to be gone")
        wait_until(lambda: not self.members(), 60, "every process of the installation to be gone")

    def end(self) -> None:
        """End it in any case."""
        if self.run and self.run.is_alive:
            self.run.process.send_signal(signal.SIGINT)
            self.run.stop(grace_s=20)


def _runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()[0] not in ("Z", "X")
    except FileNotFoundError:
        return False
