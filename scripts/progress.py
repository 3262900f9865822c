"""Telling people what is going on. Standard library only: used before anything is installed."""

from __future__ import annotations  # see scripts/bootstrap.py

import contextlib
import sys
import threading
import time
from types import TracebackType
from typing import Final

QUIET_S: Final = 2.0
REPORT_EVERY_S: Final = 5.0


def print_line(words: str) -> None:
    """Print one line at once, whether or not anyone is at a terminal."""
    with contextlib.suppress(OSError):  # the terminal was closed, or `| head` has read enough: go on without a reader
        print(words, flush=True)


def _rewrite(line: str) -> None:
    """Put `line` in place of the terminal's current one."""
    with contextlib.suppress(OSError):
        print(f"\r\x1b[K{line}", end="", flush=True)


class Step:
    """One thing that may take a while: silent when it is quick, otherwise it tells how far it is.

    with Step("Creating the tables") as step: ...; step.now = "accounts"
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.now = ""
        self._began = time.monotonic()
        self._done = threading.Event()
        self._is_reported = False
        self._reporter = threading.Thread(target=self._report, daemon=True)

    def __enter__(self) -> Step:
        self._reporter.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._done.set()
        self._reporter.join()
        took = time.monotonic() - self._began
        if self._is_reported:
            print_line(f"  {self.name}: {'stopped' if kind else 'done'} after {took:.0f} s")

    def _report(self) -> None:
        """A first line after two seconds, then one every few seconds: also readable in a file."""
        if self._done.wait(QUIET_S):
            return
        self._is_reported = True
        print_line(f"  {self.name} ...{self._detail()}")
        while not self._done.wait(1.0 if sys.stdout.isatty() else REPORT_EVERY_S):
            line = f"    {time.monotonic() - self._began:.0f} s{self._detail()}"
            if sys.stdout.isatty():
                _rewrite(line)
            else:
                print_line(line)
        if sys.stdout.isatty():
            _rewrite("")

    def _detail(self) -> str:
        return f" ({self.now})" if self.now else ""
