"""Bounds for changes of the ledger of Nuki. Source: rules.md 6.3, 6.5."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.games.nuki.dekiyaku import DEKIYAKU
from engine.games.nuki.options import NukiOptions
from engine.games.nuki.settlement import ACHIEVEMENT_KAN
from engine.games.nuki.teyaku import TEYAKU
from engine.games.nuki.values import KAN
from engine.options import Options
from engine.scoresheet import Scoresheet, Wrong, ledger_wrong

MAX_DOUBLED: Final = 2
"""The field multiplier is 1 or 2; doubled deals that are left over wait for the next deals."""


def _best_teyaku() -> int:
    """Kan of the best hand: one of each group."""
    return sum(max(teyaku.kan for teyaku in TEYAKU if teyaku.group == group) for group in ("A", "B"))


_HAND: Final = _best_teyaku()
_PILE: Final = sum(dekiyaku.kan for dekiyaku in DEKIYAKU if dekiyaku.replaced_by is None)
"""Kan of all dekiyaku at once: more than Sixteen Chaff or card points ever bring."""


def most_won(options: NukiOptions, seats: int) -> int | None:
    """Return the most points that one deal can win; None where payments for dropping out wait for the winner.

    Teyaku, dekiyaku, Diving, Escape, and a blind dealer's Mizuten from everybody; or what a forced-out hand is paid,
    which is less. The pot has no bound: a deal in which nobody plays is dealt again, and everybody may drop out again.
    """
    if options.dropout_penalty != "off":
        return None
    mizuten = (seats - 1) * options.mizuten
    return (_HAND + _PILE + (2 + mizuten) * ACHIEVEMENT_KAN) * KAN * MAX_DOUBLED


def allows(scores: Sequence[int], options: NukiOptions, deals: int = 1) -> bool:
    """Return whether that many deals can change the ledger so, per side: what one wins the others pay."""
    most = most_won(options, len(scores))
    return not sum(scores) and (most is None or max(scores) <= most * deals)


class NukiScoresheet(Scoresheet):
    """A ledger: what one wins the others pay."""

    is_ledger = True

    def wrong(self, scores: Sequence[int], options: Options, deals: int, *, is_deal: bool) -> Wrong | None:
        assert isinstance(options, NukiOptions)
        return None if allows(scores, options, deals) else ledger_wrong(scores)
