"""Random deals written down in the vector format (whole Deals, rules.md 9) run through the adapter again."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from engine.cards import CODES, codes
from engine.deck import deck_order
from engine.games import ruleset
from engine.games.sakura import SAKURA
from engine.games.sakura.rules import compile_rules
from engine.games.sakura.scoring import next_dealer
from engine.games.sakura.start import new_deal
from engine.games.sakura.state import SakuraState
from tests.engine.vectors.acting import note_text
from tests.engine.vectors.files import Vector
from tests.engine.vectors.running import run
from tests.engine.worlds import SAKURA_PRESETS, SEATINGS, seed_of


def entries(state: SakuraState, dice: Random) -> tuple[list[dict[str, Any]], list[str]]:
    """A deal played at random: one entry per turn, as a person would write it down, and the events."""
    turns: list[dict[str, Any]] = []
    events: list[str] = []
    while not state.is_over:
        action = dice.choice(state.legal_actions())
        played = SAKURA.play(state, action)
        events += [text for note in played.notes if (text := note_text(note))]
        told = action.to_json()
        if action.kind in ("play", "hiki", "draw_only"):
            turns.append({"by": played.event["by"], **told})
        elif action.kind == "draw_take":
            turns[-1][dice.choice(["draw_take", "flip_take"])] = told["draw_take"]
        else:
            key = next(key for key in ("draw_take", "flip_take", "take") if key in turns[-1])
            before = turns[-1][key]
            turns[-1][key] = [*(before if isinstance(before, list) else [before]), told["blocked_choice"]]
        if "flip" in played.event:
            turns[-1]["flip"] = played.event["flip"]
        if turns[-1].get("draw_only") and dice.random() < 0.5:
            del turns[-1]["draw_only"]
    return turns, events


def as_vector(preset: str, seats: int, teams: str, number: int) -> Vector | None:
    """A whole Deal as a vector; None if nothing is played."""
    rules = compile_rules(ruleset(preset, teams=teams), seats)
    seed = seed_of("as vector", preset, seats, teams, number)
    order, dealer = deck_order(seed, 1), number % seats
    state = new_deal(rules, dealer, order)
    if state is None or state.is_over:
        return None
    dealt = {"hands": {f"p{seat}": codes(hand) for seat, hand in enumerate(state.hands)}, "pile_left": state.pile_left}
    turns, events = entries(state, Random(seed))
    outcome = state.outcome()
    expect: dict[str, Any] = {
        "after_deal": dealt,
        "side_piles": [codes(pile) for pile in state.captured],
        "pile_left": state.pile_left,
        "gaji_claimed": codes(outcome.claimed),
        "dead_field": codes(outcome.dead),
        "points": list(outcome.points),
        "yaku": [list(made) for made in outcome.yaku],
        "score": list(outcome.score),
        "events": events,
        "round_winner": f"p{outcome.winner}",
        "next_dealer": f"p{next_dealer(rules.options, seats, dealer, outcome.winner)}",
        "round_over": True,
    }
    given = {"players": seats, "dealer": f"p{dealer}", "deck_top_first": [CODES[card] for card in order]}
    return {
        "id": f"X{number}", "preset": preset, "options": {"teams": teams}, "given": given, "action": turns,
        "expect": expect,
    }  # fmt: skip


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("preset", SAKURA_PRESETS)
@pytest.mark.parametrize(("seats", "teams"), SEATINGS)
def test_a_deal_survives_being_written_down(preset: str, seats: int, teams: str) -> None:
    vectors = [as_vector(preset, seats, teams, number) for number in range(12)]
    played = [vector for vector in vectors if vector is not None]
    assert len(played) >= 6
    for vector in played:
        run(vector)
