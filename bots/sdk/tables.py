"""Cards and yaku as a bot needs them: small tables over card sets. In capitals those of the Sakura family.

A card is an index 0..47, `(month - 1) * 4 + rank - 1`; a set of cards is a 48-bit int. `engine.cards` has the rest.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from engine.cards import (
    ALL,
    CARDS,
    CODES,
    GAJI,
    MONTH_MASKS,
    VALUES,
    CardSet,
    code_of,
    codes,
    members,
    parse_cards,
    points,
)
from engine.game import game_of
from engine.games.sakura.yaku import YAKU as _YAKU

YAKU: Final[dict[str, CardSet]] = {yaku.id: yaku.cards for yaku in _YAKU}
"""The three cards of each yaku, by its id (I Ro Ha Ni Ho He To Chi)."""

YAKU_OF: Final[tuple[tuple[CardSet, ...], ...]] = tuple(
    tuple(cards for cards in YAKU.values() if cards >> card & 1) for card in range(48)
)
"""The yaku, as card sets, that a card belongs to; by card."""


PROMISES: Final[Mapping[str, Mapping[str, int]]] = MappingProxyType(
    {"koikoi": MappingProxyType({"bright": 12, "animal": 6, "ribbon": 5, "chaff": 2})}
)
"""What a card promises by its category, in a game that counts no card points but rewards kinds of cards."""


@lru_cache(maxsize=16)
def values_of(game: str) -> tuple[int, ...]:
    """Card points by card in a game; in Koi-Koi, which counts none, what a card promises; else all 0.

    Raises BadOption for an unknown game.
    """
    promises = PROMISES.get(game)
    if promises:
        return tuple(promises[card.category] for card in CARDS)
    values = game_of(game).words.values
    return tuple(values.get(code, 0) for code in CODES)


@lru_cache(maxsize=16)
def yaku_of(game: str) -> dict[str, CardSet]:
    """The cards of every combination that a game rewards capturing, by its id. Raises BadOption."""
    return {each.id: each.cards for each in game_of(game).words.combinations if each.cards}


MONTH_OF: Final[tuple[CardSet, ...]] = tuple(MONTH_MASKS[card // 4] for card in range(48))
"""The four cards of a card's month; by card."""

__all__ = [
    "ALL",
    "CODES",
    "GAJI",
    "MONTH_MASKS",
    "MONTH_OF",
    "VALUES",
    "YAKU",
    "YAKU_OF",
    "CardSet",
    "code_of",
    "codes",
    "members",
    "parse_cards",
    "points",
    "values_of",
    "yaku_of",
]
