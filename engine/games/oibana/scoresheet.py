"""Bounds for changes of the ledger of Oi-bana: bids, and what Basa and Chu add. Source: rules.md 4.4, 5."""

from __future__ import annotations

from collections.abc import Sequence

from engine.games.oibana.auction import stake
from engine.games.oibana.options import HIGHEST_CEILING, OibanaOptions
from engine.games.sakura.scoresheet import can_win_by
from engine.games.sakura.scoring import BASA_MARGIN, CHU_MARGIN, victories_for
from engine.options import Options
from engine.scoresheet import Scoresheet, Wrong, ledger_wrong


def multipliers(options: OibanaOptions) -> tuple[int, ...]:
    """Return the factors by which a stake can be multiplied, from 1 on.

    >>> from engine.games import ruleset
    >>> multipliers(ruleset("oibana", basa=True, chu=True).options)
    (1, 2, 3)
    """
    # Five more than the greater margin: margins come in steps of five at most, so one of these reaches it.
    margins = range(max(CHU_MARGIN, BASA_MARGIN) + 5)
    return tuple(sorted({victories_for(options, margin) for margin in margins if can_win_by(margin, options)}))


def most_paid(options: OibanaOptions) -> int:
    """The most that one deal can move."""
    return options.bid_max * multipliers(options)[-1]


def allows(scores: Sequence[int], options: OibanaOptions, deals: int = 1) -> bool:
    """Return whether that many deals can change the ledger so, per side. A void deal moves nothing.

    One deal is paid by one side to one other; of several it is known that they add up to 0 and are not too large.
    """
    won = [score for score in scores if score > 0]
    if sum(scores) or sum(won) > most_paid(options) * deals:
        return False
    if deals > 1 or not won:
        return True
    return len(won) == 1 and sum(score < 0 for score in scores) == 1 and _is_payment(won[0], options)


def _is_payment(amount: int, options: OibanaOptions) -> bool:
    return any(
        amount % times == 0 and options.bid_min <= amount // times <= options.bid_max for times in multipliers(options)
    )


class OibanaScoresheet(Scoresheet):
    """A ledger, or the bids and who won."""

    is_ledger = True
    asks_bids = True
    max_bid = HIGHEST_CEILING

    def wrong(self, scores: Sequence[int], options: Options, deals: int, *, is_deal: bool) -> Wrong | None:
        return None if allows(scores, _own(options), deals) else ledger_wrong(scores)

    def asks_margin(self, options: Options) -> bool:
        return _own(options).basa or _own(options).chu

    def bid_range(self, options: Options) -> tuple[int, int]:
        return _own(options).bid_min, _own(options).bid_max

    def can_win_by(self, margin: int, options: Options) -> bool:
        return can_win_by(margin, _own(options))

    def paid(self, winner: int, loser: int, margin: int, options: Options) -> int:
        own = _own(options)
        return stake(own.oibana_payment, winner=winner, loser=loser) * victories_for(own, margin)


def _own(options: Options) -> OibanaOptions:
    assert isinstance(options, OibanaOptions)
    return options
