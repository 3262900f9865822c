"""Hands that count as they are dealt. rules.md 7.1, R87, R88."""

from __future__ import annotations

import pytest

from engine.cards import codes, parse_cards
from engine.games import ruleset
from engine.games.poka.teyaku import BY_ID, TEYAKU, counting, teyaku_of
from tests.engine.poka.tables import dealing, dealt, hand

NOTHING = "01.1 03.1 05.1 07.1 09.1 11.1"
JANUARY = "01.1 01.3 01.4 05.1 06.2 07.3"
GHOSTS = "01.1 01.2 02.1 05.1 06.2 07.3"
STICKY = "03.1 03.2 08.1 08.2 09.1 09.4"
FOUR = "03.1 03.2 03.3 03.4 09.1 10.4"


@pytest.mark.parametrize(
    ("cards", "name", "shown"),
    [
        (FOUR, "buttakuri", "03.1 03.2 03.3 03.4"),
        ("12.1 12.2 12.3 12.4 02.1 02.2", "buttakuri", "12.1 12.2 12.3 12.4"),
        ("01.1 01.2 01.3 01.4 02.1 05.1", "buttakuri", "01.1 01.2 01.3 01.4"),
        (GHOSTS, "ghost_triplet", "01.1 01.2 02.1"),
        ("01.1 01.2 01.3 02.1 06.1 07.1", "ghost_triplet", "01.1 01.2 02.1"),
        ("01.1 01.2 02.1 02.3 07.1 07.2", "ghost_triplet", "01.1 01.2 02.1"),
        (JANUARY, "january_triplet", "01.1 01.3 01.4"),
        ("01.2 01.3 01.4 02.1 02.2 02.3", "january_triplet", "01.2 01.3 01.4"),
        (STICKY, "triple_sticky", STICKY),
        ("01.3 01.4 02.3 02.4 12.3 12.4", "triple_sticky", "01.3 01.4 02.3 02.4 12.3 12.4"),
    ],
)
def test_the_teyaku_of_a_hand_and_the_cards_that_make_it(cards: str, name: str, shown: str) -> None:
    found = teyaku_of(parse_cards(cards))
    assert found is not None
    assert found.kind.id == name
    assert codes(found.cards) == shown.split()


@pytest.mark.parametrize(
    "cards",
    [
        NOTHING,
        "01.1 01.2 03.1 04.1 05.1 06.1",
        "03.1 03.2 03.3 04.1 04.2 05.1",
        "03.1 03.2 04.1 04.2 05.1 06.1",
        "02.1 02.2 02.3 05.1 06.1 07.1",
        "03.1 03.2 04.1 04.2",
    ],
)
def test_other_hands_have_none(cards: str) -> None:
    assert teyaku_of(parse_cards(cards)) is None


def test_what_each_is_worth() -> None:
    assert {kind.id: kind.points for kind in TEYAKU} == {
        "buttakuri": 5, "ghost_triplet": 2, "january_triplet": 2, "triple_sticky": 2,
    }  # fmt: skip
    assert [kind.id for kind in TEYAKU if kind.wins_match] == ["buttakuri"]
    assert list(BY_ID) == [kind.id for kind in TEYAKU]


@pytest.mark.parametrize(
    ("p0", "p1", "seat"),
    [
        (NOTHING, "02.3 04.1 06.1 08.1 10.1 12.1", None),
        (JANUARY, "02.3 04.1 06.1 08.1 10.1 12.1", 0),
        ("02.3 04.1 06.1 08.1 10.1 12.1", JANUARY, 1),
        (JANUARY, STICKY, None),
        (STICKY, GHOSTS, None),
        (JANUARY, FOUR, 1),
        (FOUR, GHOSTS, 0),
        (FOUR, "12.1 12.2 12.3 12.4 02.1 02.2", None),
    ],
)
def test_whose_counts(p0: str, p1: str, seat: int | None) -> None:
    assert counting([teyaku_of(parse_cards(p0)), teyaku_of(parse_cards(p1))]) == seat


def test_one_teyaku_ends_the_deal_unplayed() -> None:
    state = dealt(ruleset("poka5"), dealing(NOTHING, "03.2 03.3 08.1 08.2 10.1 10.2", "12.1"))
    assert state.is_over
    assert state.seat_to_act == -1
    assert state.legal_actions() == ()
    outcome = state.outcome()
    assert (outcome.reason, outcome.points, outcome.score) == ("triple_sticky", 2, (0, 2))
    assert (outcome.winner, outcome.winning_side, outcome.victories) == (1, 1, (0, 1))
    assert not outcome.ends_match


def test_equal_teyaku_are_void_and_the_dealer_begins() -> None:
    state = dealt(ruleset("poka5"), dealing(JANUARY, STICKY, "10.1"))
    assert not state.is_over
    assert state.seat_to_act == 0
    assert [shown and shown.kind.id for shown in state.shown] == ["january_triplet", "triple_sticky"]
    assert hand(state, 0) == JANUARY.split()
    with pytest.raises(ValueError, match="not over"):
        state.outcome()


def test_buttakuri_beats_two_points_and_ends_the_match() -> None:
    outcome = dealt(ruleset("poka5"), dealing(JANUARY, FOUR, "10.1")).outcome()
    assert (outcome.reason, outcome.score, outcome.winner, outcome.ends_match) == ("buttakuri", (0, 5), 1, True)
