"""The plays of a hand card, worked out once for every handful of a month. Source: rules.md 3.2."""

from __future__ import annotations

from functools import cache
from typing import Final, TypeAlias

from engine.action import Action
from engine.cards import CardSet

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


def _by_cards(*, optional: bool) -> dict[CardSet, dict[CardSet, Actions]]:
    """Plays by the cards of one month in the hand, then by those on the field."""
    table = plays_by_month(optional=optional)
    return {
        own << 4 * month: {lying << 4 * month: table[month][own << 4 | lying] for lying in range(16)}
        for month in range(12)
        for own in range(1, 16)
    }


PLAYS: Final = _by_cards(optional=False)
OPTIONAL_PLAYS: Final = _by_cards(optional=True)
