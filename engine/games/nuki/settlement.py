"""Payments at the end of a Deal: pure functions of what both active players have. Source: rules.md 6.5.

Every amount is in points and already multiplied; a line is one payment from a seat (or the pot) to another.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from engine.cards import MONTH_MASKS, CardSet
from engine.games.nuki.values import ESCAPE_POINTS, KAN

POT: Final = -1
"""The pot, where a seat is named."""
SIXTEEN: Final = 16
SIXTEEN_KAN: Final = 12
EXTRA_CHAFF_KAN: Final = 2
ACHIEVEMENT_KAN: Final = 1

End: TypeAlias = Literal["shoubu", "cancel", "exhausted"]
Amounts: TypeAlias = Sequence[tuple[str, int]]
"""Ids with their value in kan."""


@dataclass(frozen=True, slots=True)
class Line:
    """One payment in points. code: what for (a part of the settlement); name: the id of the teyaku or dekiyaku."""

    code: str
    payer: int
    payee: int
    points: int
    name: str = ""


@dataclass(frozen=True, slots=True)
class Standing:
    """Holdings of an active player at the end. teyaku, dekiyaku: ids with kan; chaff with Willows; points of cards."""

    seat: int
    teyaku: Amounts = ()
    dekiyaku: Amounts = ()
    chaff: int = 0
    points: int = 0


Both: TypeAlias = tuple[Standing, Standing]


@dataclass(frozen=True, slots=True)
class Ending:
    """The end of a Deal. by: who called shoubu or cancel; first_sage: who called sage first; -1: nobody."""

    how: End
    by: int = -1
    first_sage: int = -1


def net(lines: Sequence[Line], seats: int) -> tuple[int, ...]:
    """Points per seat of all lines together; they sum to what left the pot.

    >>> net([Line("teyaku", 1, 0, 20)], 3)
    (20, -20, 0)
    """
    total = [0] * seats
    for line in lines:
        if line.payee != POT:
            total[line.payee] += line.points
        if line.payer != POT:
            total[line.payer] -= line.points
    return tuple(total)


def teyaku_lines(both: Both, multiplier: int) -> list[Line]:
    """Both players' teyaku: due however the Deal ends (R67)."""
    return [
        Line("teyaku", other.seat, own.seat, kan * KAN * multiplier, name)
        for own, other in (both, both[::-1])
        for name, kan in own.teyaku
    ]


def outcome_lines(both: Both, ending: Ending, multiplier: int) -> tuple[int, list[Line]]:
    """The seat that wins the Deal, and what it brings (R64, R65, R68)."""
    if ending.how != "exhausted":
        own, other = both if both[0].seat == ending.by else both[::-1]
        return own.seat, _dekiyaku(own, other, multiplier, half=ending.how == "cancel")
    if both[0].dekiyaku or both[1].dekiyaku:
        halves = [line for own, other in (both, both[::-1]) for line in _dekiyaku(own, other, multiplier, half=True)]
        # Who has a dekiyaku has called sage on it, or the deal would have ended: so somebody was first (R65).
        return ending.first_sage, halves
    # The deck counts 211, an odd number: the two piles can never be equal.
    own, other = both if both[0].points > both[1].points else both[::-1]
    for rich, poor in (both, both[::-1]):
        if rich.chaff >= SIXTEEN:
            kan = SIXTEEN_KAN + EXTRA_CHAFF_KAN * (rich.chaff - SIXTEEN)
            return rich.seat, [Line("sixteen_chaff", poor.seat, rich.seat, kan * KAN * multiplier)]
    return own.seat, [Line("card_points", other.seat, own.seat, (own.points - other.points) * multiplier)]


def _dekiyaku(own: Standing, other: Standing, multiplier: int, *, half: bool) -> list[Line]:
    """Return the lines of all dekiyaku of a player, or of half of each."""
    share = KAN // 2 if half else KAN
    code = "half_dekiyaku" if half else "dekiyaku"
    return [Line(code, other.seat, own.seat, kan * share * multiplier, name) for name, kan in own.dekiyaku]


def diving(captured: CardSet, month: int) -> bool:
    """Return whether all four cards of a claimed triplet's month (1..12, 0: no triplet) are captured."""
    return month > 0 and not MONTH_MASKS[month - 1] & ~captured


def escapes(points: int) -> bool:
    """Return whether card points are enough for Escape and Mizuten."""
    return points >= ESCAPE_POINTS


def achievement(code: str, payers: Sequence[int], payee: int, multiplier: int) -> list[Line]:
    """Charge one kan to each payer."""
    return [Line(code, payer, payee, ACHIEVEMENT_KAN * KAN * multiplier) for payer in payers]


def mizuten_lines(dealer: int, points: int, seats: int, opponent: int, multiplier: int) -> list[Line]:
    """The blind dealer is paid by everybody else at the table, or pays his active opponent only."""
    if escapes(points):
        return achievement("mizuten", [seat for seat in range(seats) if seat != dealer], dealer, multiplier)
    return achievement("mizuten", [dealer], opponent, multiplier)


def pot_lines(penalties: Mapping[int, int], winner: int) -> list[Line]:
    """Return what was paid into the pot (points by seat, multiplied when they were paid), and all of it to the
    winner.
    """
    paid = [Line("dropout", seat, POT, points) for seat, points in penalties.items() if points]
    pot = sum(line.points for line in paid)
    return [*paid, Line("pot", POT, winner, pot)] if pot else []


def compensation_lines(points: Mapping[int, int], payer: int, multiplier: int) -> list[Line]:
    """Return what forced-out players are paid by the active player who is not the dealer for the Deal."""
    return [Line("forced_out", payer, seat, amount * multiplier) for seat, amount in points.items() if amount]
