"""The rows of the ranking that a page shows: fifty at once, as the standings do."""

from __future__ import annotations

from typing import Any, Final

from django.http import HttpRequest

from tournaments.models import LadderSeason
from tournaments.ranking.figures import ranking_table
from tournaments.ranking.lines import EventRanking
from tournaments.standings.queries import ROWS_AT_ONCE
from web.paging import numbers_for

MEDALS: Final = 3


def rows_of(request: HttpRequest, ranking: EventRanking) -> dict[str, Any]:
    """Return the table of the page that `?page=` asks for, its rows with their medals, and the pager.

    One query; of a ladder's final ranking one more.
    """
    page = numbers_for(request, len(ranking.lines), ROWS_AT_ONCE)
    first = (page.number - 1) * ROWS_AT_ONCE
    table = ranking_table(ranking, ranking.lines[first : first + ROWS_AT_ONCE])
    medals = _medals(ranking)
    rows = [(line, figures, medals.get(line.entry.pk)) for line, figures in table.rows]
    return {"table": table, "rows": rows, "pager": page}


def _medals(ranking: EventRanking) -> dict[int, int]:
    """Return who has which medal, 1 to 3: an official ladder gives its own, and none to the house's bots."""
    if not ranking.is_final or not ranking.lines:
        return {}
    stage = ranking.lines[0].stage
    if stage.format.ranks_by_rating:
        given = list(LadderSeason.objects.filter(stage=stage).values_list("medals__entry", "medals__place"))
        if given:
            return {entry: place for entry, place in given if entry is not None}
    return {line.entry.pk: line.rank for line in ranking.lines if line.rank and line.rank <= MEDALS}
