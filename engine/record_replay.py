"""Playing a record again, from its own orders and moves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from engine.action import Action
from engine.cards import CODES, CardSet, card_set
from engine.course import FORFEIT, Course
from engine.deck import further_order
from engine.errors import BadAction, BadRecord, EngineError, IllegalAction
from engine.match import Match
from engine.notation import format_move, parse_move
from engine.record_read import Reading


@dataclass(slots=True)
class RecordOrders:
    """The orders that a record says were used, handed out in time; with the seed each further one is checked.

    A copy of a world may ask for the same shuffle again and gets the same order.
    """

    reading: Reading
    seed: bytes | None = None
    _used: dict[int, int] = field(default_factory=dict)
    _given: dict[tuple[str, int, int, CardSet], tuple[int, ...]] = field(default_factory=dict)

    def drawing(self, number: int) -> Sequence[int]:
        if number >= len(self.reading.draws):
            raise BadRecord("Those on the earliest month must draw again.", code="record.draws", where="draws")
        return self.reading.draws[number]

    def order(self, deal: int, redeal: int) -> tuple[int, ...]:
        order = self._next(deal)
        if len(order) != self.reading.deck.bit_count():  # each is a card of the deck, and comes once
            message = f"An order of the deck has {self.reading.deck.bit_count()} cards."
            raise BadRecord(message, code="record.orders", where=f"deal {deal}")
        return order

    def further(self, label: str, deal: int, number: int, cards: CardSet) -> tuple[int, ...]:
        key = (label, deal, number, cards)
        if key not in self._given:
            order = self._next(deal)
            where = f"deal {deal}, order {self._used[deal]}"
            if card_set(order) != cards:
                raise BadRecord("Other cards are shuffled here.", code="record.orders", where=where)
            if self.seed is not None:
                check_order(further_order(self.seed, label, deal, number, cards), order, where)
            self._given[key] = order
        return self._given[key]

    def _next(self, deal: int) -> tuple[int, ...]:
        deals = self.reading.deals
        used = self._used.get(deal, 0)
        if deal > len(deals) or used >= len(deals[deal - 1].orders):
            raise BadRecord("The match goes on, but no order is left.", code="record.orders", where=f"deal {deal}")
        self._used[deal] = used + 1
        return deals[deal - 1].orders[used]


def check_order(expected: Sequence[int], found: Sequence[int], where: str) -> None:
    """Raise BadRecord `record.order` at the first card that the seed gives otherwise."""
    for place, (should, card) in enumerate(zip(expected, found, strict=True), start=1):
        if should != card:
            message = f"The seed gives {CODES[should]} here, the record has {CODES[card]}."
            raise BadRecord(message, code="record.order", where=f"{where}, card {place}")


def replay(
    reading: Reading, seed: bytes | None = None, *, before_each: Callable[[Match, Action], None] | None = None
) -> Match:
    """The match of a record, played again to its end and told. Raises BadRecord at the first move that does not fit.

    seed: to check the shuffles inside the deals as well; which cards they are of is only known in play.
    before_each: called at every decision, with the action that the seat to act is about to do.
    """
    match = _start(reading, seed)
    for deal in reading.deals:
        for number, text in enumerate(deal.moves, start=1):
            where = f"deal {deal.number}, move {number}"
            # The record's own numbering must follow the engine's: a deal that is over early has no further moves.
            if match.is_over or match.deal != deal.number or match.move + 1 != number:
                raise BadRecord("The deal is not at this move.", code="record.move", where=where)
            action = _next_action(match, reading, text, where)
            if before_each is not None:
                before_each(match, action)
            match.apply(action)
    _forfeit(match, reading)
    # Where all but one side have forfeited nobody plays on for them.
    if not match.is_over and reading.result.get("end") == FORFEIT and match.is_decided:
        match.stop(FORFEIT)
    if not match.is_over:
        where = f"deal {match.deal}, move {match.move + 1}"
        raise BadRecord("The match goes on, but no move is left.", code="record.move", where=where)
    return match


def retrace(reading: Reading, seed: bytes | None = None) -> Course:
    """The course of a record, played again deal by deal: many times quicker than `replay`, which tells.

    seed: as in `replay`. Raises BadRecord as `replay` does, which then looks for the first move that does not fit.
    """
    try:
        course = Course(reading.ruleset, len(reading.bots), RecordOrders(reading, seed))
        for deal in reading.deals:
            moves = [parse_move(text) for text in deal.moves]
            log = course.deals[-1]
            course.play_deal([action for _, action in moves])
            # The quick way only says that something is wrong; `replay` finds the first move that is.
            if log.number != deal.number or log.moves != moves:
                return replay(reading, seed)
    except (BadAction, EngineError):
        return replay(reading, seed)
    # What a forfeited seat may play depends on the move: only `replay` looks at that.
    if reading.forfeits or not course.is_over:
        return replay(reading, seed)
    return course


def _start(reading: Reading, seed: bytes | None) -> Match:
    try:
        return Match(reading.ruleset, len(reading.bots), b"", orders=RecordOrders(reading, seed))
    # It names its place already.
    except BadRecord:
        raise
    except EngineError as error:
        raise BadRecord(str(error), code="record.draws", where="draws") from error


def _next_action(match: Match, reading: Reading, text: str, where: str) -> Action:
    """Return the action of a move of the record: by the seat on turn, legal, and written as the engine writes it."""
    try:
        seat, action = parse_move(text)
        wanted = match.state.resolve(action, seat=seat)
    except (BadAction, IllegalAction) as error:
        raise BadRecord(str(error), code="record.move", where=where) from error
    if format_move(seat, wanted) != text:
        message = f"The engine writes {format_move(seat, wanted)}."
        raise BadRecord(message, code="record.move", where=where)
    _check_forfeit(match, reading, seat, wanted, where)
    return wanted


def _check_forfeit(match: Match, reading: Reading, seat: int, action: Action, where: str) -> None:
    """A seat that has forfeited plays the first legal action to the end (tournaments.md 9)."""
    now = (match.deal, match.move + 1)
    gone = any(forfeit.seat == seat and (forfeit.deal, forfeit.move) <= now for forfeit in reading.forfeits)
    # Identity: `resolve` gives back the listed action itself.
    if gone and action is not match.legal_actions()[0]:
        message = f"Seat p{seat} has forfeited; its move is {format_move(seat, match.legal_actions()[0])}."
        raise BadRecord(message, code="record.forfeit", where=where)


def _forfeit(match: Match, reading: Reading) -> None:
    """Note the forfeits of the record where they can have happened."""
    for number, forfeit in enumerate(reading.forfeits, start=1):
        loading = (forfeit.deal, forfeit.move) == (0, 0)
        played = 1 <= forfeit.deal <= match.deal and 1 <= forfeit.move <= _last_move(match, forfeit.deal)
        if not (loading or played):
            raise BadRecord("There is no such move.", code="record.forfeit", where=f"forfeit {number}")
        match.forfeits.append(forfeit)


def _last_move(match: Match, deal: int) -> int:
    """Return the highest number that a forfeit in a deal can name: in a match that goes on, of the move to be made."""
    is_going_on = deal == match.deal and not match.is_over
    return len(match.deals[deal - 1].moves) + is_going_on
