"""Environments of Gymnasium: one seat learns, the others are played by policies.

`register()` makes `gymnasium.make("hanafuda/<preset>-v0")` and `make_vec` known. `action_masks()` is what MaskablePPO
of sb3-contrib asks for.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from engine.environments.opponents import Policy, greedy_policy
from engine.environments.picture import table_lines
from engine.environments.setup import environment_id, episode_of
from engine.environments.vector import HanafudaVectorEnv
from engine.episode import seed_bytes
from engine.game import OptionValue
from engine.games import PRESETS

BOUND = 1_000.0
ILLEGAL = -1.0
"""Reward of a number that is not legal; it ends the episode. Agents that use the masks never get it."""


class HanafudaEnv(gymnasium.Env[Any, Any]):
    """One seat of a table. An observation is its tensor; `info["action_mask"]` and `action_masks()` say what is legal.

    The reward comes when a deal ends: the side's result less the mean of the others'.
    """

    metadata = {"render_modes": ["human", "ansi"], "render_fps": 1}

    def __init__(
        self, preset: str = "koikoi_nintendo", seats: int | None = None, *, seat: int = 0,
        opponents: Policy | Sequence[Policy] = greedy_policy, options: dict[str, OptionValue] | None = None,
        whole_match: bool = False, stepwise: bool = False, render_mode: str | None = None,
    ) -> None:  # fmt: skip
        """seat: the one that learns; seats: the fewest of the game by default. opponents: one policy for all others, or
        one each in their order. Raises BadOption and BadSeating, ValueError for a wrong number of opponents.
        """
        self.render_mode = render_mode
        self.episode = episode_of(preset, seats, options, whole_match=whole_match, stepwise=stepwise)
        self.seat = seat
        others = [other for other in range(self.episode.seats) if other != seat]
        policies = [opponents] * len(others) if callable(opponents) else list(opponents)
        self._policies = dict(zip(others, policies, strict=True))
        self.observation_space = spaces.Box(-BOUND, BOUND, (self.episode.tensors.size,), np.float32)
        self.action_space = spaces.Discrete(self.episode.space.size)
        self._chance = Random()

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Deal until the seat is asked. seed: the same gives the same episodes with the same policies."""
        super().reset(seed=seed)
        while True:
            start = int(self.np_random.integers(2**63))
            self._chance = Random(start)
            self.episode.begin(seed_bytes(start))
            self._play_others()
            # Where the others end the episode before this seat is asked there is nothing to learn.
            if not self.episode.is_over:
                return self._observation(), self._info()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Answer with a number, and let the others play until this seat is asked again or the episode ends."""
        if int(action) not in self.episode.choices:
            return self._observation(), ILLEGAL, True, False, {**self._info(), "illegal": True}
        rewards = self.episode.step(int(action))
        reward = (rewards[self.seat] if rewards else 0.0) + self._play_others()
        if self.render_mode == "human":
            self.render()
        return self._observation(), reward, self.episode.is_over, False, self._info()

    def _play_others(self) -> float:
        """Let the other seats decide until this one is asked; what that brought it."""
        reward = 0.0
        while not self.episode.is_over and self.episode.seat != self.seat:
            number = self._policies[self.episode.seat](self.episode, self._chance)
            rewards = self.episode.step(number)
            reward += rewards[self.seat] if rewards else 0.0
        return reward

    def _observation(self) -> Any:
        found = np.empty(self.episode.tensors.size, np.float32)
        self.episode.write_tensor(self.seat, found)
        return found

    def action_masks(self) -> Any:
        """Return which numbers are legal, as an array of booleans."""
        mask = np.zeros(self.episode.space.size, np.bool_)
        mask[list(self.episode.choices)] = True
        return mask

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.action_masks().astype(np.int8)}

    def render(self) -> Any:
        """Return the table as the seat sees it (`ansi`), or print it (`human`)."""
        course = self.episode.course
        assert course is not None, "reset() first"
        text = "\n".join(table_lines(course, self.seat))
        if self.render_mode == "human":
            print(text)  # noqa: T201  # this is what `human` means
            return None
        return text


def make_one(**settings: Any) -> HanafudaEnv:
    """An environment of one seat, for the registry."""
    return HanafudaEnv(**settings)


def make_many(**settings: Any) -> HanafudaVectorEnv:
    """Many of them side by side, for the registry."""
    return HanafudaVectorEnv(**settings)


def register() -> None:
    """Make every preset known to `gymnasium.make` and `make_vec`; twice does no harm."""
    for preset in PRESETS:
        if environment_id(preset) not in gymnasium.registry:
            gymnasium.register(
                environment_id(preset),
                make_one,
                vector_entry_point=make_many,
                kwargs={"preset": preset},
            )
