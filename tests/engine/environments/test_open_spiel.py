"""OpenSpiel's own tests: random simulations of every preset, the partial tree, the whole tree of the tiny game."""

from __future__ import annotations

import pickle
import unittest
from collections import Counter
from functools import cache
from random import Random
from typing import Any, Final

import numpy as np
import pyspiel
import pytest
from absl import flags
from open_spiel.integration_tests import api_test
from open_spiel.python.algorithms import generate_playthrough, get_all_states
from open_spiel.python.observation import make_observation
from open_spiel.python.tests import games_sim_test

from engine.environments import spiel, spiel_tiny
from engine.environments.explicit import CHANCE, OVER, ExplicitDeal, Table
from engine.environments.setup import rules_of, seatings
from engine.environments.tiny import TinyDeal
from engine.errors import BadOption
from engine.game import game_of
from engine.tensors import Decision
from tests.services.processes import ROOT

QUICK: Final = (("hawaii", 4), ("koikoi_nintendo", 2), ("oibana", 3), ("nuki88", 3), ("poka5", 2))
PLAYTHROUGHS: Final = ROOT / "tests" / "data" / "engine" / "playthroughs"
TINY_STATES: Final = {"chance": 54, "decision": 1356, "terminal": 852}
INFORMATION_STATES: Final = 574

spiel.register()
spiel_tiny.register()
if not flags.FLAGS.is_parsed():
    # The module of tests reads which games to test; it is asked for none of its own here.
    flags.FLAGS(["tests"])


def game(preset: str, players: int, *, stepwise: bool = False) -> Any:
    return pyspiel.load_game(f"{spiel.NAME}(preset={preset},players={players},stepwise={stepwise})")


def run_class(base: type, found: Any, name: str, leave: tuple[str, ...] = ()) -> unittest.TestResult:
    """Run the tests of one of their classes for a game. leave: those that look the game up in a list of their own."""
    case = type("Case", (base,), {"game": found, "game_name": name})
    names = [test for test in unittest.defaultTestLoader.getTestCaseNames(case) if test not in leave]
    result = unittest.TestResult()
    unittest.TestSuite(case(test) for test in names).run(result)
    assert result.testsRun >= 4
    return result


def passes(result: unittest.TestResult) -> None:
    assert [trace for _case, trace in (*result.failures, *result.errors)] == []


@pytest.mark.parametrize(("preset", "seats"), QUICK)
def test_a_game_is_simulated(preset: str, seats: int) -> None:
    games_sim_test.GamesSimTest("test_pig").sim_game(game(preset, seats))


@pytest.mark.slow
@pytest.mark.parametrize("stepwise", [False, True])
@pytest.mark.parametrize(("preset", "seats"), seatings())
def test_every_game_is_simulated(preset: str, seats: int, *, stepwise: bool) -> None:
    found = game(preset, seats, stepwise=stepwise)
    for _ in range(5):
        games_sim_test.GamesSimTest("test_pig").sim_game(found)
    pyspiel.random_sim_test(found, num_sims=3, serialize=True, verbose=False)


def test_the_partial_tree_of_a_game() -> None:
    passes(run_class(api_test.EnforceAPIOnPartialTreeBase, game("koikoi_nintendo", 2), spiel.NAME))


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize(("preset", "seats"), seatings())
def test_the_partial_tree_of_every_game(preset: str, seats: int) -> None:
    passes(run_class(api_test.EnforceAPIOnPartialTreeBase, game(preset, seats), spiel.NAME))


@cache
def tiny() -> Any:
    return pyspiel.load_game(spiel_tiny.NAME)


@pytest.mark.thorough
def test_the_whole_tree_of_the_tiny_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Their numbers of states are kept in lists of their own games: ours are added for the test."""
    numbers = (TINY_STATES["chance"], TINY_STATES["decision"], TINY_STATES["terminal"])
    monkeypatch.setitem(api_test.TOTAL_NUM_STATES, spiel_tiny.NAME, numbers)
    monkeypatch.setitem(api_test.PERFECT_RECALL_NUM_STATES, spiel_tiny.NAME, INFORMATION_STATES)
    passes(run_class(api_test.EnforceAPIOnFullTreeBase, tiny(), spiel_tiny.NAME))
    passes(run_class(api_test.EnforceAPIOnPartialTreeBase, tiny(), spiel_tiny.NAME))
    games_sim_test.GamesSimTest("test_pig").sim_game(tiny())


def test_the_tiny_game_has_the_states_that_are_said() -> None:
    states = get_all_states.get_all_states(tiny(), include_terminals=True, include_chance_states=True).values()
    kinds = Counter(
        "terminal" if state.is_terminal() else "chance" if state.is_chance_node() else "decision" for state in states
    )
    assert dict(kinds) == TINY_STATES


def exploitability_after(iterations: int) -> float:
    solver = pyspiel.CFRPlusSolver(tiny())
    for _ in range(iterations):
        solver.evaluate_and_update_policy()
    found: float = pyspiel.exploitability(tiny(), solver.average_policy())
    return found


@pytest.mark.thorough
def test_counterfactual_regret_comes_near_the_solution_of_the_tiny_game() -> None:
    assert exploitability_after(5) < 0.25


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_counterfactual_regret_solves_the_tiny_game() -> None:
    assert exploitability_after(120) < 1e-3


def test_a_stop_after_a_call_pays_twice_and_cards_that_run_out_pay_nothing() -> None:
    deal = TinyDeal()
    for card in (0, 1, 2, 3):
        deal.draw(card)
    for number in (1, 5, 3, 4):
        deal.play(number)
    assert deal.returns() == [-8.0, 8.0]
    rest = TinyDeal()
    for card in (0, 1, 2, 3):
        rest.draw(card)
    for number in (1, 5, 3, 5, 0, 5, 2, 5):
        rest.play(number)
    assert (rest.seat, rest.legal(), rest.returns()) == (OVER, [], [0.0, 0.0])


@pytest.mark.parametrize("name", ["hanafuda", "hanafuda_tiny"])
def test_a_playthrough_is_as_it_was(name: str) -> None:
    """Every string, tensor and legal action of one game, as OpenSpiel keeps it for its own games.

    `python -m tests.engine.environments.playthroughs` writes them again; read the difference.
    """
    path = PLAYTHROUGHS / f"{name}.txt"
    told, again = generate_playthrough.replay(str(path))
    assert again == told


@pytest.mark.parametrize(("preset", "seats"), [("nuki88", 4), ("oibana", 6), ("poka3", 2), ("hawaii", 7)])
def test_strings_and_tensors_are_public_or_private(preset: str, seats: int) -> None:
    """What is public is the same for all seats but for their own number; what is private holds the own hand."""
    found, dice = game(preset, seats), Random(3)
    private, public, recalled = (
        make_observation(found, pyspiel.IIGObservationType(public_info=shown, perfect_recall=recall, private_info=kind))
        for shown, recall, kind in (
            (False, False, pyspiel.PrivateInfoType.SINGLE_PLAYER),
            (True, False, pyspiel.PrivateInfoType.NONE),
            (True, True, pyspiel.PrivateInfoType.NONE),
        )
    )
    state = found.new_initial_state()
    while not state.is_terminal():
        state.apply_action(dice.choice(state.legal_actions()))
        if state.is_chance_node():
            continue
        hand = game_of(state.deal.table.rules.game).observation(state.deal.state, 0)["hand"]
        assert f'"hand": {hand}'.replace("'", '"') in private.string_from(state, 0)
        texts = {public.string_from(state, seat).partition(", ")[2] for seat in range(seats)}
        events = {recalled.string_from(state, seat).partition(", ")[2] for seat in range(seats)}
        assert len(texts) == len(events) == 1
        public.set_from(state, 0)
        assert set(public.dict) == {"planes", "history", "scalars"}
        private.set_from(state, 0)
        assert set(private.dict) == {"private"}


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize(("preset", "seats"), QUICK)
def test_a_deal_can_be_copied_pickled_and_played_alike(preset: str, seats: int) -> None:
    table, dice = Table(rules_of(preset), seats, stepwise=True), Random(11)
    for _ in range(6):
        deal = ExplicitDeal(table)
        while deal.seat != OVER:
            twin, other = deal.copy(), pickle.loads(pickle.dumps(deal))
            legal = deal.left[:] if deal.seat == CHANCE else sorted(deal.choices)
            number = dice.choice(legal)
            for each in (deal, twin, other):
                assert (each.left if each.seat == CHANCE else sorted(each.choices)) == legal
                each.draw(number) if each.seat == CHANCE else each.play(number)
            assert _shown(deal) == _shown(twin) == _shown(other)
        assert sum(deal.rewards()) == pytest.approx(0)


def _shown(deal: ExplicitDeal) -> tuple[object, ...]:
    tensor = np.zeros(deal.table.tensors.size, np.float32)
    deal.write_tensor(0, tensor)
    return deal.seat, deal.drawn if deal.request else [], tensor.tobytes(), deal.rewards()


def test_what_a_game_has_not_is_refused() -> None:
    with pytest.raises(BadOption):
        spiel.HanafudaGame({"preset": "mahjong"})
    with pytest.raises(ValueError, match="not supported"):
        tiny().make_py_observer(None, {"colour": 1})
    with pytest.raises(ValueError, match="not supported"):
        game("hawaii", 2).make_py_observer(None, {"colour": 1})


def test_numbered_deals_are_one_decision_of_chance_each() -> None:
    found = pyspiel.load_game(f"{spiel.NAME}(preset=koikoi_nintendo,players=2,deals=50)")
    assert (found.max_chance_outcomes(), found.max_chance_nodes_in_history()) == (50, 1)
    state = found.new_initial_state()
    assert [number for number, _chance in state.chance_outcomes()] == list(range(50)) == state.legal_actions()
    assert sum(chance for _number, chance in state.chance_outcomes()) == pytest.approx(1)
    state.apply_action(7)
    again, other = found.new_initial_state(), found.new_initial_state()
    again.apply_action(7)
    other.apply_action(8)
    assert str(again) == str(state) != str(other)
    assert not state.is_chance_node()


@pytest.mark.parametrize(("preset", "seats"), QUICK)
def test_a_game_of_numbered_deals_is_simulated(preset: str, seats: int) -> None:
    found = pyspiel.load_game(f"{spiel.NAME}(preset={preset},players={seats},deals=20)")
    for _ in range(3):
        games_sim_test.GamesSimTest("test_pig").sim_game(found)


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize(("preset", "seats"), seatings())
def test_the_partial_tree_of_numbered_deals(preset: str, seats: int) -> None:
    found = pyspiel.load_game(f"{spiel.NAME}(preset={preset},players={seats},deals=20)")
    passes(run_class(api_test.EnforceAPIOnPartialTreeBase, found, spiel.NAME))
    pyspiel.random_sim_test(found, num_sims=3, serialize=True, verbose=False)


@pytest.mark.parametrize(("preset", "seats"), QUICK)
def test_a_numbered_deal_can_be_copied_and_pickled_and_plays_without_chance(preset: str, seats: int) -> None:
    table, dice = Table(rules_of(preset), seats, stepwise=False, deals=5), Random(2)
    for number in range(5):
        deal = ExplicitDeal(table)
        assert pickle.loads(pickle.dumps(deal)).left == list(range(5))
        deal.draw(number)
        while deal.seat != OVER:
            assert deal.seat != CHANCE
            twin, other = deal.copy(), pickle.loads(pickle.dumps(deal))
            chosen = dice.choice(deal.numbers())
            for each in (deal, twin, other):
                assert each.numbers() == deal.numbers()
            for each in (deal, twin, other):
                each.play(chosen)
            assert _shown(deal) == _shown(twin) == _shown(other)


@pytest.mark.parametrize(("preset", "seats"), QUICK)
def test_a_history_made_late_holds_what_was_done(preset: str, seats: int) -> None:
    """Asked for at every ply, of copies, or at the end alone: what the world showed as it was played."""
    table, dice = Table(rules_of(preset), seats, stepwise=False, deals=5), Random(3)
    features = table.features
    always, late = ExplicitDeal(table), ExplicitDeal(table)
    for deal in (always, late):
        deal.decide(4)
    done: list[Decision] = []
    while always.seat != OVER:
        world, seat, number = always.state, always.seat, dice.choice(always.listed())
        turned = features.turned(world)
        for deal in (always, late):
            deal.decide(number)
        action = always.actions[-1]
        if action.kind not in table.silent:
            done.append((seat, action, features.last_turned(world) if features.turned(world) > turned else -1))
        assert always.history.decisions == done
        always = always.copy()
    assert late.history.decisions == done


def test_what_is_no_number_is_refused() -> None:
    with pytest.raises(ValueError, match="-1 deals"):
        Table(rules_of("hawaii"), 2, stepwise=False, deals=-1)
    deal = ExplicitDeal(Table(rules_of("hawaii"), 2, stepwise=False, deals=1))
    deal.draw(0)
    for number in (-1, 10_000, next(each for each in range(48) if each not in deal.numbers())):
        with pytest.raises(KeyError):
            deal.play(number)
