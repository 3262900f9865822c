"""The rows of the ranking that a page shows: fifty at once, as the standings do."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from tournaments.ranking.figures import ranking_table
from tournaments.ranking.lines import EventRanking
from tournaments.standings.queries import ROWS_AT_ONCE
from web.paging import numbers_for


def rows_of(request: HttpRequest, ranking: EventRanking) -> dict[str, Any]:
    """Return the table of the page that `?page=` asks for, and the pager. One query."""
    page = numbers_for(request, len(ranking.lines), ROWS_AT_ONCE)
    first = (page.number - 1) * ROWS_AT_ONCE
    return {"table": ranking_table(ranking, ranking.lines[first : first + ROWS_AT_ONCE]), "pager": page}
