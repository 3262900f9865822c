"""What a table of standings leaves out on its page because it would say nothing."""

from __future__ import annotations

from dataclasses import replace

from tournaments.ranking.figures import OF_THE_BRACKET
from tournaments.standings.queries import Column, Line, StandingsTable


def without_unused(table: StandingsTable) -> StandingsTable:
    """Return the table without the figures that no row has, such as the head to head while nobody is level.

    Nor is the place in a bracket a column of its own where it is the rank in every row.
    """
    used = {figure.column.id for line in table.lines for figure in line.figures[1:] if figure.value is not None}
    if not used or not _repeats_ranks(table):
        used |= {column.id for column in table.columns[:1]}
    if len(used) == len(table.columns):
        return table
    columns = tuple(column for column in table.columns if column.id in used)
    lines = {id(line): _shortened(line, used) for line in table.lines}
    parts = tuple(replace(part, lines=tuple(lines[id(line)] for line in part.lines)) for part in table.parts)
    return replace(table, columns=columns, lines=tuple(lines.values()), parts=parts)


def _repeats_ranks(table: StandingsTable) -> bool:
    # Of a part nothing is known of the other rows.
    is_placed = bool(table.columns) and table.columns[0].id == OF_THE_BRACKET and not table.is_part
    return is_placed and all(str(line.figures[0].value) == str(line.standing.rank) for line in table.lines)


def deciding(table: StandingsTable) -> tuple[Column, ...]:
    """Return the columns that order the rows of a bracket, its places first; none of any other table."""
    if not table.columns or table.columns[0].id != OF_THE_BRACKET:
        return ()
    parting = {line.decided_by.id for line in table.lines if line.decided_by is not None}
    return tuple(column for n, column in enumerate(table.columns) if n == 0 or column.id in parting)


def _shortened(line: Line, used: set[str]) -> Line:
    return replace(line, figures=tuple(figure for figure in line.figures if figure.column.id in used))


def has_played_unevenly(table: StandingsTable) -> bool:
    """Return whether the rows of a table have unlike numbers of results: one number in every row tells nothing."""
    return len({line.played for line in table.lines}) > 1


def has_several_owners(table: StandingsTable) -> bool:
    """Return whether the bots of a table are of more than one person: one name in every row tells nothing."""
    bots = [line.standing.entry.player.bot for line in table.lines]
    return len({bot.owner_id for bot in bots if bot is not None}) > 1
