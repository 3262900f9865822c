"""`make mutants`: mutate engine/games, run the engine's tests on every mutant, write the report.

usage: python -m tests.engine.mutation [--fresh | --report]

Interrupt it at any time; the next run goes on where it stopped. After a change of tests or engine it repeats the
survivors and the mutants of changed functions only; --fresh forgets all results, --report just writes the report.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from scripts.bootstrap import installer
from tests.engine.mutation import report, scratch
from tests.engine.mutation.verdicts import EQUIVALENT, read_verdicts

AT_IMPORT = "at-import.json"
UNKILLED = (0, 33)  # survived, no test
QUICK = Path(__file__).with_name("quick.py")
OF_TABLES = [f"tests/engine/test_{name}.py" for name in ("game_tables", "ruleset", "error_messages", "cards")]
REQUIREMENTS = scratch.ROOT / "requirements-mutants.txt"


def environment(**more: str) -> dict[str, str]:
    """Few examples and the same ones, the same hashes, and the engine in plain Python, in every run."""
    same = {"HANAMI_FEW_EXAMPLES": "1", "HANAMI_ENGINE": "pure", "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1"}
    return {**os.environ, **same, **more}


def repeat_survivors() -> None:
    """Mark what no test killed as not run yet, but for what is known to be equivalent."""
    results, verdicts = scratch.results(), read_verdicts()
    again = [mutant for mutant in report.survivors(results, verdicts) if mutant.status != EQUIVALENT]
    for file in results:
        scratch.set_results(file, {mutant.name: None for mutant in again if mutant.file == file})


def run_mutmut() -> int:
    """Generate mutants and run those without a result. Returns mutmut's exit status."""
    command = [sys.executable, "-P", str(QUICK), "run", "--max-children", os.environ.get("JOBS", "1")]
    return subprocess.run(command, cwd=scratch.SCRATCH, env=environment(), check=False).returncode


def in_fresh_processes() -> None:
    """Repeat survivors whose function runs while modules are imported: a forked process has them imported unmutated."""
    early = set(json.loads((scratch.SCRATCH / AT_IMPORT).read_text(encoding="utf-8")))
    for file, codes in scratch.results().items():
        for name, code in codes.items():
            if code in UNKILLED and name.partition("__mutmut_")[0] in early:
                survives = _survives(name)
                scratch.set_results(file, {name: 0 if survives else 1})
                print(f"  {name}: {'survives' if survives else 'killed'} in a process of its own", flush=True)


def _survives(name: str) -> bool:
    """Run the tests of tables and errors on a mutant in a process of its own, then all."""
    return _fresh(name, OF_TABLES) and _fresh(name, ["tests/engine"])


def _fresh(name: str, tests: Sequence[str]) -> bool:
    command = [sys.executable, "-m", "pytest", "-q", "-x", "--rootdir=.", "-p", "no:cacheprovider", "-p", "no:django",
               "-p", "no:playwright", *tests]  # fmt: skip
    folder = scratch.SCRATCH / "mutants"
    variables = environment(MUTANT_UNDER_TEST=name, PYTHONPATH=str(folder))
    try:
        done = subprocess.run(
            command, cwd=folder, env=variables, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            stdin=subprocess.DEVNULL, timeout=600, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def main(arguments: list[str]) -> int:
    """Run what is left to run and write the report; returns the exit status (1: too few were killed)."""
    if find_spec("mutmut") is None:
        subprocess.run([*installer(), "-q", "-r", str(REQUIREMENTS)], check=True)
    if "--fresh" in arguments:
        shutil.rmtree(scratch.SCRATCH, ignore_errors=True)
    if "--report" not in arguments:
        scratch.SCRATCH.mkdir(parents=True, exist_ok=True)
        if scratch.refresh():
            (scratch.SCRATCH / "mutants" / "mutmut-stats.json").unlink(missing_ok=True)
            repeat_survivors()
        if code := run_mutmut():
            return code
        in_fresh_processes()
    return report.write()


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit("\nStopped. The next `make mutants` goes on from here.")
