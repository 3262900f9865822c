"""Partners by lot: from people and a seed that was committed to before, teams that anybody can derive again.

A person's lot is SHA-256 of the text "<seed, hex> <entry>", ascending (`printf '%s %s' SEED ENTRY | sha256sum`). In the
order of the lots the first `size` people are the first team, and so on; anyone who is over at the end has no partner.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from core.formats.errors import FormatError

SIZES: Final = range(2, 8)


class Rule(StrEnum):
    """Rule that a draw of partners heeds besides the lots."""

    LOTS = "lots"
    CLUBS = "clubs"  # then partners of one club are exchanged, as long as an exchange leaves fewer of them together


@dataclass(frozen=True, slots=True)
class Person:
    """One who needs partners. entry: the id; club "": of none."""

    entry: str
    club: str = ""


@dataclass(frozen=True, slots=True)
class Partners:
    """Result of a draw, ids. teams: in the order of the lots, captains first. left: those without a partner.

    together: pairs of partners who are of one club all the same.
    """

    teams: tuple[tuple[str, ...], ...]
    left: tuple[str, ...]
    together: int


def committed(seed: bytes) -> str:
    """Return what is shown before the draw: "sha256:" of the seed's bytes."""
    return "sha256:" + hashlib.sha256(seed).hexdigest()


def lot(seed: bytes, entry: str) -> str:
    """A person's lot; the smallest comes first."""
    return hashlib.sha256(f"{seed.hex()} {entry}".encode()).hexdigest()


def draw_partners(people: Sequence[Person], size: int, seed: bytes, rule: Rule = Rule.LOTS) -> Partners:
    """Teams of `size` by lot, the same for the same people and seed in any order.

    Raises FormatError "partners.size", "partners.too_few", "partners.twice".
    """
    if size not in SIZES:
        raise FormatError(f"Teams have 2 to 7 members, not {size}.", code="partners.size")
    if len({person.entry for person in people}) < len(people):
        raise FormatError("Somebody is on the list twice.", code="partners.twice")
    if len(people) < size:
        raise FormatError(f"{len(people)} without partners are too few for teams of {size}.", code="partners.too_few")
    # Sorted by lot: the order in which people were listed must not matter, or the organiser could choose it.
    order = sorted(people, key=lambda person: (lot(seed, person.entry), person.entry))
    whole = len(order) - len(order) % size
    teams = [order[at : at + size] for at in range(0, whole, size)]
    if rule is Rule.CLUBS:
        # Ends: each exchange leaves at least one pair of clubmates fewer together.
        while _exchange(teams):
            pass
    return Partners(
        teams=tuple(tuple(person.entry for person in team) for team in teams),
        left=tuple(person.entry for person in order[whole:]),
        together=sum(map(_together, teams)),
    )


def club_key(club: str) -> str:
    """Return the key under which clubs that are written alike are one."""
    return " ".join(club.split()).casefold()


def _together(team: Sequence[Person]) -> int:
    """Return how many pairs of a team are of one club."""
    clubs = Counter(club_key(person.club) for person in team)
    return sum(count * (count - 1) // 2 for club, count in clubs.items() if club)


def _exchange(teams: list[list[Person]]) -> bool:
    """Do the first exchange that leaves fewer clubmates together: of the first team that has some, with those after
    it in turn. False if there is none.
    """
    for at, team in enumerate(teams):
        before = _together(team)
        if not before:
            continue
        for step in range(1, len(teams)):
            other = teams[(at + step) % len(teams)]
            if _exchanged(team, other, before + _together(other)):
                return True
    return False


def _exchanged(team: list[Person], other: list[Person], before: int) -> bool:
    """Exchange one of each team if that is better than `before`; the captains last."""
    for own in reversed(range(len(team))):
        for their in reversed(range(len(other))):
            team[own], other[their] = other[their], team[own]
            if _together(team) + _together(other) < before:
                return True
            team[own], other[their] = other[their], team[own]
    return False
