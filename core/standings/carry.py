"""What an entry takes along from one stage to the next."""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction

from core.standings.model import Adjustment, AdjustmentKind, Amount


class Carry(StrEnum):
    """How much of the totals of the stage before counts in this one."""

    NONE = "none"
    HALF = "half"  # exact halves
    FULL = "full"


FACTOR = {Carry.NONE: Fraction(0), Carry.HALF: Fraction(1, 2), Carry.FULL: Fraction(1)}


def carried(
    entry: str, rule: Carry, *, points: Amount = 0, victories: Amount = 0, place: Amount = 0, reason: str = ""
) -> Adjustment:
    """The totals of the stage before, reduced by the rule, as a line of the new stage's books."""
    factor = FACTOR[rule]
    return Adjustment(
        adjustment=f"carry {entry}",
        entry=entry,
        points=points * factor,
        victories=victories * factor,
        place=place * factor,
        reason=reason,
        kind=AdjustmentKind.CARRY,
    )
