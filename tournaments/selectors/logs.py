"""What a bot printed during a match, laid beside the moves. For its owner, for nobody else."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from accounts.models import User
from bots.selectors.owned import may_see_inside
from tournaments.models import Seat

MOST_BYTES = 48_000
CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


@dataclass(frozen=True, slots=True)
class Piece:
    """What was printed before the answer at (deal, move); deal 0: while the bot was loaded."""

    deal: int
    move: int
    text: str


@dataclass(frozen=True, slots=True)
class SeatLog:
    """The log of one seat; `is_cut`: only its end is shown."""

    seat: Seat
    pieces: tuple[Piece, ...]
    is_cut: bool


def logs_of(seats: Sequence[Seat], viewer: User | None) -> list[SeatLog]:
    """The logs of the seats whose bots belong to the viewer. One query, none for a stranger."""
    own = [seat.pk for seat in seats if seat.bot_version and may_see_inside(seat.bot_version.bot, viewer)]
    if not own:
        return []
    rows = Seat.objects.filter(pk__in=own, log__isnull=False).select_related("log", "entry__player", "player")
    return [seat_log(row) for row in rows.order_by("index")]


def seat_log(seat: Seat) -> SeatLog:
    """The log of a seat cut into pieces at its marks; the end is kept when it is long."""
    data = seat.log.data() if seat.log is not None else b""
    first = max(0, len(data) - MOST_BYTES)
    marks = [tuple(mark) for mark in seat.log_marks] or [(0, 0, len(data))]
    pieces, start = [], 0
    for deal, move, end in [*marks, (*marks[-1][:2], len(data))]:
        text = readable(data[max(start, first) : end])
        start = max(start, end)
        if text:
            pieces.append(Piece(deal, move, text))
    return SeatLog(seat, tuple(pieces), first > 0)


def readable(data: bytes) -> str:
    """Printed bytes as text: what is no text and what steers a terminal becomes a visible sign."""
    return CONTROLS.sub("\N{REPLACEMENT CHARACTER}", data.decode("utf-8", "replace").replace("\r\n", "\n")).strip("\n")
