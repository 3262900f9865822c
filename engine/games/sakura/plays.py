"""The plays of a hand card, worked out once for every handful of a month. Source: rules.md 3.2."""

from __future__ import annotations

from functools import cache
from typing import Final, TypeAlias

from engine.action import Action

Actions: TypeAlias = tuple[Action, ...]
PLAY: Final[Actions] = tuple(Action.of("play", card) for card in range(48))


@cache
def plays_by_month(*, optional: bool) -> tuple[tuple[Actions, ...], ...]:
    """Plays of a month (0..11), by `cards in the hand << 4 | cards on the field`, four bits each."""
    return tuple(
        tuple(_month_plays(month, key >> 4, key & 15, optional=optional) for key in range(256)) for month in range(12)
    )


def _month_plays(month: int, own: int, lying: int, *, optional: bool) -> Actions:
    plays: list[Action] = []
    targets = [4 * month + rank for rank in range(4) if lying >> rank & 1]
    for rank in range(4):
        if not own >> rank & 1:
            continue
        card = 4 * month + rank
        # Without a match, with one, or with a triple no target is named: there is nothing to choose.
        if len(targets) != 2:
            plays.append(PLAY[card])
        if len(targets) == 2 or (len(targets) == 3 and optional):
            plays += [Action.of("play", card, target) for target in targets]
    return tuple(plays)


# Lists in one piece: in machine code an index costs a tenth of what a dict of sets does.
PLAYS: Final[list[Actions]] = [plays for month in plays_by_month(optional=False) for plays in month]
"""Plays by `month << 8 | cards in the hand << 4 | cards on the field`, month 0..11, four bits each."""
OPTIONAL_PLAYS: Final[list[Actions]] = [plays for month in plays_by_month(optional=True) for plays in month]
SHIFTS: Final[list[int]] = [0, *(card & ~3 for card in range(48))]
"""How far the month of the last card of a set is to be shifted to the right, by `bit_length`."""
