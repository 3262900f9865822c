"""Finished matches in rows, as the home page and the pages of people list them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from tournaments.models import Match, Player

PAIR: Final = 2


@dataclass(frozen=True, slots=True)
class RowSide:
    """A side of a finished match. figure: its points or victories; is_own: it is the reader's.

    face: whose emblem stands beside the name; of more than two sides there is room for names alone.
    """

    name: str
    figure: int | None
    won: bool
    is_own: bool
    face: Player | str = ""


@dataclass(frozen=True, slots=True)
class ReplayRow:
    """A finished match in one row. sides: the winner first, or the reader."""

    match: Match
    sides: Sequence[RowSide]

    @property
    def is_own(self) -> bool:
        """Return whether the reader, or a bot of theirs, is one of the sides."""
        return any(side.is_own for side in self.sides)

    @property
    def is_tied(self) -> bool:
        """Return whether several sides share the first place."""
        return sum(side.won for side in self.sides) > 1


def row_of(match: Match, is_own: Callable[[Player], bool] = lambda _player: False) -> ReplayRow:
    """Return the row of a match with its seats at hand; a side with several seats is named once.

    is_own: whether a player is the reader, or a bot of theirs: they stand first.
    """
    by_victories = match.stage.scoring == "round_victory"
    sides: dict[str, RowSide] = {}
    for seat in sorted(match.seats.all(), key=lambda seat: (seat.place or 99, seat.index)):
        player = seat.entry.player if seat.entry is not None else seat.player
        name = player.name if player is not None else str(seat)
        figure = seat.victories if by_victories else seat.points
        mine = player is not None and is_own(player)
        sides.setdefault(name, RowSide(name, figure, seat.place == 1, mine, player or name))
    found = sorted(sides.values(), key=lambda side: not side.is_own)
    return ReplayRow(match, found if len(found) == PAIR else [replace(side, face="") for side in found])
