"""Nuki: the worth of playing a hand, and the triplet to name.

Who drops out loses nothing but the penalty, if there is one, and the others choose too: a hand should be better than
average. The weights are a least-squares fit of what 120,000 hands won, in kan, played by card points.
"""

from __future__ import annotations

from typing import Any, Final

from bots.sdk.tables import MONTH_MASKS, values_of
from engine.cards import CardSet, members
from engine.games.nuki.dekiyaku import DEKIYAKU
from engine.games.nuki.join import drop_penalty
from engine.games.nuki.teyaku import claims_of
from engine.games.nuki.values import KAN

AVERAGE: Final = -3.84
"""Kan that a hand without any of the following loses to an average one."""
LEADING: Final = -1.38
"""Who leads does not have the last turn."""
TEYAKU: Final = 0.9
"""A kan of teyaku is paid in full, but such hands have many cards of one month or many chaff."""
POINT: Final = 0.02
"""A card point in the hand."""
POINT_TO_TAKE: Final = 0.038
"""A point of the best field card of each month that is in the hand too."""
CARD_OF: Final = {"poetry_ribbons": 1.25, "blue_ribbons": 1.07, "four_brights": 0.83}
"""A card in the hand of a dekiyaku, which nobody else makes then."""
RIVALS: Final = 0.7
"""Who else plays has chosen to: so much stronger than average is he."""


def hand_worth(hand: CardSet, field: CardSet, *, leads: bool) -> float:
    """Kan that a hand of seven wins on average against one at random; the field multiplier is not in it."""
    values = values_of("nuki")
    found = AVERAGE + (LEADING if leads else 0.0) + TEYAKU * claims_of(hand).kan
    found += POINT * sum(values[card] for card in members(hand))
    for month in MONTH_MASKS:
        if hand & month and field & month:
            found += POINT_TO_TAKE * max(values[card] for card in members(field & month))
    for made in DEKIYAKU:
        found += CARD_OF.get(made.id, 0.0) * (hand & made.cards).bit_count()
    return found


def answer_worth(word: str, hand: CardSet, position: Any) -> float:
    """Points that `play` or `drop` brings on average. position: an observation or a world in phase `join`."""
    answers, rules = position.answers, position.rules
    mult: int = position.multiplier
    dropped = sum(1 for _, answer in answers if answer == "drop")
    if word == "drop":
        return float(-drop_penalty(dropped, mult)) if rules.penalties else 0.0
    pot: int = sum(position.paid)
    if dropped == rules.seats - 1:  # nobody else plays: the pot without a game, instead of a deal thrown in
        return float(pot)
    leads = dropped == len(answers)
    return (hand_worth(hand, position.field, leads=leads) - RIVALS) * KAN * mult + pot / 2


def triplet_worth(month: int, field: CardSet) -> float:
    """The triplet whose fourth card lies on the field dives more easily. month: 1..12."""
    return 1.0 if field & MONTH_MASKS[month - 1] else 0.0
