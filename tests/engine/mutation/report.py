"""The report of a mutation run: tests/engine/mutants.md, from mutmut's results and the verdicts in equivalent.toml."""

from __future__ import annotations

from collections import Counter
from contextlib import chdir
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.engine.mutation import scratch
from tests.engine.mutation.verdicts import BAR, EQUIVALENT, KILLED, STATUS, Verdict, read_verdicts

REPORT: Final = Path(__file__).resolve().parents[1] / "mutants.md"
COLUMNS: Final = ("killed", "timeout", EQUIVALENT, "survived", "no test", "error", "not run")
HEAD: Final = """# Mutants of engine/games

Written by `make mutants`; how it works: [mutation/README.md](mutation/README.md). Timeouts count as killed, since a
test that never ends is noticed. Equivalent mutants are those that no test can tell from the engine; the reason of each
is in [mutation/equivalent.toml](mutation/equivalent.toml) and repeated below.
"""


@dataclass(frozen=True, slots=True)
class Survivor:
    """A mutant that no test killed."""

    name: str
    file: str
    status: str
    was: str
    now: str
    reason: str


def survivor(name: str, file: str, status: str, verdicts: list[Verdict]) -> Survivor:
    """Return what the mutant changed, and the verdict on it if there is one."""
    from mutmut.mutation.diff_apply import get_diff_for_mutant  # installed by `make mutants` alone

    lines = str(get_diff_for_mutant(name, path=file)).split("\n")[2:]
    was, now = (" ".join(line[1:].strip() for line in lines if line[:1] == sign) for sign in "-+")
    function = name.partition("__mutmut_")[0]
    verdict = next((verdict for verdict in verdicts if verdict.fits(function, was, now)), None)
    return Survivor(name, file, EQUIVALENT if verdict else status, was, now, verdict.reason if verdict else "")


def survivors(results: dict[str, scratch.Results], verdicts: list[Verdict]) -> list[Survivor]:
    """Every mutant that was not killed, in the order of the files."""
    with chdir(scratch.SCRATCH):  # where mutmut looks for its files
        return [
            survivor(name, file, STATUS[code], verdicts)
            for file, codes in results.items()
            for name, code in codes.items()
            if STATUS[code] not in KILLED
        ]


def counted(results: dict[str, scratch.Results], left: list[Survivor]) -> dict[str, Counter[str]]:
    """File -> status -> number of mutants."""
    counts = {
        file: Counter(STATUS[code] for code in codes.values() if STATUS[code] in KILLED)
        for file, codes in results.items()
        if codes
    }
    for mutant in left:
        counts[mutant.file][mutant.status] += 1
    return counts


def share(count: Counter[str]) -> float:
    """Killed mutants of all that can be killed, percent."""
    able = count.total() - count[EQUIVALENT]
    return 100 * sum(count[status] for status in KILLED) / able if able else 100.0


def _table(counts: dict[str, Counter[str]]) -> list[str]:
    total = sum(counts.values(), Counter[str]())
    rows = [*counts.items(), ("**all**", total)]
    return [
        f"| file | mutants | {' | '.join(COLUMNS)} | killed of those not equivalent |",
        f"|---|{'--:|' * (len(COLUMNS) + 2)}",
        *(
            f"| {name.removeprefix('engine/games/')} | {count.total()} | "
            f"{' | '.join(str(count[column]) for column in COLUMNS)} | {share(count):.1f} % |"
            for name, count in rows
        ),
    ]


def _told(mutant: Survivor) -> list[str]:
    name = mutant.name.removeprefix("engine.games.")
    return [f"- `{name}`" + (f": {mutant.reason}" if mutant.reason else ""),
            f"  - `{mutant.was}`", f"  - `{mutant.now}`"]  # fmt: skip


def text(counts: dict[str, Counter[str]], left: list[Survivor]) -> str:
    """The whole report."""
    total = sum(counts.values(), Counter[str]())
    killed = sum(total[status] for status in KILLED)
    of_all = f"{total.total()} mutants, {killed} killed ({100 * killed / max(1, total.total()):.1f} %)"
    parts = [
        HEAD,
        f"{of_all}, {total[EQUIVALENT]} equivalent: {share(total):.1f} % of the others killed. The bar is {BAR} %.\n",
        *_table(counts),
        "\n## Equivalent mutants\n",
        *(line for mutant in left if mutant.status == EQUIVALENT for line in _told(mutant)),
        "\n## Not killed yet\n",
        *(line for mutant in left if mutant.status != EQUIVALENT for line in _told(mutant)),
    ]
    return "\n".join(parts) + "\n"


def write() -> int:
    """Write the report and tell the figures; returns the exit status (1: under the bar)."""
    verdicts = read_verdicts()
    results = scratch.results()
    if not results:
        print("There are no results yet: run `make mutants`.")
        return 1
    left = survivors(results, verdicts)
    counts = counted(results, left)
    REPORT.write_text(text(counts, left), encoding="utf-8")
    total = sum(counts.values(), Counter[str]())
    print(f"{REPORT}: {dict(total)}, {share(total):.1f} % killed of those not equivalent (bar {BAR} %)")
    for verdict in verdicts:
        for line in verdict.unused():
            print(f"equivalent.toml: no survivor of {verdict.function} reads any more: {line}")
    return 0 if share(total) >= BAR and not total["error"] else 1
