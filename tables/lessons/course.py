"""A lesson as the fold of its answers: a deal from a fixed seed, played by the engine against the house.

Nothing of a lesson is stored. The learner's answers stand in its address; what the house answers follows from them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from tables.lessons.choosing import house_choice, view_of
from tables.lessons.shelf import Lesson
from tables.play.clocks import CLOCKS
from tables.play.fold import Fold, begin

LEARNER: Final = 0
HOUSE: Final = 1
SEATS: Final = 2
MAX_ANSWERS: Final = 40
"""More than a deal of any lesson asks for."""
BEGAN: Final = datetime(2026, 1, 1, tzinfo=UTC)
"""A lesson has no clock: any moment will do."""


class NoSuchStep(ValueError):
    """An answer that does not fit the deal: of an old address, or of one that somebody made up."""


@dataclass(frozen=True, slots=True)
class Step:
    """A row of the log: the answer of a seat (`tables.play.fold.Row`)."""

    n: int
    seat: int
    index: int | None
    code: str = ""
    at: datetime = BEGAN
    took_ms: int = 0


@dataclass(frozen=True, slots=True)
class Course:
    """A lesson after some answers. before: how many moves had been played when the last of them was given."""

    lesson: Lesson
    fold: Fold
    answers: tuple[int, ...]
    before: int

    @property
    def is_over(self) -> bool:
        """Return whether the deal is over."""
        return self.fold.match.is_over


def course_of(lesson: Lesson, answers: Sequence[int]) -> Course:
    """Return a lesson after the learner's answers, each an index into what was legal then.

    Raises NoSuchStep for one that was not legal.
    """
    fold = begin(lesson.rules, SEATS, lesson.seed_bytes, CLOCKS["casual"], BEGAN)
    before = 0
    _let_house_answer(fold, lesson.preset)
    for index in answers:
        question = fold.question
        if question is None or not 0 <= index < len(question.legal):
            raise NoSuchStep(index)
        before = fold.match.move
        fold.take([Step(fold.rows, LEARNER, index)])
        _let_house_answer(fold, lesson.preset)
    return Course(lesson, fold, tuple(answers), before)


def _let_house_answer(fold: Fold, preset: str) -> None:
    """Play on until the learner is asked, or the deal is over."""
    while (question := fold.question) is not None and question.seat == HOUSE:
        index = house_choice(view_of(fold.match, HOUSE, preset))
        fold.take([Step(fold.rows, HOUSE, index)])
