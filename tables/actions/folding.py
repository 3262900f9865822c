"""The fold of a stored table. What this process remembers of it is a cache: any other folds the rows again."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Final

from engine.game import Ruleset
from engine.record_fair import seed_from
from tables.actions.fold_cache import FoldCache
from tables.models import Answer, LiveSeat, LiveTable
from tables.play.clocks import Clock, clock_of
from tables.play.fold import Fold, begin

_FOLDS: Final = FoldCache()


def rules_of(table: LiveTable) -> Ruleset:
    """Return the rules of a table as the engine has them."""
    return _rules(table.ruleset)


@lru_cache(maxsize=64)
def _rules(text: str) -> Ruleset:
    # Every view asks; rules do not change, and most tables have the same.
    return Ruleset.from_json(json.loads(text))


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
    fold = _FOLDS.pop(table.commitment)
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
    _FOLDS.put(table.commitment, fold)


def fold_until(table: LiveTable, seats: list[LiveSeat], rows: int) -> Fold:
    """Return the fold of the first `rows` answers alone, for those who watch later than it is played."""
    fold = dealt(table, seats)
    fold.take(Answer.objects.filter(table=table, n__lt=rows).order_by("n"))
    return fold
