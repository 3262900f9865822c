"""`make coverage`: lines and branches of engine/ that the engine's tests reach; 98 % of each are asked for.

usage: python -m tests.engine.covered [pytest arguments]

Without services, without the long random soaks, with few examples per property, on the engine in plain Python.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
SETTINGS: Final = ROOT / "tests" / "engine" / "mutation" / "pyproject.toml"
BAR: Final = 98.0
# All tests but the slow ones: those that the mutants leave out reach code, too.
OPTIONS: Final = "addopts=-p tests.engine.vector_option --import-mode=importlib -m 'not slow'"
PYTEST: Final = (
    "-m", "pytest", "-q", "-c", str(SETTINGS), "-o", OPTIONS, "--rootdir=.", "--confcutdir=tests/engine",
    "--ignore=tests/engine/test_ten_thousand_deals.py", "--ignore=tests/engine/test_soak.py",
    "-p", "no:cacheprovider", "-p", "no:django", "-p", "no:playwright", "tests/engine",
)  # fmt: skip


def shares(totals: dict[str, int]) -> dict[str, float]:
    """Percent of lines and of branches, from the totals of coverage.py's JSON report."""
    return {
        "lines": 100 * totals["covered_lines"] / totals["num_statements"],
        "branches": 100 * totals["covered_branches"] / totals["num_branches"],
    }


def main(arguments: list[str]) -> int:
    """Measure, print what is missing; returns the exit status (1: tests fail or a bar is not reached)."""
    with tempfile.TemporaryDirectory(prefix="hanami-coverage-") as folder:
        report = Path(folder) / "coverage.json"
        plain = {"HANAMI_FEW_EXAMPLES": "1", "HANAMI_ENGINE": "pure", "COVERAGE_FILE": str(Path(folder) / "data")}
        environment = {**os.environ, **plain}

        def coverage(*words: str) -> int:
            command = [sys.executable, "-m", "coverage", *words]
            return subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode

        if code := coverage("run", "--branch", "--source=engine", *PYTEST, *arguments):
            return code
        coverage("report", "--show-missing", "--skip-covered")
        coverage("json", "-q", "-o", str(report))
        reached = shares(json.loads(report.read_text(encoding="utf-8"))["totals"])
    for what, share in reached.items():
        print(f"{what}: {share:.2f} % (bar {BAR:.0f} %)")
    return 0 if min(reached.values()) >= BAR else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
