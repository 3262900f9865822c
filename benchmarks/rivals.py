"""The rivals of `benchmarks.engine`, played through their Python interfaces as their own examples do.

OpenSpiel: a game is played from its first chance node to its end by `chance_outcomes`, `legal_actions`, `apply_action`,
and its returns are read; plies are the players' decisions. RLCard: `reset` and `step`, an observation at every ply.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from random import Random
from typing import Any

from benchmarks.slices import Play


def missing() -> list[str]:
    """The rivals that are not installed."""
    return [name for name in ("pyspiel", "rlcard") if find_spec(name) is None]


def drawn(outcomes: Sequence[tuple[int, float]], number: float) -> int:
    """The outcome of a chance node that a number between 0 and 1 stands for."""
    for outcome, probability in outcomes:
        number -= probability
        if number < 0:
            return outcome
    # The probabilities may add up to a little less than 1.
    return outcomes[-1][0]


def open_spiel(name: str, *, observed: bool = False) -> Play:
    """A game of OpenSpiel; observed: `information_state_string` at every ply."""
    game, draw = import_module("pyspiel").load_game(name), Random(1).random

    def play() -> int:
        state, plies = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(drawn(state.chance_outcomes(), draw()))
                continue
            if observed:
                state.information_state_string()
            legal = state.legal_actions()
            state.apply_action(legal[int(draw() * len(legal))])
            plies += 1
        state.returns()
        return plies

    return play


def rlcard(name: str) -> Play:
    """A game of RLCard, which makes an observation at every ply."""
    env: Any = import_module("rlcard").make(name, config={"seed": 1})
    draw = Random(1).random

    def play() -> int:
        state, _ = env.reset()
        plies = 0
        while not env.is_over():
            legal = list(state["legal_actions"])
            state, _ = env.step(legal[int(draw() * len(legal))])
            plies += 1
        env.get_payoffs()
        return plies

    return play
