"""The sums that the database keeps of matches and entries (tournaments/tallies.py): added up, compared, put right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

from django.db import connection, transaction
from django.db.models import Count, F, Sum

from tournaments import tallies
from tournaments.models import Entry, EntryTally, Match, MatchTally

AT_ONCE: Final = 5_000
KINDS: Final[tuple[tuple[Any, Any, tuple[str, ...]], ...]] = (
    (MatchTally, Match, ("stage_id", "round_id", "state")),
    (EntryTally, Entry, ("tournament_id", "state")),
)
"""(where the sums are, what is counted, by which columns)."""


def add_up() -> int:
    """Put what has piled up into the sums: part of the sweep, harmless twice at once. Returns how many rows went."""
    return sum(_add_up(tally, by) for tally, _counted, by in KINDS)


def _add_up(tally: Any, by: tuple[str, ...]) -> int:
    with transaction.atomic():
        rows = tally.objects.filter(is_fresh=True).order_by("pk")
        if connection.features.has_select_for_update_skip_locked:
            rows = rows.select_for_update(skip_locked=True)
        fresh = list(rows.values_list("pk", "n", *by)[:AT_ONCE])
        more: Counter[tuple[Any, ...]] = Counter()
        for _pk, n, *key in fresh:
            more[tuple(key)] += n
        tally.objects.filter(pk__in=[row[0] for row in fresh]).delete()
        for key in sorted(more, key=str):  # in one order: two sweeps never wait for each other crosswise
            _into(tally, dict(zip(by, key, strict=True)), more[key])
    return len(fresh)


def _into(tally: Any, key: dict[str, Any], n: int) -> None:
    """Add to a sum, make it, or drop it at nothing. Two that make it at once make two rows: their sum is right."""
    if not n:
        return
    sums = tally.objects.filter(is_fresh=False, **key)
    first = sums.order_by("pk").values("pk")[:1]
    if not tally.objects.filter(pk__in=first).update(n=F("n") + n):
        tally.objects.create(n=n, is_fresh=False, **key)
    sums.filter(n=0).delete()


def differences() -> Iterator[str]:
    """Where a sum is not what counting says; nothing, unless the triggers were off for a while."""
    for tally, counted, by in KINDS:
        sums = {tuple(key): n for *key, n in tally.objects.values_list(*by).annotate(total=Sum("n")).order_by()}
        rows = {tuple(key): n for *key, n in counted.objects.values_list(*by).annotate(total=Count("pk")).order_by()}
        for key in sorted({*sums, *rows}, key=str):
            if sums.get(key, 0) != rows.get(key, 0):
                name, named = tally._meta.model_name, ", ".join(map(str, key))
                yield f"{name} ({named}): {sums.get(key, 0)} kept, {rows.get(key, 0)} counted"


def count_anew() -> None:
    """Forget all sums and count. Whoever writes such a row meanwhile waits."""
    with transaction.atomic():
        for each in tallies.TALLIED:
            tallies.count_anew(connection, each)
