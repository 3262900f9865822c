"""Accelerated rounds: in the first rounds the upper half of the seeds counts as having more than it has.

Strong entries then meet each other from the start, and large fields need fewer rounds to find a winner. At two seats
this is the Baku system of FIDE (Handbook C.04.5.1): the upper half is twice the quarter of the field, rounded up; it
has a whole virtual win in the first half of the accelerated rounds (rounded up) and half a one in the rest. At larger
tables the upper half is rounded up to whole tables. A virtual win is the best result of a table so far, in what the
stage ranks by: a win where places count, the highest gain where points do. It counts for the draw alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Final

from core.formats.model import Entrant, Reason, StageSoFar
from core.formats.swiss.scores import in_order, shown
from engine.words import gettext_noop

ACCELERATED: Final = gettext_noop(
    "Accelerated: for this draw the first %(top)d by seed count as having %(more)s more than they have."
)


def upper_half(entries: Sequence[Entrant], seats: int) -> frozenset[str]:
    """Return who is in the upper half: by seed, whole tables of this size. Those who left still count."""
    order = in_order(entries)
    size = 2 * seats if seats > 2 else 4
    top = -(-len(order) // size) * (size // 2)
    return frozenset(item.entry for item in order[:top])


def virtual_score(stage: StageSoFar, turn: int) -> Fraction:
    """Return what the upper half counts as having more in round `turn`; 0 where the round is not accelerated."""
    rounds = stage.shape.draw.accelerated
    if turn > rounds:
        return Fraction(0)
    # In round 1 there is no result yet, and any amount parts the halves; later it is what a table can bring.
    win = max((score for item in stage.finished for score in item.scores), default=Fraction(1))
    whole = win if win > 0 else Fraction(1)
    return whole if turn <= -(-rounds // 2) else whole / 2


def accelerated(field: Sequence[Entrant], stage: StageSoFar, turn: int) -> list[Entrant]:
    """Return those to be drawn with the scores that the draw of round `turn` goes by."""
    more = virtual_score(stage, turn)
    if not more:
        return list(field)
    top = upper_half(stage.entries, stage.shape.seats.pref)
    return [replace(item, score=item.score + more) if item.entry in top else item for item in field]


def acceleration_reasons(stage: StageSoFar, turn: int) -> tuple[Reason, ...]:
    """Return what is said about an accelerated round; nothing about others."""
    more = virtual_score(stage, turn)
    top = len(upper_half(stage.entries, stage.shape.seats.pref))
    return (Reason("swiss.accelerated", ACCELERATED, (("top", top), ("more", shown(more)))),) if more else ()
