"""Team totals when members play apart: sums over the members, ranked by the same criteria (tournaments.md 7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby

from core.standings.errors import StandingsError
from core.standings.table import Table


@dataclass(frozen=True, slots=True)
class TeamRow:
    """One team. totals: by column; members: (entry, its totals by column), best first."""

    rank: int
    team: str
    totals: tuple[Fraction, ...]
    members: tuple[tuple[str, tuple[Fraction, ...]], ...]


def team_table(table: Table, team_of: Mapping[str, str], columns: Sequence[str] = ()) -> tuple[TeamRow, ...]:
    """Teams, best first, level ones sharing a rank and in the order of their names.

    team_of: entry -> team; entries without one are left out. columns: which totals add up, in order of comparison
    (points, above_mean, victories, place); by default those among the table's columns.
    Raises StandingsError "spec.team_columns" for a column that does not add up.
    """
    summed = ("points", "above_mean", "victories", "place")
    chosen = tuple(columns) or tuple(column for column in table.columns if column in summed)
    if not chosen or any(column not in summed or column not in table.columns for column in chosen):
        message = f"team totals add up {', '.join(summed)}; choose among those that the table has"
        raise StandingsError(message, code="spec.team_columns")
    members: dict[str, list[tuple[str, tuple[Fraction, ...]]]] = {}
    for row in table.rows:
        if row.entry in team_of:
            totals = tuple(_amount(row.value(column)) for column in chosen)
            members.setdefault(team_of[row.entry], []).append((row.entry, totals))
    sums = {team: tuple(map(_sum, zip(*(totals for _, totals in own), strict=True))) for team, own in members.items()}
    ordered = sorted(sorted(sums), key=lambda team: sums[team], reverse=True)
    rows: list[TeamRow] = []
    for _, level in groupby(ordered, key=lambda team: sums[team]):
        rank = len(rows) + 1
        rows += [TeamRow(rank, team, sums[team], tuple(members[team])) for team in level]
    return tuple(rows)


def _sum(amounts: tuple[Fraction, ...]) -> Fraction:
    return sum(amounts, Fraction(0))


def _amount(value: object) -> Fraction:
    assert isinstance(value, Fraction)
    return value
