"""A table as the fold of its decks and its answers, pure: whose turn it is, what the clocks say, who has left.

Nothing else decides how a table stands: the same rows give the same fold in every process, at any time.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from engine.action import Action
from engine.course import FORFEIT
from engine.game import Ruleset
from engine.match import Match
from tables.play.clocks import Clock


class Row(Protocol):
    """A row of the log (`tables.models.Answer`)."""

    @property
    def n(self) -> int: ...
    @property
    def seat(self) -> int: ...
    @property
    def index(self) -> int | None: ...
    @property
    def code(self) -> str: ...
    @property
    def at(self) -> datetime: ...
    @property
    def took_ms(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Question:
    """A decision that a seat is asked for. n: its number among the questions to this seat, from 1, as in Protocol v1.

    at: when it was asked; left_ms: what the seat's clock has for it.
    """

    seat: int
    n: int
    legal: tuple[Action, ...]
    at: datetime
    left_ms: int


@dataclass(slots=True)
class Fold:
    """How a table stands after its first `rows` answers. asked_at: when the present question was asked.

    left_ms: per seat, what its clock has for its next decision; questions: per seat, how many it answered.
    took_ms: per deal, what each move took, 0 for moves that nobody was asked for. heard: per seat, how many public
    events there were when each of its questions was asked.
    """

    match: Match
    clock: Clock
    asked_at: datetime
    left_ms: list[int]
    questions: list[int]
    rows: int = 0
    took_ms: list[list[int]] = field(default_factory=list)
    heard: list[list[int]] = field(default_factory=list)

    @property
    def gone(self) -> frozenset[int]:
        """Return the seats that have forfeited."""
        return frozenset(forfeit.seat for forfeit in self.match.forfeits)

    @property
    def question(self) -> Question | None:
        """Return what is asked now; None when the match is over."""
        seat = self.match.seat_to_act
        if seat < 0:
            return None
        return Question(seat, self.questions[seat] + 1, self.match.legal_actions(), self.asked_at, self.left_ms[seat])

    def take(self, rows: Iterable[Row]) -> None:
        """Take in further rows, in their order. Raises ValueError for one that does not follow, or does not fit."""
        for row in rows:
            if row.n != self.rows:
                raise ValueError(f"row {row.n} does not follow {self.rows} rows")
            if row.index is None:
                self.match.forfeit(row.seat, row.code)
            else:
                self._answer(row.seat, row.index, row.took_ms)
            self.rows += 1
            self.asked_at = row.at
            self._play_on()

    def _answer(self, seat: int, index: int, took_ms: int) -> None:
        legal = self.match.legal_actions()
        if seat != self.match.seat_to_act or not 0 <= index < len(legal):
            raise ValueError(f"seat {seat} cannot answer {index} here")
        self.questions[seat] += 1
        self.left_ms[seat] = self.clock.after(self.left_ms[seat], took_ms)
        self._apply(legal[index], took_ms)

    def _play_on(self) -> None:
        """Play what nobody is asked for: moves without a choice, and those of seats that have forfeited."""
        match = self.match
        if match.forfeits and match.is_decided:
            match.stop(FORFEIT)
        gone = self.gone
        while not match.is_over:
            legal = match.legal_actions()
            if len(legal) > 1 and match.seat_to_act not in gone:
                self._note_heard(match.seat_to_act)
                return
            self._apply(legal[0], 0)

    def _note_heard(self, seat: int) -> None:
        # Once for each question: a seat that leaves meanwhile does not ask it again.
        if len(self.heard[seat]) == self.questions[seat]:
            self.heard[seat].append(self.match.event_count)

    def _apply(self, action: Action, took_ms: int) -> None:
        deal = self.match.deal
        while len(self.took_ms) < deal:
            self.took_ms.append([])
        # Before it is played: the move may end the deal, and the next one begins at once.
        self.took_ms[deal - 1].append(took_ms)
        self.match.apply(action)


def begin(ruleset: Ruleset, seats: int, seed: bytes, clock: Clock, dealt_at: datetime) -> Fold:
    """Return the table as it was dealt. Raises BadSeating if the seats do not fit the ruleset."""
    fold = Fold(Match(ruleset, seats, seed), clock, dealt_at, [clock.first_ms] * seats, [0] * seats)
    fold.heard = [[] for _seat in range(seats)]
    fold._play_on()
    return fold
