"""CPU time of whole process trees, read from the kernel: what a machine paid, regardless of who was waiting for
what.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Final

TICKS: Final = os.sysconf("SC_CLK_TCK")


def cpu_seconds(roots: Iterable[int]) -> float:
    """User and system time of these processes, of everything below them and of what they have reaped (Linux)."""
    parents, spent = _processes()
    total, waiting = 0.0, list(roots)
    while waiting:
        pid = waiting.pop()
        total += spent.get(pid, 0.0)
        waiting += parents.get(pid, ())
    return total


def _processes() -> tuple[dict[int, list[int]], dict[int, float]]:
    """Children by parent, and the seconds of each process with its reaped children."""
    children: dict[int, list[int]] = {}
    spent: dict[int, float] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            text = (folder / "stat").read_text(encoding="ascii", errors="replace")
        except OSError:  # it ended meanwhile; its parent has reaped it
            continue
        # Behind the last bracket: the name may hold spaces and brackets. Fields 14 to 17 of proc(5) are 11 to 14 here.
        fields = text.rsplit(")", 1)[1].split()
        pid = int(folder.name)
        children.setdefault(int(fields[1]), []).append(pid)
        spent[pid] = sum(int(field) for field in fields[11:15]) / TICKS
    return children, spent
