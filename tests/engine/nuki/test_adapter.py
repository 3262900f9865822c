"""The vector adapter of Nuki: it sees wrong vectors, knows the keys of rules.md 9, and plays random deals."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from engine.cards import CODES, NUKI_DECK, codes
from engine.deck import deck_order
from engine.games import ruleset
from engine.games.nuki import NUKI
from engine.games.nuki.scoring import outcome as outcome_of
from engine.games.nuki.state import NukiState
from engine.games.nuki.values import card_points
from tests.engine.nuki.tables import a_deal, seed_of
from tests.engine.vectors.files import PUBLIC, Vector, load
from tests.engine.vectors.running import run


def _vector(name: str) -> Vector:
    return next(vector for vector in load(PUBLIC) if vector["id"] == name)


@pytest.mark.parametrize(
    ("name", "part", "change"),
    [
        ("A03", "expect", {"total": 210}),
        ("N02", "expect", {"pile_left": 15}),
        ("N02", "expect", {"a_new_key": 1}),
        ("N03", "expect", {"pile_after_deal": [14, 7, 1]}),
        ("N04", "expect", {"carry_unchanged": False}),
        ("N05", "expect", {"captured_added": {}}),
        ("N09", "expect", {"carry_out": 1}),
        ("N12", "expect", {"group_b": {"name": "red", "kan": 2}}),
        ("N25", "expect", {"forced_out": []}),
        ("N25", "given", {"a_new_key": 1}),
        ("N26", "expect", {"pot_to": "p1"}),
        ("N28", "expect", {"active": ["p1"]}),
        ("N29", "expect", {"pot": 49}),
        ("N30", "expect", {"paid_by": {"p0": 32}}),
        ("N31", "expect", {"payment": {"p0": 140}}),
        ("N31", "expect", {"formed": {}}),
        ("N32", "expect", {"decision": True}),
        ("N32", "action", {"a_new_key": 1}),
        ("N33", "given", {"called_sage": ["p1"]}),
        ("N36", "expect", {"gross": {"p0": 35, "p1": 35}}),
        ("N37", "expect", {"kan": 10}),
        ("N40", "expect", {"formable": True}),
        ("N41", "given", {"end": "p1 shoubu"}),
        ("N43", "expect", {"chaff": {"p0": 2, "p1": 16}}),
        ("N46", "expect", {"diving": {}}),
        ("N48", "expect", {"diving": {"p0": 10, "p1": -10}}),
        ("N50", "given", {"points": {"p0": 105}}),
        ("N51", "expect", {"mizuten": {"p0": 40, "p1": -40}}),
        ("N54", "expect", {"reason": "BAD_TARGET"}),
        ("R07", "expect", {"card_points": [128, 83]}),
        ("R07", "expect", {"achievement_kan": [1, 0]}),
        ("R07", "expect", {"teyaku": [[None, None], [None, None]]}),
    ],
)
def test_the_adapter_sees_a_wrong_vector(name: str, part: str, change: dict[str, object]) -> None:
    vector = _vector(name)
    with pytest.raises(AssertionError):
        run({**vector, part: {**vector[part], **change}})


def nuki(given: dict[str, Any], action: Any, expect: dict[str, Any], **options: Any) -> Vector:
    return {
        "id": "X", "title": "", "preset": "nuki88", "options": options, "given": given, "action": action,
        "expect": expect,
    }  # fmt: skip


POETRY = {"poetry_ribbons": 7}

MORE: list[Vector] = [
    nuki(
        {"draws": {"p0": "01.3", "p1": "01.4"}}, {"first_dealer": True}, {"dealer": None, "drawn_again": ["p0", "p1"]},
    ),
    nuki(
        {"draws": {"p0": "01.3", "p1": "01.4", "p2": "02.1"}, "redraws": [{"p0": "06.1", "p1": "03.1"}]},
        {"first_dealer": True}, {"dealer": "p1", "drawn_again": ["p0", "p1"]},
    ),
    nuki({"players": [1, 2, 4, 5]}, {"validate": True}, {"valid": [False, True, True, False]}),
    nuki(
        {"cases": [{"players": 4, "teams": "2x2"}, [2, "solo"], 3]}, {"validate": True}, {"valid": [False, True, True]},
    ),
    nuki({"players": 5}, {"validate": True}, {"valid": False, "rejected": True, "reason": "BAD_SEATING"}),
    nuki({"carry": 2, "field": ["01.3", "02.3"]}, {"multiplier": True}, {"multiplier": 2, "carry_out": 1}),
    nuki(
        {"field": ["12.1", "01.3"]}, {"setup": True}, {"captured_added": {}, "play_continues": True, "turn": "dealer"},
    ),
    nuki({"hands": {"p0": ["01.3"], "p1": ["02.3"]}}, {"teyaku": True}, {"teyaku": [[None, None], [None, None]]}),
    nuki(
        {"players": 3, "answers": [["p0", "drop"], ["p1", "drop"], ["p2", "drop"]], "carry": 1}, {"join_drop": True},
        {"result": "misdeal", "redeal_by": "same dealer", "carry_unchanged": True, "counts_as_round": False,
         "paid_to_pot": {"p0": 10, "p1": 15, "p2": 20}, "pot": 45, "play_continues": False},
        dropout_penalty="hachi",
    ),
    nuki(
        {"players": 3, "mizuten": True, "answers": [["p0", "drop"]]}, {"join_drop": True},
        {"rejected": True, "reason": "COMMITTED"}, mizuten=True,
    ),
    nuki(
        {"turn": "p0", "called_sage": ["p1"], "dekiyaku": {"p0": POETRY}}, {"by": "p0", "call": "cancel"},
        {"rejected": True, "reason": "NO_SAGE", "state_unchanged": True},
    ),
    nuki(
        {"captured": {"p0": ["01.2", "02.2", "03.2"]}, "hands": {"p0": ["09.1"], "p1": ["06.1"]}, "turn": "p0"},
        {"by": "p0", "call": "sage"}, {"next_turn": "p1", "play_continues": True, "round_over": False},
    ),
    nuki(
        {"captured": {"p0": ["01.1"]}, "hands": {"p0": ["09.1"], "p1": ["06.1"]}, "turn": "p0"},
        {"by": "p0", "call": "shoubu"}, {"rejected": True, "reason": "WRONG_PHASE"},
    ),
    nuki({"chaff": {"p0": 19}}, {"hands_exhausted": True}, {"payment": {"p0": 180, "p1": -180}, "round_winner": "p0"}),
    nuki(
        {"teyaku": {"p0": {"triplet": 2}, "p1": [["red", 2], None]}, "dekiyaku": {"p1": POETRY}, "end": "p1 cancel",
         "pot": 15, "multiplier": 2},
        {"settle": True},
        {"payment": {"p0": -70, "p1": 85}, "net": {"p0": -70, "p1": 85}, "gross": {"p0": 40, "p1": 125},
         "payment_parts_to_p0": {"teyaku": 0, "dekiyaku": -70, "pot": 0, "teyaku_p1": -40}, "round_winner": "p1"},
    ),
    nuki({"claimed_group_b": True, "cases": [105, 106, 211]}, {"achievements": True}, {"escape_points": [0, 10, 10]}),
    nuki({"claimed_group_b": True, "points": [105, 106]}, {"achievements": True}, {"escape_points": [False, True]}),
    nuki({"claimed_group_b": {"p1": {"red": 2}}, "points": {"p1": 105}}, {"achievements": True}, {"escape": {}}),
    nuki(
        {"claimed": {"p1": {"haneken": "06"}}, "captured": {"p1": ["06.1", "06.2", "06.3", "06.4"]}},
        {"achievements": True}, {"diving": {}, "achievement_kan": [0, 0]}, diving_scope="triplet_only",
    ),
    nuki(
        {"players": 4, "dealer": "p1", "active": ["p1", "p3"], "mizuten": True, "points": {"p1": 80}},
        {"achievements": True}, {"mizuten": {"p1": -10, "p3": 10}}, mizuten=True,
    ),
    nuki({"totals": [10, -20, 10], "rounds": 12}, {"finish": True}, {"winners": ["p0", "p2"], "shared": True}),
    nuki({"round_scores": [[10, -10], [-30, 30]]}, {"totals": True}, {"totals": [-20, 20], "leader": "p1"}),
    nuki({"captured": {"p0": ["01.2", "02.2", "03.2"], "p1": []}}, {"dekiyaku": True}, {"dekiyaku": {"p0": POETRY}}),
    nuki(
        {"hands": {"p0": ["09.1"], "p1": ["06.1"]}, "field": ["08.1", "08.2"], "pile": ["08.3", "02.1"]},
        {"by": "p0", "play": "09.1", "flip_take": "08.1", "flip": "08.3"},
        {"captured_added": {"p0": ["08.1", "08.3"]}, "field_after": ["08.2", "09.1"], "pile_left": 1, "next_turn": "p1",
         "flipped": ["08.3"], "events": []},
    ),
    nuki(
        {"hands": {"p0": ["09.1"], "p1": ["06.1"]}, "field": ["08.1", "08.2"], "pile": ["08.3", "02.1"]},
        {"by": "p0", "play": "09.1"}, {"rejected": True, "reason": "CHOICE_REQUIRED"},
    ),
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(MORE)))
def test_other_keys_of_the_format(number: int) -> None:
    run(MORE[number])


def written_down(number: int) -> Vector | None:
    """A whole Deal of two, played at random, as a person would write it; None if it is thrown in."""
    seed, dealer = seed_of("as vector", number), number % 2
    order = deck_order(seed, 1, 0, NUKI_DECK)
    state = a_deal(order, dealer=dealer, carry=number % 3)
    if state is None:
        return None
    dealt = {"hands": {f"p{seat}": codes(hand) for seat, hand in enumerate(state.hands)}, "pile_left": 14}
    turns = _turns(state, Random(seed))
    outcome = outcome_of(state)
    expect = {
        "after_deal": dealt,
        "multiplier": state.multiplier,
        "carry_out": state.carry_out,
        "final_captured": {f"p{seat}": codes(pile) for seat, pile in enumerate(state.captured)},
        "card_points": [card_points(pile) for pile in state.captured],
        "payment": {f"p{seat}": points for seat, points in enumerate(outcome.score)},
        "round_winner": f"p{outcome.winner}",
        "next_dealer": f"p{NUKI.next_dealer(ruleset('nuki88').options, 2, dealer, outcome.winner)}",
        "field_left": codes(state.field),
        "round_over": True,
    }
    given = {
        "players": 2, "dealer": f"p{dealer}", "carry": number % 3, "deck_top_first": [CODES[card] for card in order],
        "claimed": {f"p{seat}": {claims.a.id: f"{claims.a.month:02}"} for seat, claims in enumerate(state.claims)
                    if claims and claims.a},
    }  # fmt: skip
    return nuki(given, turns, expect)


def _turns(state: NukiState, dice: Random) -> list[dict[str, Any]]:
    """One entry per turn or call."""
    turns: list[dict[str, Any]] = []
    while not state.is_over:
        action = dice.choice(state.legal_actions())
        if state.phase == "showdown":
            state.apply(action)
            continue
        played = NUKI.play(state, action)
        if action.kind == "draw_take":
            turns[-1]["draw_take"] = action.to_json()["draw_take"]
        else:
            turns.append({"by": played.event["by"], **action.to_json()})
        if "flip" in played.event:
            turns[-1]["flip"] = played.event["flip"]
    return turns


def test_a_deal_survives_being_written_down() -> None:
    played = [vector for vector in map(written_down, range(120)) if vector is not None]
    assert len(played) > 100
    for vector in played:
        run(vector)


def test_the_adapter_counts_both_decks() -> None:
    """Source: rules.md 1.1 for the values, 9.1 for the words of `deck`."""
    values = {"20": 5, "10": 9, "5": 10, "1": 24}
    whole = {"cards": 48, "total": 264, "by_value": values, "04.1": 10, "07.2": 5, "12.3": 1}
    run(nuki({"deck": "all 48"}, {"count": "values"}, whole))
    run(nuki({"deck": "nuki"}, {"count": "values"}, {"cards": 34, "total": 211, "12.2": 1}))
    with pytest.raises(AssertionError):
        run(nuki({"deck": "all 48"}, {"count": "values"}, {"total": 211}))
