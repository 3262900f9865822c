"""Folds that a process keeps for a minute: a cache, from which any may be missing."""

from __future__ import annotations

import time
from collections import OrderedDict
from dataclasses import dataclass, field
from threading import Lock, Timer
from typing import Final

from tables.play.fold import Fold
from tournaments.templatetags.fragment_cache import expire_fragments
from web.memory import return_memory

TIMEOUT_S: Final = 60.0
"""Seconds without a request after which a fold is evicted: tables at which nothing happens cost nothing here."""
CHECK_EVERY_S: Final = 10.0
"""Seconds between two checks for folds that are to be evicted."""
MAX_ROWS: Final = 100_000
"""Answers in all folds that a process keeps, each some 0.9 kB; a table that is not kept is folded from its rows."""
MANY: Final = 100
"""Evicted folds after which their memory goes back to the machine, while others are in the cache."""


@dataclass(slots=True)
class FoldCache:
    """Folds of tables, the one that was asked for last at the end. One that is taken out belongs to its taker alone
    until it is put back.
    """

    # By its commitment: SQLite gives the number of a row that was rolled back to the next one, and a table of an
    # event that is opened again has the uuid of the one before.
    _folds: OrderedDict[str, tuple[Fold, float]] = field(default_factory=OrderedDict)
    _rows: int = 0
    _evicted: int = 0
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
            self._evict(now)
            if self._timer is None:
                self._check_later(TIMEOUT_S)

    def _evict(self, now: float) -> None:
        """Evict what was not asked for lately, and the oldest while all are too much; never the one put just now."""
        while self._folds:
            fold, at = next(iter(self._folds.values()))
            if now - at < TIMEOUT_S and (self._rows <= MAX_ROWS or len(self._folds) == 1):
                return
            self._folds.popitem(last=False)
            self._rows -= fold.rows
            self._evicted += 1

    def _check_later(self, wait_s: float) -> None:
        timer = Timer(wait_s, self._check)
        timer.daemon = True  # no process waits for it to end
        timer.start()
        # Last: one that could not be started is tried again with the next fold.
        self._timer = timer

    def _check(self) -> None:
        """Evict in a process, too, that gets no requests any more."""
        # The fragments of a table were rendered within seconds of its fold, and are evicted with it.
        expire_fragments(TIMEOUT_S - CHECK_EVERY_S)
        with self._lock:
            self._evict(time.monotonic())
            self._timer = None
            if self._folds:
                self._check_later(CHECK_EVERY_S)
            # Seldom while tables are played; and once none is left.
            is_at_rest = not self._folds
            is_due = self._evicted >= (1 if is_at_rest else MANY)
            if is_due:
                self._evicted = 0
        if is_due:
            return_memory(is_at_rest=is_at_rest)
