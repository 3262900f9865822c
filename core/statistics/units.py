"""From places at tables to what a test counts: one figure from 0 to 1 for each deal set, 1/2 where nobody is better.

The deal set is the unit: its legs share their decks, so they are one observation (tournaments.md section 11).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Final

from core.statistics.errors import StatisticsError

HALF: Final = Fraction(1, 2)


class Unit(StrEnum):
    """Unit of counting in a test."""

    MATCH = "match"  # each deal once, two sides: lost, drawn, won
    PAIR = "pair"  # each deal from both sides: 0, 1/2, 1, 3/2 or 2 of two
    SHARE = "share"  # larger tables: a mean place share

    @property
    def categories(self) -> int:
        """Return how many results there are; 0: any number from 0 to 1."""
        return {Unit.MATCH: 3, Unit.PAIR: 5, Unit.SHARE: 0}[self]


@dataclass(frozen=True, slots=True)
class Leg:
    """One match. places: of every side in order of its number, 1 is best. lone: the side that sits there alone of its
    kind; is_candidate: whether it is the candidate (else the version it is compared with, alone among candidates).
    """

    places: tuple[int, ...]
    lone: int
    is_candidate: bool


def place_share(places: Sequence[int], side: int) -> Fraction:
    """Return (sides beaten + half of ties) / (sides - 1): 1, 1/2 or 0 at two sides.

    >>> place_share((1, 2, 2), 1)
    Fraction(1, 4)
    """
    own = places[side]
    beaten = sum(2 for place in places if place > own) + sum(1 for place in places if place == own) - 1
    return Fraction(beaten, 2 * (len(places) - 1))


def score_of_legs(legs: Sequence[Leg]) -> Fraction:
    """Return what a deal set says of the candidate: the mean over its legs of how the lone seat did, turned round
    where the other version sits alone. Equal strength gives 1/2 at any number of seats.

    Raises StatisticsError "sprt.legs" without legs.
    """
    if not legs:
        raise StatisticsError("a deal set without legs says nothing; leave it out", code="sprt.legs")
    shares = (place_share(leg.places, leg.lone) for leg in legs)
    return sum((share if leg.is_candidate else 1 - share for leg, share in zip(legs, shares)), Fraction(0)) / len(legs)


def unit_of(sides: int, legs: int) -> Unit:
    """Return the unit at tables of `sides` sides with `legs` legs to a deal set."""
    if sides > 2:
        return Unit.SHARE
    return Unit.PAIR if legs == 2 else Unit.MATCH


def category_of(unit: Unit, score: Fraction) -> int:
    """Return the place of a score among the counts: [LL, LD, WL+DD, WD, WW] of pairs, [L, D, W] of matches.

    Raises StatisticsError "sprt.score" for a score that the unit does not have.
    """
    place = score * (unit.categories - 1)
    if not unit.categories or place.denominator != 1 or not 0 <= place < unit.categories:
        raise StatisticsError(f"{score} is no result of a {unit}; give the mean over its legs", code="sprt.score")
    return int(place)
