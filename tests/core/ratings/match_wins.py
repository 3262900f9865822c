"""Match-win percentages (Magic Tournament Rules, appendix C): own, and of the opponents, never below a floor."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

FLOOR = Fraction(33, 100)
"""As the rules print it; many programs take a third. Choose one for an event and keep to it."""


@dataclass(frozen=True, slots=True)
class Record:
    """Matches of one entry. wins: byes are wins for the own percentage; byes: how many of the wins were byes."""

    wins: int
    losses: int
    draws: int
    byes: int = 0

    @property
    def points(self) -> int:
        """Return 3 for a win, 1 for a draw."""
        return 3 * self.wins + self.draws

    def percentage(self, floor: Fraction = FLOOR) -> Fraction:
        """Return points won of those that could be, at least the floor; the floor itself before the first match."""
        rounds = self.wins + self.losses + self.draws
        return max(Fraction(self.points, 3 * rounds), floor) if rounds else floor


def opponents_percentage(opponents: Sequence[Record], floor: Fraction = FLOOR) -> Fraction:
    """Return the mean of the opponents' percentages, each once a match; own byes bring none. The floor without any."""
    if not opponents:
        return floor
    return sum((record.percentage(floor) for record in opponents), Fraction(0)) / len(opponents)


@dataclass(frozen=True, slots=True)
class MatchWins:
    """One entry's figures."""

    points: int
    own: Fraction
    opponents: Fraction


def match_wins(
    matches: Iterable[tuple[str, str, str | None]], byes: Iterable[str] = (), floor: Fraction = FLOOR
) -> Mapping[str, MatchWins]:
    """Work out everybody's figures. matches: (one, other, who won; None for a draw). byes: once for each."""
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    met: dict[str, list[str]] = defaultdict(list)
    for one, other, winner in matches:
        for entry, opponent in ((one, other), (other, one)):
            met[entry].append(opponent)
            counts[entry][2 if winner is None else int(winner != entry)] += 1
    for entry in byes:
        counts[entry][0] += 1
        counts[entry][3] += 1
    records = {entry: Record(*own) for entry, own in counts.items()}
    return {
        entry: MatchWins(
            record.points,
            record.percentage(floor),
            opponents_percentage([records[opponent] for opponent in met[entry]], floor),
        )
        for entry, record in records.items()
    }
