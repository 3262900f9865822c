"""Figures of a schedule with changing partners, and bounds for any such schedule.

Figures are sums over pairs of C(times, 2): of being partners, and of being opponents at one table. Three bounds hold
for any schedule of the given tables: *pigeonhole* (of sides, as of small tables: `bounds`), *averaging* over all pairs,
and the same person by person: what each has is spread over everybody else. The last two are one figure of the
certificate, the larger.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations
from math import comb

from core.formats.model import Certificate, Pod, Rotation
from core.formats.schedules import bounds

Pair = tuple[str, str]
Tables = Sequence[tuple[int, ...]]
"""The tables of a round; of each the size of every side."""


def sides_at(pod: Pod) -> list[tuple[str, ...]]:
    """Return the sides of a table in their order, members in the order of their seats."""
    numbers = sorted(set(pod.sides))
    return [tuple(entry for entry, side in zip(pod.seats, pod.sides, strict=True) if side == own) for own in numbers]


def partners_in(pods: Iterable[Pod]) -> Counter[Pair]:
    """Return how often each pair shared a side."""
    return Counter(pair for pod in pods for side in sides_at(pod) for pair in combinations(sorted(side), 2))


def opponents_in(pods: Iterable[Pod]) -> Counter[Pair]:
    """Return how often each pair sat on two sides of one table."""
    found: Counter[Pair] = Counter()
    for pod in pods:
        for one, other in combinations(sides_at(pod), 2):
            found.update((min(here, there), max(here, there)) for here in one for there in other)
    return found


def repeats(times: Counter[Pair]) -> int:
    """Return the sum of C(times, 2)."""
    return sum(comb(count, 2) for count in times.values())


def bound_of_partners(people: int, rounds: Sequence[Tables]) -> tuple[int, int]:
    """Return (pigeonhole, averaging) for the pairs that share a side."""
    sizes = [tuple(sorted((size for table in turn for size in table), reverse=True)) for turn in rounds]
    ties = [sum(size * (size - 1) for table in turn for size in table) for turn in rounds]
    return bounds.pigeonhole(people, sizes), _spread(people, sum(ties))


def bound_of_opponents(people: int, rounds: Sequence[Tables]) -> int:
    """Return the bound by averaging for the pairs on different sides of a table."""
    ties = sum(sum(size * (sum(table) - size) for size in table) for turn in rounds for table in turn)
    return _spread(people, ties)


def _spread(people: int, ties: int) -> int:
    """The least sum of C(times, 2) if each of `ties` (both ends counted) is one more time for somebody.

    Averaging over pairs, and over what each person has: both are least when it is spread as evenly as whole numbers
    allow, and each pair is counted by two people.
    """
    if people < 2:
        return 0
    by_pair = _even(comb(people, 2), ties // 2)
    each, more = divmod(ties, people)
    by_person = more * _even(people - 1, each + 1) + (people - more) * _even(people - 1, each)
    # Both are valid, so the larger is; halved and rounded up, as each pair is counted at both of its ends.
    return max(by_pair, -(-by_person // 2))


def _even(places: int, total: int) -> int:
    """Return the sum of C(x, 2) with `total` spread evenly over the places."""
    each, more = divmod(total, places)
    return more * comb(each + 1, 2) + (places - more) * comb(each, 2)


def rotation_of(rounds: Sequence[tuple[Sequence[Pod], Sequence[str]]], method: str) -> Rotation:
    """Count figures and bounds of rounds (pods, who sits out) from their pods.

    Anyone who came later or left is taken as there all along: the bounds hold all the same.
    """
    pods = [pod for turn, _byes in rounds for pod in turn]
    everybody = {entry for pod in pods for entry in pod.seats} | {entry for _pods, byes in rounds for entry in byes}
    shapes: list[Tables] = [[tuple(map(len, sides_at(pod))) for pod in turn] for turn, _byes in rounds]
    pigeonhole, averaging = bound_of_partners(len(everybody), shapes)
    partners = Certificate(repeats(partners_in(pods)), pigeonhole, averaging, method)
    against = bound_of_opponents(len(everybody), shapes)
    return Rotation(len(rounds), partners, Certificate(repeats(opponents_in(pods)), 0, against, method))
