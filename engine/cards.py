"""The 48 cards as data, and sets of cards as 48-bit ints.

Index of a card: (month - 1) * 4 + (rank - 1), so `03.1` is 8 and the Gaji `11.4` is 43.
A set of cards is an int whose bit i stands for card i (type CardSet). Source: rules.md 1.1, 1.2.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal, TypeAlias, cast, get_args

from engine.errors import BadCard

CardSet: TypeAlias = int
Category: TypeAlias = Literal["bright", "animal", "ribbon", "chaff"]

# code|English|Japanese|French|category|Sakura value|Nuki value (- = not in the 34-card deck)|Sakura yaku
_TABLE: Final = """
01.1|Pine: Crane|松に鶴|Pin : grue japonaise|bright|20|20|Ro
01.2|Pine: Poetry Ribbon|松に赤短|Pin : ruban à poésie|ribbon|10|5|Ha
01.3|Pine: Chaff|松のカス|Pin : plaine|chaff|0|1|
01.4|Pine: Chaff|松のカス|Pin : plaine|chaff|0|1|
02.1|Plum: Bush Warbler|梅に鶯|Abricotier : rossignol|animal|5|10|Ro
02.2|Plum: Poetry Ribbon|梅に赤短|Abricotier : ruban à poésie|ribbon|10|5|Ha
02.3|Plum: Chaff|梅のカス|Abricotier : plaine|chaff|0|1|
02.4|Plum: Chaff|梅のカス|Abricotier : plaine|chaff|0|1|
03.1|Cherry: Curtain|桜に幕|Cerisier : rideau|bright|20|20|I Ro
03.2|Cherry: Poetry Ribbon|桜に赤短|Cerisier : ruban à poésie|ribbon|10|5|Ha
03.3|Cherry: Chaff|桜のカス|Cerisier : plaine|chaff|0|1|
03.4|Cherry: Chaff|桜のカス|Cerisier : plaine|chaff|0|1|
04.1|Wisteria: Cuckoo|藤に時鳥|Glycine : coucou|animal|5|-|To
04.2|Wisteria: Ribbon|藤に短冊|Glycine : ruban rouge|ribbon|10|-|He
04.3|Wisteria: Chaff|藤のカス|Glycine : plaine|chaff|0|-|
04.4|Wisteria: Chaff|藤のカス|Glycine : plaine|chaff|0|-|
05.1|Iris: Bridge|菖蒲に八橋|Iris : pont|animal|5|-|To
05.2|Iris: Ribbon|菖蒲に短冊|Iris : ruban rouge|ribbon|10|-|He
05.3|Iris: Chaff|菖蒲のカス|Iris : plaine|chaff|0|-|
05.4|Iris: Chaff|菖蒲のカス|Iris : plaine|chaff|0|-|
06.1|Peony: Butterflies|牡丹に蝶|Pivoine : papillon|animal|5|10|Ho
06.2|Peony: Blue Ribbon|牡丹に青短|Pivoine : ruban violet|ribbon|10|5|Ni
06.3|Peony: Chaff|牡丹のカス|Pivoine : plaine|chaff|0|1|
06.4|Peony: Chaff|牡丹のカス|Pivoine : plaine|chaff|0|1|
07.1|Bush Clover: Boar|萩に猪|Lespedeza : sanglier|animal|5|-|To Chi
07.2|Bush Clover: Ribbon|萩に短冊|Lespedeza : ruban rouge|ribbon|10|-|He
07.3|Bush Clover: Chaff|萩のカス|Lespedeza : plaine|chaff|0|-|
07.4|Bush Clover: Chaff|萩のカス|Lespedeza : plaine|chaff|0|-|
08.1|Pampas: Full Moon|芒に月|Miscanthus : pleine lune|bright|20|20|I
08.2|Pampas: Geese|芒に雁|Miscanthus : oie en vol|animal|5|10|Chi
08.3|Pampas: Chaff|芒のカス|Miscanthus : plaine|chaff|0|1|
08.4|Pampas: Chaff|芒のカス|Miscanthus : plaine|chaff|0|1|
09.1|Chrysanthemum: Sake Cup|菊に盃|Chrysanthème : coupe de saké|animal|5|10|I Ho
09.2|Chrysanthemum: Blue Ribbon|菊に青短|Chrysanthème : ruban violet|ribbon|10|5|Ni
09.3|Chrysanthemum: Chaff|菊のカス|Chrysanthème : plaine|chaff|0|1|
09.4|Chrysanthemum: Chaff|菊のカス|Chrysanthème : plaine|chaff|0|1|
10.1|Maple: Deer|紅葉に鹿|Érable : cerf|animal|5|10|Ho Chi
10.2|Maple: Blue Ribbon|紅葉に青短|Érable : ruban violet|ribbon|10|5|Ni
10.3|Maple: Chaff|紅葉のカス|Érable : plaine|chaff|0|1|
10.4|Maple: Chaff|紅葉のカス|Érable : plaine|chaff|0|1|
11.1|Willow: Rain Man|柳に小野道風|Saule : homme au parapluie|bright|5|20|
11.2|Willow: Swallow|柳に燕|Saule : hirondelle|animal|5|10|
11.3|Willow: Ribbon|柳に短冊|Saule : ruban rouge|ribbon|10|5|
11.4|Willow: Lightning (Gaji)|柳に雷（ガジ）|Saule : foudre (Gaji)|chaff|0|1|
12.1|Paulownia: Phoenix|桐に鳳凰|Paulownia : phénix chinois|bright|20|20|
12.2|Paulownia: Yellow Paulownia|桐のカス（黄）|Paulownia : Paulownia jaune|chaff|10|1|
12.3|Paulownia: Chaff|桐のカス|Paulownia : plaine|chaff|0|-|
12.4|Paulownia: Chaff|桐のカス|Paulownia : plaine|chaff|0|-|
"""

FLOWER_NAMES: Final = MappingProxyType(
    {
        "en": ("Pine", "Plum", "Cherry", "Wisteria", "Iris", "Peony", "Bush Clover", "Pampas", "Chrysanthemum",
               "Maple", "Willow", "Paulownia"),
        "ja": ("松", "梅", "桜", "藤", "菖蒲", "牡丹", "萩", "芒", "菊", "紅葉", "柳", "桐"),
        "fr": ("Pin", "Abricotier du Japon", "Fleur de cerisier", "Glycine", "Iris", "Pivoine", "Lespedeza",
               "Miscanthus", "Chrysanthème", "Érable", "Saule", "Paulownia"),
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Card:
    """One of the 48 cards. `sakura`: points in the Sakura family; `nuki`: points in Nuki, None if not in its deck."""

    index: int
    code: str
    month: int  # 1..12
    rank: int  # 1..4, descending printed rank
    en: str
    ja: str
    fr: str
    category: Category
    sakura: int
    nuki: int | None
    yaku: tuple[str, ...]

    @property
    def names(self) -> dict[str, str]:
        """Name of the card by language code."""
        return {"en": self.en, "ja": self.ja, "fr": self.fr}

    @property
    def bit(self) -> CardSet:
        """The set of this card alone."""
        return 1 << self.index


def _read_row(index: int, row: str) -> Card:
    code, en, ja, fr, category, sakura, nuki, yaku = row.split("|")
    if category not in get_args(Category):
        raise BadCard(f"{code}: no category {category}")
    month, rank = (int(part) for part in code.split("."))
    value = None if nuki == "-" else int(nuki)
    kind = cast(Category, category)
    return Card(index, code, month, rank, en, ja, fr, kind, int(sakura), value, tuple(yaku.split()))


CARDS: Final[tuple[Card, ...]] = tuple(_read_row(i, row) for i, row in enumerate(_TABLE.split("\n")[1:-1]))
CODES: Final[tuple[str, ...]] = tuple(card.code for card in CARDS)
INDEX: Final = MappingProxyType({code: i for i, code in enumerate(CODES)})
BITS: Final[tuple[CardSet, ...]] = tuple(1 << i for i in range(48))
ALL: Final[CardSet] = (1 << 48) - 1
MONTH_MASKS: Final[tuple[CardSet, ...]] = tuple(0b1111 << (4 * month) for month in range(12))
"""The four cards of a month, by month - 1."""
GAJI: Final = INDEX["11.4"]
WILLOW: Final = 11
NUKI_DECK: Final[CardSet] = sum(card.bit for card in CARDS if card.nuki is not None)
VALUES: Final[tuple[int, ...]] = tuple(card.sakura for card in CARDS)
POINT_CARDS: Final[CardSet] = sum(card.bit for card in CARDS if card.sakura)
_OF_VALUE: Final = tuple(sum(card.bit for card in CARDS if card.sakura == value) for value in (5, 10, 20))
"""The cards worth 5, 10 and 20 in the Sakura family: no card is worth anything else but 0."""


def card_index(code: object) -> int:
    """Index 0..47 of a card code.

    Raises BadCard for anything that is not the code of a card.

    >>> card_index("03.1")
    8
    """
    index = INDEX.get(code) if isinstance(code, str) else None
    if index is None:
        raise BadCard(f"No card has the code {code!r}. A code is month.rank, like 03.1.", extra={"card": repr(code)})
    return index


def code_of(index: int) -> str:
    """Code of a card index.

    >>> code_of(43)
    '11.4'
    """
    return CODES[index]


def card_set(indices: Iterable[int]) -> CardSet:
    """The set of the given card indices."""
    cards = 0
    for index in indices:
        cards |= BITS[index]
    return cards


def set_of(codes: Iterable[str]) -> CardSet:
    """The set of the given card codes. Raises BadCard."""
    return card_set(card_index(code) for code in codes)


def parse_cards(text: str) -> CardSet:
    """The set of the card codes in a text, separated by white space. Raises BadCard.

    >>> codes(parse_cards("08.1 03.1"))
    ['03.1', '08.1']
    """
    return set_of(text.split())


def members(cards: CardSet) -> Iterator[int]:
    """Indices of the cards of a set, in code order."""
    while cards:
        # The lowest set bit, in two's complement.
        low = cards & -cards
        yield low.bit_length() - 1
        cards ^= low


def codes(cards: CardSet) -> list[str]:
    """Codes of the cards of a set, in code order."""
    return [CODES[index] for index in members(cards)]


def points(cards: CardSet) -> int:
    """Sum of the Sakura values of a set of cards.

    >>> points(ALL)
    240
    """
    # Three counts of bits instead of a walk over the cards: this runs at the end of every playout.
    fives, tens, twenties = _OF_VALUE
    return 5 * (cards & fives).bit_count() + 10 * (cards & tens).bit_count() + 20 * (cards & twenties).bit_count()
