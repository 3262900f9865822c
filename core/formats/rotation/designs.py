"""Exact schedules in which partners change: whist tournaments, and rounds of new partners for any number of people.

*Whist*: tables of two pairs; in as many rounds as a person has others (with 4k + 1 people: one more, and everybody
sits out once) everybody is everybody's partner once and everybody's opponent twice. For 4k + 1 = q a prime power (Moore
1896, Bose and Cameron 1965): with x a primitive element of GF(q) and j = x^k, tables i = 0..k-1 seat x^i and -x^i
against j*x^i and -j*x^i, and every element of the field added to all of them is a round. For the other numbers a first
round was found by search; adding 1, 2, .. modulo its number gives the rest. A test counts all of them.
*Circle*: partners alone, for any even number of people: Berger's rounds. *Trios*: the designs of tables of three.
"""

from __future__ import annotations

from typing import Final

from core.formats.schedules import designs

Round = list[list[int]]
"""Tables, of each the people side by side: the first `members` are the first side, and so on."""

STARTERS: Final[dict[int, tuple[tuple[int, int, int, int], ...]]] = {
    4: ((-1, 0, 1, 2),),
    8: ((-1, 0, 1, 3), (4, 5, 6, 2)),
    12: ((-1, 0, 7, 10), (9, 5, 3, 8), (6, 4, 2, 1)),
    16: ((-1, 0, 1, 3), (10, 5, 8, 14), (11, 4, 9, 12), (2, 13, 6, 7)),
    20: ((-1, 0, 6, 17), (1, 2, 12, 7), (16, 14, 18, 11), (13, 10, 3, 9), (15, 5, 4, 8)),
    21: ((5, 16, 8, 9), (19, 1, 7, 3), (14, 6, 2, 17), (11, 18, 12, 10), (4, 13, 20, 15)),
    24: ((-1, 0, 2, 18), (12, 4, 1, 19), (21, 10, 16, 20), (3, 6, 5, 14), (11, 17, 8, 7), (22, 9, 13, 15)),
    28: (
        *((-1, 0, 12, 23), (15, 13, 26, 5), (17, 25, 18, 8), (4, 3, 9, 16)),
        *((24, 20, 19, 22), (10, 1, 7, 21), (6, 11, 2, 14)),
    ),
    32: (
        *((-1, 0, 21, 30), (17, 23, 5, 19), (27, 20, 25, 12), (28, 18, 22, 11)),
        *((4, 9, 1, 16), (8, 7, 2, 29), (6, 14, 15, 3), (24, 26, 13, 10)),
    ),
}
"""First rounds by number of people: two partners, two partners; -1 is the one who stays where all others move on."""


def whist(people: int) -> list[Round]:
    """All rounds of a whist tournament; empty where none is known here. People are 0..people-1."""
    if people in STARTERS:
        return _developed(people, STARTERS[people])
    powers = designs.prime_powers(people)
    if people % 4 == 1 and len(powers) == 1:
        return _of_field(*powers[0])
    return []


def _developed(people: int, first: tuple[tuple[int, int, int, int], ...]) -> list[Round]:
    """Develop the first round: add 0, 1, 2, .. modulo the number of those who move."""
    moving = people - 1 if people % 4 == 0 else people
    return [
        [[(each + turn) % moving if each >= 0 else moving for each in table] for table in first]
        for turn in range(moving)
    ]


def _of_field(prime: int, exponent: int) -> list[Round]:
    """Build the construction in GF(q) of the module's text."""
    field = designs.field(prime, exponent)
    tables = (field.order - 1) // 4
    powers = _powers(field)
    # x^(2k) = -1 in a field of 4k + 1 elements: exponents at + 0 and at + 2k are partners, at + k and at + 3k the
    # others.
    first = [[powers[at + tables * turn] for turn in (0, 2, 1, 3)] for at in range(tables)]
    return [[[field.plus[each][step] for each in table] for table in first] for step in range(field.order)]


def _powers(field: designs.Field) -> list[int]:
    """Return 1, x, x^2, .. of the first element x that gives every element but 0."""
    for element in range(2, field.order):
        powers = [1]
        while (following := field.times[powers[-1]][element]) != 1:
            powers.append(following)
        if len(powers) == field.order - 1:
            return powers
    raise AssertionError(field.order)  # every finite field has one


def sides_apart(people: int, members: int) -> list[list[list[int]]]:
    """Rounds of sides, everybody on one, in which nobody has a partner twice; empty where none are known here."""
    if people % members:
        return []
    if members == 2:
        return _circle(people)
    rounds = designs.design(people // members, members)
    return [[sorted(side) for side in turn] for turn in rounds]


def _circle(people: int) -> list[list[list[int]]]:
    """Return rounds in which everybody is everybody's partner once: one stays, the others move on by one."""
    moving = people - 1
    return [
        [[moving, turn], *([(turn + step) % moving, (turn - step) % moving] for step in range(1, people // 2))]
        for turn in range(moving)
    ]
