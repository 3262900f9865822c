"""Keeping club mates (or any pair wished apart) from meeting early: entries of equal standing change places.

A band is what the draw treats as equal: seeds 3-4, 5-8, 9-16, .. at two seats, a tier of tables otherwise; who has a
bye changes only with somebody who has one. Nobody leaves the band, so the protection of seeds holds.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from core.formats.elimination.model import BracketMatch
from core.formats.elimination.reach import Paths
from core.formats.model import Constraint, ConstraintKind, Reason
from engine.words import gettext_noop

SWAPPED = gettext_noop(
    "Seeds %(one)d and %(other)d changed places, so that entries to be kept apart do not meet early."
)
LEFT = gettext_noop(
    "Pairs to be kept apart that may still meet by round %(rounds)d: %(pairs)d; this cannot be avoided."
)
# Far above the weight of a wish, which is 4 by default.
FORBIDDEN = 1000
STEP = 16


@dataclass(slots=True)
class Board:
    """Positions in the draw. order: entries by number of the draw; meet: of two numbers; bands: of each number."""

    order: list[str]
    meet: Sequence[Sequence[int]]
    bands: Sequence[tuple[bool, int]]
    mates: dict[str, dict[str, int]]
    early: int

    def cost(self, entry: str, at: Mapping[str, int], here: int, swapped: str = "", there: int = 0) -> int:
        """Return what the early meetings of an entry at number `here` weigh: a round earlier weighs STEP times as much.

        swapped: somebody taken to stand at number `there`.
        """
        row = self.meet[here]
        return sum(
            weight * self.price(row[there if mate == swapped else at[mate]])
            for mate, weight in self.mates.get(entry, {}).items()
        )

    def price(self, level: int) -> int:
        """Return the weight of one meeting in that round."""
        return STEP ** (self.early - level) if level <= self.early else 0


def part(
    matches: Sequence[BracketMatch], order: Sequence[str], constraints: Sequence[Constraint]
) -> tuple[list[str], tuple[Reason, ...]]:
    """Return (the order of the draw with entries moved apart, why). Makes the best change first, until none helps."""
    board = _board(matches, order, constraints)
    reasons = []
    at = {entry: number for number, entry in enumerate(board.order)}
    # Ends: every change lowers the sum of costs, which is a whole number and not negative.
    while change := _best_change(board, at):
        one, other = sorted(change)
        board.order[one], board.order[other] = board.order[other], board.order[one]
        at[board.order[one]], at[board.order[other]] = one, other
        reasons.append(Reason("bracket.swapped", SWAPPED, (("one", one + 1), ("other", other + 1))))
    if left := _early_pairs(board, at):
        reasons.append(Reason("bracket.together", LEFT, (("pairs", left), ("rounds", board.early))))
    return board.order, tuple(reasons)


def _board(matches: Sequence[BracketMatch], order: Sequence[str], constraints: Sequence[Constraint]) -> Board:
    mates: dict[str, dict[str, int]] = defaultdict(dict)
    for item in constraints:
        weight = FORBIDDEN if item.kind is ConstraintKind.FORBID else item.weight
        for one, other in combinations(sorted(set(item.entries) & set(order)), 2):
            mates[one][other] = mates[other][one] = mates[one].get(other, 0) + weight
    if not mates:
        return Board(list(order), [], [], {}, 0)
    paths = Paths(matches)
    meet = [[paths.meet(one, other) for other in order] for one in order]
    by_id = {match.id: match for match in matches}
    tables = sum(match.round == "W1" for match in matches)
    pairs = all(len(match.seats) <= 2 for match in matches)
    bands = [
        # Counted from 0, numbers of one bit length are the seeds 2, 3-4, 5-8 ..
        (paths.has_bye(entry, by_id), number.bit_length() if pairs else number // tables)
        for number, entry in enumerate(order)
    ]
    rounds = sum(label.startswith("W") for label in {match.round for match in matches})
    # The final is not early: two who are kept apart may meet there.
    return Board(list(order), meet, bands, dict(mates), max(1, rounds - 1))


def _best_change(board: Board, at: Mapping[str, int]) -> tuple[int, int] | None:
    """Return the change that saves most for the worst placed entry that can be helped; of equals the smallest move."""
    costs = {entry: board.cost(entry, at, at[entry]) for entry in board.mates}
    for entry in sorted(board.mates, key=lambda name: (-costs[name], at[name])):
        one = at[entry]
        if not costs[entry]:
            return None
        peers = (other for other, band in enumerate(board.bands) if other != one and band == board.bands[one])
        best = min(((_saving(board, at, one, other), abs(one - other), other) for other in peers), default=None)
        if best and best[0] < 0:
            return one, best[2]
    return None


def _saving(board: Board, at: Mapping[str, int], one: int, other: int) -> int:
    """Return what the cost changes by if the entries at two numbers change places."""
    mine, theirs = board.order[one], board.order[other]
    after = board.cost(mine, at, other, theirs, one) + board.cost(theirs, at, one, mine, other)
    return after - board.cost(mine, at, one) - board.cost(theirs, at, other)


def _early_pairs(board: Board, at: Mapping[str, int]) -> int:
    return sum(
        one < mate and board.meet[at[one]][at[mate]] <= board.early for one, own in board.mates.items() for mate in own
    )
