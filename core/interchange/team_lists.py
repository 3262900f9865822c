"""Lists of people who come as teams: partners in columns of their own, in one cell, or under one team's name."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Final

from core.interchange.errors import InterchangeError, refusal
from core.interchange.tables import NAME_LENGTH, EntryRow, read_entries

TOGETHER: Final = re.compile(r"\s+[&+]\s+")
"""The sign between partners in one cell."""


@dataclass(frozen=True, slots=True)
class TeamRow:
    """A team of a list, or one person who has no partner yet. name "": it is called by its members."""

    line: int
    people: tuple[EntryRow, ...]
    name: str = ""
    seed: int | None = None


def read_teams(data: bytes, size: int, sizes: Collection[int] = ()) -> list[TeamRow]:
    """The teams and single people of a list, in the order of their first lines.

    sizes: how many people a team may have, where it is not `size` alone.

    Columns as `read_entries` knows them, and: partner (partner 2 ..), whose club is that of the line; team, the same
    in the lines of those who are together. Without headings a line is "name & partner, club, seed". Raises what
    `read_entries` raises, and InterchangeError "csv.team_size", "csv.name_twice" (extra: line).
    """
    rows = [_parted(row) for row in read_entries(data, teams=True)]
    found: dict[object, TeamRow] = {}
    for row in rows:
        key: object = row.name.casefold() if row.name else row.line
        before = found.get(key)
        found[key] = row if before is None else replace(before, people=(*before.people, *row.people))
    teams = list(found.values())
    allowed = sizes or (size,)
    for team in teams:
        if len(team.people) not in (1, *allowed) or (team.name and len(team.people) == 1 and 1 not in allowed):
            message = (
                "The team in line %(line)s has %(n)s people, but a team here has %(size)s. Write all of them down."
            )
            raise refusal("csv.team_size", message, line=team.line, column=1, n=len(team.people), size=size)
    _refuse_doubles(teams)
    return teams


def _parted(row: EntryRow) -> TeamRow:
    """A line as a team: several names in its first cell, or partners in columns of their own."""
    names = (*TOGETHER.split(row.name), *row.partners)
    people = tuple(EntryRow(row.line, name, row.club) for name in names if name)
    if row.years and len(row.years) != len(people):
        message = "Line %(line)s: give a year of birth for each of the %(n)s people, such as “1950 & 1980”."
        raise refusal("csv.born", message, line=row.line, column=1, n=len(people))
    people = tuple(replace(each, years=row.years[at : at + 1]) for at, each in enumerate(people))
    if len(people) == 1 and not row.team:
        return TeamRow(row.line, (replace(row, partners=()),), seed=row.seed)
    return TeamRow(row.line, people, row.team, row.seed)


def _refuse_doubles(teams: Sequence[TeamRow]) -> None:
    lines: dict[tuple[str, str], int] = {}
    for person in (person for team in teams for person in team.people):
        key = (person.name.casefold(), person.club.casefold())
        if key in lines:
            raise _twice(person, lines[key])
        if len(person.name) > NAME_LENGTH:
            message = "Line %(line)s: a name has 1 to %(most)s printable characters."
            raise refusal("csv.name", message, line=person.line, column=1, most=NAME_LENGTH)
        lines[key] = person.line


def _twice(person: EntryRow, first: int) -> InterchangeError:
    message = "“%(name)s” appears in line %(first)s and in line %(line)s. Remove one, or make the names different."
    return refusal("csv.name_twice", message, name=person.name, first=first, line=person.line, column=1)
