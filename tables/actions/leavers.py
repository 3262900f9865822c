"""How often somebody leaves: counted, shown to those who would play with them, and limited at rated tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import Final

from django.db.models import Count, Exists, F, OuterRef
from django.utils import timezone
from django.utils.translation import gettext as _

from tables.actions.sitters import Sitter
from tables.errors import TableError
from tables.models import Answer, LiveSeat, LiveTable

OFTEN: Final = 3
"""Matches left within a day after which somebody waits before they sit down at a rated table."""
DAY: Final = timedelta(days=1)
WAITS: Final = timedelta(hours=1)


def require_no_leaver(sitter: Sitter) -> None:
    """Refuse who has left often and lately. Raises TableError "table.left_often" (extra: retry_after).

    A program that ran out of time has left, too: it was not there.
    """
    since = timezone.now() - DAY
    own = {"user": sitter.user} if sitter.program is None else {"bot_version": sitter.program}
    left = LiveSeat.objects.filter(**own, kind=sitter.kind, table__answers__index=None)
    left = left.filter(table__answers__seat=F("index"), table__answers__at__gte=since)
    times = sorted(left.values_list("table__answers__at", flat=True))
    if len(times) < OFTEN:
        return
    wait_s = round((times[-1] + WAITS - timezone.now()).total_seconds())
    if wait_s > 0:
        message = _("You have left %(n)s matches within a day. Rated tables are open to you in %(minutes)s minutes.")
        shown = {"n": len(times), "minutes": -(-wait_s // 60)}
        raise TableError(message % shown, code="table.left_often", extra={"retry_after": wait_s})


def leaves_of(users: Iterable[int]) -> Mapping[int, tuple[int, int]]:
    """Return by account how many matches it has left, and how many it has played here. One query."""
    over = LiveSeat.objects.filter(user__in=list(users), kind=LiveSeat.Kind.PERSON, table__dealt_at__isnull=False)
    over = over.exclude(table__state=LiveTable.State.PLAYING).order_by()
    gone = Exists(Answer.objects.filter(table=OuterRef("table"), index=None, seat=OuterRef("index")))
    rows = over.values("user").annotate(left=Count("pk", filter=gone), n=Count("pk"))
    return {user: (left, n) for user, left, n in rows.values_list("user", "left", "n") if user is not None}
