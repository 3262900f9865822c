"""Many tables at once for Gymnasium: one seat of each learns; a `Batch` plays them all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from engine.batch import Batch
from engine.environments.setup import default_seats, rules_of
from engine.game import OptionValue

BatchPolicy: TypeAlias = Callable[[Batch, Sequence[int]], Sequence[int]]
"""Chooses a legal number for each of some rows of a batch."""
BOUND = 1_000.0


def random_rows(batch: Batch, rows: Sequence[int]) -> Sequence[int]:
    """Any legal number, each equally likely."""
    return batch.sample(rows)


class HanafudaVectorEnv(VectorEnv[Any, Any, Any]):
    """Deals of a preset side by side. Observations are a view of the batch's array: copy what you keep.

    A deal that ends is followed by the next in the same step; it has ended for good, so there is no last observation to
    value.
    """

    def __init__(
        self, num_envs: int = 1, *, preset: str = "koikoi_nintendo", seats: int | None = None, seat: int = 0,
        opponents: BatchPolicy = random_rows, options: dict[str, OptionValue] | None = None, stepwise: bool = False,
        render_mode: str | None = None,
    ) -> None:  # fmt: skip
        """seat: the one that learns; opponents: the policy of all others. Raises BadOption and BadSeating."""
        self.metadata = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}
        self.render_mode = render_mode
        self.num_envs = num_envs
        self.seat = seat
        self._rules = rules_of(preset, options)
        self._seats = default_seats(preset) if seats is None else seats
        self._opponents = opponents
        self._stepwise = stepwise
        self._begin(0)
        self.single_observation_space = spaces.Box(-BOUND, BOUND, (self.batch.size,), np.float32)
        self.single_action_space = spaces.Discrete(self.batch.actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def _begin(self, seed: int) -> None:
        self.batch = batch = Batch(self._rules, self._seats, self.num_envs, seed=seed, stepwise=self._stepwise)
        self._observations = np.frombuffer(batch.observations, np.float32).reshape(self.num_envs, batch.size)
        self._masks = np.frombuffer(batch.masks, np.int8).reshape(self.num_envs, batch.actions)
        self._rewards = np.frombuffer(batch.rewards, np.float32).reshape(self.num_envs, self._seats)
        self._done = np.frombuffer(batch.done, np.bool_)
        self._to_act = np.frombuffer(batch.to_act, np.uint8)

    def reset(self, *, seed: Any = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Deal every row until its seat is asked. seed: the same gives the same deals."""
        super().reset(seed=seed)
        self._begin(int(self.np_random.integers(2**63)))
        self._play_others(np.zeros(self.num_envs), np.zeros(self.num_envs, np.bool_))
        return self._observations, self._info()

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Answer in every row, and let the others play until its seat is asked again.

        Raises EngineError `batch.illegal` for a number that the mask of its row does not allow.
        """
        rewards, done = np.zeros(self.num_envs), np.zeros(self.num_envs, np.bool_)
        self.batch.step(actions)
        self._add(rewards, done)
        self._play_others(rewards, done)
        return self._observations, rewards, done, np.zeros(self.num_envs, np.bool_), self._info()

    def _play_others(self, rewards: Any, done: Any) -> None:
        while True:
            rows = np.flatnonzero(self._to_act != self.seat).tolist()
            if not rows:
                return
            self.batch.step(self._opponents(self.batch, rows), rows)
            self._add(rewards, done)

    def _add(self, rewards: Any, done: Any) -> None:
        # A deal that ended in this step is followed by the next, which nobody has asked for: its rewards do not count.
        rewards += np.where(done, 0.0, self._rewards[:, self.seat])
        done |= self._done

    def action_masks(self) -> Any:
        """Return which numbers are legal in each row, as an array of booleans."""
        return self._masks.astype(np.bool_)

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._masks.copy()}
