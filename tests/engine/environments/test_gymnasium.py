"""Gymnasium's own checks for one seat and for many tables, and what learners ask for besides."""

from __future__ import annotations

from random import Random
from typing import Any, Final

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from engine.cards import parse_cards
from engine.environments import one_seat
from engine.environments.one_seat import ILLEGAL, HanafudaEnv
from engine.environments.opponents import gain, greedy_policy, random_policy
from engine.environments.setup import environment_id, seatings
from engine.environments.vector import HanafudaVectorEnv
from engine.episode import Episode
from engine.errors import EngineError
from engine.games import PRESETS
from engine.notation import parse_action

QUICK: Final = (("hawaii", 4), ("koikoi_nintendo", 2), ("oibana", 3), ("nuki88", 3), ("poka5", 2))

one_seat.register()


def make(preset: str, seats: int, **settings: Any) -> Any:
    return gymnasium.make(environment_id(preset), seats=seats, **settings)


@pytest.mark.parametrize(("preset", "seats"), QUICK)
def test_an_environment_passes_the_checks(preset: str, seats: int) -> None:
    check_env(make(preset, seats).unwrapped)


@pytest.mark.slow
@pytest.mark.parametrize(("preset", "seats"), seatings())
def test_every_environment_passes_the_checks(preset: str, seats: int) -> None:
    for settings in ({}, {"stepwise": True}, {"whole_match": True}, {"seat": seats - 1}):
        check_env(make(preset, seats, **settings).unwrapped)


def test_every_preset_is_registered_once() -> None:
    one_seat.register()
    assert set(map(environment_id, PRESETS)) <= set(gymnasium.registry)


@pytest.mark.parametrize(("preset", "seats"), QUICK)
def test_random_play_with_masks_comes_to_an_end(preset: str, seats: int) -> None:
    env, rng, rewards = make(preset, seats, opponents=random_policy), np.random.default_rng(2), []
    for seed in range(10):
        _observation, info = env.reset(seed=seed)
        done, total = False, 0.0
        while not done:
            assert info["action_mask"].tolist() == env.unwrapped.action_masks().astype(int).tolist()
            action = rng.choice(np.flatnonzero(info["action_mask"]))
            observation, reward, done, truncated, info = env.step(action)
            assert not truncated
            assert observation in env.observation_space
            total += reward
        rewards.append(total)
    assert any(rewards)


def test_an_illegal_number_ends_the_episode_and_costs() -> None:
    env = make("hawaii", 2)
    _observation, info = env.reset(seed=1)
    illegal = int(np.flatnonzero(info["action_mask"] == 0)[0])
    _observation, reward, terminated, _truncated, info = env.step(illegal)
    assert (reward, terminated, info["illegal"]) == (ILLEGAL, True, True)


def test_opponents_are_policies_one_each() -> None:
    asked: list[int] = []

    def noting(episode: Episode, rng: Random) -> int:
        asked.append(episode.seat)
        return random_policy(episode, rng)

    env = HanafudaEnv("hawaii", 4, seat=2, opponents=[noting, greedy_policy, noting])
    env.reset(seed=4)
    env.step(int(np.flatnonzero(env.action_masks())[0]))
    assert set(asked) == {0, 3}
    with pytest.raises(ValueError, match="shorter"):
        HanafudaEnv("hawaii", 4, opponents=[noting])


def test_the_greedy_policy_beats_the_random_one() -> None:
    """As the learner's stand-in over 300 deals of Hawaii: the mean is far above 0, which random play would have."""
    env, chance, total = HanafudaEnv("hawaii", 2, opponents=random_policy), Random(1), 0.0
    for seed in range(300):
        env.reset(seed=seed)
        done = False
        while not done:
            _observation, reward, done, _truncated, _info = env.step(greedy_policy(env.episode, chance))
            total += reward
    assert total / 300 > 10


@pytest.mark.parametrize(
    ("text", "field", "points"),
    [
        ("03.3", "03.1 05.1", 20),
        ("03.3*03.2", "03.1 03.2", 10),
        ("03.1", "05.1", -21),
        ("03.3", "03.1 03.2 03.4", 30),
        (">08.1", "08.1 08.2", 20),
        (">leave", "08.1", 0),
        ("11.4*leave", "08.1", -1),
        ("hiki 9", "09.1", 0),
    ],
)
def test_what_an_action_brings(text: str, field: str, points: int) -> None:
    assert gain(parse_action(text), parse_cards(field)) == points


def test_the_table_can_be_drawn(capsys: pytest.CaptureFixture[str]) -> None:
    env, shown = make("oibana", 3, render_mode="ansi"), make("oibana", 3, render_mode="human")
    env.reset(seed=1)
    _observation, info = shown.reset(seed=1)
    assert "phase auction" in env.render()
    shown.step(int(np.flatnonzero(info["action_mask"])[0]))
    assert "bids" in capsys.readouterr().out


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("stepwise", [False, True])
@pytest.mark.parametrize(("preset", "seats"), QUICK)
def test_many_tables_play_side_by_side(preset: str, seats: int, *, stepwise: bool) -> None:
    envs: Any = gymnasium.make_vec(
        environment_id(preset), num_envs=6, vectorization_mode="vector_entry_point", seats=seats, stepwise=stepwise
    )
    observations, info = envs.reset(seed=3)
    rng, ended = np.random.default_rng(4), 0
    for _ in range(120):
        assert observations in envs.observation_space
        masks = info["action_mask"]
        assert masks.tolist() == envs.unwrapped.action_masks().astype(int).tolist()
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])
        assert actions in envs.action_space
        observations, rewards, done, truncated, info = envs.step(actions)
        assert not truncated.any()
        assert not rewards[~done].any()
        ended += int(done.sum())
    assert ended > 6


def test_the_same_seed_gives_the_same_tables() -> None:
    first, second = (HanafudaVectorEnv(4, preset="hawaii", seats=4, seat=1) for _ in range(2))
    seen, twin = first.reset(seed=9)[0].copy(), second.reset(seed=9)[0]
    assert (seen == twin).all()
    masks = first.action_masks()
    actions = masks.argmax(axis=1)
    assert (first.step(actions)[0] == second.step(actions)[0]).all()
    with pytest.raises(EngineError, match="no legal action"):
        first.step(np.full(4, first.batch.actions - 1))
