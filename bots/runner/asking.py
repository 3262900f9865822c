"""The questions to a seat in a match that is over, restored from the record alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from bots.runner.spec import STANDARD, Clock
from engine.errors import BadRecord
from engine.match import Match
from engine.notation import parse_move
from engine.record_read import Reading, read_document
from engine.record_replay import RecordOrders


@dataclass(slots=True)
class _Watch:
    """The seat's clock as the record's view has it: CPU milliseconds of each move, rounded."""

    clock: Clock
    used: int = 0
    bank: int = 0
    deal: int = 0

    def allowance(self, deal: int) -> int:
        if deal != self.deal:
            self.deal, self.bank = deal, self.clock.bank_ms
        # The same sum as `Seat._allowance_ms`, from rounded times.
        return max(1, min(self.clock.move_ms + self.bank, self.clock.match_ms - self.used))

    def charge(self, ms: int) -> None:
        self.used += ms
        self.bank = max(0, self.bank - max(0, ms - self.clock.move_ms))


@dataclass(frozen=True, slots=True)
class Question:
    """One question to a seat. number: 1, 2, 3 .. through the match; allowance_ms: CPU that the answer may cost.

    index: of the move in the record among the legal ones.
    """

    number: int
    deal: int
    move: int
    allowance_ms: int
    index: int
    _match: Match
    _reading: Reading
    _seat: int
    _since: int

    def observation(self) -> dict[str, Any]:
        """Return what the seat was shown, `legal` included. Call it before the next question is asked for."""
        return self._match.observation(
            self._seat,
            match_id=self._reading.match_id,
            preset=self._reading.preset,
            since=self._since,
            ms_left=self.allowance_ms,
        )


def questions(document: Mapping[str, Any], seat: int) -> Iterator[Question]:
    """Yield every question to `seat` (from 0), in order. A seat with a single legal action was not asked.

    Allowances are as the view's rounded times give them, loading left out. Raises BadRecord for a document that is
    none, or that ends before its match does.
    """
    reading = read_document(document)
    # No seed is needed: the record itself has the order of the cards in each deal.
    match = Match(reading.ruleset, len(reading.bots), b"", orders=RecordOrders(reading))
    watch = _Watch(_clock_of(document))
    number = seen = 0
    while not match.is_over:
        deal, move, legal = match.deal, match.move + 1, match.legal_actions()
        index = _played(reading, match, deal, move)
        if match.seat_to_act == seat and len(legal) > 1:
            number += 1
            yield Question(number, deal, move, watch.allowance(deal), index, match, reading, seat, seen)
            seen = match.event_count
            watch.charge(_ms(document, deal, move))
        match.apply(legal[index])


def asked_at(document: Mapping[str, Any], seat: int, deal: int, move: int) -> dict[str, Any] | None:
    """The observation of `seat` at a move, `legal` included; None where it was not asked.

    deal, move: from 1, as forfeits name them. Raises BadRecord for a document that is none.
    """
    for question in questions(document, seat):
        if (question.deal, question.move) == (deal, move):
            return question.observation()
    return None


def _played(reading: Reading, match: Match, deal: int, move: int) -> int:
    """The index of the move that the record has here."""
    moves = reading.deals[deal - 1].moves if deal <= len(reading.deals) else ()
    if move > len(moves):
        raise BadRecord("The match goes on, but no move is left.", code="record.move", where=f"deal {deal}")
    _, action = parse_move(moves[move - 1])
    return match.legal_actions().index(match.state.resolve(action))


def _clock_of(document: Mapping[str, Any]) -> Clock:
    figures = document.get("view", {}).get("clock")
    return Clock(**figures) if figures else STANDARD


def _ms(document: Mapping[str, Any], deal: int, move: int) -> int:
    moves = document["view"]["deals"][deal - 1]["moves"]
    return int(moves[move - 1].get("ms") or 0) if move <= len(moves) else 0
