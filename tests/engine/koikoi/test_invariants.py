"""What always holds in Koi-Koi, on random deals under random rules."""

from __future__ import annotations

import json
from random import Random
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.action import Action
from engine.cards import MONTH_MASKS, CardSet, card_set
from engine.deck import deck_order
from engine.errors import IllegalAction, Refusal
from engine.game import Ruleset, Step
from engine.games import ruleset
from engine.games.koikoi import KOIKOI
from engine.games.koikoi.legal import DECLARATIONS
from engine.games.koikoi.observation import determinize, observe, to_json
from engine.games.koikoi.outcome import KoiKoiOutcome
from engine.games.koikoi.refusal import check_legality
from engine.games.koikoi.rules import options_of, points_of
from engine.games.koikoi.scoring import next_dealer
from engine.games.koikoi.state import KoiKoiState
from engine.games.koikoi.yaku import month_of, yaku_in
from engine.notation import format_move, parse_move
from tests.engine.examples import examples
from tests.engine.koikoi.tables import (
    a_table,
    contents,
    dealt,
    fresh_deal,
    is_partition,
    play,
    random_play,
    rulesets,
    shuffled_for,
)
from tests.engine.worlds import seed_of

MAX_MOVES: Final = 16 * 3
"""A hand card, a choice for the flip and a decision in each of 16 turns."""
EVERY_ACTION: Final = [
    *(Action.of("play", card, take) for card in (0, 9, 20, 43) for take in (-1, -2, -3, -4, -5, *range(48))),
    *(Action.of("play", card) for card in range(48)),
    *(Action.of("draw_take", take=take) for take in (-3, -5, *range(48))),
    *DECLARATIONS,
    *(Action.of(kind) for kind in ("draw_only", "pass")),
    Action.of("hiki", month=3),
]
seeds = st.integers(0, 2**64 - 1)


def a_deal(rules: Ruleset, seed: int, *, dealer: int = 0) -> KoiKoiState:
    return fresh_deal(rules, seed_of(seed), dealer=dealer, number=1 + seed % 14)


@pytest.mark.thorough
@given(rulesets, seeds)
def test_every_card_is_in_one_place_and_captures_come_in_pairs(rules: Ruleset, seed: int) -> None:
    state = a_deal(rules, seed)
    for _ in random_play(state, Random(seed)):
        assert is_partition(state)
        for month in MONTH_MASKS:
            assert all((pile & month).bit_count() in (0, 2, 4) for pile in state.captured)
            assert state.field & month != month
    assert is_partition(state)


@pytest.mark.thorough
@given(rulesets, seeds)
def test_a_deal_ends_after_a_bounded_number_of_moves(rules: Ruleset, seed: int) -> None:
    state = a_deal(rules, seed)
    for moves, _ in enumerate(random_play(state, Random(seed)), start=1):
        assert state.legal_actions()
        assert state.seat_to_act == state.turn
        assert moves <= MAX_MOVES
    assert state.legal_actions() == ()
    assert state.seat_to_act == -1


@pytest.mark.thorough
@given(rulesets, seeds)
def test_points_grow_with_the_pile_and_only_a_rise_is_asked_about(rules: Ruleset, seed: int) -> None:
    state, options, before = a_deal(rules, seed), options_of(rules), [0, 0]
    for action in random_play(state, Random(seed)):
        now = [sum(state.yaku(seat).values()) for seat in (0, 1)]
        if options.weather == "off":
            assert all(map(int.__ge__, now, before))
        before = now
        if state.phase == "decision":
            assert state.legal_actions() == DECLARATIONS
            assert now[state.turn] > state.marks[state.turn]
            assert state.hands[state.turn]
            assert may_call(options.koikoi_limit, state.calls, state.turn)
        elif state.phase == "hand" and options.weather != "field":
            # Nobody is left with more than at the last call without having been asked.
            assert all(points <= mark for points, mark in zip(now, state.marks, strict=True))
        assert action in state.legal_actions()
    assert max(state.calls) <= (7 if options.koikoi_limit == "many" else 1)
    assert options.koikoi_limit != "once" or sum(state.calls) <= 1


def may_call(limit: str, calls: list[int], seat: int) -> bool:
    return {"once": not any(calls), "each_once": not calls[seat], "many": True}[limit]


@pytest.mark.thorough
@given(rulesets, seeds)
def test_the_quick_sum_of_points_is_that_of_the_yaku(rules: Ruleset, seed: int) -> None:
    state = a_deal(rules, seed)
    for _ in random_play(state, Random(seed)):
        for seat, pile in enumerate(state.captured):
            called = state.calls[seat] > 0
            quick = points_of(state.rules, pile, called=called, lying=state.field, month=state.month)
            assert quick == sum(state.yaku(seat).values())


@pytest.mark.thorough
@given(rulesets, st.integers(0, 2**48 - 1), st.integers(0, 2**48 - 1), st.booleans(), st.integers(1, 14))
def test_points_of_any_cards(rules: Ruleset, cards: CardSet, field: CardSet, called: bool, number: int) -> None:
    compiled = a_deal(rules, 1).rules
    month, lying = month_of(number), field & ~cards
    made = yaku_in(compiled.options, cards, called=called, field=lying, month=month)
    for _ in range(2):  # as it is counted first, and as it is remembered
        assert points_of(compiled, cards, called=called, lying=lying, month=month) == sum(made.values())


@pytest.mark.thorough
@examples(60)
@given(rulesets, seeds)
def test_what_is_listed_is_accepted_and_the_rest_refused(rules: Ruleset, seed: int) -> None:
    state, dice = a_deal(rules, seed), Random(seed)
    for _ in random_play(state, dice):
        legal = state.legal_actions()
        assert len(set(legal)) == len(legal)
        if legal != DECLARATIONS:
            assert list(legal) == sorted(legal, key=lambda action: (action.card, action.take))
        if dice.random() < 0.8:
            continue
        before = contents(state)
        for action in EVERY_ACTION:
            _check_action(state, action, legal)
        assert contents(state) == before


def _check_action(state: KoiKoiState, action: Action, legal: tuple[Action, ...]) -> None:
    """Listed and accepted, a shorthand for a listed one, or refused with a code of rules 3.1."""
    meant = check_legality(state, action, state.turn)
    assert (meant is action) == (action in legal)
    if isinstance(meant, Refusal):
        with pytest.raises(IllegalAction) as caught:
            state.apply(action)
        assert caught.value.code == meant
        return
    assert meant in legal
    twin = state.copy()
    twin.apply(action)
    assert is_partition(twin)
    assert parse_move(format_move(state.turn, meant)) == (state.turn, meant)
    assert Action.from_json(json.loads(json.dumps(meant.to_json()))) is meant
    assert check_legality(state, action, 1 - state.turn) is Refusal.NOT_YOUR_TURN


@examples(60)
@given(rulesets, seeds)
def test_a_seat_sees_only_what_it_may_and_samples_what_it_sees(rules: Ruleset, seed: int) -> None:
    state, dice = a_deal(rules, seed), Random(seed)
    for _ in random_play(state, dice):
        if dice.random() < 0.7:
            continue
        for seat in (0, 1):
            seen, twin = observe(state, seat), shuffled_for(state, seat, dice)
            assert is_partition(twin)
            assert observe(twin, seat) == seen
            assert to_json(twin, seat) == to_json(state, seat)
            world = determinize(seen, dice)
            assert is_partition(world)
            assert observe(world, seat) == seen
            assert to_json(world, seat) == to_json(state, seat)


@pytest.mark.thorough
@given(rulesets, seeds)
def test_a_copy_is_independent(rules: Ruleset, seed: int) -> None:
    state = a_deal(rules, seed)
    dice = Random(seed)
    for action in random_play(state, dice):
        before, twin = contents(state), state.copy()
        assert contents(twin) == before
        for _ in random_play(twin, Random(1)):
            pass
        assert contents(state) == before
        assert action in state.legal_actions()
        if dice.random() < 0.3:
            return


@pytest.mark.thorough
@given(rulesets, seeds)
def test_checked_unchecked_and_traced_play_are_the_same(rules: Ruleset, seed: int) -> None:
    state = a_deal(rules, seed)
    checked, traced = state.copy(), state.copy()
    for action in random_play(state, Random(seed)):
        for world in (state, checked, traced):
            world.notes = []
        assert contents(checked) == contents(traced) == contents(state)
        checked.apply(action)
        KOIKOI.play(traced, action)
    assert contents(checked) == contents(traced) == contents(state)


@pytest.mark.thorough
@given(rulesets, seeds, st.integers(0, 1))
def test_the_cards_ways_lead_where_the_cards_are(rules: Ruleset, seed: int, dealer: int) -> None:
    """The steps of a deal and its moves, done by somebody who knows no rules, give the position."""
    order = deck_order(seed_of(seed), 1)
    state = dealt(rules, order, dealer=dealer)
    if state is None:
        return
    places: dict[str, list[int]] = {"p": list(order), "h0": [], "h1": [], "c0": [], "c1": [], "f": []}
    _move(places, KOIKOI.dealt(state, order).steps)
    dice = Random(seed)
    while not state.is_over:
        _move(places, KOIKOI.play(state, dice.choice(state.legal_actions())).steps)
        waits = [] if state.pending < 0 else [state.pending]
        assert sorted(places["f"]) == sorted(state.field_order())
        assert sorted(places["p"]) == sorted([*state.hidden(), *waits])
        assert [card_set(places["h0"]), card_set(places["h1"])] == state.hands
        assert [card_set(places["c0"]), card_set(places["c1"])] == state.captured


def _move(places: dict[str, list[int]], steps: tuple[Step, ...]) -> None:
    for step in steps:
        places[step.source].remove(step.card)
        places[step.target].append(step.card)


@pytest.mark.thorough
@given(rulesets, seeds)
def test_renaming_the_seats_swaps_the_outcome(rules: Ruleset, seed: int) -> None:
    first, second = (a_deal(rules, seed, dealer=dealer) for dealer in (0, 1))
    for action in random_play(first, Random(seed)):
        assert second.legal_actions() == first.legal_actions()
        assert second.turn == 1 - first.turn
        second.apply(action)
    here, there = first.outcome(), second.outcome()
    assert (here.reason, here.base, here.multipliers) == (there.reason, there.base, there.multipliers)
    assert (here.score, here.yaku) == (there.score[::-1], there.yaku[::-1])
    assert (here.victories, here.calls) == (there.victories[::-1], there.calls[::-1])
    assert here.winner == (None if there.winner is None else 1 - there.winner)


@pytest.mark.thorough
@given(rulesets, seeds)
def test_who_stops_scores_and_deals_next(rules: Ruleset, seed: int) -> None:
    options, state = options_of(rules), a_deal(rules, seed)
    for _ in random_play(state, Random(seed)):
        pass
    found = state.outcome()
    assert sum(found.score) == 0 if options.zero_sum else min(found.score) == 0
    assert sum(found.victories) == (found.winner is not None)
    if found.reason == "shoubu":
        assert found.winner is not None
        assert found.score[found.winner] == (found.base + found.added) * found.multiplier >= 1
        assert found.victories[found.winner] == 1
        assert next_dealer(options, state.dealer, found.winner) == found.winner
    else:
        assert found.reason == "exhausted"
        assert (state.pile_left, state.hands) == (8, [0, 0])
        assert (found.winner is None) == (options.exhausted != "last_caller" or not any(state.calls))
    check_lines(rules, found)


def check_lines(rules: Ruleset, found: KoiKoiOutcome) -> None:
    """The lines of a side sum up to its score."""
    sums = [0, 0]
    for line in KOIKOI.lines(rules.options, found):
        side, value = line["side"], line["v"]
        assert isinstance(side, int)
        assert isinstance(value, int)
        assert value
        sums[side] += value
    assert sums == list(found.score)


def test_play_all_refuses_what_is_not_listed() -> None:
    state = a_deal(ruleset("koikoi_zoo"), 3)
    legal = state.legal_actions()
    foreign = next(action for action in EVERY_ACTION if action not in legal)
    with pytest.raises(IllegalAction):
        state.play_all([foreign])
    assert state.play_all(legal[:1]) == [0]


@pytest.mark.parametrize(
    ("card", "take", "field", "code"),
    [
        ("03.3", "return", "03.1", "RETURN_NOT_ALLOWED"), ("03.3", "none", "03.1", "CAPTURE_REQUIRED"),
        ("03.3", "03.1", "05.1", "NO_MATCH"), ("03.3", "", "03.1 03.2", "CHOICE_REQUIRED"),
        ("03.3", "all", "03.1 03.2", "BAD_TARGET"), ("03.3", "05.1", "03.1 05.1", "BAD_TARGET"),
        ("03.3", "03.1", "03.1 03.2 03.4", "CAPTURE_REQUIRED"), ("04.3", "", "03.1", "NOT_IN_HAND"),
        ("03.3", "leave", "03.1", "CAPTURE_REQUIRED"), ("03.3", "leave", "05.1", ""), ("03.3", "none", "05.1", ""),
        ("03.3", "all", "03.1 03.2 03.4", ""), ("03.3", "03.1", "03.1", ""), ("03.3", "03.2", "03.1 03.2", ""),
    ],
)  # fmt: skip
def test_why_a_card_is_refused(card: str, take: str, field: str, code: str) -> None:
    state = a_table(p0="03.3 09.1", p1="06.1", field=field, pile="12.1 12.2")
    action = play(card, take or None)
    if not code:
        assert state.resolve(action).card == action.card
        return
    with pytest.raises(IllegalAction) as caught:
        state.apply(action)
    assert caught.value.code == code


def test_an_empty_hand_has_nothing_to_play() -> None:
    with pytest.raises(IllegalAction) as caught:
        a_table(p0="", p1="06.1", field="05.1").apply(play("01.1"))
    assert caught.value.code == "HAND_EMPTY"
