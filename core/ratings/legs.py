"""From matches to events: the legs of a deal set count as one, by what each side won over all of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from core.ratings.errors import RatingError
from core.ratings.model import Amounts, Content, Event, Slot

Side = tuple[str, ...]


class Ending(StrEnum):
    """How far a match is."""

    OPEN = "open"
    FINISHED = "finished"
    SKIPPED = "skipped"  # void, or held for review


@dataclass(frozen=True, slots=True)
class Leg:
    """One match as ratings see it. number: of its creation. deal_set: "" if it stands alone.

    sides: entries of each side; amounts: what each side won as the standings count it, forfeits applied.
    """

    number: int
    ending: Ending
    sides: tuple[Side, ...] = ()
    amounts: tuple[Amounts, ...] = ()
    deal_set: str = ""


def contents(legs: Iterable[Leg]) -> dict[int, Content]:
    """Event number -> its result or why it has none. A deal set has the number of its first leg.

    A set waits for all its legs; void ones are left out; if none is left, or one entry sits on two sides (a version
    that meets itself says nothing), the event is skipped.
    """
    sets: dict[object, list[Leg]] = defaultdict(list)
    for leg in legs:
        sets[leg.deal_set or leg.number].append(leg)
    return {min(leg.number for leg in own): _content(own) for own in sets.values()}


def _content(legs: list[Leg]) -> Content:
    if any(leg.ending is Ending.OPEN for leg in legs):
        return Slot.OPEN
    played = [leg for leg in legs if leg.ending is Ending.FINISHED]
    totals = _totals(played)
    entries = [entry for side in totals for entry in side]
    if len(totals) < 2 or len(set(entries)) < len(entries):
        return Slot.SKIPPED
    sides = tuple(sorted(totals))
    order = sorted(totals.values(), reverse=True)
    return Event(min(leg.number for leg in legs), sides, tuple(order.index(totals[side]) + 1 for side in sides))


def _totals(legs: list[Leg]) -> Mapping[Side, Amounts]:
    """What every side won over the legs. Raises RatingError "rating.legs" if they are not the same sides."""
    totals: dict[Side, Amounts] = {}
    for leg in legs:
        own = [tuple(sorted(side)) for side in leg.sides]
        if totals and set(own) != set(totals):
            raise RatingError("the legs of a deal set have different sides; rate them apart", code="rating.legs")
        if len(set(own)) < len(own):
            return {}
        for side, amounts in zip(own, leg.amounts, strict=True):
            before = totals.get(side, (Fraction(0),) * len(amounts))
            totals[side] = tuple(one + other for one, other in zip(before, amounts, strict=True))
    return totals
