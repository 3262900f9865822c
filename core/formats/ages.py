"""Ages of partners: a rule that those who share a side are a number of years apart, and how far a field allows it.

Ages are years of birth; `None` is unknown, and somebody whose year is unknown breaks the rule with nobody.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from typing import Final, Generic, TypeVar

Year = int | None
T = TypeVar("T")
MAX_GAP: Final = 80
"""The largest number of years that can be asked for."""


def too_close(one: Year, other: Year, gap: int) -> bool:
    """Return whether two people are fewer than `gap` years apart, as far as both years are known."""
    return one is not None and other is not None and abs(one - other) < gap


def pairs_too_close(years: Sequence[Year], gap: int) -> int:
    """Return how many pairs of a side break the rule."""
    return sum(too_close(one, other, gap) for one, other in combinations(years, 2))


def fewest_too_close(years: Iterable[Year], gap: int) -> int:
    """Return how many pairs break the rule at least, if as many as possible of these people are put into pairs."""
    field = _Field(years, gap)
    return field.fewest()


class _Field:
    """People without a partner yet: the known years, sorted, and the number of unknown ones."""

    def __init__(self, years: Iterable[Year], gap: int) -> None:
        listed = list(years)
        self.gap = gap
        self.known = sorted(year for year in listed if year is not None)
        self.unknown = len(listed) - len(self.known)

    def add(self, year: Year) -> None:
        """Put one person back."""
        if year is None:
            self.unknown += 1
        else:
            insort(self.known, year)

    def remove(self, year: Year) -> None:
        """Take one person out."""
        if year is None:
            self.unknown -= 1
        else:
            del self.known[bisect_left(self.known, year)]

    def fewest(self) -> int:
        """Return the least number of pairs that break the rule; of an odd number of people one stays alone."""
        # Most pairs by the rule: the k oldest with the k youngest, in order, for the largest k that works. One pass
        # from the middle finds it: each of the later half takes the oldest who is left, if far enough.
        known, taken = self.known, 0
        for year in known[len(known) // 2 :]:
            if taken < len(known) // 2 and year - known[taken] >= self.gap:
                taken += 1
        # Those who are left go with people of whom no year is known, and then with each other.
        left = len(known) - 2 * taken - self.unknown
        return max(0, left // 2)


class Pairs(Generic[T]):
    """Pairs by lot under the rule: each in turn takes the first, in the order of the lots, with whom it is kept for as
    many pairs as can be.
    """

    def __init__(self, order: Sequence[T], year_of: Callable[[T], Year], gap: int) -> None:
        self.order, self.year_of, self.gap = list(order), year_of, gap
        self.field = _Field(map(year_of, order), gap)

    def drawn(self, avoids: Callable[[T, T], bool]) -> list[list[T]]:
        """Return the pairs, captains in the order of the lots. avoids: those who are taken only if nobody else is
        left, such as club mates. `order` has an even number of people.
        """
        waiting, pairs = list(self.order), []
        while waiting:
            captain = waiting.pop(0)
            mate = self._mate(captain, waiting, avoids)
            waiting.remove(mate)
            pairs.append([captain, mate])
        return pairs

    def _mate(self, captain: T, waiting: Sequence[T], avoids: Callable[[T, T], bool]) -> T:
        """Return who goes with the captain; the others can then still be paired as well as before."""
        goal = self.field.fewest()
        self.field.remove(self.year_of(captain))
        first: T | None = None
        for each in waiting:
            if first is not None and avoids(captain, each):
                continue
            # Cheaper than counting the rest: half of a field is often too close.
            if not goal and too_close(self.year_of(captain), self.year_of(each), self.gap):
                continue
            if self._cost(captain, each) == goal:
                first = each if first is None or not avoids(captain, each) else first
                if not avoids(captain, each):
                    break
        # There is one: the pairing that `fewest` counted has somebody for the captain.
        assert first is not None
        self.field.remove(self.year_of(first))
        return first

    def _cost(self, captain: T, mate: T) -> int:
        self.field.remove(self.year_of(mate))
        rest = self.field.fewest()
        self.field.add(self.year_of(mate))
        return rest + too_close(self.year_of(captain), self.year_of(mate), self.gap)
