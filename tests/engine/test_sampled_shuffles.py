"""A sampled world has a future of its own: the shuffles still to come depend on the sample, and on nothing else.

rules.md 11: nothing of the match's seed is in a sampled world; copies of one world play on alike.
"""

from __future__ import annotations

from random import Random

import pytest

from engine.cards import ALL
from engine.deck import GuessedShuffles
from engine.game import State, game_of
from engine.games import ruleset
from engine.games.nuki.state import NukiState
from engine.games.oibana.state import OibanaState
from engine.games.poka.state import PokaState
from engine.match import Match
from tests.engine.worlds import seed_of


def number_of(state: State) -> int:
    """The number that a sampled world's later shuffles come from."""
    assert isinstance(state, (NukiState, OibanaState, PokaState))
    assert isinstance(state.shuffle, GuessedShuffles)
    return state.shuffle.number


@pytest.mark.parametrize(("preset", "seats"), [("oibana", 3), ("nuki88", 3), ("poka5", 2)])
def test_every_sample_shuffles_in_its_own_way(preset: str, seats: int) -> None:
    match = Match(ruleset(preset), seats, seed_of("future", preset))
    game = game_of(match.ruleset.game)
    observation = game.observe(match.state, match.seat_to_act)
    numbers = [number_of(game.determinize(observation, Random(sample))) for sample in range(40)]
    assert len(set(numbers)) == 40
    assert all(0 <= number < 1 << 64 for number in numbers)
    assert max(numbers) >= 1 << 60
    again = [number_of(game.determinize(observation, Random(sample))) for sample in range(40)]
    assert numbers == again


def test_a_guessed_shuffle_depends_on_its_label_and_number() -> None:
    shuffle = GuessedShuffles(7)
    orders = {shuffle(label, number, ALL) for label in ("deck", "return") for number in (0, 1)}
    assert len(orders) == 4
    assert shuffle("deck", 1, ALL) == GuessedShuffles(7)("deck", 1, ALL)
