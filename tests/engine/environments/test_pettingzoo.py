"""PettingZoo's own tests, for every preset and every number of seats; a few of them in the quick run."""

from __future__ import annotations

import warnings
from functools import partial
from typing import Any, Final

import numpy as np
import pettingzoo
import pytest

from engine.environments import aec
from engine.environments.setup import environment_id, seatings
from engine.games import PRESETS

with warnings.catch_warnings():
    # Where pygame is installed they import a game of their own the old way, and warn of it.
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.test import api_test, render_test, seed_test
    from pettingzoo.test.state_test import test_state as state_is_sound
    from pettingzoo.test.state_test import test_state_space as state_space_is_sound

pytestmark = [
    # It warns of observations that are no plain array; its own games with masks are on its list of exceptions.
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be:UserWarning"),
]
CYCLES: Final = 1_000
QUICK: Final = (("hawaii", 4), ("koikoi_nintendo", 2), ("oibana", 3), ("nuki88", 3), ("poka5", 2))

aec.register()


def make(preset: str, seats: int, render_mode: str | None = None, **settings: Any) -> Any:
    return pettingzoo.make("aec", environment_id(preset), seats=seats, render_mode=render_mode, **settings)


def conforms(preset: str, seats: int, cycles: int) -> None:
    """Everything that PettingZoo asks of an environment of this kind."""
    api_test(make(preset, seats), num_cycles=cycles, verbose_progress=False)
    seed_test(partial(make, preset, seats), 100)
    render_test(partial(_rendered, preset, seats))
    state_space_is_sound(make(preset, seats))
    state_is_sound(make(preset, seats), 10)


def _rendered(preset: str, seats: int, render_mode: str) -> Any:
    return make(preset, seats, render_mode)


@pytest.mark.parametrize(("preset", "seats"), QUICK)
def test_an_environment_conforms(preset: str, seats: int) -> None:
    conforms(preset, seats, 100)


@pytest.mark.slow
@pytest.mark.parametrize(("preset", "seats"), seatings())
def test_every_environment_conforms(preset: str, seats: int) -> None:
    conforms(preset, seats, CYCLES)


@pytest.mark.slow
@pytest.mark.parametrize(("preset", "seats"), QUICK)
def test_matches_and_two_steps_conform(preset: str, seats: int) -> None:
    api_test(make(preset, seats, stepwise=True), num_cycles=CYCLES, verbose_progress=False)
    api_test(make(preset, seats, whole_match=True), num_cycles=CYCLES, verbose_progress=False)


def test_every_preset_is_registered_once() -> None:
    aec.register()
    assert set(map(environment_id, PRESETS)) <= set(pettingzoo.aec_registry)


def play(env: Any, seed: int | None) -> dict[str, float]:
    """Random play to the end; what each agent got in all."""
    env.reset(seed=seed)
    rng, got = np.random.default_rng(1), dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _info = env.last()
        got[agent] += reward
        legal = np.flatnonzero(observation["action_mask"])
        env.step(None if terminated or truncated else int(rng.choice(legal)))
    return got


def test_rewards_come_at_the_end_and_sum_to_nothing() -> None:
    env = make("hawaii", 4)
    got = play(env, 3)
    assert sum(got.values()) == pytest.approx(0)
    assert any(got.values())


def test_episodes_without_a_seed_go_on_from_the_last_one() -> None:
    first, second = make("koikoi_zoo", 2), make("koikoi_zoo", 2)
    assert [play(first, 5), play(first, None)] == [play(second, 5), play(second, None)]


def test_an_illegal_number_ends_the_episode() -> None:
    env = make("poka5", 2)
    env.reset(seed=1)
    illegal = int(np.flatnonzero(env.last()[0]["action_mask"] == 0)[0])
    agent = env.agent_selection
    env.step(illegal)
    assert all(env.terminations.values())
    assert env.rewards == {name: aec.ILLEGAL * (name == agent) for name in env.possible_agents}
    for _agent in env.agent_iter():
        assert env.last()[2]
        env.step(None)
    assert env.agents == []


def test_the_table_is_drawn_for_the_one_who_is_asked(capsys: pytest.CaptureFixture[str]) -> None:
    env = make("hawaii", 2, "ansi")
    env.reset(seed=1)
    text = env.render()
    assert isinstance(text, str)
    assert "Your hand: 02.2 (Plum: Poetry Ribbon)" in text
    shown = make("hawaii", 2, "human")
    shown.reset(seed=1)
    assert shown.render() is None
    assert capsys.readouterr().out.strip() == text
