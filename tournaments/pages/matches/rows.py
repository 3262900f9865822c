"""Finished matches in rows, as the home page and the pages of people list them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tournaments.models import Match, Player


@dataclass(frozen=True, slots=True)
class ReplayRow:
    """A finished match in one row. sides: (name, points or victories, has won), the winner first, or the reader.

    own: the name of the side that is the reader's, "" where that is not asked; rival: who played against it, None where
    several did.
    """

    match: Match
    sides: Sequence[tuple[str, int | None, bool]]
    own: str = ""
    rival: Player | None = None

    @property
    def is_tied(self) -> bool:
        """Return whether several sides share the first place."""
        return sum(won for _, _, won in self.sides) > 1


def row_of(match: Match, is_own: Callable[[Player], bool] = lambda _player: False) -> ReplayRow:
    """Return the row of a match with its seats at hand; a side with several seats is named once.

    is_own: whether a player is the reader, or a bot of theirs: they stand first.
    """
    by_victories = match.stage.scoring == "round_victory"
    sides: dict[str, tuple[str, int | None, bool]] = {}
    players: dict[str, Player | None] = {}
    for seat in sorted(match.seats.all(), key=lambda seat: (seat.place or 99, seat.index)):
        player = seat.entry.player if seat.entry is not None else seat.player
        name = player.name if player is not None else str(seat)
        sides.setdefault(name, (name, seat.victories if by_victories else seat.points, seat.place == 1))
        players.setdefault(name, player)
    own = next((name for name, player in players.items() if player is not None and is_own(player)), "")
    rival = next(player for name, player in players.items() if name != own) if own and len(sides) == 2 else None
    return ReplayRow(match, sorted(sides.values(), key=lambda side: side[0] != own), own, rival)
