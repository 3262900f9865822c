"""Sums of what the members of each team have, added up from a table of people: the other way to a table of teams."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from core.standings.table import Table

SUMMED = ("points", "above_mean", "victories", "place")


def team_sums(
    table: Table, team_of: Mapping[str, str], columns: Sequence[str] = ()
) -> list[tuple[int, str, tuple[Fraction, ...]]]:
    """(rank, team, totals by column), best first, tied teams sharing a rank in the order of their names."""
    chosen = columns or [column for column in table.columns if column in SUMMED]
    sums: dict[str, list[Fraction]] = {}
    for row in table.rows:
        if row.entry in team_of:
            total = sums.setdefault(team_of[row.entry], [Fraction(0)] * len(chosen))
            for index, column in enumerate(chosen):
                value = row.value(column)
                assert isinstance(value, Fraction)
                total[index] += value
    ordered = sorted(sums.items(), key=lambda item: ([-amount for amount in item[1]], item[0]))
    return [(1 + sum(other > own for other in sums.values()), team, tuple(own)) for team, own in ordered]
