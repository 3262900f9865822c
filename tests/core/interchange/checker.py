"""The outside checker of pairings and tie-breaks (gacrux): the program an arbiter would run, without a process each."""

from __future__ import annotations

import io
import re
import runpy
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout, suppress
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import pytest


@dataclass(frozen=True)
class Verdict:
    passed: bool
    bad_rounds: list[int]
    output: str


def verdict(path: Path) -> Verdict:
    """Return the checker's word on every round of a file; a file that it cannot accept fails with no bad round."""
    output = _run("gacrux.pairingchecker", path, "-c", "-dT", "-m", "dutch")
    bad, turn = [], 0
    for line in output.splitlines():
        if found := re.match(r"=+ Round #(\d+) =+", line):
            turn = int(found[1])
        elif "Checker pairing" in line:
            bad.append(turn)
    last = output.rstrip().splitlines()[-1] if output.strip() else ""
    return Verdict(last == "Check: True", bad, output)


def tie_breaks(path: Path, codes: Sequence[str]) -> dict[int, list[Fraction]]:
    """Pairing number -> the figures of these codes."""
    return {int(row[0]): [Fraction(cell) for cell in row[-len(codes) :]] for row in _figures(path, codes)}


def ranks(path: Path, codes: Sequence[str]) -> dict[int, int]:
    """Pairing number -> the rank by these codes."""
    return {int(row[0]): int(row[1]) for row in _figures(path, codes)}


def _figures(path: Path, codes: Sequence[str]) -> list[list[str]]:
    """Lines of the checker: pairing number, rank, figures."""
    output = _run("gacrux.tiebreakchecker", path, "-dT", "-s", "-t", *codes)
    return [line.split("\t") for line in output.splitlines() if line[:1].isdigit()]


def _run(module: str, path: Path, *args: str) -> str:
    """Return what `python -m <module>` prints for the file."""
    printed = io.StringIO()
    arguments = [module, "-i", str(path), "-f", "TRF", "-o", "-", *args]
    with pytest.MonkeyPatch.context() as command, redirect_stdout(printed), suppress(SystemExit):
        command.setattr(sys, "argv", arguments)
        runpy.run_module(module, run_name="__main__", alter_sys=False)
    return printed.getvalue()
