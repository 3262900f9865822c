"""Before the first turn: seating, first dealer, dealing, setup. Source: rules.md 1.5, 3.3, 3.4, 4.2."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from operator import itemgetter
from types import MappingProxyType
from typing import Final, TypeAlias

from engine.cards import CARDS, GAJI, MONTH_MASKS, CardSet, card_set, members
from engine.errors import BadSeating, EngineError
from engine.game import Draw
from engine.games.sakura.options import SakuraOptions


@dataclass(frozen=True, slots=True)
class DealTable:
    """Numbers of cards in a deal. `first`: the larger half of a hand, dealt first under `halves`."""

    hand: int
    first: int
    field: int

    def pile(self, players: int) -> int:
        """Cards left for the draw pile."""
        return 48 - players * self.hand - self.field


DEAL_CHART: Final = MappingProxyType(
    {
        2: DealTable(hand=8, first=4, field=8),
        3: DealTable(hand=7, first=4, field=6),
        4: DealTable(hand=5, first=3, field=8),
        5: DealTable(hand=4, first=2, field=8),
        6: DealTable(hand=3, first=2, field=12),
        7: DealTable(hand=3, first=2, field=6),
    }
)

SEATINGS: Final = MappingProxyType(
    {
        ("2x2", 4): (0, 1, 0, 1),
        ("3x2", 6): (0, 1, 2, 0, 1, 2),
        ("2x3", 6): (0, 1, 0, 1, 0, 1),
        **{("solo", players): tuple(range(players)) for players in DEAL_CHART},
    }
)

DEAL_HAND_POINTS: Final = 6
FIRST_RANKS: Final[CardSet] = card_set(range(0, 48, 4))


def seat_sides(teams: str, seats: int) -> tuple[int, ...]:
    """Side number of every seat (rules.md 4.2). Raises BadSeating."""
    sides = SEATINGS.get((teams, seats))
    if sides is None:
        fitting = sorted(players for kind, players in SEATINGS if kind == teams)
        message = f"Teams {teams} cannot be seated with {seats} players. Players for {teams}: {fitting}."
        raise BadSeating(message, extra={"teams": teams, "seats": seats, "allowed": fitting})
    return sides


def turn_order(dealer: int, seats: int) -> tuple[int, ...]:
    """Seats in turn order from the dealer, the dealer first."""
    return tuple((dealer + step) % seats for step in range(seats))


@dataclass(frozen=True, slots=True)
class Dealt:
    """Cards as they were dealt, indices: hands by seat in dealing order, the field, the pile top first."""

    hands: tuple[tuple[int, ...], ...]
    field: tuple[int, ...]
    pile: tuple[int, ...]


Zone: TypeAlias = Callable[[Sequence[int]], tuple[int, ...]]


@cache
def deal_zones(players: int, dealer: int, pattern: str) -> tuple[tuple[Zone, ...], Zone, Zone]:
    """Return pickers of the cards of an order: one per seat, one for the field, one for the pile (top first).

    The seat to the dealer's right comes first, the dealer last (rules.md 3.4).
    """
    table = DEAL_CHART[players]
    seats = [*turn_order(dealer, players)[1:], dealer]
    zones: list[list[int]] = [[] for _ in range(players + 2)]
    field, top = players, iter(range(48))
    for count in (table.first, table.hand - table.first) if pattern == "halves" else (table.hand,):
        if pattern == "halves":
            zones[field] += islice(top, table.field // 2)
        for seat in seats:
            zones[seat] += islice(top, count)
    zones[field] += islice(top, table.field - len(zones[field]))
    zones[players + 1] += top
    # itemgetter picks all cards of a zone in one call in C; the places are the same in every deal, hence the cache.
    *hands, on_field, pile = (itemgetter(*zone) for zone in zones)
    return tuple(hands), on_field, pile


def deal_cards(order: Sequence[int], players: int, dealer: int, pattern: str) -> Dealt:
    """Deal an order of the deck."""
    hands, field, pile = deal_zones(players, dealer, pattern)
    return Dealt(tuple(hand(order) for hand in hands), field(order), pile(order))


def full_months(cards: CardSet) -> CardSet:
    """The cards of every month of which all four are in the set."""
    # Four neighbouring bits at once: after the second step the lowest bit of a month stands for the whole of it.
    pairs = cards & cards >> 1
    return 15 * (pairs & pairs >> 2 & FIRST_RANKS)


def is_kuttsuki(cards: CardSet) -> bool:
    """Return whether the set is eight cards in four pairs of four different months."""
    counts = [(cards & month).bit_count() for month in MONTH_MASKS]
    return cards.bit_count() == 8 and counts.count(2) == 4


def deal_hand(cards: CardSet) -> str | None:
    """`teshi`, `kuttsuki` or None for a starting hand (rules.md 3.4)."""
    if full_months(cards):
        return "teshi"
    return "kuttsuki" if is_kuttsuki(cards) else None


@dataclass(frozen=True, slots=True)
class Setup:
    """Effect of the setup on a deal: cards removed, cards the dealer's side captures, and how it may end.

    end: None (play goes on), `void`, `redeal`, `teshi` or `kuttsuki`; side: the one that wins a deal hand.
    """

    removed: CardSet
    captured: CardSet
    end: str | None = None
    side: int | None = None


def set_up(options: SakuraOptions, sides: Sequence[int], hands: Sequence[CardSet], field: CardSet) -> Setup:
    """Look at a deal before the first turn, in the order of rules.md 3.4."""
    removed = field & (1 << GAJI) if options.gaji_at_deal == "discard" else 0
    field &= ~removed
    full = full_months(field)
    if full and options.field_quad != "dealer_captures":
        return Setup(removed, 0, "void" if options.field_quad == "void_round" else "redeal")
    if options.deal_hands == "off":
        return Setup(removed, full)
    end, side = _deal_hands(sides, hands, field)
    return Setup(removed, full, end, side)


def _deal_hands(sides: Sequence[int], hands: Sequence[CardSet], field: CardSet) -> tuple[str | None, int | None]:
    found = {seat: hand for seat, cards in enumerate(hands) if (hand := deal_hand(cards))}
    winners = {sides[seat] for seat in found}
    # Hands of two sides cancel each other, as does one on the field: nobody wins unplayed (001).
    if is_kuttsuki(field) or len(winners) > 1:
        return "void", None
    if not winners:
        return None, None
    return ("teshi" if "teshi" in found.values() else "kuttsuki"), winners.pop()


def first_dealer(rule: str, seats: int, draw: Draw) -> tuple[int, tuple[tuple[int, ...], ...]]:
    """The first dealer, and the cards of each drawing in seat order of those who drew (rules.md 3.3)."""
    drawn: list[tuple[int, ...]] = []
    left = list(range(seats))
    while len(left) > 1:
        # Each further drawing has an order of its own, so that a record can be checked drawing by drawing.
        cards = tuple(draw(len(drawn))[: len(left)])
        if len(cards) != len(left):
            raise EngineError(f"{len(left)} players draw, but there are {len(cards)} cards.", code="draw.short")
        drawn.append(cards)
        left = best_drawn(rule, dict(zip(left, cards, strict=True)))
    return left[0], tuple(drawn)


def best_drawn(rule: str, cards: dict[int, int]) -> list[int]:
    """The seats that are first after a drawing, more than one if they must draw again. cards: seat -> card."""
    keys = {seat: _draw_key(rule, card) for seat, card in cards.items()}
    best = min(keys.values())
    return [seat for seat, key in keys.items() if key == best]


def _draw_key(rule: str, index: int) -> tuple[int, int]:
    card = CARDS[index]
    if rule == "value_then_redraw":
        return card.month, -card.sakura
    if rule == "rank_then_redraw":
        chaff = [other.rank for other in CARDS if other.month == card.month and other.category == "chaff"]
        # All chaff of a month counts as its highest: it has no printed rank, so the tied draw again.
        return card.month, min(card.rank, *chaff) if card.rank in chaff else card.rank
    return card.month, 0


def in_order(cards: CardSet) -> tuple[int, ...]:
    """The cards of a set in code order."""
    return tuple(members(cards))
