"""Teyaku: what a hand of seven is worth before play. Source: rules.md 6.2, R55-R57."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

from engine.cards import MONTH_MASKS, CardSet
from engine.games.nuki.deal import HAND
from engine.games.nuki.values import ANIMALS, BRIGHTS, CHAFF, RIBBONS


@dataclass(frozen=True, slots=True)
class Teyaku:
    """One line of the table: value in kan, name in English and Japanese, its condition."""

    id: str
    group: Literal["A", "B"]
    kan: int
    en: str
    ja: str
    condition: str


TEYAKU: Final[tuple[Teyaku, ...]] = (
    Teyaku("triplet", "A", 2, "Triplet", "三本", "Three cards of one month; of two triplets one is claimed"),
    Teyaku("three_pairs", "A", 4, "Three Pairs", "喰付", "Three pairs of different months"),
    Teyaku("four_of_a_kind", "A", 4, "Four of a Kind", "手四", "Four cards of one month"),
    Teyaku("haneken", "A", 8, "Triplet and Two Pairs", "跳剣", "Three cards of one month and two pairs"),
    Teyaku("one_two_four", "A", 8, "One-Two-Four", "一二四", "Four cards of one month and a pair"),
    Teyaku("four_three", "A", 20, "Four-Three", "四三", "Four cards of one month and three of another"),
    Teyaku("red", "B", 2, "Red", "赤", "Two or more ribbons, the rest chaff"),
    Teyaku("one_ribbon", "B", 3, "One Ribbon", "短一", "One ribbon and six chaff"),
    Teyaku("one_animal", "B", 3, "One Animal", "十一", "One animal and six chaff"),
    Teyaku("one_bright", "B", 4, "One Bright", "光一", "One bright and six chaff"),
    Teyaku("empty_hand", "B", 4, "Empty Hand", "空素", "Seven chaff; in this group every Willow is chaff"),
)
BY_ID: Final = MappingProxyType({teyaku.id: teyaku for teyaku in TEYAKU})

DIVING: Final = MappingProxyType({"contains_triplet": ("triplet", "haneken"), "triplet_only": ("triplet",)})
"""The teyaku that can dive, by `diving_scope`."""
ODD_ONES: Final = MappingProxyType(
    {
        "red": RIBBONS & ~CHAFF,
        "one_ribbon": RIBBONS & ~CHAFF,
        "one_animal": ANIMALS & ~CHAFF,
        "one_bright": BRIGHTS & ~CHAFF,
        "empty_hand": 0,
    }
)
"""What the cards of a Group B hand that are not chaff can be (those that are not shown)."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A teyaku of a hand: its id, the month of its triplet (1..12, 0 if it has none), and the cards that are shown."""

    id: str
    month: int
    shown: CardSet

    @property
    def kan(self) -> int:
        return BY_ID[self.id].kan


@dataclass(frozen=True, slots=True)
class Claims:
    """The claims of a hand: at most one teyaku of each group."""

    a: Claim | None = None
    b: Claim | None = None

    @property
    def both(self) -> tuple[Claim, ...]:
        return tuple(claim for claim in (self.a, self.b) if claim is not None)

    @property
    def kan(self) -> int:
        return sum(claim.kan for claim in self.both)

    @property
    def shown(self) -> CardSet:
        cards = 0
        for claim in self.both:
            cards |= claim.shown
        return cards


NOTHING: Final = Claims()


def claims_of(hand: CardSet, month: int = 0) -> Claims:
    """The best teyaku of each group. month: which of two triplets to claim, the earlier one if 0."""
    return Claims(group_a(hand, month), group_b(hand))


def triplet_choice(hand: CardSet) -> tuple[int, ...]:
    """The months (1..12) between which the holder of two triplets chooses; empty if there is nothing to choose."""
    months = _months_with(hand, 3)
    return months if len(months) == 2 else ()


def _months_with(hand: CardSet, count: int) -> tuple[int, ...]:
    """The months (1..12) of which a hand holds exactly that many cards."""
    return tuple(month for month, mask in enumerate(MONTH_MASKS, start=1) if (hand & mask).bit_count() == count)


def _cards_of(hand: CardSet, months: tuple[int, ...]) -> CardSet:
    return sum(hand & MONTH_MASKS[month - 1] for month in months)


def group_a(hand: CardSet, month: int = 0) -> Claim | None:
    """The most valuable teyaku by months. month: the triplet to claim if the hand has two."""
    fours, threes, pairs = (_months_with(hand, count) for count in (4, 3, 2))
    # From the most valuable down: one teyaku of a group is claimed, the best.
    if fours and threes:
        return Claim("four_three", 0, hand)
    if fours and pairs:
        return Claim("one_two_four", 0, hand)
    if fours:
        return Claim("four_of_a_kind", 0, _cards_of(hand, fours))
    # Seven cards: with a triplet two pairs are all that is left.
    if threes and len(pairs) == 2:
        return Claim("haneken", threes[0], _cards_of(hand, threes + pairs))
    if len(pairs) == 3:
        return Claim("three_pairs", 0, _cards_of(hand, pairs))
    if not threes:
        return None
    named = month if month in threes else threes[0]
    return Claim("triplet", named, _cards_of(hand, (named,)))


def group_b(hand: CardSet) -> Claim | None:
    """The teyaku of a hand of seven that is chaff but for one kind of card. Every Willow is chaff."""
    odd = hand & ~CHAFF
    count = odd.bit_count()
    # A Group B teyaku is one of the whole hand: a hand that has played cards has none.
    if hand.bit_count() != HAND:
        return None
    if not odd:
        return Claim("empty_hand", 0, hand)
    if not odd & ~RIBBONS:
        return Claim("red" if count > 1 else "one_ribbon", 0, hand & CHAFF)
    if count > 1:
        return None
    return Claim("one_animal" if odd & ANIMALS else "one_bright", 0, hand & CHAFF)
