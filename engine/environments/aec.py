"""Environments of PettingZoo: the seats in turn, each with its tensor and the mask of what is legal.

`register()` makes `pettingzoo.make("aec", "hanafuda/<preset>-v0", seats=4)` known.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy import float32, frombuffer, int8
from pettingzoo import AECEnv, aec_registry
from pettingzoo import register as register_aec

from engine.environments.picture import table_lines
from engine.environments.setup import environment_id, episode_of
from engine.episode import ENDED, IllegalNumber, seed_bytes
from engine.game import OptionValue
from engine.games import PRESETS

BOUND = 1_000.0
"""No number of a tensor is larger: it says nothing of the game, but spaces without a bound are warned of."""
ILLEGAL = -1.0
"""Reward of a number that is not legal, which ends the episode. Agents that use the masks never get it."""


class HanafudaAEC(AECEnv[str, dict[str, Any], int | None]):
    """One table. Agents are `player_0`, `player_1` ..; an observation is `observation` and `action_mask`.

    Rewards come when a deal ends: a side's result less the mean of the others'. An illegal
    number loses a point and ends the episode.
    """

    metadata = {"render_modes": ["human", "ansi"], "is_parallelizable": False, "render_fps": 1}

    def __init__(
        self,
        preset: str = "koikoi_nintendo",
        seats: int | None = None,
        *,
        options: dict[str, OptionValue] | None = None,
        whole_match: bool = False,
        stepwise: bool = False,
        render_mode: str | None = None,
    ) -> None:
        """seats: the fewest of the game by default. Raises BadOption and BadSeating."""
        super().__init__()
        self.metadata = {**self.metadata, "name": f"hanafuda_{preset}_v0"}
        self.render_mode = render_mode
        self.episode = episode_of(preset, seats, options, whole_match=whole_match, stepwise=stepwise)
        self.possible_agents = [f"player_{seat}" for seat in range(self.episode.seats)]
        self.agents: list[str] = []
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        size, actions = self.episode.tensors.size, self.episode.space.size
        self._size, self._actions = size, actions
        observation: dict[str, spaces.Space[Any]] = {
            "observation": spaces.Box(-BOUND, BOUND, (size,), np.float32),
            "action_mask": spaces.Box(0, 1, (actions,), np.int8),
        }
        self.observation_spaces = {agent: spaces.Dict(dict(observation)) for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in self.possible_agents}
        self.state_space = spaces.Box(-BOUND, BOUND, (self.episode.seats * size,), np.float32)
        # An episode without a seed follows from the last seed and its number.
        self._seed: int | None = None
        self._episodes = 0
        self._has_rewards = False

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal. seed: the same gives the same episodes; without one a random one is drawn once."""
        if seed is not None or self._seed is None:
            self._seed = seed if seed is not None else int(np.random.SeedSequence().entropy) % 2**63  # type: ignore[arg-type]
            self._episodes = 0
        self.episode.begin(seed_bytes(self._seed, self._episodes))
        self._episodes += 1
        self.agents = self.possible_agents[:]
        self._has_rewards = False
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[self.episode.seat]

    def observe(self, agent: str) -> dict[str, Any]:
        """Return a new tensor and a new mask; the mask is empty for an agent that is not asked."""
        episode, seat = self.episode, self._seat_of[agent]
        mask = episode.mask() if seat == episode.seat else bytearray(self._actions)
        # Bytes that were made for this array alone: it may be written to and kept.
        return {"observation": frombuffer(episode.tensor(seat), float32), "action_mask": frombuffer(mask, int8)}

    def last(self, observe: bool = True) -> Any:
        """Return observation, reward, terminated, truncated and info of the agent that is asked, as PettingZoo does."""
        agent = self.agent_selection
        return (
            self.observe(agent) if observe else None,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self.infos[agent],
        )

    def state(self) -> Any:
        """Return the tensors of all seats after one another: nobody at the table knows as much."""
        episode = self.episode
        found = np.empty(episode.seats * episode.tensors.size, np.float32)
        for seat in range(episode.seats):
            episode.write_tensor(seat, found, seat * self._size * found.itemsize)
        return found

    def step(self, action: int | None) -> None:
        """Answer for the agent that is asked; None once the episode has ended.

        A number that is not legal loses a point and ends the episode. Raises EngineError before the first `reset`.
        """
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None, "the agent that is asked answers with a number"
        episode = self.episode
        self._cumulative_rewards[agent] = 0.0
        if self._has_rewards:
            self.rewards = dict.fromkeys(self.agents, 0.0)
            self._has_rewards = False
        try:
            rewards = episode.step(int(action))
        except IllegalNumber:
            self._pay([ILLEGAL if name == agent else 0.0 for name in self.possible_agents])
            self._end()
        else:
            if rewards is not None:
                self._pay(rewards)
            if episode.seat == ENDED:
                self._end()
            else:
                self.agent_selection = self.possible_agents[episode.seat]
        if self.render_mode == "human":
            self.render()

    def _pay(self, rewards: list[float]) -> None:
        """Hand out what the step brought each seat."""
        self.rewards = dict(zip(self.possible_agents, rewards, strict=True))
        self._has_rewards = True
        self._accumulate_rewards()

    def _end(self) -> None:
        self.terminations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.agents[0]

    def render(self) -> str | None:
        """Return the table as the agent that is asked sees it (`ansi`), or print it (`human`)."""
        course = self.episode.course
        assert course is not None, "reset() first"
        text = "\n".join(table_lines(course, self._seat_of[self.agent_selection]))
        if self.render_mode == "human":
            print(text)  # noqa: T201  # this is what `human` means
            return None
        return text

    def close(self) -> None:
        """Nothing is open."""


def env(**settings: Any) -> HanafudaAEC:
    """An environment, for the registry. What the usual wrappers look for it does itself, in half of the time."""
    return HanafudaAEC(**settings)


def register() -> None:
    """Make every preset known to `pettingzoo.make`; twice does no harm."""
    for preset in PRESETS:
        if environment_id(preset) not in aec_registry:
            register_aec("aec", environment_id(preset), env, kwargs={"preset": preset})
