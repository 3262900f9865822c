"""Seats of one rated table that may be one person: taken in the same browser, or at the same address.

Shown to staff, and to the organisers of an event; nothing follows from it here. A household and a whole club share an
address, and siblings a browser: people look, ask and decide.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from tables.models import LiveSeat, LiveTable

KEPT: Final = timedelta(days=30)
"""How long marks are stored after a table was opened."""
BATCH_SIZE: Final = 1_000


@dataclass(frozen=True, slots=True)
class Alike:
    """Seats of one table with the same mark. is_device: taken in one browser; else at one address."""

    table: LiveTable
    seats: tuple[LiveSeat, ...]
    is_device: bool


def alike_at(table: LiveTable, seats: Iterable[LiveSeat]) -> list[Alike]:
    """Return the groups of seats of a table that share a mark, those of one browser first."""
    rows = list(seats)
    by_device = _groups(rows, [seat.device_mark for seat in rows])
    by_address = _groups(rows, [_narrow(seat) for seat in rows])
    found = [Alike(table, group, is_device=True) for group in by_device]
    return found + [Alike(table, group, is_device=False) for group in by_address if group not in by_device]


def _narrow(seat: LiveSeat) -> str:
    # Behind the slash stands the wide network of IPv6, which a whole town may share.
    return seat.address_mark.partition("/")[0]


def _groups(seats: Sequence[LiveSeat], marks: Sequence[str]) -> list[tuple[LiveSeat, ...]]:
    found: dict[str, list[LiveSeat]] = defaultdict(list)
    for seat, mark in zip(seats, marks, strict=True):
        if mark:
            found[mark].append(seat)
    return [tuple(group) for group in found.values() if len(group) > 1]


def newest_alike(most: int) -> list[Alike]:
    """Return what is alike at the newest tables, at most at that many of them. Two queries."""
    other = LiveSeat.objects.filter(table=OuterRef("table"), index__lt=OuterRef("index"))
    same = Q(device_mark=OuterRef("device_mark")) | Q(address_mark=OuterRef("address_mark"))
    marked = LiveSeat.objects.exclude(device_mark="").filter(Exists(other.filter(same)))
    tables = LiveTable.objects.filter(pk__in=marked.order_by("-table").values("table")).order_by("-pk")
    rows = tables.prefetch_related("seats__user")[:most]
    return [each for table in rows for each in alike_at(table, table.seats.all())]


def purge_expired_marks() -> int:
    """Empty the marks of tables that were opened a month ago, one batch at once. Returns how many."""
    old = LiveSeat.objects.exclude(device_mark="").filter(table__created_at__lt=timezone.now() - KEPT)
    rows = list(old.order_by("pk").values_list("pk", flat=True)[:BATCH_SIZE])
    return LiveSeat.objects.filter(pk__in=rows).update(address_mark="", device_mark="") if rows else 0
