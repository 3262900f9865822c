"""What a language model is shown and how its answer is read."""

from __future__ import annotations

from random import Random

import pytest

from engine.environments.prompts import generate_prompt, get_legal_moves, parse_response
from engine.environments.setup import rules_of, seatings
from engine.episode import Episode, seed_bytes
from engine.notation import parse_action


def begun(preset: str, seats: int, *, stepwise: bool = False) -> Episode:
    episode = Episode(rules_of(preset), seats, stepwise=stepwise)
    episode.begin(seed_bytes("prompts", preset))
    return episode


@pytest.mark.parametrize(("preset", "seats"), seatings())
def test_a_game_can_be_played_by_answers(preset: str, seats: int) -> None:
    episode, dice = begun(preset, seats), Random(3)
    while not episode.is_over:
        moves = get_legal_moves(episode)
        prompt = generate_prompt(episode)
        assert all(f"- {text}" in prompt for text in moves)
        assert [episode.choices[number][0] for number in moves.values()] == [parse_action(text) for text in moves]
        answer = f"I hold many cards.\nMove: {dice.choice(list(moves))}"
        number = parse_response(episode, answer)
        assert number is not None
        episode.step(number)
    assert get_legal_moves(episode) == {}
    with pytest.raises(ValueError, match="nobody"):
        generate_prompt(episode)


def test_the_prompt_shows_the_own_hand_and_no_other() -> None:
    episode = begun("koikoi_nintendo", 2)
    assert episode.course is not None
    prompt = generate_prompt(episode)
    hands = [line for line in prompt.splitlines() if line.startswith("Your hand:")]
    assert len(hands) == 1
    assert hands[0].count("(") == 8


@pytest.mark.parametrize(
    ("answer", "is_read"),
    [
        ("Move: {}", True),
        ("**Move: {}**", True),
        ("move : `{}`", True),
        ("Move: 13.1\nNo. Move: {}", True),
        ("{}", True),
        ("`{}`", True),
        ("I would play {} here", False),
        ("Move: {}\nMove: 13.1", False),
        ("", False),
        ("Move:", False),
    ],
)
def test_the_move_of_an_answer(answer: str, is_read: bool) -> None:
    episode = begun("hawaii", 2)
    text, number = next(iter(get_legal_moves(episode).items()))
    assert parse_response(episode, answer.format(text)) == (number if is_read else None)


def test_in_two_steps_the_card_is_named_first() -> None:
    episode = begun("hawaii", 2, stepwise=True)
    assert all(len(text) == 4 or text.startswith("hiki") for text in get_legal_moves(episode))
