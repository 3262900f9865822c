"""A local A/B test: duplicate deals until the sequential test has decided. The statistics are the service's own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from core.statistics import Estimate, Hypotheses, Leg, Running, Unit, estimate, score_of_legs, unit_of
from kit.contest import Contest
from kit.playing import MatchPlayed, SetPlayed

OLD: Final = 0
NEW: Final = 1


def in_order(sets: Iterable[SetPlayed]) -> Iterator[SetPlayed]:
    """Deal sets by number, each as soon as all before it are there: a test may not count what happened to end first."""
    waiting: dict[int, SetPlayed] = {}
    number = 0
    for played in sets:
        waiting[played.number] = played
        # Short matches end first, and what makes a match short may also decide who wins it: counted in the order of
        # their ends, the test would stop on a biased sample.
        while number in waiting:
            yield waiting.pop(number)
            number += 1


@dataclass(slots=True)
class Comparison:
    """A test while it runs. won, even, lost: deal sets of the new one."""

    contest: Contest
    running: Running
    won: int = 0
    even: int = 0
    lost: int = 0

    @classmethod
    def of(cls, contest: Contest, test: Hypotheses) -> Comparison:
        """Return the test of a contest whose players are the old one and the new one."""
        unit = unit_of(max(contest.sides) + 1, len(contest.legs(0)))
        return cls(contest, Running(test, unit))

    def add(self, played: SetPlayed) -> None:
        """Count one more deal set."""
        score = score_of_legs([self._leg(match) for match in played.matches])
        # In integers of halves: no rounding decides whether a deal set was even.
        self.won += score * 2 > 1
        self.even += score * 2 == 1
        self.lost += score * 2 < 1
        self.running.add(score)

    def _leg(self, match: MatchPlayed) -> Leg:
        """Return who sits alone in it; with two sides that is always the new one."""
        contest = self.contest
        by_side = [match.seating[contest.sides.index(side)] for side in range(max(contest.sides) + 1)]
        # In duplicate pairs of a larger table both sit alone in turn (`both_alone` in contest.py).
        lone = NEW if by_side.count(NEW) == 1 else OLD
        return Leg(match.places, by_side.index(lone), lone == NEW)

    @property
    def is_decided(self) -> bool:
        """Return whether no more deal sets are needed."""
        return self.running.outcome.is_decided

    def sentence(self) -> str:
        """Return where it stands, for a progress bar."""
        outcome = self.running.outcome
        return f"LLR {outcome.llr:+.2f} ({outcome.lower:.2f} .. {outcome.upper:.2f})".replace("-", "\N{MINUS SIGN}")

    def to_json(self) -> dict[str, Any]:
        """The test for programs."""
        outcome, test, found = self.running.outcome, self.running.test, estimate(self.running)
        return {
            "verdict": outcome.verdict.value if outcome.is_decided else "inconclusive",
            "llr": outcome.llr,
            "bounds": [outcome.lower, outcome.upper],
            "elo0": test.elo0,
            "elo1": test.elo1,
            "model": test.model.value,
            "deal_sets": self.running.moments.count,
            "counts": None if self.running.unit is Unit.SHARE else list(self.running.counts),
            "sets": {"won": self.won, "even": self.even, "lost": self.lost},
            "estimate": None if found is None else _figures(found),
        }


def _figures(found: Estimate) -> dict[str, Any]:
    score = {"score": found.score, "score_low": found.low, "score_high": found.high}
    return {**score, "elo": found.elo, "elo_low": found.elo_low, "elo_high": found.elo_high}
