"""The table: plays one match of n bots and writes its record. No database, no Celery, no clock of its own to judge by.

Web, kit and tests all call `play`; that is what "local equals production" means.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from typing import Any

from bots.errors import InfraFault
from bots.runner.player import Launcher
from bots.runner.seat import NOT_ASKED, Seat, SeatReading, Spent
from bots.runner.spec import MatchSpec
from engine import record
from engine.errors import EngineError
from engine.game import Forfeit
from engine.match import Match

__all__ = ["Played", "ReplayMismatch", "SeatReading", "play"]


class ReplayMismatch(InfraFault):
    """The engine contradicts itself: no bot's fault, and playing again will not help. The match is to be held."""

    def __init__(self, message: str) -> None:
        super().__init__("table.replay_mismatch", message)


@dataclass(frozen=True, slots=True)
class Played:
    """A finished match. document: the record with hash and view (engine.record); the caller verifies it."""

    document: dict[str, Any]
    forfeits: tuple[Forfeit, ...]
    seats: tuple[SeatReading, ...]


def play(spec: MatchSpec, launcher: Launcher, *, heartbeat: Callable[[], None] | None = None) -> Played:
    """Play the match to its end, no matter what the bots do.

    heartbeat: called before each bot is loaded and before each move; what it raises ends the match unplayed (a lost
    lease). Raises InfraFault when the match must be played again by no fault of a bot, ReplayMismatch when it must be
    held, ValueError when the spec has not one bot for each seat. Every bot process is gone when this returns.
    """
    if len(spec.bots) != spec.seats:
        raise ValueError(f"{spec.seats} seats need as many bots, not {len(spec.bots)}")
    match = Match(spec.ruleset, spec.seats, spec.seed)
    seats = [Seat(number, spec) for number in range(spec.seats)]
    with ExitStack() as closing:
        for seat in seats:
            # Registered before it is opened: a seat that fails halfway is closed as well.
            closing.callback(seat.close)
            if heartbeat is not None:
                heartbeat()
            seat.open(launcher, match)
        spent = _play_on(match, seats, heartbeat)
    document = _written(spec, match, [[move.cpu_ms for move in deal] for deal in spent])
    readings = tuple(seat.reading() for seat in seats)
    document["view"] |= {
        "clock": asdict(spec.clock),
        "cpu": [_used(reading, len(spent)) for reading in readings],
        "wall": [[move.wall_ms for move in deal] for deal in spent],
    }
    return Played(document, tuple(match.forfeits), readings)


def _used(reading: SeatReading, deals: int) -> dict[str, object]:
    """Return what the view says of a seat's clock: CPU milliseconds in all, loading included, and of its bank in each
    deal.
    """
    return {"ms": round(reading.cpu_ms), "bank": [reading.bank_ms.get(deal, 0) for deal in range(1, deals + 1)]}


def _play_on(match: Match, seats: Sequence[Seat], heartbeat: Callable[[], None] | None) -> list[list[Spent]]:
    """Play every move; what each took, deal by deal.

    The engine itself ends a match of 5,000 moves (`cap`).
    """
    spent: list[list[Spent]] = []
    while not match.is_over:
        if heartbeat is not None:
            heartbeat()
        deal = match.deal
        while len(spent) < deal:
            spent.append([])
        spent[deal - 1].append(_move(match, seats[match.seat_to_act]))
    return spent


def _move(match: Match, seat: Seat) -> Spent:
    """Play one move: the bot's answer if there is a choice and the bot is well, else the first legal action.

    Returns what it took.
    """
    legal = match.legal_actions()
    index, spent = 0, NOT_ASKED
    # A forced move is not asked for: it would cost a round trip and tell nothing.
    if len(legal) > 1 and seat.is_playing:
        index, spent = seat.decide(match, len(legal))
    try:
        # A seat that forfeited plays the first legal action to the end, so that the match of the others stays a whole
        # one.
        match.apply(legal[index])
    except EngineError as error:
        raise ReplayMismatch(f"deal {match.deal}: the engine refuses its own legal action. {error}") from error
    return spent


def _written(spec: MatchSpec, match: Match, ms: list[list[int]]) -> dict[str, Any]:
    try:
        return record.write(
            match,
            match_id=spec.match_id,
            fair=dict(spec.fair),
            bots=[f"sha256:{bot.version_hash}" for bot in spec.bots],
            preset=spec.preset,
            ms=ms,
        )
    except EngineError as error:
        raise ReplayMismatch(f"the record cannot be written. {error}") from error
