"""Teyaku of a hand, what is shown of them, the choice between two triplets. rules.md 6.2, R55-R57."""

from __future__ import annotations

import pytest

from engine.cards import codes, parse_cards
from engine.errors import IllegalAction
from engine.games.nuki.teyaku import BY_ID, TEYAKU, claims_of, group_a, group_b, triplet_choice
from tests.engine.nuki.tables import an_order, dealt, listed, triplet

PLAIN = "01.1 02.1 03.2 06.1 08.2 09.3 10.3"


@pytest.mark.parametrize(
    ("hand", "name", "shown"),
    [
        ("06.1 06.2 06.3 01.1 02.2 09.1 10.1", "triplet", "06.1 06.2 06.3"),
        ("06.1 06.2 06.3 01.1 01.2 09.1 10.1", "triplet", "06.1 06.2 06.3"),
        ("06.1 06.2 09.1 09.2 12.1 12.2 01.1", "three_pairs", "06.1 06.2 09.1 09.2 12.1 12.2"),
        ("06.1 06.2 06.3 06.4 10.1 09.2 01.1", "four_of_a_kind", "06.1 06.2 06.3 06.4"),
        ("06.1 06.2 06.3 09.1 09.2 10.1 10.2", "haneken", "06.1 06.2 06.3 09.1 09.2 10.1 10.2"),
        ("11.1 11.2 11.3 11.4 01.3 01.4 02.3", "one_two_four", "11.1 11.2 11.3 11.4 01.3 01.4 02.3"),
        ("06.1 06.2 06.3 06.4 10.1 10.2 10.3", "four_three", "06.1 06.2 06.3 06.4 10.1 10.2 10.3"),
    ],
)
def test_group_a(hand: str, name: str, shown: str) -> None:
    claim = group_a(parse_cards(hand))
    assert claim is not None
    assert (claim.id, claim.kan) == (name, BY_ID[name].kan)
    assert claim.shown == parse_cards(shown)
    assert claim.month == (6 if name in ("triplet", "haneken") else 0)


@pytest.mark.parametrize("hand", [PLAIN, "01.1 01.2 02.1 02.2 03.1 06.1 08.1"])
def test_no_group_a(hand: str) -> None:
    assert group_a(parse_cards(hand)) is None


@pytest.mark.parametrize(
    ("hand", "name", "shown"),
    [
        ("01.2 02.2 03.3 06.3 08.3 09.3 11.2", "red", "03.3 06.3 08.3 09.3 11.2"),
        ("01.2 02.2 03.2 06.2 09.2 10.2 11.3", "red", "11.3"),
        ("01.2 02.3 03.3 06.3 08.3 09.3 11.3", "one_ribbon", "02.3 03.3 06.3 08.3 09.3 11.3"),
        ("02.1 11.2 11.4 01.3 03.3 06.3 09.3", "one_animal", "11.2 11.4 01.3 03.3 06.3 09.3"),
        ("08.1 11.1 12.2 01.3 03.3 06.3 09.3", "one_bright", "11.1 12.2 01.3 03.3 06.3 09.3"),
        ("11.1 11.2 11.3 12.2 03.3 06.3 09.3", "empty_hand", "11.1 11.2 11.3 12.2 03.3 06.3 09.3"),
    ],
)
def test_group_b_counts_every_willow_as_chaff_and_shows_only_chaff(hand: str, name: str, shown: str) -> None:
    claim = group_b(parse_cards(hand))
    assert claim is not None
    assert (claim.id, claim.month, codes(claim.shown)) == (name, 0, codes(parse_cards(shown)))


@pytest.mark.parametrize(
    "hand",
    [
        "08.1 01.2 12.2 01.3 03.3 06.3 09.3",
        "02.1 06.1 12.2 01.3 03.3 06.3 09.3",
        "01.1 03.1 12.2 01.3 03.3 06.3 09.3",
        "02.1 01.2 12.2 01.3 03.3 06.3 09.3",
        "02.1 01.2 02.2 01.3 03.3 06.3 09.3",
        "01.3 01.4 02.3",
        "",
    ],
)
def test_a_mixture_or_a_part_of_a_hand_has_no_group_b(hand: str) -> None:
    assert group_b(parse_cards(hand)) is None


def test_both_groups_add_up() -> None:
    claims = claims_of(parse_cards("11.1 11.2 11.3 11.4 01.3 01.4 02.3"))
    assert (claims.kan, [claim.id for claim in claims.both]) == (12, ["one_two_four", "empty_hand"])
    assert claims_of(parse_cards(PLAIN)).both == ()


def test_the_table_has_the_amounts_of_this_game() -> None:
    assert [(teyaku.id, teyaku.kan) for teyaku in TEYAKU] == [
        ("triplet", 2), ("three_pairs", 4), ("four_of_a_kind", 4), ("haneken", 8), ("one_two_four", 8),
        ("four_three", 20), ("red", 2), ("one_ribbon", 3), ("one_animal", 3), ("one_bright", 4), ("empty_hand", 4),
    ]  # fmt: skip


TWO = "06.1 06.2 06.3 09.1 09.2 09.3 01.1"


def test_of_two_triplets_the_named_one_or_else_the_earlier() -> None:
    hand = parse_cards(TWO)
    assert triplet_choice(hand) == (6, 9)
    assert claims_of(hand).a == group_a(hand, 6)
    for named, month in ((0, 6), (6, 6), (9, 9), (1, 6)):
        claim = group_a(hand, named)
        assert claim is not None
        assert (claim.id, claim.kan, claim.month) == ("triplet", 2, month)
        assert claim.shown == parse_cards("06.1 06.2 06.3" if month == 6 else "09.1 09.2 09.3")
    assert triplet_choice(parse_cards("06.1 06.2 06.3 06.4 09.1 09.2 09.3")) == ()


FIELD = "02.3 02.4 08.3 12.2 03.4 10.4"
OTHER = "01.2 02.1 03.1 06.4 08.1 10.1 11.1"


def test_the_holder_of_two_triplets_is_asked_before_play() -> None:
    state = dealt(an_order({0: TWO, 1: OTHER}, FIELD))
    assert (state.phase, state.turn) == ("showdown", 0)
    assert listed(state) == [{"triplet": 6}, {"triplet": 9}]
    assert state.claims == [None, None]
    with pytest.raises(IllegalAction, match="BAD_TARGET"):
        state.apply(triplet(1))
    with pytest.raises(IllegalAction, match="NOT_YOUR_TURN"):
        state.apply(triplet(9), seat=1)
    state.apply(triplet(9))
    assert (state.phase, state.turn) == ("hand", 0)
    assert state.claims[0] == claims_of(parse_cards(TWO), 9)
    assert state.claims[1] == claims_of(parse_cards(OTHER))


def test_the_dealer_claims_before_the_other_is_asked() -> None:
    state = dealt(an_order({1: TWO, 0: OTHER}, FIELD))
    assert (state.phase, state.turn) == ("showdown", 1)
    assert state.claims == [claims_of(parse_cards(OTHER)), None]
    state.apply(triplet(6))
    assert (state.phase, state.turn) == ("hand", 0)


def test_both_may_have_to_choose() -> None:
    state = dealt(an_order({0: TWO, 1: "01.2 01.3 01.4 10.1 10.2 10.3 02.1"}, FIELD, dealer=1), dealer=1)
    assert state.turn == 1
    state.apply(triplet(10))
    assert (state.phase, state.turn) == ("showdown", 0)
    state.apply(triplet(6))
    assert (state.phase, state.turn) == ("hand", 1)


def test_only_a_holder_of_two_triplets_is_asked() -> None:
    state = dealt(an_order({0: PLAIN, 1: OTHER.replace("02.1", "02.2").replace("10.1", "10.2")}, FIELD))
    assert state.phase == "hand"
    with pytest.raises(IllegalAction, match="WRONG_PHASE"):
        state.apply(triplet(6))
