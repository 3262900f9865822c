"""Payment to a forced-out player (`forced_out_compensation = hachi`). Source: rules.md 6.3, R60."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine.cards import CardSet
from engine.games.nuki.dekiyaku import DEKIYAKU, dekiyaku_in
from engine.games.nuki.teyaku import claims_of
from engine.games.nuki.values import KAN

CARD_BONUS: Final = 3
_BONUS_OF: Final = ("five_brights", "poetry_ribbons", "blue_ribbons")
BONUS_CARDS: Final[CardSet] = sum(dekiyaku.cards for dekiyaku in DEKIYAKU if dekiyaku.id in _BONUS_OF)
"""The cards of Five Brights, Poetry Ribbons and Blue Ribbons; no card is in two of them."""


@dataclass(frozen=True, slots=True)
class Compensation:
    """Parts in points, before the field multiplier."""

    half_teyaku: int
    half_dekiyaku: int
    card_bonus: int

    @property
    def points(self) -> int:
        return self.half_teyaku + self.half_dekiyaku + self.card_bonus


def compensation(hand: CardSet) -> Compensation:
    """Half of the teyaku, half of every complete dekiyaku, and a bonus for each other card of a great one."""
    claims, made = claims_of(hand), dekiyaku_in(hand)
    # A card that a teyaku shows, or that stands in a complete dekiyaku, is paid by that and brings no bonus.
    counted = claims.shown
    for dekiyaku in made:
        counted |= dekiyaku.cards
    return Compensation(
        half_teyaku=claims.kan * KAN // 2,
        half_dekiyaku=sum(dekiyaku.kan for dekiyaku in made) * KAN // 2,
        card_bonus=CARD_BONUS * (hand & BONUS_CARDS & ~counted).bit_count(),
    )
