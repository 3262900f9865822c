"""Wall clocks that a test sets, for the processes it starts; their monotonic and CPU clocks go on as ever.

Not libfaketime: with its `DONT_FAKE_MONOTONIC` Debian's 0.9.10 breaks every `time.sleep` of Python 3.11 (EINVAL), and
without it the monotonic clock jumps as well, which no clock that is set does.
"""

from __future__ import annotations

import struct
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from scripts import compiler

SOURCE = Path(__file__).with_name("skewed_clock.c")
HOUR = 3600


@dataclass
class Clock:
    """A wall clock. environment: what a process that is to go by it is started with."""

    library: Path
    file: Path

    def __post_init__(self) -> None:
        self.set_ahead(0)
        self.file.chmod(0o644)

    @property
    def environment(self) -> dict[str, str]:
        return {"LD_PRELOAD": str(self.library), "SKEW_FILE": str(self.file)}

    def set_ahead(self, seconds: int) -> None:
        """From now on it is ahead of the true time by that many seconds (behind, if negative)."""
        with self.file.open("r+b" if self.file.exists() else "wb") as opened:
            opened.write(struct.pack("=q", seconds))


def build(folder: Path) -> Path:
    """The library that skews clocks, compiled. Fails, never skips, with what to type."""
    found = compiler.found()
    if found is None:
        pytest.fail(compiler.TYPE_THIS)
    library = folder / "skewed_clock.so"
    subprocess.run(
        [found, "-shared", "-fPIC", "-O1", "-o", str(library), str(SOURCE)], check=True, stdin=subprocess.DEVNULL
    )
    return library
