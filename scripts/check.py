"""Everything that is checked: what `make test` becomes once the virtual environment is there.

usage: scripts/test [--thorough | --slow] [pytest arguments]

The engine is compiled first, as the tests run on it; the other static checks run beside the tests, one after another,
where many tests only wait. The tests have PostgreSQL, Redis and Chromium of their own. pytest's summary is the last
line, unless a check failed, which is named once more below it, or takes longer than the tests that were asked for. The
exit status is 0 only if all of it held. --thorough: only the tests marked so, without the static checks; CI runs them
after the quick ones. --slow: all tests that are left out otherwise, the thorough ones too.
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

from scripts import chromium, compiler, curl, languages, namespaces
from scripts.progress import print_line

ROOT: Final = Path(__file__).resolve().parent.parent
BIN: Final = Path(sys.executable).parent
MAX_TEST_PROCESSES: Final = 4

CHOSEN: Final[Mapping[str, Sequence[str]]] = {
    "": (),
    "--thorough": ("-m", "thorough and not slow"),
    # A test that is stopped takes its process along; whole installations and long sessions of a browser need longer.
    # So does the dump of all threads before: it reads the frames of one that runs on, and a process ended within it.
    "--slow": ("-m", "slow or thorough", "--timeout", "600", "-o", "faulthandler_timeout=590"),
}
"""What each part of the tests is called by, and pytest's arguments for it."""

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
    """One static check, or what the tests need, and the command that makes it. is_verbose: always show its output."""

    name: str
    command: Sequence[str]
    environment: Mapping[str, str] = field(default_factory=dict)
    is_verbose: bool = False


ENGINE: Final = Check("engine in machine code", [sys.executable, "scripts/compile_engine.py"], is_verbose=True)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a check."""

    check: Check
    code: int
    output: str
    took_s: float


def checks() -> list[Check]:
    """Return what runs beside the tests: the slowest first, while the engine is compiled and the tests are
    collected.
    """
    manage = [sys.executable, "manage.py"]
    return [
        Check("types (mypy --strict)", [str(BIN / "mypy")]),
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
        # Settings of the shell that this runs in must not decide how the checks end.
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("HANAMI_")}
        done = subprocess.run(
            list(check.command), cwd=ROOT, env={**inherited, "HANAMI_DATA_DIR": folder, **check.environment},
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
        )  # fmt: skip
    return Outcome(check, done.returncode, done.stdout.decode(errors="replace"), time.monotonic() - began)


def has_passed(check: Check) -> bool:
    """Run it, and say how it went; what it wrote is shown if it failed."""
    outcome = run(check)
    print_line(f"  {'ok    ' if outcome.code == 0 else 'FAILED'} {check.name} ({outcome.took_s:.1f} s)")
    if outcome.code != 0 or (check.is_verbose and outcome.output):
        print_line(outcome.output.rstrip())
    return outcome.code == 0


def names_of_failed(wanted: Sequence[Check]) -> list[str]:
    """Run one after another, and return the names of those that failed."""
    return [check.name for check in wanted if not has_passed(check)]


def pytest_command(arguments: Sequence[str], *, part: str) -> list[str]:
    """Return the command for all tests on up to four processes, one more than there are cores: many tests wait for a
    server, a lease, a page.

    The slow ones, too: with one more, two whole installations at once outlasted the time that tests wait for a start.
    Arguments go through to pytest.
    """
    parallel = str(min(MAX_TEST_PROCESSES, max(2, os.cpu_count() or 2) + 1))
    return [sys.executable, "-m", "pytest", "-q", "-n", parallel, *CHOSEN[part], *arguments]


def run_tests(arguments: Sequence[str], *, browser: str, part: str) -> int:
    """Run pytest to its end, and return its exit status."""
    environment = {**os.environ, "CHROMIUM": browser, "PYTHONUNBUFFERED": "1"}
    command = pytest_command(arguments, part=part)
    return subprocess.run(command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, check=False).returncode


def main() -> int:
    """Run static checks and tests side by side. Returns the exit status."""
    part = next((argument for argument in sys.argv[1:] if argument in CHOSEN), "")
    arguments = [argument for argument in sys.argv[1:] if argument not in CHOSEN]
    browser = chromium.ensure()
    compiler.ensure()
    curl.ensure()
    if part == "--slow":
        chromium.ensure_whole()
        namespaces.ensure()
        languages.ensure()
    with ThreadPoolExecutor(max_workers=1) as beside:
        static = beside.submit(names_of_failed, [] if part else checks())
        failed = names_of_failed([ENGINE])
        print_line("Running the tests ...")
        code = run_tests(arguments, browser=browser, part=part)
        failed += static.result()
    if failed:
        print_line(f"FAILED besides the tests: {', '.join(failed)}")
    return code or (1 if failed else 0)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit("\nStopped.")
