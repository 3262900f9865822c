"""Koi-Koi: stop or koi-koi, by what the deal still brings on average.

Stop is certain. Koi-koi pays if better yaku come before the other player makes any. How likely that is follows from the
cards that are missing, where they are, and how many turns are left.
"""

from __future__ import annotations

from math import exp
from typing import Any, Final, NamedTuple

from bots.sdk.tables import MONTH_OF
from engine.cards import ALL, CardSet, members
from engine.games.koikoi.options import KoiKoiOptions
from engine.games.koikoi.scoring import count
from engine.games.koikoi.yaku import (
    ANIMALS,
    BLUE,
    BOAR_DEER_BUTTERFLIES,
    BRIGHTS,
    CHAFF,
    CUP,
    CURTAIN,
    ENOUGH,
    ENOUGH_CHAFF,
    MOON,
    POETRY,
    RAIN_MAN,
    RIBBONS,
    month_of,
    yaku_in,
)  # fmt: skip

A_TURN: Final = 2.1
"""Cards that a player captures in a turn, on average."""
IN_REACH: Final = 0.8
"""How likely a card is captured that is in the hand, or on the field with its month in the hand."""
HIDDEN: Final = 0.07
"""How likely a player captures another card in one turn."""
SETS: Final = (CURTAIN | CUP, MOON | CUP, BOAR_DEER_BUTTERFLIES, POETRY, BLUE)
SET_POINTS: Final = 5
THREE_BRIGHTS: Final = 3
YAKU_POINT: Final = 20
"""Card points for a point of a yaku, to weigh it against what cards promise (`values_of`)."""
CERTAIN: Final = 0.5
"""Points that koi-koi must bring more than the stop, which is certain."""


class Prospect(NamedTuple):
    """How likely a player makes a better yaku before the hands are exhausted, and the points it adds then."""

    likely: float
    points: float


def at_least(wanted: int, mean: float) -> float:
    """Return how likely a Poisson number is at least `wanted`.

    >>> round(at_least(1, 1.0), 2)
    0.63
    """
    term, below = exp(-mean), 0.0
    for number in range(wanted):
        below += term
        term *= mean / (number + 1)
    return max(0.0, 1 - below)


def prospect(
    options: KoiKoiOptions, own: CardSet, others: CardSet, hand: CardSet, field: CardSet, turns: int
) -> Prospect:
    """Return what a player who has captured `own` may still make. hand: 0 where it is not known."""
    fails, weighted, total = 1.0, 0.0, 0.0
    for likely, points in [
        *(_of_set(cards & ~own, others, hand, field, turns) for cards in SETS if cards & ~own),
        *(_of_kind(kind, enough, own, others, turns) for kind, enough in _kinds(options)),
    ]:
        fails *= 1 - likely
        weighted += likely * points
        total += likely
    return Prospect(1 - fails, weighted / total if total else 0.0)


def _kinds(options: KoiKoiOptions) -> tuple[tuple[CardSet, int], ...]:
    chaff = CHAFF | CUP if options.sake_cup == "both" else CHAFF
    brights = BRIGHTS & ~RAIN_MAN, THREE_BRIGHTS
    return brights, (ANIMALS, ENOUGH), (RIBBONS, ENOUGH), (chaff, ENOUGH_CHAFF)


def _of_set(missing: CardSet, others: CardSet, hand: CardSet, field: CardSet, turns: int) -> Prospect:
    """Certain cards: all of them must come, and none is with the other player."""
    if missing & others:
        return Prospect(0.0, 0.0)
    likely = 1.0
    for card in members(missing):
        month, bit = MONTH_OF[card], 1 << card
        is_near = hand & bit or (field & bit and hand & month)
        likely *= IN_REACH if is_near else 1 - (1 - HIDDEN) ** turns
    return Prospect(likely, SET_POINTS)


def _of_kind(kind: CardSet, enough: int, own: CardSet, others: CardSet, turns: int) -> Prospect:
    """Enough cards of a kind; beyond that each further one counts."""
    left = ALL & ~(own | others)
    mean = turns * A_TURN * (left & kind).bit_count() / max(1, left.bit_count())
    missing = max(1, enough - (own & kind).bit_count())
    return Prospect(at_least(missing, mean), SET_POINTS if enough == THREE_BRIGHTS else 1)


def base_of(position: Any, seat: int, more: CardSet = 0) -> int:
    """Points of the yaku of a seat. position: an observation or a world; more: cards that it captures besides."""
    options: KoiKoiOptions = position.rules.options
    cards, called = position.captured[seat] | more, position.calls[seat] > 0
    made = yaku_in(options, cards, called=called, field=position.field, month=month_of(position.number))
    return sum(made.values())


def gained(position: Any, seat: int, cards: CardSet) -> int:
    """Points of yaku that captured cards bring a seat at once."""
    return base_of(position, seat, cards) - base_of(position, seat)


def declaration_worth(word: str, hand: CardSet, position: Any) -> float:
    """Points ahead of the other player that `stop` or `koikoi` brings on average.

    position: a Koi-Koi observation of the seat on turn, or a world.
    """
    options: KoiKoiOptions = position.rules.options
    seat, other = position.turn, 1 - position.turn
    calls, theirs = position.calls[seat], position.calls[other]
    base = base_of(position, seat)
    if word == "stop":
        return float(count(options, base, calls, theirs, position.mult).score)
    own, others, turns = position.captured[seat], position.captured[other], hand.bit_count()
    mine = prospect(options, own, others, hand, position.field, turns)
    danger = prospect(options, others, own, 0, position.field, turns)
    held = base_of(position, other)
    gained = count(options, round(base + mine.points), calls + 1, theirs, position.mult).score
    lost = count(options, round(held + danger.points), theirs, calls + 1, position.mult).score
    # Both race: each is first in half of the deals in which both would make something.
    first, second = mine.likely * (1 - danger.likely / 2), danger.likely * (1 - mine.likely / 2)
    return first * gained - second * lost - CERTAIN
