"""Everything that is checked: what `make test` becomes once the virtual environment is there.

usage: scripts/test [--slow] [pytest arguments]

First the static checks, two at a time, then the tests on PostgreSQL, Redis and Chromium of their own; pytest's summary
is the last line. The exit status is 0 only if all of it held. --slow: only the tests that are left out otherwise.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from scripts import chromium, compiler, curl, namespaces
from scripts.progress import say

ROOT: Final = Path(__file__).resolve().parent.parent
BIN: Final = Path(sys.executable).parent
MAX_TEST_PROCESSES: Final = 4

# As a deployment would have it; nothing is connected to.
PRODUCTION: Final = {
    "HANAMI_MODE": "production",
    "HANAMI_SECRET_KEY": "only-for-the-deployment-check-0123456789-abcdefghijklmnopqrstuvwxyz",
    "HANAMI_ALLOWED_HOSTS": "hanami.example.org",
    "HANAMI_DATABASE_URL": "postgresql://hanami:hanami@localhost:5432/hanami",
    "HANAMI_REDIS_URL": "redis://localhost:6379/0",
}


@dataclass(frozen=True, slots=True)
class Check:
    """One static check, or what the tests need, and the command that makes it. is_told: its words are always shown."""

    name: str
    command: Sequence[str]
    environment: Mapping[str, str] = field(default_factory=dict)
    is_told: bool = False


ENGINE: Final = Check("engine in machine code", [sys.executable, "scripts/compile_engine.py"], is_told=True)


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a check went."""

    check: Check
    code: int
    output: str
    took_s: float


def checks() -> list[Check]:
    """The slowest first, so that the others fill the second core."""
    manage = [sys.executable, "manage.py"]
    return [
        Check("types (mypy --strict)", [str(BIN / "mypy")]),
        ENGINE,
        Check("lint (ruff check)", [str(BIN / "ruff"), "check", "--quiet", "."]),
        Check("format (ruff format)", [str(BIN / "ruff"), "format", "--check", "--quiet", "."]),
        Check("templates (djlint)", [str(BIN / "djlint"), "--lint", "--quiet", "templates"]),
        Check("import contracts (lint-imports)", [str(BIN / "lint-imports"), "--no-logo"]),
        Check("migrations are complete", [*manage, "makemigrations", "--check", "--dry-run"]),
        Check("deployment settings", [*manage, "check", "--deploy", "--fail-level", "WARNING"], PRODUCTION),
    ]


def run(check: Check) -> Outcome:
    """Run one check to its end with a data folder of its own."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="hanami-check-") as folder:
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("HANAMI_")}
        done = subprocess.run(
            list(check.command), cwd=ROOT, env={**inherited, "HANAMI_DATA_DIR": folder, **check.environment},
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
        )  # fmt: skip
    return Outcome(check, done.returncode, done.stdout.decode(errors="replace"), time.monotonic() - began)


def run_all(wanted: Sequence[Check]) -> list[str]:
    """Run them all, two at a time, tell how each went; returns the names of those that failed."""
    failed = []
    with ThreadPoolExecutor(max_workers=2) as pool:
        for outcome in pool.map(run, wanted):
            say(f"  {'ok    ' if outcome.code == 0 else 'FAILED'} {outcome.check.name} ({outcome.took_s:.1f} s)")
            if outcome.code != 0 or (outcome.check.is_told and outcome.output):
                say(outcome.output.rstrip())
            if outcome.code != 0:
                failed.append(outcome.check.name)
    return failed


def pytest_command(arguments: Sequence[str], *, slow: bool) -> list[str]:
    """All tests on up to four processes, one more than there are cores: many tests wait for a server, a lease, a page.

    The slow ones, which keep a core busy each, on one a core. Arguments go through to pytest.
    """
    parallel = str(min(MAX_TEST_PROCESSES, max(2, os.cpu_count() or 2) + (not slow)))
    chosen = ["-m", "slow"] if slow else []
    return [sys.executable, "-m", "pytest", "-q", "-n", parallel, *chosen, *arguments]


def main() -> int:
    """Static checks, then the tests. Returns the exit status."""
    arguments = [argument for argument in sys.argv[1:] if argument != "--slow"]
    slow = "--slow" in sys.argv[1:]
    browser = chromium.ensure()
    compiler.ensure()
    curl.ensure()
    if slow:
        namespaces.ensure()
    failed = run_all([ENGINE] if slow else checks())
    if failed:
        say(f"FAILED before the tests: {', '.join(failed)}; the tests follow.")
    say("Running the tests ...")
    environment = {**os.environ, "CHROMIUM": browser, "PYTHONUNBUFFERED": "1"}
    tests = subprocess.run(
        pytest_command(arguments, slow=slow), cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, check=False
    )
    return tests.returncode or (1 if failed else 0)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit("\nStopped.")
