"""The quick way of an ordinary ply does what the steps do, and nothing else. Source: rules.md 3.2."""

from __future__ import annotations

from random import Random

import pytest

from engine.action import LEAVE, TRIPLE, Action
from engine.games import ruleset
from engine.games.sakura import turn
from engine.games.sakura.observation import observe
from engine.games.sakura.refusal import judge
from engine.games.sakura.state import SakuraState
from tests.engine.worlds import SAKURA_PRESETS, SEATINGS, VARIANTS, contents, fresh_deal, random_play, seed_of

ANY = [Action.of("play", card, take) for card in range(48) for take in (-1, LEAVE, TRIPLE, *range(48))]
ANY += [Action.of("draw_only"), *(Action.of("draw_take", take=take) for take in range(48))]


def agrees(state: SakuraState, action: Action) -> bool:
    """Whether the action was ordinary; the quick way and the steps left the same world, or it was left alone."""
    quick, slow = state.copy(), state.copy()
    before = contents(quick)
    if not turn.play_ordinary(quick, action):
        assert contents(quick) == before
        return False
    assert judge(state, action, state.turn) is action
    turn.apply(slow, action)
    assert contents(quick) == contents(slow)
    return True


@pytest.mark.parametrize("options", [{}, *VARIANTS])
@pytest.mark.parametrize("preset", SAKURA_PRESETS)
def test_quick_and_step_by_step_agree(preset: str, options: dict[str, str | int | bool]) -> None:
    dice = Random(f"{preset} {options}")
    quick = plies = 0
    for number, (seats, teams) in enumerate(SEATINGS):
        rules = ruleset(preset, **{**options, "teams": teams})
        state = fresh_deal(rules, seats, seed_of(preset, number), dealer=number % seats)
        for action in random_play(state, dice):
            quick += agrees(state, action)
            plies += 1
            for other in (*state.legal_actions(), *dice.sample(ANY, 8)):
                agrees(state, other)
    assert quick > plies / 2  # or it would be no quick way


def test_an_observation_is_a_value_of_its_own() -> None:
    state = fresh_deal(ruleset("hawaii"), 3, bytes(32))
    seen = observe(state, state.turn)
    kept = tuple(seen)
    for _ in random_play(state, Random(5)):
        pass
    assert tuple(seen) == kept
