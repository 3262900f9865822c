"""The quick way of an ordinary ply does what the steps do, and nothing else."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.action import Action
from engine.errors import EngineError, IllegalAction
from engine.game import OptionValue, Ruleset
from engine.games import ruleset
from engine.games.koikoi import plies, turn
from engine.games.koikoi.legal import DECLARATIONS
from engine.games.koikoi.refusal import check_legality
from engine.games.koikoi.state import KoiKoiState
from tests.engine.koikoi.tables import VARIANTS, a_table, contents, fresh_deal, play, random_play, rulesets
from tests.engine.worlds import seed_of

ANY = [Action.of("play", card, take) for card in range(48) for take in (-1, -3, -5, *range(48))]
ANY += [*DECLARATIONS, *(Action.of("draw_take", take=take) for take in range(48))]


def agrees(state: KoiKoiState, action: Action) -> bool:
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


def one_agrees(state: KoiKoiState, action: Action) -> bool:
    """The same of the quick way of a single listed action."""
    quick, slow = state.copy(), state.copy()
    if not plies.one(quick, action):
        assert contents(quick) == contents(state)
        return False
    turn.apply(slow, action)
    assert contents(quick) == contents(slow)
    return True


@pytest.mark.thorough
@given(rulesets, st.integers(0, 2**32))
def test_quick_and_step_by_step_agree(rules: Ruleset, seed: int) -> None:
    state, dice = fresh_deal(rules, seed_of(seed)), Random(seed)
    ordinary = total = 0
    for action in random_play(state, dice):
        ordinary += agrees(state, action)
        total += 1
        for other in (*state.legal_actions(), *dice.sample(ANY, 8)):
            agrees(state, other)
        for listed in state.legal_actions():
            assert one_agrees(state, listed) is (state.phase == "hand" and agrees(state, listed)), listed
    assert ordinary > total / 2  # or it would be no quick way


@pytest.mark.parametrize("number", range(6))
@pytest.mark.parametrize(("preset", "options"), VARIANTS)
def test_a_whole_deal_at_once_is_the_same_deal(preset: str, options: dict[str, OptionValue], number: int) -> None:
    state = fresh_deal(ruleset(preset, **options), seed_of(preset, number), dealer=number % 2)
    slow, quick = state.copy(), state.copy()
    moves = [(slow.turn, action) for action in random_play(slow, Random(number))]
    actions = [action for _, action in moves]
    steps = state.copy()
    for action in actions:
        turn.apply(steps, action)
    assert quick.play_all(actions) == [seat for seat, _ in moves]
    assert contents(quick) == contents(slow) == contents(steps)
    with pytest.raises(IllegalAction) as refused:
        quick.play_all(actions[:1])
    assert refused.value.code == "DEAL_OVER"


def test_what_is_understood_but_not_listed_is_no_part_of_a_deal() -> None:
    state = a_table(p0="03.3 01.1", p1="05.1", field="03.1", pile="07.4 08.4")
    with pytest.raises(EngineError) as refused:
        state.play_all([play("03.3", "03.1")])
    assert refused.value.code == "action.unlisted"
    assert state.play_all([play("03.3")]) == [0]


class Drawn:
    """Random numbers, counted."""

    def __init__(self, seed: int) -> None:
        self.dice, self.count = Random(seed), 0

    def __call__(self) -> float:
        self.count += 1
        return self.dice.random()


@pytest.mark.thorough
@given(rulesets, st.integers(0, 2**32))
def test_a_deal_played_out_is_the_deal_that_was_drawn(rules: Ruleset, seed: int) -> None:
    state, first, second = fresh_deal(rules, seed_of("out", seed)), Drawn(seed), Drawn(seed)
    slow, plies_done = state.copy(), state.play_out(first)
    while not slow.is_over:
        legal = slow.legal_actions()
        turn.apply(slow, legal[int(second() * len(legal))])
    assert plies_done == first.count == second.count
    assert contents(state) == contents(slow)
    assert state.play_out(first) == 0


def test_only_the_choice_for_a_flip_is_done_at_once() -> None:
    state = a_table(p0="05.3 06.1", p1="07.1", field="01.1 01.2", pile="01.3 08.4")
    take = Action.of("draw_take", take=0)
    assert not plies.choose(state.copy(), take)
    state.apply(play("05.3"))
    for other in (DECLARATIONS[0], play("06.1"), Action.of("draw_take", take=20)):
        assert not plies.choose(state, other)
    assert plies.choose(state, take)
    assert state.captured[0] == 0b101
