"""The report of `make mutants` counts right, and the one that is committed holds the bar."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from tests.engine.mutation import report
from tests.engine.mutation.report import Survivor, counted, share, text
from tests.engine.mutation.verdicts import BAR, EQUIVALENT, STATUS, Verdict, read_verdicts

RESULTS: dict[str, dict[str, int | None]] = {
    "engine/games/a.py": {"engine.games.a.x_f__mutmut_1": 1, "engine.games.a.x_f__mutmut_2": 0},
    "engine/games/b.py": {"engine.games.b.x_g__mutmut_1": -24, "engine.games.b.x_g__mutmut_2": 0},
    "engine/games/empty.py": {},
}
LEFT = [
    Survivor("engine.games.a.x_f__mutmut_2", "engine/games/a.py", EQUIVALENT, "a = 1", "a = 2", "nobody reads it"),
    Survivor("engine.games.b.x_g__mutmut_2", "engine/games/b.py", "survived", "b = 1", "b = 2", ""),
]


def test_mutants_are_counted_by_file_and_status() -> None:
    counts = counted(RESULTS, LEFT)
    assert counts == {
        "engine/games/a.py": Counter(killed=1, equivalent=1),
        "engine/games/b.py": Counter(timeout=1, survived=1),
    }
    assert [share(count) for count in counts.values()] == [100.0, 50.0]
    assert share(Counter()) == 100.0


def test_the_report_names_every_survivor() -> None:
    told = text(counted(RESULTS, LEFT), LEFT)
    assert "4 mutants, 2 killed (50.0 %), 1 equivalent: 66.7 % of the others killed. The bar is 90 %." in told
    assert "| **all** | 4 | 1 | 1 | 1 | 1 | 0 | 0 | 0 | 66.7 % |" in told
    known, _, unknown = told.partition("## Not killed yet")
    assert "- `a.x_f__mutmut_2`: nobody reads it\n  - `a = 1`\n  - `a = 2`" in known
    assert "- `b.x_g__mutmut_2`\n  - `b = 1`\n  - `b = 2`" in unknown


def test_only_what_a_test_or_the_machine_ended_is_killed() -> None:
    assert [STATUS[code] for code in (None, 0, 1, -9, -24, 33, 2, 255)] == [
        "not run", "survived", "killed", "killed", "timeout", "no test", "error", "error",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("now", "fits"), [("a = 2", True), ("a = 3", False), ("return f(1)", True), ("return", False), ("b = 2", False)]
)
def test_a_verdict_speaks_of_its_own_lines(now: str, fits: bool) -> None:
    verdict = Verdict("engine.games.a.x_f", "why", ("a = 2", "return ...", "gone"))
    assert verdict.fits("engine.games.a.x_f", "a = 1", now) is fits
    assert not verdict.fits("engine.games.a.x_g", "a = 1", now)
    assert "gone" in verdict.unused()


def test_every_verdict_has_a_reason_and_a_function() -> None:
    for verdict in read_verdicts():
        assert verdict.reason
        assert verdict.lines
        assert verdict.function.startswith("engine.games.")


def test_the_committed_report_holds_the_bar() -> None:
    told = report.REPORT.read_text(encoding="utf-8")
    found = re.search(r"^(\d+) mutants, (\d+) killed .*: ([\d.]+) % of the others killed\.", told, re.MULTILINE)
    assert found
    assert int(found[1]) > 5000
    assert float(found[3]) >= BAR
