"""What the games for OpenSpiel have in common: their type, whose turn it is, tensors that are cut into pieces."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pyspiel

from engine.environments.explicit import CHANCE, OVER


def game_type(name: str, title: str, players: tuple[int, int], **more: Any) -> Any:
    """Return the type of a game of cards: one decision after another, explicit chance, hidden cards, nothing lost.

    players: fewest and most. more: what else `pyspiel.GameType` takes.
    """
    return pyspiel.GameType(
        short_name=name,
        long_name=title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=players[1],
        min_num_players=players[0],
        provides_information_state_string=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        **more,
    )


class DealState(pyspiel.State):
    """A state that is a `deal`: its `seat` decides, or it is CHANCE or OVER."""

    deal: Any

    def current_player(self) -> int:
        """The seat that decides, or OpenSpiel's id of chance or of the end."""
        seat: int = self.deal.seat
        return seat

    def is_terminal(self) -> bool:
        is_over: bool = self.deal.seat == OVER
        return is_over

    def _apply_action(self, action: int) -> None:
        deal = self.deal
        if deal.seat == CHANCE:
            deal.draw(action)
        else:
            deal.play(action)


def require_no_parameters(params: Any) -> None:
    """Refuse parameters of an observer: there are none. Raises ValueError."""
    if params:
        raise ValueError(f"Observation parameters are not supported: {params}")


def in_pieces(shapes: Mapping[str, tuple[int, ...]]) -> tuple[Any, dict[str, Any]]:
    """Return a tensor of float32, and the pieces of these shapes that it consists of, in their order."""
    sizes = [int(np.prod(shape)) for shape in shapes.values()]
    tensor = np.zeros(sum(sizes), np.float32)
    parts = np.split(tensor, np.cumsum(sizes)[:-1]) if sizes else []
    return tensor, {name: part.reshape(shapes[name]) for name, part in zip(shapes, parts, strict=True)}
