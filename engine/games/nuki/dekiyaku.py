"""Dekiyaku: what captured cards are worth during play. Source: rules.md 6.4, R61, R66."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from engine.cards import CardSet, parse_cards


@dataclass(frozen=True, slots=True)
class Dekiyaku:
    """A set of cards that is worth some kan when captured. replaced_by: the greater one that takes its place."""

    id: str
    kan: int
    cards: CardSet
    en: str
    ja: str
    replaced_by: str | None = None


DEKIYAKU: Final[tuple[Dekiyaku, ...]] = (
    Dekiyaku("five_brights", 12, parse_cards("01.1 03.1 08.1 11.1 12.1"), "Five Brights", "五光"),
    Dekiyaku("four_brights", 10, parse_cards("01.1 03.1 08.1 12.1"), "Four Brights", "四光", "five_brights"),
    Dekiyaku(
        "seven_ribbons", 10, parse_cards("01.2 02.2 03.2 06.2 09.2 10.2 11.3"), "Seven Ribbons", "七短",
    ),
    Dekiyaku("poetry_ribbons", 7, parse_cards("01.2 02.2 03.2"), "Poetry Ribbons", "赤短"),
    Dekiyaku("blue_ribbons", 7, parse_cards("06.2 09.2 10.2"), "Blue Ribbons", "青短"),
)  # fmt: skip
"""The deck has exactly seven ribbons. Boar, Deer, Butterflies would need 07.1, which is not in it (R61)."""
KAN_OF: Final = MappingProxyType({dekiyaku.id: dekiyaku.kan for dekiyaku in DEKIYAKU})
_NEEDED: Final[CardSet] = DEKIYAKU[0].cards | DEKIYAKU[2].cards
"""The cards of the greatest dekiyaku, which hold those of all others."""
UNFORMABLE: Final = MappingProxyType({"boar_deer_butterflies": parse_cards("07.1 10.1 06.1")})
"""Named by a source, but its cards are not all in the deck."""


def dekiyaku_in(captured: CardSet) -> tuple[Dekiyaku, ...]:
    """The dekiyaku of a captured pile, in the order of the table.

    >>> [made.id for made in dekiyaku_in(parse_cards("01.1 03.1 08.1 11.1 12.1"))]
    ['five_brights']
    """
    made = [dekiyaku for dekiyaku in DEKIYAKU if not dekiyaku.cards & ~captured]
    ids = {dekiyaku.id for dekiyaku in made}
    return tuple(dekiyaku for dekiyaku in made if dekiyaku.replaced_by not in ids)


def completes_any(captured: CardSet, taken: CardSet) -> bool:
    """Return whether taking these cards, on top of those captured before, makes or improves a dekiyaku.

    >>> completes_any(parse_cards("01.1 03.1 08.1 12.1"), parse_cards("11.1 11.4"))
    True
    """
    # Most captures hold none of these twelve cards: no need to look at the table.
    if not taken & _NEEDED:
        return False
    whole = captured | taken
    # A capture that adds no card of a dekiyaku does not make it, even if it was complete before.
    return any(taken & dekiyaku.cards and not dekiyaku.cards & ~whole for dekiyaku in DEKIYAKU)


def ids_in(captured: CardSet) -> tuple[str, ...]:
    """Ids of the dekiyaku of a captured pile."""
    return tuple(dekiyaku.id for dekiyaku in dekiyaku_in(captured))
