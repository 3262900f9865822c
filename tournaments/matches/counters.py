"""Sums that the database keeps (tournaments/tallies.py): added up, compared, corrected."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import reduce
from operator import or_
from typing import Any, Final

from django.db import connection, transaction
from django.db.models import Case, Count, F, Q, Sum, When

from tournaments import tallies
from tournaments.models import ClubTally, Entry, EntryTally, Match, MatchTally, Player

# Bounds one transaction of the sweep; the next sweep adds up the rest.
BATCH_SIZE: Final = 5_000
# (where the sums are, what is counted, by which columns).
KINDS: Final[tuple[tuple[Any, Any, tuple[str, ...]], ...]] = (
    (MatchTally, Match, ("stage_id", "round_id", "state")),
    (EntryTally, Entry, ("tournament_id", "state")),
    (ClubTally, Player, ("club_key",)),
)


def add_up() -> int:
    """Add what has piled up to the sums: part of the sweep, harmless twice at once. Returns how many rows went."""
    return sum(_add_up(tally, by) for tally, _counted, by in KINDS)


def _add_up(tally: Any, by: tuple[str, ...]) -> int:
    with transaction.atomic():
        rows = tally.objects.filter(is_fresh=True).order_by("pk")
        # A second sweep takes other rows instead of waiting. SQLite has no such locks and one writer.
        if connection.features.has_select_for_update_skip_locked:
            rows = rows.select_for_update(skip_locked=True)
        fresh = list(rows.values_list("pk", "n", *by)[:BATCH_SIZE])
        more: Counter[tuple[Any, ...]] = Counter()
        for _pk, n, *key in fresh:
            more[tuple(key)] += n
        # Deleted and added in one transaction: a page's sum is the same before and after it, and after a crash in
        # between.
        tally.objects.filter(pk__in=[row[0] for row in fresh]).delete()
        _into(tally, by, {key: n for key, n in more.items() if n})
    return len(fresh)


def _into(tally: Any, by: tuple[str, ...], more: dict[tuple[Any, ...], int]) -> None:
    """Add to sums, make them, or drop them at nothing.

    Two sweeps that make one at once make two rows: their sum is right.
    """
    if not more:
        return
    keys = [Q(**dict(zip(by, key, strict=True))) for key in more]
    sums = tally.objects.filter(reduce(or_, keys), is_fresh=False)
    known: dict[tuple[Any, ...], int] = {}
    # Locked in one order: two sweeps never wait for each other crosswise.
    for pk, *key in sums.select_for_update().order_by("pk").values_list("pk", *by):
        known.setdefault(tuple(key), pk)
    # One UPDATE with a CASE for all sums; F() adds to what stands there at that moment, not to what was read.
    added = Case(*(When(pk=pk, then=more[key]) for key, pk in known.items()), default=0)
    if known:
        tally.objects.filter(pk__in=known.values()).update(n=F("n") + added)
    new = [tally(n=n, is_fresh=False, **dict(zip(by, key, strict=True))) for key, n in more.items() if key not in known]
    tally.objects.bulk_create(new)
    sums.filter(n=0).delete()


def differences() -> Iterator[str]:
    """Describe each sum that differs from counting; nothing, unless the triggers were off for a while."""
    for tally, counted, by in KINDS:
        sums = {tuple(key): n for *key, n in tally.objects.values_list(*by).annotate(total=Sum("n")).order_by()}
        rows = {tuple(key): n for *key, n in counted.objects.values_list(*by).annotate(total=Count("pk")).order_by()}
        for key in sorted({*sums, *rows}, key=str):
            if sums.get(key, 0) != rows.get(key, 0):
                name, named = tally._meta.model_name, ", ".join(map(str, key))
                yield f"{name} ({named}): {sums.get(key, 0)} kept, {rows.get(key, 0)} counted"


def recount() -> None:
    """Forget all sums and count. Anyone who writes such a row meanwhile waits."""
    with transaction.atomic():
        for each in tallies.TALLIED:
            tallies.recount(connection, each)
