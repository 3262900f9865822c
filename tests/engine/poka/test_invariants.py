"""The invariants of rules.md 10 that Poka has, on random deals from a seed."""

from __future__ import annotations

import json
from random import Random
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.action import Action
from engine.cards import card_set, members
from engine.deck import deck_order
from engine.errors import IllegalAction, Refusal
from engine.game import OptionValue, Step
from engine.games import ruleset
from engine.games.poka import POKA
from engine.games.poka.observation import determinize, observe, to_json
from engine.games.poka.refusal import check_legality
from engine.games.poka.state import PokaState
from engine.notation import format_move, parse_move
from tests.engine.examples import examples
from tests.engine.poka.tables import VARIANTS, contents, dealt, fresh_deal, is_partition, random_play
from tests.engine.worlds import seed_of

MAX_LENGTH: Final = 2 * (35 + 2 * 46) + 12 * (2 * 46) + 12 * 2
"""No deal has more moves: two passes per card until ghosts force, then a discard per pile, and each with a stop."""
EVERY_ACTION: Final = [
    *(Action.of("discard", card) for card in range(48)),
    *(Action.of(kind) for kind in ("stop", "pass", "draw_only")),
    *(Action.of("play", card) for card in (0, 20)),
    Action.of("hiki", month=3),
]

KINDS: Final = ("discard", "stop", "pass")
Named = tuple[str, dict[str, OptionValue]]
seeds = st.integers(0, 2**64 - 1)
rulesets = st.sampled_from(VARIANTS)
idle = st.sampled_from([0.0, 0.5, 0.9, 1.0])


def a_deal(named: Named, seed: int, dealer: int = 0) -> PokaState:
    preset, options = named
    return fresh_deal(ruleset(preset, **options), seed_of(seed), dealer=dealer)


@given(rulesets, seeds, idle)
def test_every_card_is_in_a_hand_the_pile_or_the_discard_pile(named: Named, seed: int, often: float) -> None:
    state = a_deal(named, seed)
    for _ in random_play(state, Random(seed), idle=often):
        assert is_partition(state)
    assert is_partition(state)


@given(rulesets, seeds, idle)
def test_a_deal_ends_after_a_bounded_number_of_moves(named: Named, seed: int, often: float) -> None:
    """R93; also if everybody always stops or passes where he may."""
    state = a_deal(named, seed)
    for moves, _ in enumerate(random_play(state, Random(seed), idle=often), start=1):
        assert state.legal_actions()
        assert moves <= MAX_LENGTH
    assert state.legal_actions() == ()
    assert state.seat_to_act == -1


@pytest.mark.thorough
@examples(60)
@given(rulesets, seeds, idle)
def test_what_is_listed_is_accepted_and_the_rest_refused(named: Named, seed: int, often: float) -> None:
    state, dice = a_deal(named, seed), Random(seed)
    for _ in random_play(state, dice, idle=often):
        legal = state.legal_actions()
        assert len(set(legal)) == len(legal)
        assert list(legal) == sorted(
            legal, key=lambda action: (["discard", "stop", "pass"].index(action.kind), action.card)
        )
        if dice.random() < 0.8:
            continue
        before = contents(state)
        for action in EVERY_ACTION:
            _check_action(state, action, legal)
        assert contents(state) == before


def _check_action(state: PokaState, action: Action, legal: tuple[Action, ...]) -> None:
    """Listed and accepted, or refused with a code of rules 3.1."""
    if action in legal:
        twin = state.copy()
        twin.apply(action)
        assert is_partition(twin)
        assert parse_move(format_move(state.turn, action)) == (state.turn, action)
        assert Action.from_json(json.loads(json.dumps(action.to_json()))) is action
        assert check_legality(state, action, 1 - state.turn) is Refusal.NOT_YOUR_TURN
        return
    with pytest.raises(IllegalAction) as caught:
        state.apply(action)
    assert caught.value.code in Refusal.__members__


@examples(60)
@given(rulesets, seeds, idle)
def test_a_seat_sees_only_what_it_may_and_samples_what_it_sees(named: Named, seed: int, often: float) -> None:
    state, dice = a_deal(named, seed), Random(seed)
    for _ in random_play(state, dice, idle=often):
        if dice.random() < 0.8:
            continue
        for seat in (0, 1):
            seen, twin = observe(state, seat), shuffled_for(state, seat, dice)
            assert is_partition(twin)
            assert observe(twin, seat) == seen
            assert to_json(twin, seat) == to_json(state, seat)
            world = determinize(seen, dice)
            assert is_partition(world)
            assert observe(world, seat) == seen
            assert not world.hands[1 - seat] & state.lacks[1 - seat]


def shuffled_for(state: PokaState, seat: int, dice: Random) -> PokaState:
    """Another world that `seat` cannot tell from this one: what rules 3.6 hides from it lies otherwise."""
    twin, other = state.copy(), 1 - seat
    shown = state.shown[other]
    known = state.hands[other] if state.pile_known else state.hands[other] & (shown.cards if shown else 0)
    hidden = list(members(state.hands[other] & ~known))
    pool = [*hidden, *state.hidden()]
    dice.shuffle(pool)
    twin.hands[other] = known | card_set(pool[: len(hidden)])
    twin.pile, twin.position = tuple(pool[len(hidden) :]), 0
    twin.moves_seen[other] += 1
    return twin


@pytest.mark.thorough
@given(rulesets, seeds)
def test_a_copy_is_independent(named: Named, seed: int) -> None:
    state = a_deal(named, seed)
    dice = Random(seed)
    for action in random_play(state, dice, idle=0.5):
        before, twin = contents(state), state.copy()
        assert contents(twin) == before
        for _ in random_play(twin, Random(1)):
            pass
        assert contents(state) == before
        assert action in state.legal_actions()
        if dice.random() < 0.3:
            return


@given(rulesets, seeds, idle)
def test_checked_unchecked_and_traced_play_are_the_same(named: Named, seed: int, often: float) -> None:
    state = a_deal(named, seed)
    checked, traced = state.copy(), state.copy()
    for action in random_play(state, Random(seed), idle=often):
        assert contents(checked) == contents(traced) == contents(state)
        checked.apply(action)
        POKA.play(traced, action)
    assert contents(checked) == contents(traced) == contents(state)


@given(rulesets, seeds, idle)
def test_the_cards_ways_lead_where_the_cards_are(named: Named, seed: int, often: float) -> None:
    """The steps of a deal and its moves, done by somebody who knows no rules, give the position."""
    preset, options = named
    order = deck_order(seed_of(seed), 1)
    state = dealt(ruleset(preset, **options), order, seed=seed_of(seed))
    zones: dict[str, list[int]] = {"p": list(order), "h0": [], "h1": [], "d": []}
    _move(zones, POKA.dealt(state, order).steps)
    dice = Random(seed)
    while not state.is_over:
        legal = state.legal_actions()
        played = POKA.play(state, legal[-1] if dice.random() < often else dice.choice(legal))
        _move(zones, played.steps)
        assert zones["d"] == state.discard
        assert sorted(zones["p"]) == sorted(state.hidden())
        assert [card_set(zones["h0"]), card_set(zones["h1"])] == state.hands


def _move(zones: dict[str, list[int]], steps: tuple[Step, ...]) -> None:
    for step in steps:
        zones[step.source].remove(step.card)
        zones[step.target].append(step.card)


@given(rulesets, seeds, idle)
def test_renaming_the_seats_swaps_the_outcome(named: Named, seed: int, often: float) -> None:
    preset, options = named
    rules, order = ruleset(preset, **options), deck_order(seed_of(seed), 1)
    first, second = (dealt(rules, order, dealer=dealer, seed=seed_of(seed)) for dealer in (0, 1))
    for action in random_play(first, Random(seed), idle=often):
        assert second.legal_actions() == first.legal_actions()
        assert second.turn == 1 - first.turn
        second.apply(action)
    here, there = first.outcome(), second.outcome()
    assert here.reason == there.reason
    assert here.score == there.score[::-1]
    assert here.winner == 1 - (there.winner or 0)


@given(seeds, idle)
def test_the_winner_has_an_empty_hand_or_a_teyaku(seed: int, often: float) -> None:
    state = a_deal(("poka5", {}), seed)
    for _ in random_play(state, Random(seed), idle=often):
        assert all(state.hands)
    outcome = state.outcome()
    assert outcome.winner is not None
    assert sum(outcome.score) == outcome.score[outcome.winner] == outcome.points
    assert sum(outcome.victories) == outcome.victories[outcome.winner] == 1
    if outcome.reason in ("emptied", "all_out"):
        assert state.hands[outcome.winner] == 0
        assert state.hands[1 - outcome.winner]
    else:
        assert state.shown[outcome.winner] is not None
