"""Migrations beside the collection of the tests, which takes longer: otherwise all processes would wait for the first.

usage: python -m tests.services.migrating FILE

Migrates the database that the environment names, then makes the file. A process that needs it waits for the lock
that this process inherits; if it fails there is no file, and the first that needs it makes the database.
"""

from __future__ import annotations

import fcntl
import gc
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from tests.services.processes import ROOT, tied_to_us


def begin(lock: Path, done: Path, environment: Mapping[str, str]) -> subprocess.Popen[bytes]:
    """Begin to migrate; the lock is held from now on, until it is over."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("HANAMI_")}
    inherited["DJANGO_SETTINGS_MODULE"] = "config.settings"
    with lock.open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        return subprocess.Popen(
            [sys.executable, "-m", "tests.services.migrating", str(done)], cwd=ROOT, env={**inherited, **environment},
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, pass_fds=(held.fileno(),),
            preexec_fn=tied_to_us(signal.SIGKILL),
        )  # fmt: skip


def main() -> None:
    """Migrate, and say that it is done."""
    gc.set_threshold(100_000, 20, 20)  # each migration renders models again, which the collector would look at
    from django.core.management import execute_from_command_line  # it reads the settings

    execute_from_command_line(["manage.py", "migrate", "--verbosity", "0"])
    Path(sys.argv[1]).touch()


if __name__ == "__main__":
    main()
