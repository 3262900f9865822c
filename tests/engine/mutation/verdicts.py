"""Meanings of mutmut's exit codes, and the survivors that are known to be equivalent."""

from __future__ import annotations

import tomllib
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

BAR: Final = 90
EQUIVALENT: Final = "equivalent"
KNOWN: Final = Path(__file__).with_name("equivalent.toml")

STATUS: Final[defaultdict[int | None, str]] = defaultdict(lambda: "error")
"""Exit code of a mutant's process -> status; a process that no test but memory or a signal ended was killed too."""
STATUS.update({None: "not run", 0: "survived", 1: "killed", -9: "killed", -11: "killed", 33: "no test", -24: "timeout"})
KILLED: Final = frozenset({"killed", "timeout"})


@dataclass(frozen=True, slots=True)
class Verdict:
    """Lines that a function may be mutated to without any difference, and why."""

    function: str
    reason: str
    lines: tuple[str, ...]
    used: set[str] = field(default_factory=set)

    def fits(self, function: str, was: str, now: str) -> bool:
        """Return whether this speaks of a mutant.

        A line ending in ` ...` stands for all that begin so; `was` is not asked.
        """
        if function != self.function:
            return False
        for line in self.lines:
            if now == line or (line.endswith(" ...") and now.startswith(line.removesuffix("..."))):
                self.used.add(line)
                return True
        return False

    def unused(self) -> list[str]:
        """Lines that no survivor had."""
        return [line for line in self.lines if line not in self.used]


def read_verdicts() -> list[Verdict]:
    """Those of equivalent.toml; functions are named as in the source: `engine.games.poka.state.PokaState.copy`."""
    tables = tomllib.loads(KNOWN.read_text(encoding="utf-8")).get("equivalent", [])
    return [Verdict(_mangled(table["function"]), table["reason"], tuple(table["now"])) for table in tables]


def _mangled(function: str) -> str:
    """As mutmut names it: `engine.games.poka.turn.x_play`, `engine.games.poka.state.xǁPokaStateǁcopy`."""
    module, _, name = function.rpartition(".")
    before, _, owner = module.rpartition(".")
    return f"{before}.xǁ{owner}ǁ{name}" if owner[:1].isupper() else f"{module}.x_{name}"
