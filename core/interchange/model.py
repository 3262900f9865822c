"""A two-seat event as files exchange it: plain values, no database, no clock.

Players are known by their pairing number: 1 is the top of the starting order. Seats are "first" and "second"; FIDE
files call them white and black.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from fractions import Fraction

HALF = Fraction(1, 2)


class Mark(StrEnum):
    """End of a game for one player. The values are the letters of a TRF."""

    WON = "1"
    DREW = "="
    LOST = "0"
    WALKOVER = "+"  # the opponent did not turn up
    NO_SHOW = "-"
    OPEN = " "  # paired, no result yet


class Away(StrEnum):
    """Reason why a player has no opponent in a round. The values are the letters of a TRF."""

    BYE = "U"  # given by the pairing; worth `Event.bye`
    FULL = "F"
    HALF = "H"
    ABSENT = "Z"  # excused, withdrawn, or not there yet


PLAYED = frozenset({Mark.WON, Mark.DREW, Mark.LOST})
WORTH = {
    Mark.WON: Fraction(1),
    Mark.WALKOVER: Fraction(1),
    Mark.DREW: HALF,
    Mark.LOST: Fraction(0),
    Mark.NO_SHOW: Fraction(0),
    Mark.OPEN: Fraction(0),
}


@dataclass(frozen=True, slots=True)
class Player:
    """A player. number: for pairing. rank: in the standings, 0 = work it out from the points. rating: 0 = none."""

    number: int
    name: str
    rank: int = 0
    rating: int = 0


@dataclass(frozen=True, slots=True)
class Game:
    """One game. first, second: numbers of the players in the first and the second seat; marks follow them."""

    round: int
    first: int
    second: int
    marks: tuple[Mark, Mark]


@dataclass(frozen=True, slots=True)
class UnplayedRound:
    """A round without an opponent."""

    round: int
    player: int
    kind: Away


@dataclass(frozen=True, slots=True)
class Event:
    """One event.

    rounds: as planned, at least those played. bye: what a bye given by the pairing is worth (0, 1/2 or 1).
    top_first: whether the lot gave player 1 the first seat in round 1; None = not recorded.
    tie_breaks: by what equal points are told apart, in our own names, as far as a report can say it.
    is_round_robin: everybody meets everybody. A round without game or rest counts as an absence.
    """

    name: str
    players: tuple[Player, ...]
    games: tuple[Game, ...]
    unplayed: tuple[UnplayedRound, ...] = ()
    rounds: int = 0
    bye: Fraction = Fraction(1)
    top_first: bool | None = None
    starts: date | None = None
    ends: date | None = None
    tie_breaks: tuple[str, ...] = ()
    is_round_robin: bool = False

    @property
    def last_round(self) -> int:
        """The last round with a game."""
        return max((game.round for game in self.games), default=0)

    def worth(self, kind: Away) -> Fraction:
        """Points of a round without an opponent."""
        return {Away.BYE: self.bye, Away.FULL: Fraction(1), Away.HALF: HALF, Away.ABSENT: Fraction(0)}[kind]

    def points(self) -> dict[int, Fraction]:
        """The sum of results of each player up to the last round with a game."""
        total = {player.number: Fraction(0) for player in self.players}
        for game in self.games:
            for number, mark in zip((game.first, game.second), game.marks, strict=True):
                total[number] += WORTH[mark]
        for rest in self.unplayed:
            if rest.round <= self.last_round:
                total[rest.player] += self.worth(rest.kind)
        return total
