"""Bounds for changes of the ledger of Nuki. Source: rules.md 6.3, 6.5."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.games.nuki.dekiyaku import DEKIYAKU
from engine.games.nuki.join import ACTIVE, FIRST_PENALTY, PENALTY_STEP
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


def most_won(options: NukiOptions, seats: int) -> int:
    """Return the most points that one deal can win, besides a pot that waits from times when nobody played.

    Teyaku, dekiyaku, Diving, Escape, and a blind dealer's Mizuten from everybody; or what a forced-out hand is paid,
    which is less. With a penalty also what the others pay for dropping out.
    """
    mizuten = (seats - 1) * options.mizuten
    return ((_HAND + _PILE + (2 + mizuten) * ACHIEVEMENT_KAN) * KAN + _pot(options, seats)) * MAX_DOUBLED


def _pot(options: NukiOptions, seats: int) -> int:
    """Return what drops out of one deal that is played or won by the only one who stays, before doubling."""
    if options.dropout_penalty == "off" or seats == ACTIVE:
        return 0
    dropped = seats - (ACTIVE if options.require_two_players else 1)
    return sum(FIRST_PENALTY + PENALTY_STEP * already for already in range(dropped))


def waits(options: NukiOptions, seats: int) -> bool:
    """Return whether a pot can wait: where nobody has to play, everybody may drop out, time after time."""
    return options.dropout_penalty != "off" and not options.require_two_players and seats > ACTIVE


def allows(scores: Sequence[int], options: NukiOptions, deals: int = 1) -> bool:
    """Return whether that many deals can change the ledger so, per side: what one wins the others pay."""
    if sum(scores):
        return False
    most = most_won(options, len(scores))
    if max(scores) <= most * deals:
        return True
    # Several pots go to different sides: together they can move anything.
    return waits(options, len(scores)) and (deals > 1 or _is_shared(scores, most * (len(scores) - 1)))


def _is_shared(scores: Sequence[int], besides: int) -> bool:
    """Return whether the losers of a deal can have paid one pot. besides: the most that moves for other reasons.

    Each time when everybody drops out each pays, the last the most. So no share of a pot is many times another.
    """
    paid = sorted(-score for score in scores)[1:]
    last = FIRST_PENALTY + PENALTY_STEP * (len(scores) - 1)
    return (paid[-1] - besides) * FIRST_PENALTY <= (paid[0] + besides) * last


class NukiScoresheet(Scoresheet):
    """A ledger: what one wins the others pay."""

    is_ledger = True

    def wrong(self, scores: Sequence[int], options: Options, deals: int, *, is_deal: bool) -> Wrong | None:
        assert isinstance(options, NukiOptions)
        return None if allows(scores, options, deals) else ledger_wrong(scores)
