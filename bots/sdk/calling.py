"""Nuki: shoubu, sage or cancel, by what the deal still brings on average.

Shoubu is paid in full, the end of the hands and a cancel only by half, so sage needs a second dekiyaku that is a card
short, and likely; a cancel needs a dekiyaku that threatens. The chances are what came of it in 300,000 deals played by
card points.
"""

from __future__ import annotations

from typing import Any, Final

from bots.sdk.tables import MONTH_OF
from engine.cards import CardSet
from engine.games.nuki.dekiyaku import DEKIYAKU, Dekiyaku, dekiyaku_in
from engine.games.nuki.values import KAN

IN_HAND_AND_FIELD: Final = 0.93
"""The missing card is in the hand and its month lies on the field: it is all but made."""
IN_HAND: Final = 0.8
"""In the hand: its month has to come to the field first."""
IN_REACH: Final = 0.75
"""On the field with its month in the hand: the other may take it first."""
AWAITED: Final = 0.58
"""Unseen, with its month in the hand."""
LYING: Final = 0.35
"""On the field, nothing to take it with but the flip."""
UNSEEN: Final = 0.3
"""Neither the card nor its month is at hand."""
THREATS: Final = ((0.15, 0.35, 0.5), (0.05, 0.1, 0.24))
"""How likely the other makes a dekiyaku that he is one or two cards short of: one of them is in this hand, or on the
field, or all are unseen."""

SETTLED: Final = 3
"""That many hand cards before the end nobody makes one of which he lacks more."""
FROM_NOTHING: Final = 0.02
"""For each hand card beyond those, how likely he makes any other one."""
FROM_NOTHING_KAN: Final = 7
"""Kan of that: most dekiyaku are ribbons."""

CERTAIN: Final = 0.25
"""Kan that sage must bring more than shoubu, which is certain."""
TOMORROW: Final = 1.0
"""Kan that a cancel must bring more than another card: it can still be called at the next turn."""


def kan_of(captured: CardSet) -> int:
    """Kan of the dekiyaku in a captured pile."""
    return sum(made.kan for made in dekiyaku_in(captured))


def one_short(captured: CardSet, others: CardSet) -> list[tuple[Dekiyaku, CardSet]]:
    """The dekiyaku that lack one card which nobody else has captured, with that card as a set."""
    missing = [(made, made.cards & ~captured) for made in DEKIYAKU]
    return [(made, card) for made, card in missing if card.bit_count() == 1 and not card & others]


def prospects(captured: CardSet, others: CardSet, hand: CardSet, field: CardSet) -> tuple[float, float]:
    """Return how likely another dekiyaku is made before the hands are exhausted, and kan of all that are made then."""
    if not hand:
        return 0.0, 0.0
    now, fails, weighted, total = kan_of(captured), 1.0, 0.0, 0.0
    for _, card in one_short(captured, others):
        likely = _chance_of(card, hand, field)
        fails *= 1 - likely
        weighted += likely * kan_of(captured | card)
        total += likely
    return 1 - fails, weighted / total if total else float(now)


def _chance_of(card: CardSet, hand: CardSet, field: CardSet) -> float:
    """Return how likely the missing card is captured, by where it is."""
    month = MONTH_OF[card.bit_length() - 1]
    if card & hand:
        return IN_HAND_AND_FIELD if field & month else IN_HAND
    if card & field:
        return IN_REACH if hand & month else LYING
    return AWAITED if hand & month else UNSEEN


def threat(captured: CardSet, others: CardSet, hand: CardSet, field: CardSet) -> tuple[float, float]:
    """Return how likely the other makes a dekiyaku before the end, and kan of all that he has then. others: what he
    has.
    """
    if not hand:
        return 0.0, 0.0
    total = max(0.0, FROM_NOTHING * (hand.bit_count() - SETTLED))
    # The chances are taken for independent: the product of failures is the chance that none is made.
    fails, weighted = 1 - total, total * (kan_of(others) + FROM_NOTHING_KAN)
    for made in DEKIYAKU:
        missing = made.cards & ~others
        if missing & captured or not 1 <= missing.bit_count() <= 2:
            continue
        lying = 0 if missing & hand else 1 if missing & field else 2
        likely = THREATS[missing.bit_count() - 1][lying]
        fails *= 1 - likely
        weighted += likely * kan_of(others | missing)
        total += likely
    return 1 - fails, weighted / total if total else float(kan_of(others))


def going_on(captured: CardSet, others: CardSet, hand: CardSet, field: CardSet) -> float:
    """Kan that a player with dekiyaku gets on average if the deal goes on. others: what the opponent has captured.

    Both race for another dekiyaku: each is first in half of the deals in which both would make one.
    """
    likely, gained = prospects(captured, others, hand, field)
    risk, lost = threat(captured, others, hand, field)
    # P(first) = P(only I) + P(both) / 2 = l(1 - r) + lr/2.
    first, second = likely * (1 - risk / 2), risk * (1 - likely / 2)
    return first * gained - second * lost + (1 - first - second) * (kan_of(captured) - kan_of(others)) / 2


def call_worth(word: str, hand: CardSet, position: Any) -> float:
    """Points of a call, the field multiplier among them; of `cancel` what it brings more than a card.

    position: a Nuki observation of the seat on turn, or a world.
    """
    seat = position.turn
    captured, others = position.captured[seat], sum(position.captured) - position.captured[seat]
    scale: int = KAN * position.multiplier
    if word == "shoubu":
        return float(kan_of(captured) * scale)
    kan = going_on(captured, others, hand, position.field)
    return (kan - CERTAIN) * scale if word == "sage" else (kan_of(captured) / 2 - kan - TOMORROW) * scale
