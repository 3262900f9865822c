"""Deals stepped together: the same as each alone, shown in arrays that the caller may own."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import numpy as np
import pytest

from engine.actions import space_of
from engine.batch import Batch
from engine.cards import ALL, members
from engine.environments.setup import rules_of, seatings
from engine.errors import EngineError
from engine.game import game_of
from engine.games import ruleset
from engine.rewards import rewards_of
from engine.shuffling import Dealer, shuffled
from engine.tensors import CARDS, Tensors

ROWS = 5


def arrays(batch: Batch) -> dict[str, np.ndarray]:
    """The buffers of a batch as arrays, without a copy."""
    return {
        "masks": np.frombuffer(batch.masks, np.uint8).reshape(batch.count, batch.actions),
        "rewards": np.frombuffer(batch.rewards, np.float32).reshape(batch.count, batch.seats),
        "observations": np.frombuffer(batch.observations, np.float32).reshape(batch.count, -1),
        "done": np.frombuffer(batch.done, np.uint8),
        "to_act": np.frombuffer(batch.to_act, np.uint8),
    }


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize(("preset", "seats"), seatings())
def test_a_row_is_a_deal_of_the_engine(preset: str, seats: int) -> None:
    """The dealer is asked the same way beside it: every mask, seat, end and reward is that of a deal played alone."""
    rules = ruleset(preset)
    batch, beside, space = Batch(rules, seats, 1, seed=3), Dealer(game_of(rules.game), rules, seats, 3), space_of(rules)
    state, found, dice, sides = beside.deal(), arrays(batch), Random(1), rules.sides(seats)
    for _ in range(150):
        choices = space.choices(state.legal_actions())
        assert np.flatnonzero(found["masks"][0]).tolist() == sorted(choices)
        assert found["to_act"][0] == state.seat_to_act
        number = dice.choice(list(choices))
        batch.step([number])
        state.apply_unchecked(choices[number][0])
        assert found["done"][0] == state.is_over
        if state.is_over:
            assert found["rewards"][0].tolist() == pytest.approx(rewards_of(state.outcome(), rules, sides))
            state = beside.deal()
        else:
            assert not found["rewards"].any()


@pytest.mark.parametrize("preset", ["hawaii", "koikoi_zoo", "nuki88", "oibana", "poka5"])
def test_what_a_row_shows_is_what_its_seat_knows(preset: str) -> None:
    seats = game_of(ruleset(preset).game).seat_range[1]
    rules = ruleset(preset)
    batch, game = Batch(rules, seats, ROWS, seed=8), game_of(rules.game)
    found = arrays(batch)
    for _ in range(40):
        for row in range(ROWS):
            known = game.observe(batch._states[row], int(found["to_act"][row]))
            other = np.zeros(batch.size, np.float32)
            assert batch._tensors is not None
            batch._tensors.write(known, batch._histories[row], 0, batch._totals, -1, other, 0)
            assert found["observations"][row].tolist() == other.tolist()
        batch.step(batch.sample())


def test_the_same_seed_gives_the_same_deals_and_another_gives_others() -> None:
    first, second, other = (Batch(ruleset("hawaii"), 4, ROWS, seed=seed) for seed in (1, 1, 2))
    for _ in range(60):
        first.step(first.sample())
        second.step(second.sample())
        other.step(other.sample())
        assert first.observations == second.observations
        assert first.masks == second.masks
    assert first.observations != other.observations
    assert first.steps == 60 * ROWS


def test_it_writes_into_the_buffers_of_the_caller() -> None:
    rules = ruleset("koikoi_nintendo")
    own = Batch(rules, 2, ROWS, seed=4)
    masks, observations = np.zeros((ROWS, own.actions), np.int8), np.zeros((ROWS, own.size), np.float32)
    lent = Batch(rules, 2, ROWS, seed=4, masks=masks, observations=observations)
    for _ in range(20):
        assert masks.tobytes() == bytes(own.masks)
        assert observations.tobytes() == bytes(own.observations)
        numbers: Any = np.array(own.sample())
        own.step(numbers.tolist())
        lent.step(numbers)


def test_without_tensors_masks_are_the_same() -> None:
    seeing, blind = (Batch(ruleset("french"), 3, ROWS, seed=6, observe=observe) for observe in (True, False))
    for _ in range(30):
        assert seeing.masks == blind.masks
        numbers = seeing.sample()
        seeing.step(numbers)
        blind.step(numbers)
    assert (blind.size, blind.observations) == (0, bytearray())


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize(("preset", "seats"), seatings())
def test_in_two_steps_a_row_is_the_same_deal(preset: str, seats: int) -> None:
    """Every answer is asked of a batch that takes whole actions, too: masks, seats, ends and rewards agree."""
    rules = ruleset(preset)
    steps, whole = Batch(rules, seats, 1, seed=3, stepwise=True), Batch(rules, seats, 1, seed=3)
    space, flat, layout = space_of(rules, stepwise=True), space_of(rules), Tensors(rules, seats).layout
    found, beside, dice = arrays(steps), arrays(whole), Random(1)
    assert steps.actions == space.size < whole.actions or preset.startswith("poka")
    at = layout.planes.index("chosen") * CARDS
    for _ in range(150):
        actions = [each for (each,) in flat.choices(whole._legal[0]).values()]
        choices, chosen = space.choices(actions), -1
        while True:
            assert np.flatnonzero(found["masks"][0]).tolist() == sorted(choices)
            assert np.flatnonzero(found["observations"][0][at : at + CARDS]).tolist() == [chosen] * (chosen >= 0)
            assert found["to_act"][0] == beside["to_act"][0]
            number = dice.choice(list(choices))
            steps.step([number])
            if len(choices[number]) == 1:
                break
            assert not found["done"][0]
            choices, chosen = space.targets(choices[number]), number
        whole.step([next(iter(flat.choices(choices[number])))])
        for name in ("rewards", "done", "to_act", "observations"):
            assert found[name].tolist() == beside[name].tolist(), name


def test_in_two_steps_legal_numbers_are_drawn_and_others_refused() -> None:
    first, second = (Batch(ruleset("hawaii"), 4, ROWS, seed=2, stepwise=True) for _ in range(2))
    blind = Batch(ruleset("hawaii"), 4, ROWS, seed=2, stepwise=True, observe=False)
    for _ in range(80):
        numbers = first.sample()
        assert numbers == second.sample() == blind.sample()
        for batch in (first, second, blind):
            batch.step(numbers)
        assert first.observations == second.observations
        assert first.masks == second.masks == blind.masks
    with pytest.raises(EngineError) as caught:
        first.step([first.actions] * ROWS)
    assert caught.value.code == "batch.illegal"


def test_some_rows_can_be_stepped_alone() -> None:
    batch = Batch(ruleset("hawaii"), 2, ROWS, seed=1)
    before = bytes(batch.masks)
    batch.step(batch.sample([1, 3]), [1, 3])
    width = batch.actions
    changed = [
        row for row in range(ROWS) if batch.masks[row * width : (row + 1) * width] != before[row * width :][:width]
    ]
    assert changed == [1, 3]
    assert batch.steps == 2


def test_rewards_of_a_deal_sum_to_nothing() -> None:
    batch = Batch(ruleset("hawaii", teams="3x2"), 6, 40, seed=2, observe=False)
    found, ended = arrays(batch), 0
    while ended < 40:
        batch.step(batch.sample())
        for row in np.flatnonzero(found["done"]):
            ended += 1
            rewards = found["rewards"][row]
            assert rewards.sum() == pytest.approx(0, abs=1e-4)
            assert rewards[:3].tolist() == rewards[3:].tolist(), "partners share a side"


@pytest.mark.parametrize("numbers", [[0] * ROWS, [-1] * ROWS, [10_000] * ROWS, [], [0]])
def test_what_is_not_legal_is_refused(numbers: list[int]) -> None:
    batch = Batch(ruleset("hawaii"), 2, ROWS, seed=1)
    with pytest.raises(EngineError) as caught:
        batch.step(numbers)
    assert caught.value.code == "batch.illegal"


def test_a_batch_of_nothing_and_a_buffer_of_another_size_are_refused() -> None:
    with pytest.raises(EngineError) as caught:
        Batch(ruleset("hawaii"), 2, 0)
    assert caught.value.code == "batch.empty"
    with pytest.raises(EngineError) as caught:
        Batch(ruleset("hawaii"), 2, 2, masks=bytearray(5))
    assert caught.value.code == "batch.buffer"


def test_every_order_of_cards_is_as_likely_as_another() -> None:
    """24 orders of four cards: 24,000 drawings, none further from 1,000 than five standard deviations."""
    draw = Random(7).randbytes
    counts = Counter(shuffled([0, 1, 2, 3], draw) for _ in range(24_000))
    assert len(counts) == 24
    assert max(abs(count - 1_000) for count in counts.values()) < 5 * 31
    assert sorted(shuffled(list(members(ALL)), draw)) == list(range(48))


def test_dealers_come_from_every_seat_and_no_deal_is_over() -> None:
    rules = rules_of("enwiki2020", {"field_quad": "redeal", "deal_hands": "teshi_kuttsuki"})
    dealer = Dealer(game_of("sakura"), rules, 3, 5)
    states = [dealer.deal() for _ in range(300)]
    assert not any(state.is_over for state in states)
    assert {state.seat_to_act for state in states} == {0, 1, 2}
