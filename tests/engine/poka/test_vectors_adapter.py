"""The adapter of the Poka vectors sees what is wrong, knows every key that may occur, and reads whole Deals."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from engine.cards import CODES, codes
from engine.deck import deck_order
from engine.games import ruleset
from engine.games.poka import POKA
from tests.engine.poka.tables import dealt
from tests.engine.vectors.files import PUBLIC, Vector, load
from tests.engine.vectors.running import run
from tests.engine.worlds import seed_of


def public(name: str) -> Vector:
    return next(vector for vector in load(PUBLIC) if vector["id"] == name)


@pytest.mark.parametrize(
    ("name", "part", "change"),
    [
        ("P02", "expect", {"a_new_key": 1}),
        ("P02", "given", {"a_new_key": 1}),
        ("P02", "action", {"a_new_key": 1}),
        ("P33", "action", {"a_new_key": 1}),
        ("P02", "expect", {"legal": False}),
        ("P02", "expect", {"discard_top": "08.2"}),
        ("P02", "expect", {"hand_after": ["09.3"]}),
        ("P03", "expect", {"legal": True}),
        ("P03", "expect", {"reason": "NOT_IN_HAND"}),
        ("P12", "expect", {"reason": "ILLEGAL_DISCARD"}),
        ("P15", "expect", {"reason": "WRONG_PHASE"}),
        ("P16", "expect", {"accepted": False}),
        ("P17", "expect", {"turn": "p1"}),
        ("P17", "expect", {"flipped": "05.1"}),
        ("P17", "expect", {"pile_left": 2}),
        ("P17", "expect", {"step_2": {"turn": "p1"}}),
        ("P18", "expect", {"points": 1}),
        ("P18", "expect", {"scores": {"p0": 2, "p1": 0}}),
        ("P18", "expect", {"game_winner": "p0"}),
        ("P19", "expect", {"points": 1}),
        ("P20", "expect", {"points": 2}),
        ("P21", "expect", {"teyaku": "ghost_triplet"}),
        ("P27", "expect", {"play_continues": False}),
        ("P27", "expect", {"teyaku_points": {"p0": 2, "p1": 0}}),
        ("P28", "expect", {"game_winner": "p0"}),
        ("P30", "expect", {"reshuffled": ["04.1"]}),
        ("P30", "expect", {"kept_top": "04.1"}),
        ("P31", "expect", {"scores": {"p0": 5, "p1": 4}}),
        ("P31", "given", {"event": "p0 sneezes"}),
        ("P32", "given", {"scores": {"p0": 1, "p1": 1}}),
        ("P33", "expect", {"pile": 36}),
    ],
)
def test_a_wrong_vector_fails(name: str, part: str, change: dict[str, object]) -> None:
    vector = public(name)
    with pytest.raises(AssertionError):
        run({**vector, part: {**vector[part], **change}})


def a_vector(given: dict[str, Any], action: Any, expect: dict[str, Any], *, preset: str = "poka_gomon") -> Vector:
    return {"id": "X", "preset": preset, "given": given, "action": action, "expect": expect}


@pytest.mark.parametrize(
    ("given", "action", "expect"),
    [
        ({"cases": [2, 3, [2, "2x2"], {"players": 2}]}, {"validate": True}, {"valid": [True, False, False, True]}),
        ({"players": 2}, {"seat": True}, {"sides": ["A", "B"], "rejected": False}),
        ({"players": 3}, {"validate": True}, {"rejected": True, "reason": "BAD_SEATING", "valid": False}),
        ({"players": [2]}, {"seat": True}, {"sides": [[0, 1]]}),
        ({}, {"count": "values"}, {"cards": 48, "size": 48}),
        ({"draws": {"p0": "05.1", "p1": "05.3"}, "redraws": [{"p0": "09.1", "p1": "02.4"}]}, {"first_dealer": True},
         {"dealer": "p1", "drawn_again": ["p0", "p1"]}),
        ({"round_scores": [[1, 0], [0, 2], {"p0": 2, "p1": 0}]}, {"totals": True},
         {"totals": [3, 2], "leader": "p0", "shared": False, "game_winner": None, "winners": []}),
        ({"totals": {"p0": 5, "p1": 4}}, {"finish": True}, {"winners": ["p0"], "game_winner": "p0", "scores": [5, 4]}),
        ({"round_scores": {"p0": 0, "p1": 1}}, {"next_dealer": True}, {"next_dealer": "p1", "round_winner": "p1"}),
        ({"event": "p1 empties his hand", "scores": [0, 3]}, {"score": True},
         {"points": 1, "score": {"p0": 0, "p1": 1}, "next_dealer": "p1", "game_winner": None, "winning_side": "B"}),
        ({"event": "p1 wins by buttakuri", "scores": [4, 0]}, {"score": True}, {"points": 5, "game_winner": "p1"}),
        ({"event": "p0 Ghost Triplet"}, {"score": True}, {"points": [2, 0], "winning_side": ["p0"]}),
        ({"hands": {"p0": ["01.1", "01.3", "01.4"], "p1": ["02.2"]}}, {"teyaku": True},
         {"teyaku": {"p0": "january_triplet", "p1": None}, "points": {"p0": 2, "p1": 0}, "teyaku_points": 2}),
        ({"hand": ["07.1", "07.2", "07.3", "07.4", "01.1", "02.2"]}, {"teyaku": True},
         {"teyaku": "buttakuri", "points": 5, "game_winner": "p0", "round_over": True, "next_dealer": "p0"}),
        ({"discard_top": "06.3", "hand": ["10.1"], "pile": ["02.2", "03.1"]}, {"flip": True},
         {"flipped": "02.2", "discard_bottom_to_top": ["06.3", "02.2"], "pile_left": 1, "reshuffled": []}),
        ({"discard_top": "06.3", "hands": {"p0": ["10.1"], "p1": ["02.2"]}, "pile": ["09.2"], "both_passed": True},
         {"by": "p0", "discard": ["10.1"]}, {"legal": True, "round_over": True, "flipped": ["09.2"]}),
        ({"discard_top": "06.3", "hand": ["07.1", "11.1"], "dealer": "p0"}, {"by": "p1", "pass": True},
         {"rejected": True, "reason": "NOT_YOUR_TURN", "state_unchanged": True, "turn": "dealer"}),
        ({"discard_top": "06.3", "hand": ["07.1", "11.1"]}, [{"discard": ["07.1"]}, {"by": "p0", "stop": True}],
         {"step_1": {"accepted": True, "turn": "p1"}, "rejected": True, "reason": "NOT_YOUR_TURN"}),
        ({"discard_top": "06.3", "hand": ["07.1", "08.1"], "first_turn": {"p0": True}}, {"discard_all": True},
         {"points": 2, "hand": 0, "hands": {"p0": 0, "p1": 0}, "next_turn": None, "result": "all_out", "events": []}),
    ],
)  # fmt: skip
def test_other_keys_of_the_format(given: dict[str, Any], action: Any, expect: dict[str, Any]) -> None:
    run(a_vector(given, action, expect))


@pytest.mark.parametrize("number", range(30))
def test_a_deal_survives_being_written_down(number: int) -> None:
    """A deal played at random, one entry per turn as a person would write it."""
    preset, seed, dealer = ("poka5", "poka_sanmon")[number % 2], seed_of("as vector", number), number % 2
    order = deck_order(seed, 1)
    state = dealt(ruleset(preset), order, dealer=dealer)
    start = {"hands": {f"p{seat}": codes(hand) for seat, hand in enumerate(state.hands)}, "pile_left": 35}
    entries: list[dict[str, Any]] = []
    dice = Random(number)
    while not state.is_over:
        seat, action = state.turn, dice.choice(state.legal_actions())
        fresh, event = not state.laid, POKA.play(state, action).event
        if action.kind == "discard" and fresh:
            entries.append({"by": f"p{seat}", "discard": [CODES[action.card]]})
        elif action.kind == "discard":
            entries[-1]["discard"].append(CODES[action.card])
        elif action.kind == "pass":
            entries.append(dict(event))
    outcome = state.outcome()
    expect = {
        "after_deal": start, "round_over": True, "round_winner": f"p{outcome.winner}", "points": outcome.points,
        "score": list(outcome.score), "next_dealer": f"p{outcome.winner}", "pile_left": state.pile_left,
        "discard": [CODES[card] for card in state.discard], "teyaku": None if entries else outcome.reason,
    }  # fmt: skip
    given = {"players": 2, "dealer": f"p{dealer}", "deck_top_first": [CODES[card] for card in order]}
    run(a_vector(given, entries, expect, preset=preset))
