"""What a target means for an ordinary card, by how many cards of its month lie there. Source: rules.md 3.1, 3.2."""

from __future__ import annotations

import pytest

from engine.action import LEAVE, NONE, RETURN, TRIPLE, UNNAMED, Action
from engine.cards import card_index
from engine.errors import Refusal
from engine.games.sakura import refusal
from engine.games.sakura.state import SakuraState
from tests.engine.worlds import a_world

FIRST, SECOND, FOURTH, ELSEWHERE = (card_index(code) for code in ("03.1", "03.2", "03.4", "08.1"))
CAPTURE, CHOICE, BAD, NO_MATCH = (
    Refusal.CAPTURE_REQUIRED, Refusal.CHOICE_REQUIRED, Refusal.BAD_TARGET, Refusal.NO_MATCH,
)  # fmt: skip

Table = dict[int, tuple[int | Refusal, ...]]

# By the number of matches, 0 to 3 and 3 of which one may be taken: the target of the listed action, or the refusal.
PLAYED: Table = {
    UNNAMED: (UNNAMED, UNNAMED, CHOICE, UNNAMED, UNNAMED),
    NONE: (UNNAMED, CAPTURE, CAPTURE, CAPTURE, CAPTURE),
    LEAVE: (UNNAMED, CAPTURE, CAPTURE, CAPTURE, CAPTURE),
    RETURN: (Refusal.RETURN_NOT_ALLOWED,) * 5,
    TRIPLE: (NO_MATCH, BAD, BAD, UNNAMED, UNNAMED),
    FIRST: (NO_MATCH, UNNAMED, FIRST, CAPTURE, FIRST),
    SECOND: (NO_MATCH, BAD, SECOND, CAPTURE, SECOND),
    FOURTH: (NO_MATCH, BAD, BAD, BAD, BAD),
    ELSEWHERE: (NO_MATCH, BAD, BAD, BAD, BAD),
}
"""A hand card, 03.4."""
FLIPPED: Table = {
    UNNAMED: (CHOICE, CHOICE),
    NONE: (CAPTURE, CAPTURE),
    LEAVE: (CAPTURE, CAPTURE),
    RETURN: (Refusal.RETURN_NOT_ALLOWED,) * 2,
    TRIPLE: (BAD, TRIPLE),
    FIRST: (FIRST, FIRST),
    SECOND: (SECOND, SECOND),
    FOURTH: (BAD, BAD),
    ELSEWHERE: (BAD, BAD),
}
"""A card turned up, 03.4, that waits: it matches two, or three of which one may be taken."""


def table(matches: int, *, is_optional: bool, hand: str, pile: str) -> SakuraState:
    field = " ".join(["08.1", *(f"03.{rank}" for rank in range(1, matches + 1))])
    options = {"triple_capture": "optional" if is_optional else "mandatory"}
    return a_world(p0=hand, p1="05.1 06.1", field=field, pile=pile, options=options)


def meant(kind: str, card: int, verdict: int | Refusal) -> Action | Refusal:
    return verdict if isinstance(verdict, Refusal) else Action.of(kind, card, verdict)


@pytest.mark.parametrize("take", PLAYED)
@pytest.mark.parametrize("column", range(5))
def test_a_hand_card_and_its_target(take: int, column: int) -> None:
    state = table(min(column, 3), is_optional=column == 4, hand="03.4 01.1", pile="07.4 12.1")
    found = refusal.check_legality(state, Action.of("play", FOURTH, take), 0)
    assert found is meant("play", FOURTH, PLAYED[take][column])


@pytest.mark.parametrize("take", FLIPPED)
@pytest.mark.parametrize("column", range(2))
def test_a_card_turned_up_and_its_target(take: int, column: int) -> None:
    state = table(2 + column, is_optional=column == 1, hand="01.1 02.1", pile="03.4 12.1")
    state.apply(Action.of("play", card_index("01.1")))
    assert (state.phase, state.pending) == ("flip_choice", FOURTH)
    found = refusal.check_legality(state, Action.of("draw_take", take=take), 0)
    assert found is meant("draw_take", UNNAMED, FLIPPED[take][column])
