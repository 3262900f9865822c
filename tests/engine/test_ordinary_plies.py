"""The quick way of an ordinary ply does what the steps do, and nothing else. Source: rules.md 3.2."""

from __future__ import annotations

from random import Random

import pytest

from engine.action import LEAVE, TRIPLE, Action
from engine.errors import EngineError, IllegalAction
from engine.games import ruleset
from engine.games.sakura import plies, turn
from engine.games.sakura.observation import observe
from engine.games.sakura.refusal import check_legality
from engine.games.sakura.state import SakuraState
from tests.engine.worlds import (
    SAKURA_PRESETS,
    SEATINGS,
    VARIANTS,
    a_world,
    contents,
    fresh_deal,
    play,
    random_play,
    seed_of,
)

ANY = [Action.of("play", card, take) for card in range(48) for take in (-1, LEAVE, TRIPLE, *range(48))]
ANY += [Action.of("draw_only"), *(Action.of("draw_take", take=take) for take in range(48))]


def agrees(state: SakuraState, action: Action) -> bool:
    """Return whether the action was ordinary; the quick way and the steps left the same world, or it was left alone."""
    quick, slow = state.copy(), state.copy()
    before = contents(quick)
    done: list[int] = []
    rest = plies.run(quick, (action,), done)
    if rest is not None:
        rest(quick)
    if not done and not plies.choose(quick, action):
        assert contents(quick) == before
        return False
    assert done in ([], [state.turn])
    assert check_legality(state, action, state.turn) is action
    turn.apply(slow, action)
    assert contents(quick) == contents(slow)
    return True


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("options", [{}, *VARIANTS])
@pytest.mark.parametrize("preset", SAKURA_PRESETS)
def test_quick_and_step_by_step_agree(preset: str, options: dict[str, str | int | bool]) -> None:
    dice = Random(f"{preset} {options}")
    ordinary = total = 0
    for number, (seats, teams) in enumerate(SEATINGS):
        rules = ruleset(preset, **{**options, "teams": teams})
        state = fresh_deal(rules, seats, seed_of(preset, number), dealer=number % seats)
        for action in random_play(state, dice):
            ordinary += agrees(state, action)
            total += 1
            for other in (*state.legal_actions(), *dice.sample(ANY, 8)):
                agrees(state, other)
    assert ordinary > total / 2  # or it would be no quick way


@pytest.mark.parametrize("preset", SAKURA_PRESETS)
def test_a_whole_deal_at_once_is_the_same_deal(preset: str) -> None:
    dice = Random(preset)
    for number, (seats, teams) in enumerate(SEATINGS):
        rules = ruleset(preset, teams=teams)
        state = fresh_deal(rules, seats, seed_of(preset, number), dealer=number % seats)
        slow, quick = state.copy(), state.copy()
        moves = []
        while not slow.is_over:
            action = dice.choice(slow.legal_actions())
            moves.append((slow.turn, action))
            turn.apply(slow, action)
        actions = [action for _, action in moves]
        assert quick.play_all(actions) == [seat for seat, _ in moves]
        assert contents(quick) == contents(slow)
        with pytest.raises(IllegalAction) as refused:
            quick.play_all(actions[:1])
        assert refused.value.code == "DEAL_OVER"


def test_what_is_understood_but_not_listed_is_no_part_of_a_deal() -> None:
    state = a_world(p0="03.3 01.1", p1="05.1", field="03.1", pile="07.4 08.4")
    with pytest.raises(EngineError) as refused:
        state.play_all([play("03.3", "03.1")])
    assert refused.value.code == "action.unlisted"
    assert state.play_all([play("03.3")]) == [0]


def test_an_observation_is_a_value_of_its_own() -> None:
    state = fresh_deal(ruleset("hawaii"), 3, bytes(32))
    seen = observe(state, state.turn)
    kept = tuple(seen)
    for _ in random_play(state, Random(5)):
        pass
    assert tuple(seen) == kept
