"""Renewals of slips and captains' addresses: the number that holds now, 0 for one that was never renewed."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Max, OuterRef, Subquery
from django.db.models.functions import Coalesce

from tournaments.models import Entry, LinkRenewal, Match


def of_slip(match: Match, side: int) -> int:
    """Return the newest renewal of one side's slip. One query."""
    return _newest(LinkRenewal.objects.filter(match=match, side=side).aggregate(newest=Max("pk")))


def of_slips(matches: Iterable[Match]) -> dict[tuple[int, int], int]:
    """Return the renewals by match and side, of those that were renewed. One query."""
    rows = LinkRenewal.objects.filter(match__in=list(matches)).order_by("pk").values_list("match_id", "side", "pk")
    # In order of keys, so that of several renewals the newest is the last to be put into the dictionary.
    return {(match, side): pk for match, side, pk in rows if match is not None and side is not None}


def of_captain(team: Entry) -> int:
    """Return the newest renewal of a captain's address. One query."""
    return _newest(LinkRenewal.objects.filter(team=team).aggregate(newest=Max("pk")))


def newest_of_captain(team: str) -> Coalesce:
    """Return the same beside each row of a query. team: the path from a row to the team."""
    found = LinkRenewal.objects.filter(team=OuterRef(team)).order_by("-pk").values("pk")[:1]
    return Coalesce(Subquery(found), 0)


def _newest(found: dict[str, int | None]) -> int:
    return found["newest"] or 0
