"""The table as a seat sees it, as lines of text: for `render` and for prompts."""

from __future__ import annotations

from engine.cards import CARDS, INDEX
from engine.course import Course
from engine.game import game_of

_SHOWN = ("phase", "hand", "hand_n", "field", "tray", "pile_n")


def table_lines(course: Course, seat: int) -> list[str]:
    """Return what a seat sees: cards by code and name, then everything else that its game tells it."""
    told = game_of(course.ruleset.game).observation(course.state, seat)
    lines = [
        f"Deal {course.deal}, seat p{seat}, dealer p{course.dealer}, phase {told['phase']}",
        f"Your hand: {cards_line(told['hand'])}",
        f"Field: {cards_line(told['field'])}",
    ]
    trays = told["tray"]
    assert isinstance(trays, list)
    lines += [f"Captured by side {side}: {cards_line(tray)}" for side, tray in enumerate(trays)]
    lines.append(f"Cards in the hands: {told['hand_n']}; in the pile: {told['pile_n']}; totals: {course.totals}")
    rest = {key: value for key, value in told.items() if key not in _SHOWN}
    lines.append("; ".join(f"{key}: {value}" for key, value in rest.items()))
    return lines


def cards_line(codes: object) -> str:
    """Return cards with their names.

    >>> cards_line(["03.1"])
    '03.1 (Cherry: Curtain)'
    >>> cards_line([])
    'nothing'
    """
    assert isinstance(codes, list)
    return ", ".join(f"{code} ({CARDS[INDEX[code]].en})" for code in codes) or "nothing"
