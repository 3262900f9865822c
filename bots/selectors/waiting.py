"""Amounts of waiting work, all of it or what comes before a row. Counting stops at 1,000 rows to stay cheap."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from django.db import connection
from django.db.models import Q, QuerySet

from bots.models import Check, Claimable

COUNTED: Final = 1_000
"""Rows are counted up to this number; beyond it pages say "more than"."""


@dataclass(frozen=True, slots=True)
class Amount:
    """A number of rows, counted up to 1,000: `is_more` if there are more than `n`."""

    n: int
    is_more: bool


def amount(rows: QuerySet[Any]) -> Amount:
    """Return how many there are, counted up to 1,000. One query that looks at no more."""
    return amounts(rows)[0]


def amounts(*sets: QuerySet[Any]) -> list[Amount]:
    """The same for several sets of rows, in one query for all of them. A set in an order is read in that order."""
    counts: list[str] = []
    values: list[Any] = []
    for rows in sets:
        chosen = rows if rows.query.order_by else rows.order_by()  # not in the order that its model has of itself
        # One row more than is counted, to tell "1,000" from "more than 1,000".
        sql, params = chosen.values("pk")[: COUNTED + 1].query.sql_with_params()
        counts.append(f"(SELECT COUNT(*) FROM ({sql}) counted)")  # noqa: S608  # Django's own SQL
        values += params
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {', '.join(counts)}", values)
        found = cursor.fetchone()
    return [Amount(min(n, COUNTED), n > COUNTED) for n in found]


def before(row: Claimable) -> Q:
    """Return what is claimed before a row."""
    return Q(priority__lt=row.priority) | Q(priority=row.priority, id__lt=row.pk)


def checks_before(check: Check | None) -> Amount | None:
    """Return how many checks are played before this one; None when it does not wait. Checks are played before any
    match.
    """
    if check is None or check.state != Check.State.QUEUED:
        return None
    return amount(Check.objects.filter(before(check), state=Check.State.QUEUED))
