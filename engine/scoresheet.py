"""Reports of people on a game that they play at a table: figures, their parts, and the bounds for them.

A game brings one `Scoresheet`. This one knows nothing of its game: any points can be, and the highest score wins.
Messages are English with their figures beside; who shows them translates them (`gettext_noop` marks them).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from engine.cards import CardSet
from engine.options import Options
from engine.words import gettext_noop


@dataclass(frozen=True, slots=True)
class Wrong:
    """The reason why figures cannot be. shown: the values of the message; side: from 1, 0 where none is meant."""

    message: str
    shown: Mapping[str, Any] = field(default_factory=dict)
    side: int = 0


class Scoresheet:
    """The figures that are asked for, and their bounds. Options are always those of the sheet's own game.

    step: every score is a multiple of it, as a rule; shared: points that two sides share in a deal, 0 where a deal has
    no fixed sum. is_ledger: what one side wins the others pay. combinations: id -> cards of what may be reported
    beside card points, {} where nothing is. asks_bids: bids are reported in place of points;
    max_bid: the highest that any rules allow.
    """

    step: ClassVar[int] = 1
    shared: ClassVar[float] = 0.0
    is_ledger: ClassVar[bool] = False
    combinations: ClassVar[Mapping[str, CardSet]] = {}
    card_points: ClassVar[int] = 0
    asks_bids: ClassVar[bool] = False
    max_bid: ClassVar[int] = 0

    def deals_in_match(self, options: Options) -> int:
        """Return the number of deals of a match, the most where it may end early; 0 where only a target ends it."""
        return options.rounds

    def wrong(self, scores: Sequence[int], options: Options, deals: int, *, is_deal: bool) -> Wrong | None:
        """Return why `deals` deals cannot give these scores per side. is_deal: they are of one deal of several."""
        return None

    def ticked(self, options: Options) -> tuple[str, ...]:
        """Ids of the combinations that change a score."""
        return ()

    def scores_of(self, cards: Sequence[int], made: Sequence[int], options: Options) -> tuple[int, ...]:
        """Scores of a deal from card points and the number of combinations, both per side."""
        return tuple(cards)

    def victories_for(self, margin: int, options: Options) -> int:
        """Return as how many won deals one counts that was won by this margin."""
        return 1

    def most_victories(self, options: Options) -> int:
        """The most that one deal counts."""
        return 1

    def asks_margin(self, options: Options) -> bool:
        """Return whether the margin of a deal is asked for beside bids."""
        return False

    def bid_range(self, options: Options) -> tuple[int, int]:
        """The lowest and the highest bid."""
        return (0, 0)

    def can_win_by(self, margin: int, options: Options) -> bool:
        """Return whether a deal that was bid for can be won by so much."""
        return margin >= 0

    def paid(self, winner: int, loser: int, margin: int, options: Options) -> int:
        """Return what the loser of a deal pays. winner, loser: their bids."""
        return 0

    def may_be_unwon(self, scores: Sequence[int], options: Options) -> bool:
        """Return whether a deal that nobody won can bring these scores to somebody."""
        return False

    def asks_winner(self, options: Options) -> bool:
        """Return whether the winner of a match is asked for beside totals, since points may not tell."""
        return False

    def winners(self, totals: Sequence[int], options: Options) -> tuple[int, ...] | None:
        """The sides that can have won a match that ended with these totals; None where no target ends it."""
        return None

    def winner_of_deals(self, deals: Sequence[Sequence[int]], options: Options) -> int | None:
        """The side that won a match of these deals; None if they do not end one, or go on after its end."""
        return None


UNBALANCED = gettext_noop(
    "What is won and what is paid must add up to 0, but these figures add up to %(n)s. Count again."
)
TOO_MUCH = gettext_noop("Under these rules no bids or hands can move that many points. Check the figures.")


def ledger_wrong(scores: Sequence[int]) -> Wrong:
    """Return why a ledger cannot change so: what one side wins the others pay."""
    return Wrong(UNBALANCED, {"n": sum(scores)}) if sum(scores) else Wrong(TOO_MUCH)
