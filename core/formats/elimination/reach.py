"""Possible meetings, read off the feeds of a bracket before anything is played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

from core.formats.elimination.model import BracketMatch, Feed

# Above any round: a bracket of that many rounds would have 2**99 entries.
NEVER = 99


class Paths:
    """For entries of a fresh bracket: the upper matches each reaches by going on, round by round."""

    def __init__(self, matches: Sequence[BracketMatch]) -> None:
        upper = [match for match in matches if match.round.startswith("W")]
        self._level = {match.id: int(match.round[1:]) for match in upper}
        after: dict[str, list[str]] = {match.id: [] for match in upper}
        self._start: dict[str, str] = {}
        for match in upper:
            for seat in match.seats:
                if isinstance(seat.source, str):
                    self._start[seat.source] = match.id
                elif isinstance(seat.source, Feed):
                    after[seat.source.match].append(match.id)
        self._onward = after
        self._known: dict[str, frozenset[str]] = {}

    def meet(self, one: str, other: str) -> int:
        """The first upper round in which two entries may meet if they go on till then; NEVER if none."""
        shared = self._from(self._start[one]) & self._from(self._start[other])
        return min((self._level[name] for name in shared), default=NEVER)

    def has_bye(self, entry: str, matches: Mapping[str, BracketMatch]) -> bool:
        """Return whether the entry's first match is not a match of the first round with somebody else."""
        first = matches[self._start[entry]]
        return first.round != "W1" or sum(isinstance(seat.source, str) for seat in first.seats) < 2

    def _from(self, name: str) -> frozenset[str]:
        if name not in self._known:
            onward = [self._from(following) for following in self._onward[name]]
            self._known[name] = frozenset({name}).union(*onward)
        return self._known[name]


def first_rematch(matches: Sequence[BracketMatch]) -> str:
    """The first round, in order of play, in which two who have met may meet again; "" if none. Byes meet nobody."""
    past: dict[str, list[frozenset[Feed]]] = {}
    for match in matches:
        pasts = [_past(seat.source, past) for seat in match.seats if _is_somebody(seat.source, past)]
        if match.after or any(_again(one, other) for one, other in combinations(pasts, 2)):
            return match.round
        past[match.id] = pasts
    return ""


def _is_somebody(source: object, past: dict[str, list[frozenset[Feed]]]) -> bool:
    """Return whether anybody can sit here."""
    return source is not None and (not isinstance(source, Feed) or source.place <= len(past[source.match]))


def _past(source: object, past: dict[str, list[frozenset[Feed]]]) -> frozenset[Feed]:
    """Every (match with an opponent, place) that anyone who sits here may have behind them."""
    if not isinstance(source, Feed):
        return frozenset()
    before = past[source.match]
    # A walk-over is no meeting.
    here = frozenset({source}) if len(before) > 1 else frozenset()
    return here.union(*before)


def _again(one: frozenset[Feed], other: frozenset[Feed]) -> bool:
    """Return whether some match may have had both: reached from different places of it."""
    places: dict[str, set[int]] = {}
    for feed in one:
        places.setdefault(feed.match, set()).add(feed.place)
    # From the same place of a match only one entry comes: two of them are the same one, not opponents.
    return any(feed.match in places and places[feed.match] != {feed.place} for feed in other)
