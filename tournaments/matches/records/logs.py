"""Output of a bot during a match, split by deal and move. For its owner, for nobody else.

A traceback is printed before the seat forfeits, so it stands at the move that the forfeit names.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Final

from django.db.models import Q

from accounts.models import User
from bots.runner.printed import readable
from bots.selectors.owned import may_see_inside
from tournaments.models import Seat

# For all logs of a page together; the end of a log is shown, where a forfeit is.
MAX_BYTES: Final = 48_000
# A bot that prints a line a move in a long match has thousands: a page of them would be slow to read and to draw.
MAX_PIECES: Final = 600


@dataclass(frozen=True, slots=True)
class Piece:
    """Output before the answer at (deal, move); deal 0: while the bot was loaded.

    is_fault: here the seat forfeited.
    """

    deal: int
    move: int
    text: str
    is_fault: bool = False


@dataclass(frozen=True, slots=True)
class DealLog:
    """The pieces of one deal; deal 0: while the bot was loaded. is_fault: in it the seat forfeited."""

    deal: int
    pieces: tuple[Piece, ...]
    is_fault: bool

    @property
    def lines(self) -> int:
        """Number of lines that were printed."""
        return sum(piece.text.count("\n") + 1 for piece in self.pieces if piece.text)


@dataclass(frozen=True, slots=True)
class SeatLog:
    """The log of one seat, deal by deal; `is_cut`: only its end is shown."""

    seat: Seat
    deals: tuple[DealLog, ...]
    is_cut: bool


def logs_of(seats: Sequence[Seat], viewer: User | None) -> list[SeatLog]:
    """Return the logs of the seats whose bots belong to the viewer, and where a seat forfeited.

    One query, none for a stranger.
    """
    own = [seat.pk for seat in seats if seat.bot_version and may_see_inside(seat.bot_version.bot, viewer)]
    if not own:
        return []
    logged = Seat.objects.filter(Q(log__isnull=False) | Q(fault__isnull=False), pk__in=own)
    rows = list(logged.select_related("log", "entry__player", "player").order_by("index"))
    # The bytes of a page are shared by its logs, so that a match of seven bots of one owner is no larger.
    return [seat_log(row, most=MAX_BYTES // len(rows)) for row in rows]


def seat_log(seat: Seat, *, most: int = MAX_BYTES) -> SeatLog:
    """Cut the log of a seat into pieces at its marks; the last `most` bytes and 600 pieces of it."""
    data = seat.log.data() if seat.log is not None else b""
    first = max(0, len(data) - most)
    pieces = [piece for piece in _pieces(seat, data, first) if piece.text or piece.is_fault]
    shown = pieces[-MAX_PIECES:]
    return SeatLog(seat, tuple(_by_deal(shown)), first > 0 or len(shown) < len(pieces))


def _pieces(seat: Seat, data: bytes, first: int) -> Iterable[Piece]:
    """Yield a piece for each mark; output after the last mark belongs to it, a forfeit without a mark to its move."""
    fault = _place(seat.fault)
    marks = [(int(deal), int(move), int(end)) for deal, move, end in seat.log_marks]
    # A bot that printed nothing at its last move has no mark there: one is added, so that the forfeit is shown.
    if not marks or (fault is not None and marks[-1][:2] != fault):
        marks.append((*(fault or (0, 0)), len(data)))
    # The marks were made at answers; what came after the last of them is the end of the log.
    marks[-1] = (*marks[-1][:2], len(data))
    start = 0
    for deal, move, end in marks:
        # Cut in bytes, so the first character may be half of one: `readable` replaces it.
        text = readable(data[max(start, first) : end])
        start = max(start, end)
        yield Piece(deal, move, text, is_fault=(deal, move) == fault)


def _place(fault: dict[str, object] | None) -> tuple[int, int] | None:
    return (int(str(fault.get("deal", 0))), int(str(fault.get("move", 0)))) if fault else None


def _by_deal(pieces: Iterable[Piece]) -> Iterable[DealLog]:
    for deal, group in groupby(pieces, key=attrgetter("deal")):
        found = tuple(group)
        yield DealLog(deal, found, any(piece.is_fault for piece in found))
