"""From the finished matches to who sits where: a pure function, worked out from the draw each time.

Correcting or reversing a result therefore is: call it again with the results that hold now.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from hashlib import sha256
from itertools import pairwise

from engine.words import gettext_noop
from tournaments.formats.elimination.model import Bracket, BracketMatch, BracketSeat, Ended, Feed, State
from tournaments.formats.errors import FormatError
from tournaments.formats.model import Reason

BY_POINTS = gettext_noop("Equal places were told apart by points.")
BY_LOTS = gettext_noop("Equal places and equal points were told apart by lots, drawn with the bracket.")
NOBODY = gettext_noop("Nobody who was there is left for a place that goes on: the seat above stays free.")

Done = dict[str, BracketMatch]


@dataclass(frozen=True, slots=True)
class Judge:
    """What places follow beyond the result. contenders: of a second final; everybody else only fills the table."""

    lots: str
    contenders: frozenset[str | None]

    def row(self, entry: str, place: int, score: Fraction, away: bool) -> tuple[bool, bool, int, Fraction, str, str]:
        """Smaller is better: there, in contention, place, points, lots."""
        outside = bool(self.contenders) and entry not in self.contenders
        lot = sha256(f"{self.lots}{entry}".encode()).hexdigest()
        return (away, outside, place, -score, lot, entry)


def advance(bracket: Bracket, finished: Iterable[Ended] = (), gone: Sequence[str] = ()) -> Bracket:
    """The bracket with these results, whatever it knew before.

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
    """The better of the draw wins."""
    order = sorted(match.entries, key=strength.__getitem__)
    return Ended(match.id, tuple(order), tuple(range(1, len(order) + 1)))


def _walk(
    bracket: Bracket, results: Mapping[str, Ended], out: tuple[str, ...], fill: Callable[[BracketMatch], Ended] | None
) -> Bracket:
    """Through the matches once: each comes after those that feed it. fill: ends what is ready and has no result."""
    done: Done = {}
    counted, stale = [], []
    for match in bracket.matches:
        seated = _seated(match, done)
        ended = results.get(match.id)
        if ended and not _fits(seated, ended, out):
            stale.append(match.id)
            ended = None
        if ended:
            counted.append(ended)
        judge = Judge(bracket.lots, _contenders(match, done))
        settled = _settled(seated, ended, out, judge)
        if fill and settled.state is State.READY:
            settled = _finished(settled, fill(settled), judge)
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
        sizes = {len(ended.places), len(ended.scores or ended.entries), len(ended.absent or ended.entries)}
        if sizes != {len(ended.entries)} or len(set(ended.entries)) != len(ended.entries):
            raise FormatError(f"the result of {ended.match} needs one place an entry", code="bracket.places")
        results[ended.match] = ended
    return results


def _seated(match: BracketMatch, done: Done) -> BracketMatch:
    """The match with everybody known so far; over already if it is a second final that nobody needs."""
    drawn = replace(match, state=State.WAITING, order=(), notes=())
    if match.after:
        first = done[match.after]
        if not first.is_over:
            return replace(drawn, seats=tuple(BracketSeat(seat.source) for seat in match.seats))
        unbeaten = {seat.entry for seat in first.seats[: match.unbeaten]}
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
    """Who can still win a second final: the unbeaten, and who won the first one. Of any other match: nobody named."""
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
    """Whether the result is of those who sit here; who is gone may be missing from it."""
    if ended.is_kept:
        return True
    if match.state is State.UNNEEDED or not all(seat.is_known for seat in match.seats):
        return False
    here, played = set(match.entries), set(ended.entries)
    return played <= here and here - played <= set(gone)


def _settled(match: BracketMatch, ended: Ended | None, gone: Sequence[str], judge: Judge) -> BracketMatch:
    """The match with its outcome, if it has one."""
    if ended and ended.is_kept:
        seats = tuple(_kept(seat, index, ended) for index, seat in enumerate(match.seats))
        match = replace(match, seats=seats, state=State.WAITING, order=())
    if match.state is State.UNNEEDED or not all(seat.is_known for seat in match.seats):
        return match
    here = match.entries
    if not here:
        return replace(match, state=State.EMPTY, order=(None,) * len(match.seats))
    if ended:
        return _finished(match, ended, judge)
    left = [entry for entry in gone if entry in here][: max(0, len(here) - match.advance)]
    if len(here) - len(left) > match.advance:
        return replace(match, state=State.READY)
    order = (*(entry for entry in here if entry not in left), *reversed(left))
    return replace(match, state=State.WALKOVER, order=(*order, *(None,) * (len(match.seats) - len(order))))


def _kept(seat: BracketSeat, index: int, ended: Ended) -> BracketSeat:
    return replace(seat, entry=ended.entries[index] if index < len(ended.entries) else None, is_known=True)


def _finished(match: BracketMatch, ended: Ended, judge: Judge) -> BracketMatch:
    """Places by result, then points, then lots; who did not play comes last."""
    blank = (Fraction(0),) * len(ended.entries)
    there = (False,) * len(ended.entries)
    given = zip(ended.entries, ended.places, ended.scores or blank, ended.absent or there, strict=True)
    rows = sorted(judge.row(*each) for each in given)
    missing = (entry for entry in match.entries if entry not in ended.entries)
    present = tuple(row[-1] for row in rows if not row[0])
    absent = (*(row[-1] for row in rows if row[0]), *missing)
    order, notes = _places(match, present, absent)
    level = [(one, other) for one, other in pairwise(rows) if one[:3] == other[:3]]
    if any(one[3] != other[3] for one, other in level):
        notes = (*notes, Reason("bracket.by_points", BY_POINTS))
    if any(one[3] == other[3] for one, other in level):
        notes = (*notes, Reason("bracket.by_lots", BY_LOTS))
    return replace(match, state=State.FINISHED, order=order, notes=notes)


def _places(
    match: BracketMatch, present: tuple[str, ...], absent: tuple[str, ...]
) -> tuple[tuple[str | None, ...], tuple[Reason, ...]]:
    """(entries by place, notes). Nobody absent goes on; if nobody was there, nobody goes down either."""
    seats = len(match.seats)
    if not present:
        return (None,) * seats, (Reason("bracket.nobody", NOBODY),)
    free = (None,) * max(0, match.advance - len(present))
    order = (*present, *free, *absent)[:seats]
    notes = (Reason("bracket.nobody", NOBODY),) if free and absent else ()
    return (*order, *(None,) * (seats - len(order))), notes
