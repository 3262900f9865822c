"""Playing a record again, from its own orders and moves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.action import Action
from engine.errors import BadAction, BadRecord, EngineError, IllegalAction
from engine.match import Match
from engine.notation import format_move, parse_move
from engine.record_read import Reading


@dataclass(frozen=True, slots=True)
class RecordOrders:
    """The orders that a record says were used."""

    reading: Reading

    def drawing(self, number: int) -> Sequence[int]:
        if number >= len(self.reading.draws):
            raise BadRecord("Those on the earliest month must draw again.", code="record.draws", where="draws")
        return self.reading.draws[number]

    def order(self, deal: int, redeal: int) -> Sequence[int]:
        deals = self.reading.deals
        if deal > len(deals) or redeal >= len(deals[deal - 1].orders):
            raise BadRecord("The match goes on, but no order is left.", code="record.orders", where=f"deal {deal}")
        return deals[deal - 1].orders[redeal]


def replay(reading: Reading) -> Match:
    """The match of a record, played again to its end. Raises BadRecord at the first move that does not fit."""
    match = _start(reading)
    for deal in reading.deals:
        for number, text in enumerate(deal.moves, start=1):
            where = f"deal {deal.number}, move {number}"
            if match.is_over or match.deal != deal.number or match.move + 1 != number:
                raise BadRecord("The deal is not at this move.", code="record.move", where=where)
            _play(match, reading, text, where)
    if not match.is_over:
        where = f"deal {match.deal}, move {match.move + 1}"
        raise BadRecord("The match goes on, but no move is left.", code="record.move", where=where)
    _forfeit(match, reading)
    return match


def _start(reading: Reading) -> Match:
    try:
        return Match(reading.ruleset, len(reading.bots), b"", orders=RecordOrders(reading))
    except BadRecord:
        raise
    except EngineError as error:
        raise BadRecord(str(error), code="record.draws", where="draws") from error


def _play(match: Match, reading: Reading, text: str, where: str) -> None:
    """Play one move of the record: by the seat on turn, legal, and written as the engine writes it."""
    try:
        seat, action = parse_move(text)
        wanted = match.state.resolve(action, seat=seat)
    except (BadAction, IllegalAction) as error:
        raise BadRecord(str(error), code="record.move", where=where) from error
    if format_move(seat, wanted) != text:
        message = f"The engine writes {format_move(seat, wanted)}."
        raise BadRecord(message, code="record.move", where=where)
    _check_forfeit(match, reading, seat, wanted, where)
    match.apply(wanted)


def _check_forfeit(match: Match, reading: Reading, seat: int, action: Action, where: str) -> None:
    """A seat that has forfeited plays the first legal action to the end (tournaments.md 9)."""
    now = (match.deal, match.move + 1)
    gone = any(forfeit.seat == seat and (forfeit.deal, forfeit.move) <= now for forfeit in reading.forfeits)
    if gone and action is not match.legal_actions()[0]:
        message = f"Seat p{seat} has forfeited; its move is {format_move(seat, match.legal_actions()[0])}."
        raise BadRecord(message, code="record.forfeit", where=where)


def _forfeit(match: Match, reading: Reading) -> None:
    """Note the forfeits of the record where they can have happened."""
    for number, forfeit in enumerate(reading.forfeits, start=1):
        loading = (forfeit.deal, forfeit.move) == (0, 0)
        played = 1 <= forfeit.deal <= match.deal and 1 <= forfeit.move <= len(match.deals[forfeit.deal - 1].moves)
        if not (loading or played):
            raise BadRecord("There is no such move.", code="record.forfeit", where=f"forfeit {number}")
        match.forfeits.append(forfeit)
