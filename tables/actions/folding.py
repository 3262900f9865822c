"""The fold of a stored table. What this process remembers of it is a cache: any other folds the rows again."""

from __future__ import annotations

import json
from collections import OrderedDict
from threading import Lock
from typing import Final

from engine.game import Ruleset
from engine.record_fair import seed_from
from tables.models import Answer, LiveSeat, LiveTable
from tables.play.clocks import Clock, clock_of
from tables.play.fold import Fold, begin

CACHE_SIZE: Final = 128
"""Folds that a process keeps; each has some 60 kB. A table that is not among them is folded from its rows."""


class _Folds:
    """Folds of tables, the newest last. One that is taken out belongs to its taker alone until it is put back."""

    def __init__(self) -> None:
        # By its commitment: SQLite gives the number of a row that was rolled back to the next one, and a table of an
        # event that is opened again has the uuid of the one before.
        self._folds: OrderedDict[str, Fold] = OrderedDict()
        # Requests run in a thread pool.
        self._lock = Lock()

    def pop(self, table: LiveTable) -> Fold | None:
        """Take out what is kept of a table."""
        with self._lock:
            return self._folds.pop(table.commitment, None)

    def put(self, table: LiveTable, fold: Fold) -> None:
        """Keep a fold of committed rows."""
        with self._lock:
            self._folds[table.commitment] = fold
            while len(self._folds) > CACHE_SIZE:
                self._folds.popitem(last=False)


_FOLDS: Final = _Folds()


def rules_of(table: LiveTable) -> Ruleset:
    """Return the rules of a table as the engine has them."""
    return Ruleset.from_json(json.loads(table.ruleset))


def own_clock(table: LiveTable) -> Clock:
    """Return the clock of a table."""
    return clock_of(table.clock, table.bank_ms, table.increment_ms)


def seed_of(table: LiveTable, seats: list[LiveSeat]) -> bytes:
    """Return the seed of a table whose nonces are all there: nothing of it is shown before the end."""
    return seed_from(bytes(table.secret), [seat.nonce for seat in seats], table.deal_set)


def dealt(table: LiveTable, seats: list[LiveSeat]) -> Fold:
    """Return the fold of a table before its first answer."""
    assert table.dealt_at is not None
    return begin(rules_of(table), table.seats_n, seed_of(table, seats), own_clock(table), table.dealt_at)


def take_fold(table: LiveTable, seats: list[LiveSeat]) -> Fold:
    """Return the fold of a table with all its rows; at most one query. Give it back with `keep_fold`."""
    fold = _FOLDS.pop(table)
    # More rows than the table counts: what was kept is of a transaction that this one does not see.
    if fold is None or fold.rows > table.answered:
        fold = dealt(table, seats)
    if fold.rows < table.answered:
        fold.take(Answer.objects.filter(table=table, n__gte=fold.rows, n__lt=table.answered).order_by("n"))
    if table.asked_at is not None:
        fold.asked_at = table.asked_at
    return fold


def keep_fold(table: LiveTable, fold: Fold) -> None:
    """Remember a fold of rows that are committed. Nobody may use it after this."""
    _FOLDS.put(table, fold)


def fold_until(table: LiveTable, seats: list[LiveSeat], rows: int) -> Fold:
    """Return the fold of the first `rows` answers alone, for those who watch later than it is played."""
    fold = dealt(table, seats)
    fold.take(Answer.objects.filter(table=table, n__lt=rows).order_by("n"))
    return fold
