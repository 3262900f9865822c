"""Folds that a process keeps for a minute: a cache, from which any may be missing."""

from __future__ import annotations

import time
from collections import OrderedDict
from dataclasses import dataclass, field
from threading import Lock, Timer
from typing import Final

from tables.play.fold import Fold
from tournaments.templatetags.kept import forget_parts
from web.memory import return_memory

KEPT_S: Final = 60.0
"""Seconds that a process keeps a fold which nobody asks for: tables at which nothing happens cost nothing here."""
LOOKED_EVERY_S: Final = 10.0
"""Seconds between two looks for folds that nobody asks for any more."""
KEPT_ROWS: Final = 100_000
"""Answers in all folds that a process keeps, each some 0.9 kB; a table that is not kept is folded from its rows."""
MANY: Final = 100
"""Folds that were let go of after which their memory goes back to the machine, while others are kept."""


@dataclass(slots=True)
class KeptFolds:
    """Folds of tables, the one that was asked for last at the end. One that is taken out belongs to its taker alone
    until it is put back.
    """

    # By its commitment: SQLite gives the number of a row that was rolled back to the next one, and a table of an
    # event that is opened again has the uuid of the one before.
    _folds: OrderedDict[str, tuple[Fold, float]] = field(default_factory=OrderedDict)
    _rows: int = 0
    _let_go: int = 0
    # Requests run in a thread pool.
    _lock: Lock = field(default_factory=Lock)
    _timer: Timer | None = None

    def pop(self, commitment: str) -> Fold | None:
        """Take out what is kept of a table."""
        with self._lock:
            fold, _at = self._folds.pop(commitment, (None, 0.0))
            self._rows -= fold.rows if fold is not None else 0
            return fold

    def put(self, commitment: str, fold: Fold) -> None:
        """Keep a fold of committed rows."""
        now = time.monotonic()
        with self._lock:
            before, _at = self._folds.pop(commitment, (None, 0.0))
            self._folds[commitment] = fold, now
            self._rows += fold.rows - (before.rows if before is not None else 0)
            self._forget(now)
            if self._timer is None:
                self._look_later(KEPT_S)

    def _forget(self, now: float) -> None:
        """Let go of what was not asked for lately, and of what is too much; never of one that was put just now."""
        while self._folds:
            fold, at = next(iter(self._folds.values()))
            if now - at < KEPT_S and (self._rows <= KEPT_ROWS or len(self._folds) == 1):
                return
            self._folds.popitem(last=False)
            self._rows -= fold.rows
            self._let_go += 1

    def _look_later(self, wait_s: float) -> None:
        timer = Timer(wait_s, self._look)
        timer.daemon = True  # no process waits for it to end
        timer.start()
        # Last: one that could not be started is tried again with the next fold.
        self._timer = timer

    def _look(self) -> None:
        """Do so in a process, too, of which nobody asks anything any more."""
        # The parts of a table were drawn within seconds of its fold, and go with it.
        forget_parts(KEPT_S - LOOKED_EVERY_S)
        with self._lock:
            self._forget(time.monotonic())
            self._timer = None
            if self._folds:
                self._look_later(LOOKED_EVERY_S)
            # Seldom while tables are played; and once none is left.
            is_due = self._let_go >= (MANY if self._folds else 1)
            if is_due:
                self._let_go = 0
        if is_due:
            return_memory()
