"""Bounds for scores of a Koi-Koi deal, or of several added up: what yaku, calls and Brights on the field can bring.

For what people count at a table: every score that the rules can give is allowed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import product
from typing import Final

from engine.cards import ALL
from engine.games.koikoi.hands import HAND_SIZE, LUCKY_POINTS
from engine.games.koikoi.options import KoiKoiOptions
from engine.games.koikoi.scoring import PRIVILEGE, count, field_factor
from engine.games.koikoi.yaku import BRIGHTS, month_of, yaku_in
from engine.options import Options
from engine.scoresheet import Scoresheet, Wrong, ledger_wrong
from engine.words import gettext_noop

MAX_CALLS: Final = HAND_SIZE - 1
"""Of a seat in a deal: nobody calls after the last card."""

ONE_SCORES: Final = gettext_noop("Only one side scores in a deal. Enter 0 for the other side.")
NOTHING_LOST: Final = gettext_noop("Under these rules nobody loses points, so a score cannot be negative.")
NO_SUCH_SCORE: Final = gettext_noop(
    "A score of %(score)s points is impossible under these rules. Check the yaku and what multiplies them."
)
TOO_MANY_POINTS: Final = gettext_noop(
    "%(score)s points are too many: under these rules a deal brings %(most)s at most. Check the sum."
)


def most_base(options: KoiKoiOptions) -> int:
    """Points of all yaku at once, which no side ever has more of."""
    dry = replace(options, weather="off")
    return sum(yaku_in(dry, ALL, called=True, month=month_of(1)).values())


def calls_possible(options: KoiKoiOptions) -> Iterator[tuple[int, int]]:
    """Yield how often the winner and the other can have called."""
    most = MAX_CALLS if options.koikoi_limit == "many" else 1
    for own, theirs in product(range(most + 1), repeat=2):
        if options.koikoi_limit != "once" or own + theirs <= 1:
            yield own, theirs


@lru_cache(maxsize=256)
def deal_scores(options: KoiKoiOptions) -> frozenset[int]:
    """Every score above 0 that one deal can bring, and a few more: not every sum of yaku can be made."""
    fields = {field_factor(options.field_brights, brights) for brights in range(BRIGHTS.bit_count() + 1)}
    bases = range(1, most_base(options) + 1)
    found = {
        count(options, base, own, theirs, mult).score
        for (own, theirs), mult, base in product(calls_possible(options), fields, bases)
    }
    if "win" in (options.teshi, options.kuttsuki) or options.field_quad == "dealer_wins":
        found.add(LUCKY_POINTS)
    if options.teshi == options.kuttsuki == "win" and options.teyaku_stack:
        found.add(2 * LUCKY_POINTS)
    if options.exhausted in PRIVILEGE:
        found.add(PRIVILEGE[options.exhausted])
    return frozenset(found)


def deal_wrong(scores: Sequence[int], options: KoiKoiOptions) -> Wrong | None:
    """Return why one deal cannot bring these scores. All 0: nobody scored."""
    if sum(score > 0 for score in scores) > 1:
        return Wrong(ONE_SCORES)
    side, best = max(enumerate(scores), key=lambda one: one[1])
    if best > 0 and best not in deal_scores(options):
        return Wrong(NO_SUCH_SCORE, {"score": best}, side + 1)
    return None


def sum_wrong(scores: Sequence[int], options: KoiKoiOptions, deals: int) -> Wrong | None:
    """Return why that many deals cannot bring these scores, added up."""
    most = max(deal_scores(options))
    needed = 0
    for side, score in enumerate(scores, 1):
        if score > most * deals:
            return Wrong(TOO_MANY_POINTS, {"score": score, "most": most}, side)
        needed += -(-max(score, 0) // most)
    # Each deal brings points to one side, so both together need at least these.
    return Wrong(TOO_MANY_POINTS, {"score": sum(scores), "most": most}) if needed > deals else None


class KoiKoiScoresheet(Scoresheet):
    """Scores of the player who stops; under `zero_sum` the other side loses the same."""

    def wrong(self, scores: Sequence[int], options: Options, deals: int, *, is_deal: bool) -> Wrong | None:
        own = _own(options)
        if own.zero_sum and sum(scores) != 0:
            return ledger_wrong(scores)
        if not own.zero_sum and min(scores) < 0:
            return Wrong(NOTHING_LOST, {}, list(scores).index(min(scores)) + 1)
        return deal_wrong(scores, own) if is_deal or deals == 1 else sum_wrong(scores, own, deals)

    def may_be_unwon(self, scores: Sequence[int], options: Options) -> bool:
        own = _own(options)
        # The dealer's privilege wins no deal; where victories do not count nobody needs to say who won.
        return own.scoring == "victories" and max(scores) == PRIVILEGE.get(own.exhausted)


def _own(options: Options) -> KoiKoiOptions:
    assert isinstance(options, KoiKoiOptions)
    return options
