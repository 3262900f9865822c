"""Bounds for scores of a Sakura deal, or of several added up: by cards and yaku. Source: rules.md 1.1, 4.1.

For what people count at a table: every score that the rules can give is allowed, the first above or below them is not.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from functools import cache, reduce
from itertools import combinations
from math import gcd
from operator import or_
from types import MappingProxyType
from typing import Final

from engine.cards import ALL, points
from engine.games.sakura.deal import DEAL_HAND_POINTS
from engine.games.sakura.options import SakuraOptions
from engine.games.sakura.scoring import BASA_MARGIN, deal_scores, victories_for
from engine.games.sakura.yaku import YAKU
from engine.options import Options
from engine.scoresheet import Scoresheet, Wrong
from engine.words import gettext_noop

CARD_POINTS: Final = points(ALL)
"""What all 48 cards are worth."""
CARD_STEP: Final = 5
"""Every card is worth a multiple of it."""


def score_step(options: SakuraOptions) -> int:
    """Return the number of which every score of a played deal is a multiple.

    >>> from engine.games import ruleset
    >>> score_step(ruleset("hawaii").options), score_step(ruleset("hawaii", yaku_penalty=7).options)
    (5, 1)
    """
    return gcd(CARD_STEP, options.yaku_penalty)


def allows(scores: Sequence[int], options: SakuraOptions, deals: int = 1) -> bool:
    """Return whether that many deals can give these scores, per side, added up. Void deals bring 0 to everybody."""
    if options.deal_hands == "off":
        return _played(scores, options, deals)
    if deals == 1:
        won_as_dealt = sorted(scores) == [0] * (len(scores) - 1) + [DEAL_HAND_POINTS]
        return won_as_dealt or _played(scores, options, 1)
    if score_step(options) != CARD_STEP:
        # Wins as dealt and an odd penalty leave any rest together: only the bounds are sure.
        return _played(scores, options, deals, exact=False)
    return _with_hands(scores, options, deals)


def _with_hands(scores: Sequence[int], options: SakuraOptions, deals: int) -> bool:
    """`allows` where a hand that wins as it is dealt brings 6 and every other deal a multiple of 5.

    A side whose score leaves a rest has won that many deals so (6 leaves 1). More than those need not be looked for:
    what five of them bring can come from the cards of five played deals as well.
    """
    rest = [score - DEAL_HAND_POINTS * (score % CARD_STEP) for score in scores]
    return _played(rest, options, deals - sum(score % CARD_STEP for score in scores))


def _played(scores: Sequence[int], options: SakuraOptions, deals: int, *, exact: bool = True) -> bool:
    """Return whether that many deals that were played out can give these scores, with any number of yaku."""
    most = len(YAKU) * deals if options.yaku_penalty else 0
    return deals >= 0 and any(
        _fits(scores, options.yaku_penalty, yaku, deals, CARD_STEP if exact else 1) for yaku in range(most + 1)
    )


def can_win_by(margin: int, options: SakuraOptions) -> bool:
    """Return whether a deal for two can be won by this margin.

    The winner has more cards by d and more yaku by k: the margin is d + penalty * k, since each yaku costs the other.

    >>> from engine.games import ruleset
    >>> [can_win_by(margin, ruleset("hawaii").options) for margin in (0, 640, 645, 641)]
    [True, True, False, False]
    """
    if margin == DEAL_HAND_POINTS and options.deal_hands != "off":
        return True
    return margin >= 0 and any(
        _card_lead(margin - options.yaku_penalty * lead, lead) for lead in range(-len(YAKU), len(YAKU) + 1)
    )


def _card_lead(lead: int, yaku: int) -> bool:
    """Return whether a side can have so much more in cards and, at the same time, that many yaku more (less, where
    negative).
    """
    # The side with more yaku holds at least their cards; the other has the rest of 240, so the lead is twice those less
    # 240.
    needed = 2 * _least_cards(abs(yaku), 1)
    low, high = (needed - CARD_POINTS, CARD_POINTS) if yaku >= 0 else (-CARD_POINTS, CARD_POINTS - needed)
    return lead % CARD_STEP == 0 and low <= lead <= high


def _fits(scores: Sequence[int], penalty: int, yaku: int, deals: int, unit: int) -> bool:
    """Return whether cards of played deals can give these scores if that many yaku were made in all.

    A side with score s that made k of them has s + penalty * (yaku - k) in cards: a multiple of `unit`, enough for its
    yaku. Raising k by 5 keeps the rest and needs more of fewer cards, so each side has a least and a greatest k.
    """
    if not 0 <= sum(scores) + penalty * (len(scores) - 1) * yaku <= CARD_POINTS * deals:
        return False
    # A penalty of whole card steps leaves the same rest for any k; else only every fifth k gives a multiple.
    step = 1 if penalty % unit == 0 else unit
    least = most = 0
    for score in scores:
        first = next((k for k in range(step) if (score + penalty * (yaku - k)) % unit == 0), None)
        if first is None:
            return False
        # The left side falls with k and the right side rises, so the condition fails once and for all: bisection is
        # safe.
        last = _last(first, step, yaku, lambda k, s=score: s + penalty * (yaku - k) >= _least_cards(k, deals))  # type: ignore[misc]
        if last < first:
            return False
        least, most = least + first, most + last
    return least <= yaku <= most and (yaku - least) % step == 0


def _last(first: int, step: int, most: int, fits: Callable[[int], bool]) -> int:
    """The last of first, first + step .. up to `most` for which something holds that, once it fails, fails for ever."""
    # One step below the first: not even that holds.
    return first + step * (bisect_left(range(first, most + 1, step), True, key=lambda one: not fits(one)) - 1)


@cache
def _cheapest() -> tuple[int, ...]:
    """Card points that 0, 1 .. 8 yaku of one side and one deal need at least."""
    return tuple(
        # Yaku share cards, so the cheapest pair is less than two of the cheapest. Eight yaku: 256 choices, looked at
        # once.
        min(points(reduce(or_, made, 0)) for made in combinations([yaku.cards for yaku in YAKU], count))
        for count in range(len(YAKU) + 1)
    )


@cache
def _envelope() -> tuple[int, ...]:
    """`_cheapest` made convex from below: no more than what is needed, so that nothing possible is refused."""
    cheapest, found = _cheapest(), []
    for count in range(len(cheapest)):
        lines = (
            cheapest[low] + (cheapest[high] - cheapest[low]) * (count - low) // (high - low)
            for low in range(count + 1)
            for high in range(max(count, low + 1), len(cheapest))
        )
        found.append(min(lines, default=cheapest[count]))
    return tuple(found)


@cache
def _least_cards(yaku: int, deals: int) -> int:
    """Card points that a side with that many yaku in that many deals has at least; more than there are, if it
    cannot.
    """
    if yaku > len(YAKU) * deals:
        return CARD_POINTS * deals + 1
    if deals == 1:
        return _cheapest()[yaku]
    each, more = divmod(yaku, deals) if deals else (0, 0)
    return (deals - more) * _envelope()[each] + (more * _envelope()[each + 1] if more else 0)


NO_MULTIPLE: Final = gettext_noop(
    "A score of %(score)s points is impossible: every card counts a multiple of %(step)s. Check the sum."
)
TOO_MANY: Final = gettext_noop("%(score)s points are too many: all cards together are worth %(most)s.")
NOT_TOGETHER: Final = gettext_noop(
    "These scores do not fit together: all cards are worth %(most)s, and each yaku costs every other side "
    "%(penalty)s. Add up the cards again."
)


class SakuraScoresheet(Scoresheet):
    """Card points and yaku: cards worth 240 a deal in all, less a penalty for each yaku of the others (4.1)."""

    step = CARD_STEP
    shared = CARD_POINTS / 2
    combinations = MappingProxyType({yaku.id: yaku.cards for yaku in YAKU})
    card_points = CARD_POINTS

    def wrong(self, scores: Sequence[int], options: Options, deals: int, *, is_deal: bool) -> Wrong | None:
        own = _own(options)
        if allows(scores, own, deals):
            return None
        step, most = score_step(own), CARD_POINTS * deals
        for side, score in enumerate(scores, 1):
            if score % step and own.deal_hands == "off":
                return Wrong(NO_MULTIPLE, {"score": score, "step": step}, side)
            if score > most:
                return Wrong(TOO_MANY, {"score": score, "most": most}, side)
        return Wrong(NOT_TOGETHER, {"most": most, "penalty": own.yaku_penalty})

    def ticked(self, options: Options) -> tuple[str, ...]:
        return tuple(self.combinations) if _own(options).yaku_penalty else ()

    def scores_of(self, cards: Sequence[int], made: Sequence[int], options: Options) -> tuple[int, ...]:
        return deal_scores(cards, made, _own(options).yaku_penalty)

    def victories_for(self, margin: int, options: Options) -> int:
        return victories_for(_own(options), margin)

    def most_victories(self, options: Options) -> int:
        return victories_for(_own(options), BASA_MARGIN)


def _own(options: Options) -> SakuraOptions:
    assert isinstance(options, SakuraOptions)
    return options
