"""From deal sets to the table of results. The deal set is the unit: matches of one share their cards."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import NormalDist, fmean, stdev
from typing import Any, Final

from kit.playing import Sat, SetPlayed

CONFIDENCE: Final = 0.95
ENOUGH: Final = 5
"""Deal sets from which on an interval is shown."""
# Place shares are means of floats: 1/2 may come out a little beside it.
EVEN: Final = 1e-9


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean with its 95 % interval, clustered on the deal set. half: None where one deal set is all there is.

    sets: how many it is made of.
    """

    mean: float
    half: float | None
    sets: int = ENOUGH

    def to_json(self) -> dict[str, float | None]:
        """Return the interval for programs."""
        return {"mean": self.mean, "half": self.half}

    def text(self, digits: int, *, sign: bool = False) -> str:
        """Write the interval as `+3.25 ± 1.10`."""
        mean = f"{self.mean:{'+' if sign else ''}.{digits}f}".replace("-", "\N{MINUS SIGN}")
        # Of a few deal sets the interval is wider than what can be, or nothing at all where they happen to be alike.
        if self.half is not None and self.sets < ENOUGH:
            return f"{mean} (too few)"
        if self.half is None:
            return mean
        return f"{mean} ± {self.half:.{digits}f}"


def interval(values: Sequence[float]) -> Interval:
    """The mean of independent deal sets and the half width of its interval, by Student's distribution."""
    if len(values) < 2:
        return Interval(fmean(values), None, len(values))
    # Deal sets are independent of each other, the matches of one are not: counted one by one they would make the
    # interval too narrow.
    half = student(len(values) - 1) * stdev(values) / len(values) ** 0.5
    return Interval(fmean(values), half, len(values))


def student(freedom: int) -> float:
    """The two-sided 95 % quantile of Student's t, by Hill's expansion around the normal one.

    Source: Abramowitz and Stegun 26.7.5; within 0.1 % from 5 degrees of freedom on. Below that from the table.
    """
    # Exact values for 1 to 4 degrees of freedom, where the expansion is too coarse.
    table = (12.706, 4.303, 3.182, 2.776)
    if freedom <= len(table):
        return table[freedom - 1]
    z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / freedom + second / freedom**2 + third / freedom**3


@dataclass(slots=True)
class Row:
    """One player in all matches. sets: its mean per deal set, (place share, lead), by number."""

    sets: dict[int, tuple[float, float]] = field(default_factory=dict)
    matches: int = 0
    cpu_ms: float = 0.0
    asked: int = 0
    slowest_ms: int = 0
    codes: Counter[str] = field(default_factory=Counter)

    def add(self, number: int, found: Sequence[Sat]) -> None:
        """The matches of one deal set."""
        self.sets[number] = float(fmean(one.place for one in found)), fmean(one.lead for one in found)
        self.matches += len(found)
        self.cpu_ms += sum(one.cpu_ms for one in found)
        self.asked += sum(one.asked for one in found)
        self.slowest_ms = max(self.slowest_ms, *(one.slowest_ms for one in found))
        self.codes.update(one.code for one in found if one.code)

    @property
    def place(self) -> Interval:
        """Place share: 1/2 is as good as the others."""
        return interval([self.sets[number][0] for number in sorted(self.sets)])

    @property
    def lead(self) -> Interval:
        """Ahead of the others, in what the rules count, a match."""
        return interval([self.sets[number][1] for number in sorted(self.sets)])

    @property
    def fared(self) -> tuple[int, int, int]:
        """Deal sets won, even, lost: by the place share over all their matches."""
        shares = [share - 0.5 for share, _ in self.sets.values()]
        won, lost = sum(share > EVEN for share in shares), sum(share < -EVEN for share in shares)
        return won, len(shares) - won - lost, lost

    @property
    def ms(self) -> float:
        """CPU milliseconds a decision."""
        return self.cpu_ms / self.asked if self.asked else 0.0

    def to_json(self, name: str) -> dict[str, Any]:
        """Return the row for programs."""
        won, even, lost = self.fared
        return {
            "player": name,
            "deal_sets": len(self.sets),
            "matches": self.matches,
            "place_share": self.place.to_json(),
            "lead": self.lead.to_json(),
            "sets": {"won": won, "even": even, "lost": lost},
            "cpu_ms": {"mean": round(self.ms, 3), "slowest": self.slowest_ms},
            "forfeits": dict(self.codes),
        }


def rows_of(sets: Sequence[SetPlayed], players: int) -> list[Row]:
    """A row per player, in their order."""
    rows = [Row() for _ in range(players)]
    for played in sets:
        found = defaultdict(list)
        for match in played.matches:
            for one in match.sat:
                found[one.player].append(one)
        for who, matches in found.items():
            rows[who].add(played.number, matches)
    return rows
