"""Distribution of the tests over the processes of pytest-xdist."""

import re
from functools import cache
from pathlib import Path
from typing import Any, Final

from xdist.scheduler.loadscope import LoadScopeScheduling

ROOT: Final = Path(__file__).resolve().parents[2]
KEPT_WHOLE: Final = ("tests/demo/", "tests/attacks/test_corpus.py", "tests/web/test_leaks.py")
"""One installation's story each; or what their first test builds for all of them (a world, workers to attack) costs
more than an uneven spreading."""

SHARING: Final = re.compile(r'(?:def test_\w+|@pytest\.fixture\ndef \w+)\([^)]*\bleague: League|scope="module"')
"""Signs of a module whose tests share what is made once for a module, such as the league, which takes seconds. A
`live_league` is made for each test.
"""
BROWSER: Final = "[chromium"
"""What pytest-playwright adds to the names of tests in a browser. The thorough run has few, and one process runs them:
each process that ran one would start a browser, its driver and a web server."""
BEGUN_FIRST: Final = (
    "tests/web/test_leaks.py",
    "tests/tournaments/api/test_api_schema.py",
    "tests/demo/test_demo_leagues.py",
    "tests/faults/test_random_kills.py",
    "tests/web/test_looks.py",
    "tests/hosts/",
    "tests/engine/test_coverage.py",
)
"""What lasts minutes is begun first; begun last, it would be waited for by all other processes."""


@cache
def is_whole(file: str) -> bool:
    """Return whether one process runs all of the module; otherwise each process would make for itself what its tests
    share.
    """
    return file.startswith(KEPT_WHOLE) or bool(SHARING.search((ROOT / file).read_text(encoding="utf-8")))


class Spreading(LoadScopeScheduling):  # type: ignore[misc]  # xdist's schedulers are untyped
    """Scheduler of single tests, of some modules as a whole (`is_whole`), and of the thorough run's browser tests.

    The longest first (`BEGUN_FIRST`), then modules by the number of their tests, then single tests.
    """

    is_sorted = False

    def _assign_work_unit(self, node: Any) -> None:
        """Assign a unit of work as xdist does."""
        if not self.is_sorted:
            for scope in sorted(self.workqueue, key=_turn):
                self.workqueue.move_to_end(scope)
            self.is_sorted = True
        super()._assign_work_unit(node)

    def _split_scope(self, nodeid: str) -> str:
        if BROWSER in nodeid and "not slow" in self.config.getoption("markexpr"):
            return BROWSER
        file = nodeid.partition("::")[0]
        return file if is_whole(file) else nodeid

    def mark_test_complete(self, node: Any, item_index: int, duration: float = 0) -> None:
        """Mark it as xdist does; what is done is forgotten, as each answer counts all that a process was ever given."""
        super().mark_test_complete(node, item_index, duration)
        scope = self._split_scope(self.registered_collections[node][item_index])
        if all(self.assigned_work[node][scope].values()):
            del self.assigned_work[node][scope]


def _turn(scope: str) -> int:
    """Return when a unit of work is begun: those of one number in the order in which they stand."""
    return next((turn for turn, prefix in enumerate(BEGUN_FIRST) if scope.startswith(prefix)), len(BEGUN_FIRST))
