"""The eight yaku. Source: rules.md 1.3."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine.cards import CardSet, parse_cards


@dataclass(frozen=True, slots=True)
class Yaku:
    """Three cards that cost every opposing side the yaku penalty. `also`: what 003 calls it."""

    id: str
    name: str
    cards: CardSet
    also: str


YAKU: Final[tuple[Yaku, ...]] = (
    Yaku("I", "Moon viewing with sake", parse_cards("03.1 08.1 09.1"), "Yaku 2"),
    Yaku("Ro", "Spring", parse_cards("01.1 02.1 03.1"), "Yaku 1"),
    Yaku("Ha", "Poetry ribbons", parse_cards("01.2 02.2 03.2"), "Three Scrolls"),
    Yaku("Ni", "Blue ribbons", parse_cards("06.2 09.2 10.2"), "Purple Slips"),
    Yaku("Ho", "Deer, butterflies, sake", parse_cards("06.1 09.1 10.1"), "Yaku 3"),
    Yaku("He", "Plain red ribbons", parse_cards("04.2 05.2 07.2"), "Red Slips"),
    Yaku("To", "Cuckoo, bridge, boar", parse_cards("04.1 05.1 07.1"), "Yaku 5"),
    Yaku("Chi", "Boar, deer, geese", parse_cards("07.1 08.2 10.1"), "Yaku 4"),
)

_RIBBONS: Final = parse_cards("01.2 02.2 03.2 04.2 05.2 06.2 07.2 09.2 10.2")
_OTHERS: Final = parse_cards("01.1 02.1 03.1 04.1 05.1 06.1 07.1 08.1 08.2 09.1 10.1")
_made: dict[CardSet, tuple[str, ...]] = {}
"""The yaku of captured ribbons, and of captured others, as they were once found: at most 2**9 and 2**11 entries."""


def yaku_in(captured: CardSet) -> tuple[str, ...]:
    """Ids of the yaku whose three cards are all in a captured pile, in the fixed order.

    >>> yaku_in(parse_cards("01.1 02.1 03.1 08.1 09.1"))
    ('I', 'Ro')
    """
    ribbons, others = captured & _RIBBONS, captured & _OTHERS
    of_ribbons, of_others = _made.get(ribbons), _made.get(others)
    # Yaku of both kinds at once are rare; then the fixed order needs the table.
    if of_ribbons is None or of_others is None or (of_ribbons and of_others):
        return _search(ribbons, others)
    return of_ribbons or of_others


def _search(ribbons: CardSet, others: CardSet) -> tuple[str, ...]:
    """The same by looking at every yaku; a yaku is of ribbons alone or of others alone."""
    for part in (ribbons, others):
        _made[part] = tuple([yaku.id for yaku in YAKU if not yaku.cards & ~part])
    return tuple([yaku.id for yaku in YAKU if not yaku.cards & ~(ribbons | others)])
