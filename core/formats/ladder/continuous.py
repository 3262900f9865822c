"""The continuous ladder: the least sure entry plays next, against neighbours, now and then against anybody.

Sure: sigma shrinks with every match under way by 1/sqrt(1 + matches), so that nobody is drawn over and over before
results come. A draw costs a heap's and a search's logarithm (`ranked`), for a ladder of any size.
"""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heappop, heappush
from math import sqrt
from random import Random

from core.formats.errors import FormatError
from core.formats.ladder.ranked import MAXIMUM, Ranked
from core.formats.model import Reason
from engine.words import gettext_noop

# Without some matches across the ladder its distant parts would never be compared.
RANDOM_SHARE = 0.1
OLD_LINES = 8  # how many lines of the queue an entry may have before the passed over ones are swept out
WINDOW = 3  # times the seats to fill: how many neighbours are drawn from
NEW = gettext_noop("Drawn at once: one of the versions has not played here yet.")
UNSURE = gettext_noop("Drawn because this entry's rating is the least certain (sigma %(sigma)s).")
NEAR = gettext_noop("Opponents near its rating: %(near)d; drawn from the whole ladder: %(random)d.")


@dataclass(frozen=True, slots=True)
class Contender:
    """An entry of the ladder. version: the one that plays for it now."""

    entry: str
    version: str
    mu: float
    sigma: float


@dataclass(frozen=True, slots=True)
class LadderPod:
    """One planned deal set. seats: (entry, version) in seat order, fixed for all its legs.

    newcomer: the entry that it was drawn for at once; None: it was the turn of the least sure one.
    """

    seats: tuple[tuple[str, str], ...]
    why: tuple[Reason, ...] = ()
    newcomer: str | None = None


class Ladder:
    """State of a ladder and its draws: the same after the same calls with the same `rng`. Not for several threads."""

    def __init__(self) -> None:
        self._known: dict[str, Contender] = {}
        self._busy: dict[str, int] = {}
        self._by_mu = Ranked()
        self._queue: list[tuple[float, str]] = []  # smallest first: -(sigma, sunk); old lines are passed over
        self._order: list[str] = []  # for drawing anybody
        self._place: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._known)

    def put(self, contender: Contender) -> None:
        """Add somebody, or give them a new rating or version. Pods drawn before keep the version they have."""
        name = contender.entry
        old = self._known.get(name)
        if old:
            self._by_mu.remove((old.mu, name))
        else:
            self._place[name] = len(self._order)
            self._order.append(name)
        self._known[name] = contender
        self._by_mu.add((contender.mu, name))
        self._line_up(name)

    def remove(self, entry: str) -> None:
        """Draw nothing more for it. Raises KeyError if it is not in."""
        old = self._known.pop(entry)
        self._by_mu.remove((old.mu, entry))
        self._busy.pop(entry, None)
        last, place = self._order.pop(), self._place.pop(entry)
        # The last one fills the gap: `rng.choice` needs a list without holes, and the order in it means nothing.
        if last != entry:
            self._order[place] = last
            self._place[last] = place

    def under_way(self, entry: str) -> None:
        """Count one more pod of this entry that is under way and was not drawn here.

        Raises KeyError if it is not in.
        """
        if entry not in self._known:
            raise KeyError(entry)
        self._busy[entry] = self._busy.get(entry, 0) + 1
        self._line_up(entry)

    def finished(self, pod: LadderPod) -> None:
        """Free the entries of a pod: all its legs are over, or it is void."""
        for entry, _ in pod.seats:
            if self._busy.get(entry):
                self._busy[entry] -= 1
                self._line_up(entry)

    def draw(self, seats: int, rng: Random, newcomer: str | None = None) -> LadderPod:
        """Draw the next pod: for the least sure entry, or for this newcomer.

        Raises FormatError "entries.too_few"; KeyError if the newcomer is not in.
        """
        if len(self._known) < seats:
            raise FormatError(f"a table of {seats} needs that many entries; wait for more", code="entries.too_few")
        first = self._known[newcomer or self._least_sure()]
        chosen = [first.entry]
        window = self._window(first, WINDOW * (seats - 1))
        free = 0
        while len(chosen) < seats:
            is_free = rng.random() < RANDOM_SHARE
            entry = rng.choice(self._order) if is_free else rng.choice(window)
            if entry not in chosen:
                chosen.append(entry)
                free += is_free
        # Else the least sure would always have the first seat.
        rng.shuffle(chosen)
        for entry in chosen:
            self._busy[entry] = self._busy.get(entry, 0) + 1
            self._line_up(entry)
        unsure = Reason("ladder.unsure", UNSURE, (("sigma", f"{first.sigma:.2f}"),))
        why = (
            Reason("ladder.new", NEW) if newcomer else unsure,
            Reason("ladder.near", NEAR, (("near", seats - 1 - free), ("random", free))),
        )
        return LadderPod(tuple((entry, self._known[entry].version) for entry in chosen), why, newcomer)

    def _window(self, first: Contender, size: int) -> list[str]:
        """Return the nearest by rating."""
        around = self._by_mu.around((first.mu, first.entry))
        return [name for (_, name), _ in zip(around, range(size), strict=False)]

    def _least_sure(self) -> str:
        while True:
            line = self._queue[0]
            # Lines are never changed in the heap: one whose urgency is no longer true is passed over and dropped.
            if line[1] in self._known and line[0] == self._urgency(line[1]):
                return line[1]
            heappop(self._queue)

    def _line_up(self, entry: str) -> None:
        heappush(self._queue, (self._urgency(entry), entry))
        # Old lines deep in the heap are never reached: without a sweep they would pile up for ever.
        if len(self._queue) > OLD_LINES * len(self._known) + MAXIMUM:
            self._queue = sorted((self._urgency(name), name) for name in self._known)

    def _urgency(self, entry: str) -> float:
        return -self._known[entry].sigma / sqrt(1 + self._busy.get(entry, 0))
