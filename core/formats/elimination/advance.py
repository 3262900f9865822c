"""From the finished matches to who sits where: a pure function, worked out from the draw each time.

Correcting or reversing a result therefore is: call it again with the results that hold now.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from hashlib import sha256
from itertools import groupby

from core.formats.elimination.model import Bracket, BracketMatch, BracketSeat, Ended, Feed, State
from core.formats.errors import FormatError
from core.formats.model import Reason
from engine.words import gettext_noop

BY_POINTS = gettext_noop("Tied places were decided by points.")
BY_LOTS = gettext_noop("Tied places with equal points were decided by lots, drawn with the bracket.")
BY_DECISION = gettext_noop("Tied entries were separated afterwards: by extra deals, or by a decision.")
IN_ORDER = gettext_noop("All tied entries advance; the better one in the draw takes the better seat.")
NOBODY = gettext_noop("Nobody is left to advance to this place, so its seat in the next match stays free.")

Done = dict[str, BracketMatch]


Key = tuple[bool, bool, int, Fraction, tuple[Fraction, ...]]
"""What decides, the smaller first: absent, out of contention, place, score, and what told equal ones apart."""


@dataclass(frozen=True, slots=True)
class Criteria:
    """Rules for places beyond the result. contenders: of a second final; everybody else only fills the table.

    strength: by entry its number in the draw. gone: who has left: of those who are level the others go on.
    """

    lots: str
    contenders: frozenset[str | None]
    strength: Mapping[str, int]
    gone: tuple[str, ...]

    def key(self, ended: Ended, index: int) -> Key:
        """Smaller is better. index: of an entry of the result."""
        entry = ended.entries[index]
        outside = bool(self.contenders) and entry not in self.contenders
        away = bool(ended.absent) and ended.absent[index]
        score = ended.scores[index] if ended.scores else Fraction(0)
        # Absence first: an absent entry comes after all others, even with a better place on paper.
        return (away, outside, ended.places[index], -score, ended.ties[index] if ended.ties else ())

    def last(self, entry: str, *, by_lots: bool) -> tuple[str, int]:
        """Return the order of those whom nothing tells apart: by lots, else by the draw."""
        if by_lots:
            return (sha256(f"{self.lots}{entry}".encode()).hexdigest(), 0)
        return ("", self.strength.get(entry, len(self.strength)))

    def left(self, entry: str) -> int:
        """Return 0 for an entry that is still there; of those who left, less for one that left later."""
        return len(self.gone) - self.gone.index(entry) if entry in self.gone else 0


@dataclass(frozen=True, slots=True)
class Row:
    """An entry of a result with what decides its place."""

    key: Key
    entry: str


def advance(bracket: Bracket, finished: Iterable[Ended] = (), gone: Sequence[str] = ()) -> Bracket:
    """The bracket with these results, no matter what it knew before.

    gone: withdrawn or disqualified, in the order in which they left; they lose what is not finished without playing,
    and who left later ranks higher. A result that does not fit who sits in its match is left out and listed in
    `stale`, unless it is kept on purpose.
    Raises FormatError "bracket.match" (no such match), "bracket.twice" (two results of one match) or
    "bracket.places" (tuples of a result that do not fit together).
    """
    return _walk(bracket, _by_match(bracket, finished), tuple(dict.fromkeys(gone)), None)


def played_out(bracket: Bracket) -> Bracket:
    """The bracket as it would end if the better of the draw won every match still open: for counting."""
    strength = {entry: number for number, entry in enumerate(bracket.entries)}
    results = {ended.match: ended for ended in bracket.finished}
    return _walk(bracket, results, bracket.gone, lambda match: chalk(match, strength))


def chalk(match: BracketMatch, strength: Mapping[str, int]) -> Ended:
    """Return the end in which the better of the draw wins."""
    order = sorted(match.entries, key=strength.__getitem__)
    return Ended(match.id, tuple(order), tuple(range(1, len(order) + 1)))


def _walk(
    bracket: Bracket, results: Mapping[str, Ended], out: tuple[str, ...], fill: Callable[[BracketMatch], Ended] | None
) -> Bracket:
    """Walk the matches once: each comes after those that feed it. fill: ends what is ready and has no result."""
    done: Done = {}
    counted, stale = [], []
    strength = {entry: number for number, entry in enumerate(bracket.entries)}
    for match in bracket.matches:
        seated = _seated(match, done)
        ended = results.get(match.id)
        # After a correction another entry may be due here. The result is not lost: it is listed as stale, for a person
        # to decide.
        if ended and not _fits(seated, ended, out):
            stale.append(match.id)
            ended = None
        if ended:
            counted.append(ended)
        criteria = Criteria(bracket.lots, _contenders(match, done), strength, out)
        settled = _settled(seated, ended, out, criteria)
        if fill and settled.state in (State.READY, State.LEVEL):
            settled = _finished(replace(settled, level=(), room=0), fill(settled), criteria)
        done[match.id] = settled
    return replace(bracket, matches=tuple(done.values()), finished=tuple(counted), gone=out, stale=tuple(stale))


def _by_match(bracket: Bracket, finished: Iterable[Ended]) -> Mapping[str, Ended]:
    results: dict[str, Ended] = {}
    names = {match.id for match in bracket.matches}
    for ended in finished:
        if ended.match not in names:
            bracket.match(ended.match)
        if ended.match in results:
            raise FormatError(f"{ended.match} has two results; pass the one that holds", code="bracket.twice")
        given = (
            ended.places,
            ended.scores or ended.entries,
            ended.absent or ended.entries,
            ended.ties or ended.entries,
        )
        sizes = set(map(len, given))
        if sizes != {len(ended.entries)} or len(set(ended.entries)) != len(ended.entries):
            raise FormatError(f"the result of {ended.match} needs one place an entry", code="bracket.places")
        results[ended.match] = ended
    return results


def _seated(match: BracketMatch, done: Done) -> BracketMatch:
    """The match with everybody known so far; over already if it is a second final that nobody needs."""
    drawn = replace(match, state=State.WAITING, order=(), notes=(), level=(), room=0, shared=())
    if match.after:
        first = done[match.after]
        if not first.is_over:
            return replace(drawn, seats=tuple(BracketSeat(seat.source) for seat in match.seats))
        unbeaten = {seat.entry for seat in first.seats[: match.unbeaten]}
        # The unbeaten side won (or nobody was there): everybody else has lost twice, so there is nothing to reset.
        if first.order[0] is None or first.order[0] in unbeaten:
            nobody = tuple(BracketSeat(seat.source, None, is_known=True) for seat in match.seats)
            return replace(drawn, seats=nobody, state=State.UNNEEDED, order=(None,) * len(nobody))
    seats: list[BracketSeat] = []
    for seat in match.seats:
        filled = _filled(seat, done)
        if filled.entry is not None and any(filled.entry == other.entry for other in seats):
            filled = BracketSeat(seat.source, None, is_known=True)  # due twice after a result was kept
        seats.append(filled)
    return replace(drawn, seats=tuple(seats))


def _contenders(match: BracketMatch, done: Done) -> frozenset[str | None]:
    """Return who can still win a second final: the unbeaten, and who won the first one. Of any other match: nobody
    named.
    """
    if not match.after:
        return frozenset()
    first = done[match.after]
    return frozenset({*(seat.entry for seat in first.seats[: match.unbeaten]), *first.order[:1]})


def _filled(seat: BracketSeat, done: Done) -> BracketSeat:
    if not isinstance(seat.source, Feed):
        return BracketSeat(seat.source, seat.source, is_known=True)
    feeding = done[seat.source.match]
    if not feeding.is_over:
        return BracketSeat(seat.source)
    entry = feeding.order[seat.source.place - 1] if seat.source.place <= len(feeding.order) else None
    return BracketSeat(seat.source, entry, is_known=True)


def _fits(match: BracketMatch, ended: Ended, gone: Sequence[str]) -> bool:
    """Return whether the result is of those who sit here; who is gone may be missing from it."""
    if ended.stands:
        return True
    if match.state is State.UNNEEDED or not all(seat.is_known for seat in match.seats):
        return False
    here, played = set(match.entries), set(ended.entries)
    return played <= here and here - played <= set(gone)


def _settled(match: BracketMatch, ended: Ended | None, gone: Sequence[str], criteria: Criteria) -> BracketMatch:
    """Return the match with its outcome, if it has one."""
    if ended and ended.stands:
        seats = tuple(_with_result(seat, index, ended) for index, seat in enumerate(match.seats))
        match = replace(match, seats=seats, state=State.WAITING, order=())
    if match.state is State.UNNEEDED or not all(seat.is_known for seat in match.seats):
        return match
    here = match.entries
    if not here:
        return replace(match, state=State.EMPTY, order=(None,) * len(match.seats))
    if ended:
        return _finished(match, ended, criteria)
    # Only as many of those who left as there are too many: if too few are there, the last to leave goes on all the
    # same.
    left = [entry for entry in gone if entry in here][: max(0, len(here) - match.advance)]
    if len(here) - len(left) > match.advance:
        return replace(match, state=State.READY)
    # Reversed: who left later ranks higher.
    order = (*(entry for entry in here if entry not in left), *reversed(left))
    return replace(match, state=State.WALKOVER, order=(*order, *(None,) * (len(match.seats) - len(order))))


def _with_result(seat: BracketSeat, index: int, ended: Ended) -> BracketSeat:
    return replace(seat, entry=ended.entries[index] if index < len(ended.entries) else None, is_known=True)


def _finished(match: BracketMatch, ended: Ended, criteria: Criteria) -> BracketMatch:
    """Places by result, then points, then what was decided; who did not play comes last.

    Who is level after all of that and has room for some of them only waits for a decision.
    """
    rows = [Row(criteria.key(ended, index), entry) for index, entry in enumerate(ended.entries)]
    rows.sort(key=lambda row: (row.key, criteria.last(row.entry, by_lots=ended.by_lots)))
    missing = (entry for entry in match.entries if entry not in ended.entries)
    present = [row for row in rows if not row.key[0]]
    level = () if ended.by_lots else _level(present, match.advance, criteria.gone)
    if level:
        better = sum(row.key < level[0].key for row in present)
        waiting = tuple(row.entry for row in level)
        return replace(match, state=State.LEVEL, level=waiting, room=match.advance - better)
    present = present if ended.by_lots else _across(present, match.advance, criteria)
    rows = [*present, *(row for row in rows if row.key[0])]
    absent = (*(row.entry for row in rows if row.key[0]), *missing)
    order, notes = _places(match, tuple(row.entry for row in present), absent)
    shared = () if ended.by_lots else tuple(_shared(rows, match.advance))
    reasons = (*notes, *_reasons(rows, match.advance, by_lots=ended.by_lots))
    return replace(match, state=State.FINISHED, order=order, notes=reasons, shared=shared)


def _level(present: Sequence[Row], room: int, gone: Collection[str]) -> list[Row]:
    """Return those who are level where not all of them go on; nobody if that is decided. Who left does not go on."""
    if not 0 < room < len(present) or present[room - 1].key != present[room].key:
        return []
    level = [row for row in present if row.key == present[room].key]
    better = sum(row.key < level[0].key for row in present)
    there = [row for row in level if row.entry not in gone]
    return level if len(there) > room - better else []


def _across(present: list[Row], room: int, criteria: Criteria) -> list[Row]:
    """Order equals across the cut: those who are present, or left last, advance; each half stays in draw order.

    An entry that advanced keeps its place when it, or another one of the match, leaves later.
    """
    if not 0 < room < len(present) or present[room - 1].key != present[room].key:
        return present
    level = [row for row in present if row.key == present[room].key]
    start = present.index(level[0])
    on = {row.entry for row in sorted(level, key=lambda row: criteria.left(row.entry))[: room - start]}
    parted = [*(row for row in level if row.entry in on), *(row for row in level if row.entry not in on)]
    return [*present[:start], *parted, *present[start + len(level) :]]


def _shared(rows: Sequence[Row], room: int) -> Iterator[tuple[str, ...]]:
    """Groups of equals below those who go on."""
    for _key, group in groupby(rows[room:], key=lambda row: row.key):
        entries = tuple(row.entry for row in group)
        if len(entries) > 1:
            yield entries


def _reasons(rows: Sequence[Row], room: int, *, by_lots: bool) -> Iterator[Reason]:
    """Yield what decided beyond the result, where that is who goes on or who takes which seat."""
    equal = [[row for row in rows if row.key[:3] == key] for key in dict.fromkeys(row.key[:3] for row in rows)]
    equal = [group for group in equal if len(group) > 1]
    by_points = any(len({_points(row) for row in group}) > 1 for group in equal)
    if by_points:
        yield Reason("bracket.by_points", BY_POINTS)
    left = [[row for row in group if _points(row) == points] for group in equal for points in set(map(_points, group))]
    if any(len({row.key for row in group}) > 1 for group in left):
        yield Reason("bracket.by_decision", BY_DECISION)
    if len({row.key for row in rows}) < len(rows) and by_lots:
        yield Reason("bracket.by_lots", BY_LOTS)
    if len({row.key for row in rows[:room]}) < len(rows[:room]) and not by_lots:
        yield Reason("bracket.in_order", IN_ORDER)


def _points(row: Row) -> tuple[Fraction, ...]:
    """Score and points."""
    return (row.key[3], *row.key[4][:1])


def _places(
    match: BracketMatch, present: tuple[str, ...], absent: tuple[str, ...]
) -> tuple[tuple[str | None, ...], tuple[Reason, ...]]:
    """Return (entries by place, notes). Nobody absent goes on; if nobody was there, nobody goes down either."""
    seats = len(match.seats)
    if not present:
        return (None,) * seats, (Reason("bracket.nobody", NOBODY),)
    free = (None,) * max(0, match.advance - len(present))
    order = (*present, *free, *absent)[:seats]
    notes = (Reason("bracket.nobody", NOBODY),) if free and absent else ()
    return (*order, *(None,) * (seats - len(order))), notes
