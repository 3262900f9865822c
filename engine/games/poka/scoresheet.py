"""Bounds for points of Poka: deal by deal, and at the end of a match. Source: rules.md 7.1, 7.3, R88, R89."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.games.poka.options import PokaOptions
from engine.games.poka.scoring import POINTS
from engine.games.poka.teyaku import TEYAKU
from engine.options import Options
from engine.scoresheet import Scoresheet, Wrong
from engine.words import gettext_noop

MATCH_POINTS: Final = frozenset(kind.points for kind in TEYAKU if kind.wins_match)
"""What a deal scores that wins the match no matter what the points are."""
ORDINARY: Final = frozenset(POINTS.values()) - MATCH_POINTS


def allows_deal(scores: Sequence[int]) -> bool:
    """Return whether one deal can give these points: somebody scores, the others do not. All 0: it was void."""
    scored = [score for score in scores if score]
    return not scored or (len(scored) == 1 and scored[0] in ORDINARY | MATCH_POINTS)


def winners(totals: Sequence[int], options: PokaOptions) -> tuple[int, ...]:
    """The sides that can have won a match that ended with these points; none if no match ends so.

    Before the last deal nobody had the target. That deal scored 1 or 2 points, and reached it, or it was a buttakuri.

    >>> from engine.games import ruleset
    >>> winners((8, 5), ruleset("poka5", target=10).options)
    (0, 1)
    """
    return tuple(
        side
        for side, total in enumerate(totals)
        if all(0 <= other < options.target for other in (*totals[:side], *totals[side + 1 :]))
        and (
            options.target <= total < options.target + max(ORDINARY)
            or any(0 <= total - points < options.target for points in MATCH_POINTS)
        )
    )


def winner_of_deals(deals: Sequence[Sequence[int]], options: PokaOptions) -> int | None:
    """The side that won a match of these deals; None if they do not end one, or go on after its end."""
    totals = [0] * len(deals[0]) if deals else []
    for number, scores in enumerate(deals, 1):
        totals = [total + score for total, score in zip(totals, scores, strict=True)]
        if max(scores) in MATCH_POINTS or max(totals) >= options.target:
            return list(scores).index(max(scores)) if number == len(deals) else None
    return None


NO_DEAL: Final = gettext_noop("One side scores 1, 2 or 5 points, and the other none. Check the figures.")


class PokaScoresheet(Scoresheet):
    """Points deal by deal, or the totals of a match that a target or a buttakuri ends."""

    def deals_in_match(self, options: Options) -> int:
        return 0

    def wrong(self, scores: Sequence[int], options: Options, deals: int, *, is_deal: bool) -> Wrong | None:
        return Wrong(NO_DEAL) if is_deal and not allows_deal(scores) else None

    def asks_winner(self, options: Options) -> bool:
        return _own(options).target > 1

    def winners(self, totals: Sequence[int], options: Options) -> tuple[int, ...] | None:
        return winners(totals, _own(options))

    def winner_of_deals(self, deals: Sequence[Sequence[int]], options: Options) -> int | None:
        return winner_of_deals(deals, _own(options))


def _own(options: Options) -> PokaOptions:
    assert isinstance(options, PokaOptions)
    return options
