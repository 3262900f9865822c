"""Exact schedules from a first round: the players of every table move on by one, and nobody meets anybody twice.

Where the arithmetic of `designs` has no schedule, or a shorter one. Players 0..moving*classes-1 stand in circles of
`moving`; those after them stay where they are. Round r adds r to everybody who moves, within their circle. It is free
of repeats when the tables of the first round hold every difference (within a circle, between two circles, to one who
stays) at most once. A block of `across` has one player of each circle: moved on by 0, 1, 2, .. it is all tables of one
more round. First rounds were found by search; a test counts every pair of every schedule.

All have as many rounds as there can be: the Kirkman systems of 15, 21 and 39 players in threes, the nearly Kirkman
systems of 24, 30 and 36, the resolvable designs of 28, 40 and 52 in fours, the frames of 24 and 60 in fours.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

Round = list[list[int]]
Block = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Starter:
    """A first round. moving: players of a circle. first: its tables. across: tables moved on within a round."""

    moving: int
    first: tuple[Block, ...]
    across: tuple[Block, ...] = ()

    @property
    def rounds(self) -> int:
        """Return how many rounds it has."""
        return self.moving + len(self.across)


def starter(moving: int, first: str, across: str = "") -> Starter:
    """Read a starter from the text of its tables: players apart by spaces, tables by strokes."""
    return Starter(moving, _blocks(first), _blocks(across))


def _blocks(text: str) -> tuple[Block, ...]:
    return tuple(tuple(map(int, block.split())) for block in text.split("/") if block.strip())


STARTERS: Final[dict[tuple[int, int], Starter]] = {
    (5, 3): starter(
        7,
        "0 5 11 / 1 4 9 / 2 3 12 / 6 13 14 / 7 8 10",
    ),
    (7, 3): starter(
        7,
        "0 9 18 / 1 2 4 / 3 8 15 / 5 12 20 / 6 7 19 / 10 11 13 / 14 16 17",
        "0 10 14 / 0 11 17 / 0 13 16",
    ),
    (8, 3): starter(
        11,
        "0 13 15 / 1 6 10 / 2 3 21 / 4 16 23 / 5 8 14 / 7 12 17 / 9 20 22 / 11 18 19",
    ),
    (10, 3): starter(
        14,
        "0 5 20 / 1 18 28 / 2 16 29 / 3 6 25 / 4 17 27 / 7 11 13 / 8 24 26 / 9 10 21 / 12 19 22 / 14 15 23",
    ),
    (12, 3): starter(
        17,
        "0 12 15 / 1 11 26 / 2 3 23 / 4 17 18 / 5 9 31 / 6 14 30 / 7 13 25 / 8 19 35 / 10 20 29 / 16 33 "
        "34 / 21 28 32 / 22 24 27",
    ),
    (13, 3): starter(
        13,
        "0 20 21 / 1 9 18 / 2 3 5 / 4 10 30 / 6 29 35 / 7 11 26 / 8 24 33 / 12 17 25 / 13 34 37 / 14 16 "
        "28 / 15 19 22 / 23 36 38 / 27 31 32",
        "0 14 30 / 0 15 34 / 0 19 37 / 0 23 27 / 0 24 31 / 0 25 35",
    ),
    (6, 4): starter(
        7,
        "0 8 10 11 / 1 2 6 17 / 3 9 20 22 / 4 13 16 23 / 5 12 18 21 / 7 14 15 19",
    ),
    (7, 4): starter(
        9,
        "0 2 8 19 / 1 10 12 24 / 3 7 15 25 / 4 9 14 17 / 5 11 26 27 / 6 13 21 22 / 16 18 20 23",
    ),
    (10, 4): starter(
        13,
        "0 11 30 33 / 1 10 15 22 / 2 9 27 36 / 3 8 31 32 / 4 7 13 24 / 5 6 16 21 / 12 25 38 39 / 14 23 28 "
        "35 / 17 20 26 37 / 18 19 29 34",
    ),
    (13, 4): starter(
        17,
        "0 4 14 39 / 1 16 20 44 / 2 24 32 42 / 3 27 35 50 / 5 17 21 31 / 6 11 12 26 / 7 15 25 36 / 8 19 "
        "41 49 / 9 40 45 46 / 10 18 33 37 / 13 30 47 51 / 22 34 38 48 / 23 28 29 43",
    ),
    (15, 4): starter(
        19,
        "0 20 37 55 / 1 10 22 43 / 2 7 9 13 / 3 4 29 54 / 5 19 45 50 / 6 23 47 59 / 8 11 35 38 / 12 27 56 "
        "57 / 14 36 49 53 / 15 24 44 52 / 16 26 32 40 / 17 21 28 51 / 18 31 46 58 / 25 30 33 34 / 39 41 "
        "42 48",
    ),
}
"""First rounds by (tables, seats)."""


def rounds_known(tables: int, seats: int) -> int:
    """Return how many rounds `developed` has; 0 if it has none."""
    known = STARTERS.get((tables, seats))
    return known.rounds if known else 0


def developed(tables: int, seats: int, *, missing: int = 0) -> list[Round]:
    """Rounds of `tables` tables of `seats`: players 0..tables*seats-1-missing, no pair together twice.

    missing: the last players are left out: they are of one table of the first round, which is left out if they are two
    or more, so that no table lacks two. Empty if no such schedule is known.
    """
    known = STARTERS.get((tables, seats))
    if known is None or missing > seats:
        return []
    moving = known.moving
    circles = tables * seats // moving * moving

    def moved(block: Block, turn: int) -> list[int]:
        return [player - player % moving + (player + turn) % moving if player < circles else player for player in block]

    every = range(moving)
    rounds = [[moved(block, turn) for block in known.first] for turn in every]
    rounds += [[moved(block, turn) for turn in every] for block in known.across]
    return _without(rounds, set(known.first[0][:missing])) if missing else rounds


def _without(rounds: list[Round], gone: set[int]) -> list[Round]:
    """Return the rounds in which no two of the missing share a table, without them; the others are numbered again."""
    number = {player: at for at, player in enumerate(sorted({p for table in rounds[0] for p in table} - gone))}
    return [
        [[number[player] for player in table if player not in gone] for table in turn]
        for turn in rounds
        if all(len(gone & set(table)) <= 1 for table in turn)
    ]
