"""The fold: events in the order of their creation, up to the first that is not finished; beyond it provisionally.

A checkpoint every `EVERY` events; a change in the past rewinds to the one before it and folds on from there. So the
ratings depend on what the results are, never on when they came (tournaments.md section 10).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType

from core.ratings.errors import RatingError
from core.ratings.model import NOTHING, Change, Checkpoint, Content, Event, Params, Rating, Slot, aged
from core.ratings.plackett_luce import Rater

EVERY = 10_000
Born = Callable[[str, Mapping[str, Rating]], Rating]
"""Gives the first rating of somebody who is not rated yet, from the ratings as they are then."""


class Fold:
    """A pool's ratings, kept while results come. Costs one event's work a result, unless the past changes.

    start: take up a fold there; events up to `start.upto` then need not be put in, nor may they change.
    born: with what an entry begins; without it with `params.start`.
    """

    def __init__(
        self,
        params: Params | None = None,
        *,
        every: int = EVERY,
        start: Checkpoint = NOTHING,
        born: Born | None = None,
    ) -> None:
        self.params = params or Params()
        self._born = born or (lambda _entry, _ratings: self.params.start)
        self._rater = Rater(self.params)
        self._every = every
        self._numbers: list[int] = []
        self._contents: dict[int, Content] = {}
        self._checkpoints = [start]
        self._ratings: dict[str, Rating] = dict(start.ratings)
        self._days: dict[str, int] = dict(start.days)
        self._upto, self._seq = start.upto, start.seq

    @property
    def ratings(self) -> Mapping[str, Rating]:
        """Return what is settled: every event before the first open one."""
        return MappingProxyType(self._ratings)

    @property
    def upto(self) -> int:
        """Number of the last event that is settled; -1 before the first."""
        return self._upto

    @property
    def checkpoints(self) -> tuple[Checkpoint, ...]:
        """Return where the fold may be taken up, oldest first."""
        return tuple(self._checkpoints)

    def put(self, contents: Mapping[int, Content]) -> list[Change]:
        """Put in events that are new, have finished, or have changed; return what they do to settled ratings.

        After a change in the past the list starts at the checkpoint before it: later changes replace earlier ones of
        the same `seq`, and those with a higher `seq` than the last are void.
        Raises RatingError "rating.past" if the change lies before the fold's start.
        """
        changed = [number for number, content in contents.items() if self._contents.get(number) != content]
        if not changed:
            return []
        # Before anything is noted: a refused change must leave the fold as it was.
        if min(changed) <= self._checkpoints[0].upto:
            message = f"event {min(changed)} lies before the checkpoint this fold starts at; start at an earlier one"
            raise RatingError(message, code="rating.past")
        for number in changed:
            if number not in self._contents:
                insort(self._numbers, number)
            self._contents[number] = contents[number]
        if min(changed) <= self._upto:
            self._rewind(min(changed))
        return list(self._settle())

    def provisional(self) -> dict[str, Rating]:
        """Return settled ratings with every finished event beyond the first open one folded in as well."""
        # On copies: provisional ratings are shown, but nothing is ever built on them.
        ratings, days = dict(self._ratings), dict(self._days)
        for number in self._numbers[bisect_right(self._numbers, self._upto) :]:
            content = self._contents[number]
            if isinstance(content, Event):
                ratings.update((entry, after) for entry, _, after in self._rated(content, ratings, days))
        return ratings

    def _settle(self) -> Iterator[Change]:
        """Fold further events until one is open."""
        for index in range(bisect_right(self._numbers, self._upto), len(self._numbers)):
            number = self._numbers[index]
            content = self._contents[number]
            # An open event stops the fold: its result may still change the ratings with which later ones are counted.
            if content is Slot.OPEN:
                return
            self._upto = number
            if isinstance(content, Event):
                yield from self._apply(content)

    def _apply(self, event: Event) -> Iterator[Change]:
        self._seq += 1
        for entry, before, after in self._rated(event, self._ratings, self._days):
            self._ratings[entry] = after
            yield Change(self._seq, event.number, entry, before, after)
        # By the count of folded events, not by time: the same results have the same checkpoints on every machine.
        if self._seq % self._every == 0:
            # A copy: ratings go on changing, and a checkpoint must not.
            ratings = MappingProxyType(dict(self._ratings))
            self._checkpoints.append(Checkpoint(event.number, self._seq, ratings, MappingProxyType(dict(self._days))))

    def _rated(
        self, event: Event, ratings: Mapping[str, Rating], days: dict[str, int]
    ) -> list[tuple[str, Rating, Rating]]:
        """Rate an event: (entry, before, after) of everybody in it. days: of the last event of each, brought up to
        date.
        """
        before = [[ratings.get(entry) or self._born(entry, ratings) for entry in side] for side in event.sides]
        if self.params.a_day:
            before = [
                [self._aged(entry, own, event.day, days) for entry, own in zip(side, olds, strict=True)]
                for side, olds in zip(event.sides, before, strict=True)
            ]
        after = self._rater.rate(before, event.ranks)
        return [
            line
            for entries, olds, news in zip(event.sides, before, after, strict=True)
            for line in zip(entries, olds, news, strict=True)
        ]

    def _aged(self, entry: str, rating: Rating, day: int, days: dict[str, int]) -> Rating:
        """Return a rating on the day of an event; days never go back, no matter what order matches were made in."""
        # Matches end in another order than they were made: a negative age would make a rating surer than it was.
        since = max(0, day - days.get(entry, day))
        days[entry] = max(day, days.get(entry, day))
        return aged(rating, since, a_day=self.params.a_day, params=self.params) if since else rating

    def _rewind(self, number: int) -> None:
        """Go back to the last checkpoint before that event."""
        count = bisect_left([checkpoint.upto for checkpoint in self._checkpoints], number)
        # Later checkpoints hold ratings that the change may have made wrong.
        del self._checkpoints[count:]
        self._restore(self._checkpoints[-1])

    def _restore(self, checkpoint: Checkpoint) -> None:
        self._ratings, self._days = dict(checkpoint.ratings), dict(checkpoint.days)
        self._upto, self._seq = checkpoint.upto, checkpoint.seq


def fold(contents: Mapping[int, Content] | Iterable[Event], params: Params | None = None) -> Fold:
    """Fold everything from scratch."""
    made = Fold(params)
    made.put(contents if isinstance(contents, Mapping) else {event.number: event for event in contents})
    return made
