"""Figures of a schedule, recounted from its pods, and the proof about them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import combinations
from math import comb

from core.formats.model import Certificate, Constraint, ConstraintKind, Plan, Pod, Quality
from core.formats.rotation.figures import rotation_of
from core.formats.schedules import bounds

MAX_SEATS = 7
Drawn = tuple[tuple[Pod, ...], tuple[str, ...]]
"""One round: its pods and who sits out."""


def pair(one: str, other: str) -> tuple[str, str]:
    """Return two entries in a fixed order."""
    return (one, other) if one < other else (other, one)


def met(rounds: Iterable[Sequence[Pod]]) -> Counter[tuple[str, str]]:
    """Return how often each pair shared a table."""
    return Counter(pair(*two) for pods in rounds for pod in pods for two in combinations(pod.seats, 2))


class MeetingCounter:
    """The figures of the rounds added so far."""

    def __init__(self) -> None:
        self.met: Counter[tuple[str, str]] = Counter()
        self._repeats = self._again = self._most = 0
        self._smallest = 0
        self._seats: dict[str, list[int]] = {}
        self._first: dict[str, int] = {}
        self._byes: Counter[str] = Counter()

    def add(self, pods: Sequence[Pod], byes: Sequence[str]) -> None:
        """Count one more round."""
        for two, count in met([pods]).items():
            before = self.met[two]
            self.met[two] = now = before + count
            # Only the pairs of this round change: a season of rounds is counted once, not once a round.
            self._repeats += comb(now, 2) - comb(before, 2)
            self._again += max(0, now - 1) - max(0, before - 1)
            self._most = max(self._most, now)
        for pod in pods:
            self._smallest = min(self._smallest or len(pod.seats), len(pod.seats))
            for place, entry in enumerate(pod.seats):
                self._seats.setdefault(entry, [0] * MAX_SEATS)[place] += 1
                if len(pod.seats) == 2:
                    self._first[entry] = self._first.get(entry, 0) + (1 if place == 0 else -1)
        for entry in byes:
            self._seats.setdefault(entry, [0] * MAX_SEATS)
            self._byes[entry] += 1

    def quality(self, constraints: Sequence[Constraint] = ()) -> Quality:
        """Return the figures."""
        # Seats that smaller tables lack cannot be had equally often by all.
        common = [counts[: self._smallest] for counts in self._seats.values()] if self._smallest else []
        byes = [self._byes[entry] for entry in self._seats]
        return Quality(
            repeats=self._repeats,
            again=self._again,
            most=self._most,
            seat_imbalance=max((max(counts) - min(counts) for counts in common), default=0),
            first_seat=max(map(abs, self._first.values()), default=0),
            bye_imbalance=max(byes, default=0) - min(byes, default=0),
            broken=sum(
                self.met[pair(*two)]
                for item in constraints
                # What holds for some rounds only is not counted: meetings are not told apart by round here.
                if item.kind is ConstraintKind.FORBID and item.first == 1 and not item.last
                for two in combinations(sorted(item.entries), 2)
            ),
        )


def counter_of(plans: Iterable[Plan]) -> MeetingCounter:
    """Return the tally of rounds already planned."""
    tally = MeetingCounter()
    for plan in plans:
        tally.add(plan.pods, plan.byes)
    return tally


def certify(rounds: Sequence[Drawn], method: str) -> Certificate:
    """Return the bounds for tables of these sizes. Entries that come or go count as there all along (still valid)."""
    sizes = [tuple(sorted((len(pod.seats) for pod in pods), reverse=True)) for pods, _ in rounds]
    everybody = {entry for pods, byes in rounds for entry in (*byes, *(e for pod in pods for e in pod.seats))}
    return Certificate(
        repeats=sum(comb(count, 2) for count in met(pods for pods, _ in rounds).values()),
        pigeonhole=bounds.pigeonhole(len(everybody), sizes),
        averaging=bounds.averaging(len(everybody), sizes),
        method=method,
    )


def rescore(plans: Sequence[Plan], constraints: Sequence[Constraint] = ()) -> list[Plan]:
    """Count figures and certificates of plans again: after a swap by hand nothing is taken on trust."""
    method = plans[-1].certificate.method if plans else ""
    certificate = certify([(plan.pods, plan.byes) for plan in plans], method)
    changing = any(plan.rotation for plan in plans)
    rotation = rotation_of([(plan.pods, plan.byes) for plan in plans], "hand") if changing else None
    tally = MeetingCounter()
    out = []
    for plan in plans:
        tally.add(plan.pods, plan.byes)
        out.append(replace(plan, quality=tally.quality(constraints), certificate=certificate, rotation=rotation))
    return out
