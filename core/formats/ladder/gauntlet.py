"""The gauntlet: a candidate against anchors of known strength, until a test has decided or a quota is played.

Every anchor meets the candidate equally often, and the candidate has every seat equally often (to within one).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from core.formats.errors import FormatError
from core.formats.model import Reason
from engine.words import gettext_noop

ANCHORS = gettext_noop(
    "The candidate meets the anchors that it has met least; deal set %(number)d of at most %(quota)d."
)


@dataclass(frozen=True, slots=True)
class GauntletPod:
    """One planned deal set. seats: versions in seat order."""

    number: int
    seats: tuple[str, ...]
    why: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True)
class Gauntlet:
    """A gauntlet. candidate, anchors: versions. seats: at a table. quota: most deal sets."""

    candidate: str
    anchors: tuple[str, ...]
    seats: int
    quota: int

    def __post_init__(self) -> None:
        if self.candidate in self.anchors or len(set(self.anchors)) < len(self.anchors):
            raise FormatError("the candidate and the anchors must all be different", code="entries.twice")
        if len(self.anchors) < self.seats - 1:
            message = f"a table of {self.seats} needs {self.seats - 1} anchors; name more"
            raise FormatError(message, code="entries.too_few")

    def next(
        self, drawn: Sequence[GauntletPod], count: int, rng: Random, *, is_decided: bool = False
    ) -> list[GauntletPod]:
        """Draw up to `count` more pods after those drawn; none once the test has decided or the quota is drawn.

        rng: seeded the same way for the same number of pods drawn.
        """
        left = 0 if is_decided else min(count, self.quota - len(drawn))
        met = Counter(name for pod in drawn for name in pod.seats)
        sat = Counter(pod.seats.index(self.candidate) for pod in drawn)
        return [self._pod(len(drawn) + number, met, sat, rng) for number in range(1, left + 1)]

    def _pod(self, number: int, met: Counter[str], sat: Counter[int], rng: Random) -> GauntletPod:
        # One random number for each key: equals come in the order of the lot.
        waiting = sorted(self.anchors, key=lambda name: (met[name], rng.random()))
        table = waiting[: self.seats - 1]
        seat = min(range(self.seats), key=lambda index: (sat[index], rng.random()))
        table.insert(seat, self.candidate)
        met.update(table)
        sat[seat] += 1
        why = (Reason("gauntlet.anchors", ANCHORS, (("number", number), ("quota", self.quota))),)
        return GauntletPod(number, tuple(table), why)
