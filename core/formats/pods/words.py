"""Reasons for a round of Swiss tables: for who sits together, and for second meetings.

Each sentence is true of the round it stands with: closeness is counted, and what a wish costs is the difference to a
round drawn without it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from core.formats.model import Priority, Reason
from core.formats.pods.preset import Preset
from core.formats.pods.search import cut
from core.formats.swiss.scores import shown
from core.formats.swiss.standing_order import Standing
from engine.words import gettext_noop

NOTHING: Final = Preset()
LEADERS: Final = "leaders"
SCORES: Final = "scores"
CLOSE_TABLES: Final = 2  # scores are close if everybody between them could sit at this many tables of the size
LEVEL = gettext_noop("Paired because all of them have %(score)s.")
CLOSE = gettext_noop("Paired because their scores lie close together, from %(high)s to %(low)s.")
APART = gettext_noop("Their scores lie apart, from %(high)s to %(low)s, because new opponents come first.")
PARTED = gettext_noop("Their scores lie apart, from %(high)s to %(low)s, because keeping people apart comes first.")
PARTED_ANYWAY = gettext_noop("Their scores lie apart, from %(high)s to %(low)s: no closer tables were found.")
TOGETHER = gettext_noop(
    "The organiser wanted some of them to sit together in this round: scores from %(high)s to %(low)s."
)
LEAD = gettext_noop("The leaders meet in this round, even if they have met before: scores from %(high)s to %(low)s.")
FRESH = gettext_noop("No two of these %(seats)d have met before.")
FRESH_PAIR = gettext_noop("These two have not met before.")
AGAIN_NEEDED = gettext_noop(
    "%(again)d of their %(pairs)d pairs meet again, because no round is possible without repeated meetings."
)
AGAIN_FOUND = gettext_noop(
    "%(again)d of their %(pairs)d pairs meet again, because no round with fewer repeated meetings was found."
)
AGAIN_PRICE = gettext_noop("%(again)d of their %(pairs)d pairs meet again: the notes on this round give the reason.")
AGAIN_LEADING = gettext_noop("%(again)d of their %(pairs)d pairs meet again.")
BROKEN = gettext_noop("Forbidden pairings at this table: %(broken)d; no round without them was found.")
SITTING_OUT = gettext_noop(
    "Byes: %(byes)d, because %(entries)d entries do not fill the tables; those with the fewest byes so far"
    " come first, then those with the lowest score."
)
FIGURES = gettext_noop(
    "How far scores differ at the tables: %(spread)d (%(free)d would be possible if repeats and clubs were ignored)."
)
PRICES: Final = {
    "club": gettext_noop(
        "Keeping club mates apart costs repeated meetings: %(again)d in this round, %(free)d otherwise."
    ),
    "pair": gettext_noop(
        "Keeping two people apart costs repeated meetings: %(again)d in this round, %(free)d otherwise."
    ),
    LEADERS: gettext_noop(
        "Seating the leaders together costs repeated meetings: %(again)d in this round, %(free)d otherwise."
    ),
    "together": gettext_noop(
        "Seating people together costs repeated meetings: %(again)d in this round, %(free)d otherwise."
    ),
    SCORES: gettext_noop(
        "Putting equal scores before new opponents costs repeated meetings: %(again)d in this round,"
        " %(free)d otherwise."
    ),
    "": gettext_noop("Forbidden pairings cost repeated meetings: %(again)d in this round, %(free)d otherwise."),
}
"""What a wish costs, by its name; "" for all others."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """A round by positions. preset: tables that were filled beforehand; priorities: the organiser's order, if any.

    is_proved: there are no conflicts, or no round is without one. without: wish -> how many pairs would meet again
    without it, of the wishes that make a difference.
    """

    field: Standing
    tables: list[list[int]]
    preset: Preset = NOTHING
    priorities: tuple[Priority, ...] = ()
    is_proved: bool = False
    without: tuple[tuple[str, int], ...] = ()

    @property
    def again(self) -> int:
        """Return how many pairs meet again."""
        return sum(self.again_at(table) for table in self.tables)

    @property
    def repeats_before_scores(self) -> bool:
        """Return whether new opponents come before equal scores."""
        order = self.priorities
        return not order or order.index(Priority.REPEATS) < order.index(Priority.SCORES)

    def leads(self, table: Sequence[int]) -> bool:
        """Return whether a table is one of the leaders'."""
        return any(set(table) == set(each) for each in self.preset.leaders)

    def is_wanted(self, table: Sequence[int]) -> bool:
        """Return whether some at a table must sit together."""
        return any(set(two) <= set(table) for two in self.field.together)

    def again_at(self, table: Sequence[int]) -> int:
        """Return how many pairs of a table meet again."""
        return sum(self.field.met[two] > 0 for two in combinations(sorted(table), 2))


def table_reasons(drawn: Drawn, table: Sequence[int]) -> tuple[Reason, ...]:
    """Return the reasons why these sit together."""
    reasons = [_scores(drawn, table), _meetings(drawn, table)]
    pairs = combinations(sorted(table), 2)
    if broken := sum(two in drawn.field.forbidden for two in pairs):
        reasons.append(Reason("pods.broken", BROKEN, (("broken", broken),)))
    return tuple(reasons)


def _scores(drawn: Drawn, table: Sequence[int]) -> Reason:
    field = drawn.field
    high, low = shown(field.scores[min(table)]), shown(field.scores[max(table)])
    ends = (("high", high), ("low", low))
    if drawn.leads(table):
        return Reason("pods.leaders", LEAD, ends)
    if drawn.is_wanted(table):
        return Reason("pods.together", TOGETHER, ends)
    if high == low:
        return Reason("pods.level", LEVEL, (("score", high),))
    if is_close(field, table):
        return Reason("pods.close", CLOSE, ends)
    if drawn.priorities[:1] == (Priority.SCORES,):
        return Reason("pods.apart", PARTED_ANYWAY, ends)
    return Reason("pods.apart", APART if field.met else PARTED, ends)


def is_close(field: Standing, table: Sequence[int]) -> bool:
    """Return whether few others have a score between the best and the worst of a table."""
    best, worst = field.level[min(table)], field.level[max(table)]
    between = sum(best < level < worst for level in field.level)
    own = sum(best < field.level[player] < worst for player in table)
    return between - own <= (CLOSE_TABLES - 1) * len(table)


def _meetings(drawn: Drawn, table: Sequence[int]) -> Reason:
    again = drawn.again_at(table)
    if not again:
        return Reason("pods.fresh", FRESH if len(table) > 2 else FRESH_PAIR, (("seats", len(table)),))
    figures = (("again", again), ("pairs", len(table) * (len(table) - 1) // 2))
    if drawn.leads(table):
        return Reason("pods.again", AGAIN_LEADING, figures)
    if drawn.without:
        return Reason("pods.again", AGAIN_PRICE, figures)
    is_proved = drawn.is_proved and drawn.repeats_before_scores
    return Reason("pods.again", AGAIN_NEEDED if is_proved else AGAIN_FOUND, figures)


def round_reasons(drawn: Drawn, sizes: Sequence[int], byes: int) -> tuple[Reason, ...]:
    """Figures of the round, what second meetings it pays for, and who sits out."""
    spread = _levels(drawn.field, drawn.tables)
    free = min(spread, _levels(drawn.field, cut(sizes)))
    reasons = [Reason("pods.figures", FIGURES, (("spread", spread), ("free", free)))]
    for name, left in drawn.without:
        text = PRICES.get(name, PRICES[""])
        reasons.append(Reason("pods.price", text, (("again", drawn.again), ("free", left))))
    if byes:
        entries = byes + len(drawn.field.entries)
        reasons.append(Reason("pods.byes", SITTING_OUT, (("byes", byes), ("entries", entries))))
    return tuple(reasons)


def _levels(field: Standing, tables: Sequence[Sequence[int]]) -> int:
    """Score levels between the best and the worst of each table, added up."""
    return sum(field.level[max(table)] - field.level[min(table)] for table in tables)
