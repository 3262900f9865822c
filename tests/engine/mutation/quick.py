"""mutmut with a quicker way to run a mutant's tests. Run by `tests.engine.mutation` in its scratch folder.

usage: quick.py run [mutmut's arguments]

mutmut 3 starts pytest again for every mutant. Here its fork server collects the tests once; each mutant's process,
forked from it, runs the items that reach the mutated function at once: first those that killed siblings of the
mutant, then the quick ones, then the others, those first that killed most elsewhere, until they usually take BUDGET
seconds. What then survives might still be killed by the rest; the figures can only be too low. Each test may use the
CPU for three seconds and fifteen times its usual time.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from itertools import accumulate
from pathlib import Path
from typing import Any, Final

import pytest
from _pytest.config import _prepareconfig
from mutmut.configuration import config
from mutmut.mutation import trampoline
from mutmut.runners import harness
from mutmut.state import state
from mutmut.utils.file_utils import change_cwd
from mutmut.utils.format_utils import mangled_name_from_mutant_name

MAX_MEMORY: Final = 3 << 30
BUDGET: Final = float(os.environ.get("HANAMI_SECONDS_PER_MUTANT", "8"))
"""Seconds of tests per mutant, as they take when the tests that reach each function are found."""
QUICK: Final = 0.02
"""Seconds that a quick test takes."""
AT_IMPORT: Final = Path("at-import.json")
KILLERS: Final = Path("killers")
ALL_KILLERS: Final = "all.txt"
_collected: list[pytest.Session] = []
_chosen: list[str] = [""]


def replace(owner: object, **functions: Callable[..., object]) -> None:
    """Put our functions in the place of mutmut's."""
    for name, function in functions.items():
        setattr(owner, name, function)


def collect() -> pytest.Session:
    """Collect all tests as pytest would, and leave the session open for the processes forked from here."""
    arguments = ["--rootdir=.", "-q", "-x", "-s", "--tb=line", *config().pytest_add_cli_args]
    found = _prepareconfig([*arguments, *config().pytest_add_cli_args_test_selection])
    found._do_configure()
    session = pytest.Session.from_config(found)
    found.hook.pytest_sessionstart(session=session)
    found.hook.pytest_collection(session=session)
    return session


def warm_up(_self: object) -> None:
    """In the fork server: collect, and note which functions run while modules are imported."""
    trampoline.set_mutant_under_test("stats")
    with change_cwd("mutants"):
        _collected.append(collect())
    AT_IMPORT.write_text(json.dumps(sorted(state()._stats)), encoding="utf-8")
    trampoline.set_mutant_under_test("")
    replace(trampoline, get_mutant_under_test=lambda: _chosen[0])
    resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))


def killed_by(notes: Path) -> Counter[str]:
    """Test -> number of mutants that it killed, from a file of notes."""
    return Counter(notes.read_text(encoding="utf-8").split("\n") if notes.exists() else ())


def in_order(tests: Iterable[str], siblings: Path) -> list[str]:
    """The tests most likely to kill come first. siblings: notes of the mutants of the same function."""
    took, here, anywhere = state().duration_by_test, killed_by(siblings), killed_by(KILLERS / ALL_KILLERS)

    def rank(test: str) -> tuple[float, ...]:
        return -here[test], took.get(test, 0.0) > QUICK, -anywhere[test], took.get(test, 0.0)

    best = sorted(tests, key=rank)
    used = list(accumulate(took.get(test, 0.0) for test in best))
    return [test for test, spent in zip(best, used, strict=True) if spent <= BUDGET] or best[:1]


class Watch:
    """Bounds the CPU time of each test and tells which one failed."""

    def __init__(self) -> None:
        self.failed = ""

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logstart(self, nodeid: str, location: object) -> None:
        """The process is ended by SIGXCPU, which mutmut reads as a time-out."""
        usual = state().duration_by_test.get(nodeid, 0.0)
        _, hard = resource.getrlimit(resource.RLIMIT_CPU)
        resource.setrlimit(resource.RLIMIT_CPU, (min(hard, int(time.process_time() + 3 + 15 * usual)), hard))

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Remember the first test that failed."""
        if report.failed and not self.failed:
            self.failed = report.nodeid


def run_tests(self: Any, *, mutant_name: str | None, tests: Iterable[str]) -> int:
    """In a mutant's process: 1 if a test failed, 0 if none did.

    Without a mutant as mutmut does it, but for the clean run: all tests passed when the reach of each was taken.
    """
    if mutant_name is None and not trampoline.get_mutant_under_test():
        return 0
    if not _collected or mutant_name is None:
        with change_cwd("mutants"):
            return int(self.execute_pytest(self._pytest_args_regular_run(tests)))
    signal.signal(signal.SIGXCPU, signal.SIG_DFL)
    siblings = KILLERS / f"{mangled_name_from_mutant_name(mutant_name).replace('ǁ', '-')}.txt"
    notes = [path.absolute() for path in (siblings, KILLERS / ALL_KILLERS)]
    session, watch = _collected[0], Watch()
    items = {item.nodeid: item for item in session.items}
    session.items = [items[test] for test in in_order(tests, siblings) if test in items]
    session.config.pluginmanager.register(watch)
    _chosen[0] = mutant_name
    with change_cwd("mutants"), suppress(session.Failed):
        session.config.hook.pytest_runtestloop(session=session)
    for path in notes if watch.failed else ():
        with path.open("a", encoding="utf-8") as file:
            file.write(f"{watch.failed}\n")
    return 1 if watch.failed else 0


def main() -> None:
    """Become mutmut's command line."""
    from mutmut.__main__ import cli

    KILLERS.mkdir(exist_ok=True)
    replace(harness.PytestRunner, warm_up=warm_up, run_tests=run_tests)
    cli()


if __name__ == "__main__":
    main()
