"""The table of a season as CSV for spreadsheets."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from core.interchange.tables import write_table
from core.seasons.model import POINT
from tournaments.models import Season, SeasonPerson

COLUMNS: Final = (
    *("division", "rank", "shared", "name", "club", "account", "bot", "total"),
    *("events", "counted", "wins", "best_place"),
)


def table_csv(season: Season, *, bom: bool = True) -> bytes:
    """Return the table of all divisions; texts are guarded against being formulas. One query."""
    rows = SeasonPerson.objects.filter(season=season, row__gt=0).order_by("division__position", "row")
    cells = rows.values_list(
        *("division__position", "rank", "shared", "name", "club", "user__username", "bot__slug", "total"),
        *("events_n", "counted_n", "wins", "best_place"),
    )
    lines = [
        [
            *(division, rank, "yes" if shared else "", name, club, user or "", bot or "", Fraction(total, POINT)),
            *(events, counted, wins, best or None),
        ]
        for division, rank, shared, name, club, user, bot, total, events, counted, wins, best in cells
    ]
    return write_table(COLUMNS, lines, bom=bom)
