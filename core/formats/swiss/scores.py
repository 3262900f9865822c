"""Facts for planners that look at results, by entry: its rounds so far, match results, first seats.

At two seats a match is worth 1, 1/2 or 0 by places (a half for each of several equal winners); nobody turning up, or a
match that was struck out, is worth nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from core.formats.errors import FormatError
from core.formats.model import Entrant, Finished, Plan, Shape
from core.formats.sizes import check

HALF = Fraction(1, 2)
MAX_PLAYERS = 9999


@dataclass(frozen=True, slots=True)
class Meeting:
    """One pod of two that was drawn. worth: what each seat got. is_played: both turned up."""

    round: int
    seats: tuple[str, str]
    worth: tuple[Fraction, Fraction]
    is_played: bool


def meetings(history: Sequence[Plan], finished: Iterable[Finished]) -> list[Meeting]:
    """Return the pods of two of all rounds. A pod that nothing is known about was struck out."""
    known = {(item.round, item.table): item for item in finished}
    found = []
    for plan in history:
        for pod in plan.pods:
            if len(pod.seats) == 2:
                seats = (pod.seats[0], pod.seats[1])
                worth, is_played = _worth(known.get((plan.round, pod.table)))
                found.append(Meeting(plan.round, seats, worth, is_played))
    return found


def _worth(item: Finished | None) -> tuple[tuple[Fraction, Fraction], bool]:
    if item is None or all(item.absent):
        return (Fraction(0), Fraction(0)), False
    if any(item.absent):
        return (Fraction(not item.absent[0]), Fraction(not item.absent[1])), False
    one, other = item.places[0], item.places[1]
    share = HALF if one == other else Fraction(one < other)
    return (share, 1 - share), True


def two_seats(kind: str, shape: Shape) -> None:
    """Raise FormatError "seats.range" unless tables of two are allowed."""
    check(shape.seats)
    if shape.seats.min > 2:
        raise FormatError(f"{kind} is played at tables of two; allow two seats", code="seats.range")


def in_order(entries: Sequence[Entrant]) -> list[Entrant]:
    """Return the starting order: by seed."""
    return sorted(entries, key=lambda item: (item.seed, item.entry))


def next_field(entries: Sequence[Entrant], turn: int, shape: Shape, least: int) -> list[Entrant]:
    """Return who is to be drawn in round `turn`, in starting order, without those of locked pods.

    Raises FormatError "entries.too_few" if fewer than `least` can play and nothing is locked, and "plan.locked" if a
    locked pod has an entry twice, or one that does not play this round.
    """
    active = [item for item in in_order(entries) if item.plays(turn)]
    names = {item.entry for item in active}
    locked = [entry for pod in shape.locked for entry in pod.seats]
    if len(set(locked)) < len(locked) or not set(locked) <= names:
        message = "a pod set by hand names an entry twice, or one that does not play this round; set it again"
        raise FormatError(message, code="plan.locked")
    left = [item for item in active if item.entry not in set(locked)]
    if len(left) < least and not locked:
        message = f"{len(left)} entries can play in round {turn}, and it takes {least}; wait for more or end the stage"
        raise FormatError(message, code="entries.too_few")
    return left


def shown(score: Fraction) -> str:
    """A score as text: "3", "2.5", "7/3"."""
    if score.denominator == 1:
        return str(score.numerator)
    return str(float(score)) if score.denominator in (2, 4, 5, 10) else f"{score.numerator}/{score.denominator}"
