"""Dividing a field into groups of equal strength."""

from __future__ import annotations

from collections.abc import Sequence

from core.formats.errors import FormatError
from core.formats.model import Entrant


def snake(entries: Sequence[Entrant], groups: int) -> list[list[Entrant]]:
    """Groups by seed, there and back: 1 2 3 / 6 5 4 / 7 8 9; sizes differ by at most one.

    Raises FormatError "groups.count" unless every group gets an entry.
    """
    if not 1 <= groups <= len(entries):
        message = f"{groups} groups of {len(entries)} entries: choose between 1 and {len(entries)}"
        raise FormatError(message, code="groups.count")
    order = sorted(entries, key=lambda item: (item.seed, item.entry))
    out: list[list[Entrant]] = [[] for _ in range(groups)]
    for rank, item in enumerate(order):
        turn, step = divmod(rank, groups)
        out[step if turn % 2 == 0 else groups - 1 - step].append(item)
    return out
