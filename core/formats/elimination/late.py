"""Late entries: into a bye, or onto a free chair of a first-round table, never by drawing again."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from core.formats.elimination.advance import advance
from core.formats.elimination.figures import figures
from core.formats.elimination.model import Bracket, BracketMatch, BracketSeat, Feed, Kind
from core.formats.errors import FormatError
from core.formats.model import Reason
from engine.words import gettext_noop

LATE = gettext_noop("A late entry takes the bye: seed %(one)d now has an opponent.")


def join(bracket: Bracket, entry: str, started: Collection[str] = (), *, at: str = "") -> Bracket:
    """The bracket with a late entry, last in the draw; the weakest bye is taken first, so that top seeds keep theirs.

    started: matches that people are called to or play, or have played; nobody in them is moved. at: the match in which
    it was drawn, once it was.
    Raises FormatError "entries.twice" or "bracket.no_bye".
    """
    if entry in bracket.entries:
        raise FormatError("this entry is in the bracket already; nothing to do", code="entries.twice")
    rank = {name: number for number, name in enumerate(bracket.entries)}
    if at:
        return _seat(bracket, bracket.match(at), entry, rank)
    fed = {seat.source for match in bracket.matches for seat in match.seats if isinstance(seat.source, Feed)}
    rooms = [match for match in bracket.matches if _has_room(match, bracket, fed)]
    # The emptiest tables first, then the weakest entry with a bye: top seeds keep theirs longest.
    for match in sorted(rooms, key=lambda room: (len(_drawn(room)), -min(rank[name] for name in _drawn(room)))):
        joined = _seat(bracket, match, entry, rank)
        # Tried and looked at, not reasoned out: taking a bye back can move others in rounds already called.
        if _undisturbed(bracket, joined, {*started, *(ended.match for ended in bracket.finished)}):
            return joined
    raise FormatError("no bye is left that can be taken; put the entry on the waiting list", code="bracket.no_bye")


def _drawn(match: BracketMatch) -> list[str]:
    return [seat.source for seat in match.seats if isinstance(seat.source, str)]


def _has_room(match: BracketMatch, bracket: Bracket, fed: set[Feed]) -> bool:
    """Return whether a first-round match has somebody and a bye, and below it a seat for one more who loses."""
    here = len(_drawn(match))
    if match.round != "W1" or not 0 < here < len(match.seats):
        return False
    return bracket.kind is Kind.SINGLE or Feed(match.id, here + 1) in fed


def _seat(bracket: Bracket, match: BracketMatch, entry: str, rank: dict[str, int]) -> Bracket:
    chair = next(index for index, seat in enumerate(match.seats) if seat.source is None)
    why = Reason("bracket.late", LATE, (("one", min(rank[name] for name in _drawn(match)) + 1),))
    seats = (*match.seats[:chair], BracketSeat(entry), *match.seats[chair + 1 :])
    matches = tuple(replace(one, seats=seats, why=why) if one.id == match.id else one for one in bracket.matches)
    joined = replace(bracket, entries=(*bracket.entries, entry), matches=matches)
    counted = replace(figures(advance(joined)), clashes=bracket.figures.clashes)
    return advance(replace(joined, figures=counted), bracket.finished, bracket.gone)


def _undisturbed(before: Bracket, after: Bracket, started: Collection[str]) -> bool:
    """Return whether everybody who sits in a started match still does."""
    return not after.stale and all(before.match(name).entries == after.match(name).entries for name in started)
