"""Join or drop: who plays the Deal. Source: rules.md 6.3, R58, R59."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from engine.games.nuki.deal import turn_order

Answer: TypeAlias = Literal["play", "drop"]
ACTIVE: Final = 2
"""Players of a Deal, always."""
FIRST_PENALTY: Final = 10
PENALTY_STEP: Final = 5


@dataclass(frozen=True, slots=True)
class Table:
    """The participants, as far as they are known. Seats in turn order from the dealer.

    result: `open` (somebody has yet to answer), `play`, `no_game` (one volunteer) or `misdeal` (none).
    next: the seat to answer, None if nobody is asked any more. leader: the dealer for the Deal, None without one.
    """

    result: Literal["open", "play", "no_game", "misdeal"]
    volunteers: tuple[int, ...]
    dropped: tuple[int, ...]
    forced_out: tuple[int, ...]
    next: int | None
    leader: int | None


def join_or_drop(seats: int, dealer: int, answers: Sequence[tuple[int, Answer]], *, require_two: bool) -> Table:
    """The table after these answers. answers: in the order in which they were given, dealer first.

    require_two: as soon as only two are left who have not dropped, they play without being asked (further).
    """
    order = turn_order(dealer, seats)
    answer = dict(answers)
    dropped = tuple(seat for seat in order if answer.get(seat) == "drop")
    playing = tuple(seat for seat in order if answer.get(seat) == "play")
    silent = tuple(seat for seat in order if seat not in answer)
    # The rest are forced out: they hold a hand and were never asked (R58).
    if len(playing) == ACTIVE:
        return Table("play", playing, dropped, silent, None, playing[0])
    if require_two and seats - len(dropped) == ACTIVE:
        active = tuple(seat for seat in order if seat not in dropped)
        return Table("play", active, dropped, (), None, active[0])
    if silent:
        return Table("open", playing, dropped, (), silent[0], None)
    return Table("no_game" if playing else "misdeal", playing, dropped, (), None, None)


def drop_penalty(already: int, multiplier: int) -> int:
    """Points that a player who drops out pays into the pot. already: how many dropped before him in this deal."""
    return (FIRST_PENALTY + PENALTY_STEP * already) * multiplier
