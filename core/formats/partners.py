"""Partners by lot: from people and a seed that was committed to before, teams that anybody can derive again.

A person's lot is SHA-256 of the text "<seed, hex> <entry>", ascending (`printf '%s %s' SEED ENTRY | sha256sum`). In the
order of the lots the first `size` people are the first team, and so on; anyone who is over at the end has no partner.

Where partners are to be a number of years apart, the years of birth decide who may not be partners, and the lots the
rest: in pairs each in turn takes the first by lot, so that as few pairs as possible break the rule; larger teams
exchange people as long as that helps. Years are private, so what everybody can check is that captains stand in the
order of the lots, and who is over (`follows_lots`).
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from core.formats import ages
from core.formats.errors import FormatError

SIZES: Final = range(2, 8)


class Rule(StrEnum):
    """Rule that a draw of partners heeds besides the lots."""

    LOTS = "lots"
    CLUBS = "clubs"  # then partners of one club are exchanged, as long as an exchange leaves fewer of them together


@dataclass(frozen=True, slots=True)
class Person:
    """One who needs partners. entry: the id; club "": of none; born: the year, None where it is not known."""

    entry: str
    club: str = ""
    born: int | None = None


@dataclass(frozen=True, slots=True)
class Partners:
    """Result of a draw, ids. teams: in the order of the lots, captains first. left: those without a partner.

    together: pairs of partners who are of one club all the same; too_close: pairs who are nearer in age than asked for.
    """

    teams: tuple[tuple[str, ...], ...]
    left: tuple[str, ...]
    together: int
    too_close: int = 0


def committed(seed: bytes) -> str:
    """Return what is shown before the draw: "sha256:" of the seed's bytes."""
    return "sha256:" + hashlib.sha256(seed).hexdigest()


def lot(seed: bytes, entry: str) -> str:
    """A person's lot; the smallest comes first."""
    return hashlib.sha256(f"{seed.hex()} {entry}".encode()).hexdigest()


def draw_partners(
    people: Sequence[Person], size: int, seed: bytes, rule: Rule = Rule.LOTS, age_gap: int = 0
) -> Partners:
    """Teams of `size` by lot, the same for the same people and seed in any order. age_gap: years between partners.

    Raises FormatError "partners.size", "partners.too_few", "partners.twice".
    """
    if size not in SIZES:
        raise FormatError(f"Teams have 2 to 7 members, not {size}.", code="partners.size")
    if len({person.entry for person in people}) < len(people):
        raise FormatError("Somebody is on the list twice.", code="partners.twice")
    if len(people) < size:
        raise FormatError(f"{len(people)} without partners are too few for teams of {size}.", code="partners.too_few")
    # Sorted by lot: the order in which people were listed must not matter, or the organiser could choose it.
    order = sorted(people, key=lambda person: _by_lot(seed, person.entry))
    whole = len(order) - len(order) % size
    teams = [order[at : at + size] for at in range(0, whole, size)]
    if age_gap and size == 2:
        pairs = ages.Pairs(order[:whole], lambda person: person.born, age_gap)
        teams = pairs.drawn(_mates if rule is Rule.CLUBS else _nobody)
    if age_gap or rule is Rule.CLUBS:
        cost = _Cost(rule is Rule.CLUBS, age_gap)
        # Ends: each exchange leaves fewer pairs who are too close, or as many and fewer clubmates.
        while _exchange(teams, cost):
            pass
    if age_gap:
        # Captains in the order of the lots, or nobody could check anything of it.
        teams = sorted(
            (sorted(team, key=lambda person: _by_lot(seed, person.entry)) for team in teams),
            key=lambda team: _by_lot(seed, team[0].entry),
        )
    return Partners(
        teams=tuple(tuple(person.entry for person in team) for team in teams),
        left=tuple(person.entry for person in order[whole:]),
        together=sum(map(_together, teams)),
        too_close=sum(ages.pairs_too_close([person.born for person in team], age_gap) for team in teams),
    )


def follows_lots(teams: Sequence[Sequence[str]], left: Sequence[str], size: int, seed: bytes) -> bool:
    """Return whether a draw under a rule of ages is as the lots say, as far as that can be seen without the years."""
    order = sorted((entry for part in (*teams, left) for entry in part), key=lambda entry: _by_lot(seed, entry))
    whole = len(order) - len(order) % size
    seated = [entry for team in teams for entry in team]
    placed = [sorted(team, key=lambda entry: _by_lot(seed, entry)) for team in teams]
    return (
        len(set(order)) == len(order)
        and list(left) == order[whole:]
        and sorted(seated) == sorted(order[:whole])
        and all(len(team) == size for team in teams)
        and placed == sorted(map(list, teams), key=lambda team: _by_lot(seed, team[0]))
    )


def _by_lot(seed: bytes, entry: str) -> tuple[str, str]:
    return lot(seed, entry), entry


def _nobody(_one: Person, _other: Person) -> bool:
    return False


def _mates(one: Person, other: Person) -> bool:
    return bool(club_key(one.club)) and club_key(one.club) == club_key(other.club)


@dataclass(frozen=True, slots=True)
class _Cost:
    """What is wrong with a team, the worst first: pairs who are too close, pairs of one club."""

    clubs: bool
    age_gap: int

    def __call__(self, *teams: Sequence[Person]) -> tuple[int, int]:
        close = sum(ages.pairs_too_close([person.born for person in team], self.age_gap) for team in teams)
        return close, sum(map(_together, teams)) if self.clubs else 0


def club_key(club: str) -> str:
    """Return the key under which clubs that are written alike are one."""
    return " ".join(club.split()).casefold()


def _together(team: Sequence[Person]) -> int:
    """Return how many pairs of a team are of one club."""
    clubs = Counter(club_key(person.club) for person in team)
    return sum(count * (count - 1) // 2 for club, count in clubs.items() if club)


def _exchange(teams: list[list[Person]], cost: _Cost) -> bool:
    """Do the first exchange that costs less: of the first team in which something is wrong, with those after it in
    turn. False if there is none.
    """
    for at, team in enumerate(teams):
        if not any(cost(team)):
            continue
        for step in range(1, len(teams)):
            if _exchanged(team, teams[(at + step) % len(teams)], cost):
                return True
    return False


def _exchanged(team: list[Person], other: list[Person], cost: _Cost) -> bool:
    """Exchange one of each team if that costs less; the captains last."""
    before = cost(team, other)
    for own in reversed(range(len(team))):
        for their in reversed(range(len(other))):
            team[own], other[their] = other[their], team[own]
            if cost(team, other) < before:
                return True
            team[own], other[their] = other[their], team[own]
    return False
