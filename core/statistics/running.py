"""A test while it goes on: results in the order in which their deal sets were made, until it has decided.

Once it has decided nothing changes any more, even if more is played.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from core.statistics.sprt import Hypotheses, Moments, Outcome, normal_test, sprt
from core.statistics.units import Unit, category_of


@dataclass(slots=True)
class Running:
    """A sequential test. counts: by category, of shares none; moments: mean and spread of the scores."""

    test: Hypotheses
    unit: Unit
    counts: list[int] = field(default_factory=list)
    moments: Moments = field(default_factory=Moments)

    def __post_init__(self) -> None:
        self.counts = self.counts or [0] * self.unit.categories

    @property
    def outcome(self) -> Outcome:
        """Return where it stands."""
        if self.unit is Unit.SHARE:
            return normal_test(self.moments, self.test)
        return sprt(self.counts, self.test)

    def add(self, score: Fraction) -> Outcome:
        """Count one more deal set; nothing once it has decided. Raises StatisticsError "sprt.score"."""
        before = self.outcome
        # Wald's errors hold for a test that ends at its first decision: going on until it pleases would void them.
        if before.is_decided:
            return before
        if self.unit is not Unit.SHARE:
            self.counts[category_of(self.unit, score)] += 1
        self.moments.add(float(score))
        return self.outcome
