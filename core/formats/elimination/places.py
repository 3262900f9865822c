"""Places of the entries that are out: entries that go out at the same point share a range."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from core.formats.elimination.advance import played_out
from core.formats.elimination.model import Bracket, BracketMatch, Feed, Kind

Point = tuple[int, int]
"""Point at which an entry goes out: (how late the round is, 0 = last; place there)."""


@dataclass(frozen=True, slots=True)
class Placed:
    """An entry that is out, or the winner: from best to worst place, and in which match it ended."""

    entry: str
    best: int
    worst: int
    match: str


def places(bracket: Bracket) -> tuple[Placed, ...]:
    """Return everybody who has no match left, best first. A bracket without results places nobody."""
    ranges = _ranges(bracket)
    out = [Placed(entry, *ranges[point], name) for entry, (point, name) in exits(bracket).items() if point in ranges]
    rank = {entry: number for number, entry in enumerate(bracket.entries)}
    return tuple(sorted(out, key=lambda item: (item.best, rank[item.entry])))


def consoled(bracket: Bracket) -> dict[str, int]:
    """Return the best place that those can still have who play on in a consolation bracket: they are out of the other.

    Nobody in any other bracket.
    """
    if bracket.kind is not Kind.SINGLE or not any(label[0] == "L" for label in bracket.rounds):
        return {}
    ranges = _ranges(bracket)
    last = [label for label in bracket.rounds if label[0] == "L"][-1]
    best, _worst = ranges.get((list(reversed(bracket.rounds)).index(last), 1), (1, 1))
    playing = (match for match in bracket.matches if match.round[0] == "L" and not match.is_over)
    return {entry: best for match in playing for entry in match.entries}


def _ranges(bracket: Bracket) -> dict[Point, tuple[int, int]]:
    """Return from best to worst place by the point at which entries go out."""
    # Played out once, so that ranges are known before all who share one are out.
    sizes = Counter(point for point, _ in exits(played_out(bracket)).values())
    worst, ranges = len(bracket.entries), {}
    for point in sorted(sizes, reverse=True):
        ranges[point] = (worst - sizes[point] + 1, worst)
        worst -= sizes[point]
    return ranges


def exits(bracket: Bracket) -> dict[str, tuple[Point, str]]:
    """Map entries that are out to (the point, the match they went out in)."""
    late = {label: number for number, label in enumerate(reversed(bracket.rounds))}
    last: dict[str, BracketMatch] = {}
    waiting: set[str] = set()
    for match in bracket.matches:
        for entry in match.entries:
            last[entry] = match
            if not match.is_over:
                waiting.add(entry)
    awaited = _open_feeds(bracket)
    out = {}
    for entry, match in last.items():
        place = match.order.index(entry) + 1 if entry in match.order else len(match.seats)
        # Not out: in an open match, or due in one that waits for its other seats.
        if entry not in waiting and not (entry in match.order and Feed(match.id, place) in awaited):
            out[entry] = ((late[match.round], _shared(match, entry, place)), match.id)
    return out


def _shared(match: BracketMatch, entry: str, place: int) -> int:
    """The best place of those who are level with an entry and go nowhere else, either."""
    group = next((group for group in match.shared if entry in group), ())
    # Where nobody was there the order is empty, and all of them went out at the last place.
    return min((match.order.index(other) + 1 for other in group if other in match.order), default=place)


def _open_feeds(bracket: Bracket) -> set[Feed]:
    """The feeds of matches that are not over."""
    open_matches = [match for match in bracket.matches if not match.is_over]
    return {seat.source for match in open_matches for seat in match.seats if isinstance(seat.source, Feed)}
