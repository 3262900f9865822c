"""The invariants of rules.md 10 for Nuki, on random deals from a seed."""

from __future__ import annotations

import json
from random import Random
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.action import Action
from engine.cards import MONTH_MASKS, NUKI_DECK, CardSet, members
from engine.deck import GuessedShuffles, deck_order
from engine.errors import IllegalAction, Refusal
from engine.game import DealStart
from engine.games import ruleset
from engine.games.nuki import NUKI
from engine.games.nuki.dekiyaku import ids_in
from engine.games.nuki.observation import observe, to_json
from engine.games.nuki.position import NukiPosition
from engine.games.nuki.refusal import check_legality
from engine.games.nuki.start import new_deal
from engine.games.nuki.state import NukiState
from engine.games.nuki.teyaku import claims_of
from engine.games.nuki.values import card_points
from engine.notation import format_move, parse_move
from tests.engine.examples import examples
from tests.engine.nuki.tables import VARIANTS, contents, fresh_deal, is_partition, random_play

seeds = st.integers(0, 2**40)
seatings = st.sampled_from((2, 3, 4))
variants = st.sampled_from(VARIANTS)

EVERY_ACTION: Final[tuple[Action, ...]] = (
    *(Action.of("play", card, take) for card in range(48) for take in (-1, -2, -3, -4, -5, card ^ 1, (card + 5) % 48)),
    *(Action.of("draw_take", take=take) for take in range(-5, 48)),
    *(Action.of("blocked_choice", take=take) for take in (-3, 0)),
    *(Action.of(kind, month=month) for kind in ("triplet", "hiki") for month in range(1, 13)),
    *(Action.of(kind) for kind in ("mizuten", "see", "draw_only")),
    *(Action.of("join", word=word) for word in ("play", "drop")),
    *(Action.of("call", word=word) for word in ("sage", "shoubu", "cancel")),
)


def a_deal(seats: int, variant: dict[str, str], seed: int) -> NukiState:
    return fresh_deal(seed, seats=seats, dealer=seed % seats, options=variant)


@given(seatings, variants, seeds)
def test_every_card_is_in_one_place(seats: int, variant: dict[str, str], seed: int) -> None:
    state = a_deal(seats, variant, seed)
    for _ in random_play(state, Random(seed)):
        assert is_partition(state)
    assert is_partition(state)


@pytest.mark.thorough
@given(seatings, variants, seeds)
def test_payments_sum_to_zero_with_the_pot(seats: int, variant: dict[str, str], seed: int) -> None:
    state = a_deal(seats, variant, seed)
    for _ in random_play(state, Random(seed)):
        pass
    outcome = state.outcome()
    assert sum(outcome.score) == 0
    assert outcome.winner is not None
    assert outcome.multiplier in (1, 2)
    assert outcome.carry["carry"] >= 0
    assert sum(outcome.victories) == 1
    lines = NUKI.lines(state.rules.options, outcome)
    for side, points in enumerate(outcome.score):
        assert sum(int(str(line["v"])) for line in lines if line["side"] == side) == points
    if outcome.reason != "no_game":
        idle = set(range(seats)) - set(state.active)
        free = {"mizuten", "dropout", "forced_out"}
        assert all(line.code in free for line in outcome.lines if {line.payer, line.payee} & idle)


@given(seatings, variants, seeds)
def test_a_deal_played_out_leaves_no_card_and_captures_are_of_a_month(
    seats: int, variant: dict[str, str], seed: int
) -> None:
    state = a_deal(seats, variant, seed)
    piles: list[CardSet] = []
    for _ in random_play(state, Random(seed)):
        if state.active and piles:
            _check_captures(piles, state.captured)
        piles = list(state.captured) if state.active else []
    if state.end == "exhausted":
        assert state.field == 0
        assert state.pile_left == 0
        assert sum(card_points(pile) for pile in state.captured) == 211


def _check_captures(before: list[CardSet], after: list[CardSet]) -> None:
    for old, new in zip(before, after, strict=True):
        assert old & ~new == 0, "a captured card left its pile"
        assert set(ids_in(old)) - {"four_brights"} <= set(ids_in(new)), "dekiyaku only grow"
        taken = [(new & ~old & month).bit_count() for month in MONTH_MASKS]
        assert all(count % 2 == 0 for count in taken)
        assert sum(count > 0 for count in taken) <= 2


@given(seatings, variants, seeds)
def test_every_turn_shrinks_the_pile_by_one(seats: int, variant: dict[str, str], seed: int) -> None:
    state = a_deal(seats, variant, seed)
    for action in random_play(state, Random(seed)):
        if state.active and state.phase == "hand":
            assert state.pile_left == sum(hand.bit_count() for hand in state.hands)
            left = state.pile_left
            if action.kind == "play":
                twin = state.copy()
                twin.apply(action)
                assert twin.pile_left == left - 1


@given(seatings, variants, seeds)
def test_claims_are_those_of_the_hands_as_they_were_dealt(seats: int, variant: dict[str, str], seed: int) -> None:
    state = a_deal(seats, variant, seed)
    for _ in random_play(state, Random(seed)):
        for seat in state.active:
            claims = state.claims[seat]
            if claims is not None:
                month = claims.a.month if claims.a else 0
                assert claims == claims_of(state.hands[seat] | state.played[seat], month)
    for seat in range(seats):
        assert seat in state.active or state.claims[seat] is None


@pytest.mark.thorough
@examples(40)
@given(seatings, variants, seeds)
def test_what_is_listed_is_accepted_and_all_else_refused(seats: int, variant: dict[str, str], seed: int) -> None:
    state, dice = a_deal(seats, variant, seed), Random(seed)
    for _ in random_play(state, dice):
        legal = state.legal_actions()
        assert legal
        assert len(set(legal)) == len(legal)
        before = contents(state)
        for action in legal:
            assert state.resolve(action) is action
            assert Action.from_json(json.loads(json.dumps(action.to_json()))) is action
            assert parse_move(format_move(state.turn, action)) == (state.turn, action)
            twin = state.copy()
            twin.apply(action)
            assert is_partition(twin)
        for action in dice.sample(EVERY_ACTION, 12):
            _check_unlisted(state, action, legal)
        assert contents(state) == before
    assert state.legal_actions() == ()
    assert state.seat_to_act == -1


def _check_unlisted(state: NukiState, action: Action, legal: tuple[Action, ...]) -> None:
    """Check that what is not listed is refused with a code of rules 3.1, unless it is a shorthand of what is listed."""
    wanted = check_legality(state, action, state.turn)
    if isinstance(wanted, Action):
        assert wanted in legal
        other = (state.turn + 1) % state.rules.seats
        with pytest.raises(IllegalAction, match="NOT_YOUR_TURN"):
            state.apply(action, seat=other)
    else:
        assert action not in legal
        assert wanted.value in Refusal.__members__
        with pytest.raises(IllegalAction, match=wanted.value):
            state.apply(action)


@pytest.mark.thorough
@given(seatings, variants, seeds)
def test_checked_unchecked_and_traced_play_are_the_same(seats: int, variant: dict[str, str], seed: int) -> None:
    state = a_deal(seats, variant, seed)
    checked, traced = state.copy(), state.copy()
    traced.notes, traced.orders = [], []
    told: list[tuple[int, ...]] = []
    for action in random_play(state, Random(seed)):
        assert contents(checked) == contents(state)
        assert _lasting(traced) == _lasting(state)
        checked.apply(action)
        told += NUKI.play(traced, action).orders
    assert told == state.orders
    if state.is_over:
        assert checked.outcome() == traced.outcome()


def _lasting(state: NukiState) -> tuple[object, ...]:
    pairs = zip(NukiPosition.__slots__, contents(state), strict=True)
    return tuple(value for name, value in pairs if name not in ("notes", "orders"))


@given(seatings, variants, seeds)
def test_a_copy_is_independent(seats: int, variant: dict[str, str], seed: int) -> None:
    state, dice = a_deal(seats, variant, seed), Random(seed)
    for action in random_play(state, dice):
        before, twin = contents(state), state.copy()
        assert contents(twin) == before
        for _ in random_play(twin, Random(1)):
            pass
        assert contents(state) == before
        assert action in state.legal_actions()
        if dice.random() < 0.5:
            return


@pytest.mark.thorough
@examples(60)
@given(seatings, variants, seeds)
def test_what_is_hidden_changes_no_observation(seats: int, variant: dict[str, str], seed: int) -> None:
    """Two worlds that differ only in what a seat cannot know look the same to it and offer it the same."""
    state, dice = a_deal(seats, variant, seed), Random(seed)
    for _ in random_play(state, dice):
        for seat in range(seats):
            if state.phase == "showdown" and seat != state.turn:
                continue
            twin = shuffled_for(state, seat, dice)
            assert is_partition(twin)
            assert observe(twin, seat) == observe(state, seat)
            assert to_json(twin, seat) == to_json(state, seat)


def shuffled_for(state: NukiState, seat: int, dice: Random) -> NukiState:
    """Another world that `seat` cannot tell from this one."""
    twin = state.copy()
    seen = observe(state, seat)
    own_in_pile = seen.returned & ~seen.turned
    holders = [other for other in range(state.rules.seats) if other != seat or seen.hand == 0]
    hidden = {other: state.hands[other] & ~(seen.known[other] if other != seat else 0) for other in holders}
    pool = [card for cards in hidden.values() for card in members(cards)]
    pool += [card for card in state.hidden() if not own_in_pile >> card & 1]
    dice.shuffle(pool)
    for other, cards in hidden.items():
        twin.hands[other] &= ~cards
        for _ in range(cards.bit_count()):
            twin.hands[other] |= 1 << pool.pop()
    rest = pool + list(members(own_in_pile))
    dice.shuffle(rest)
    twin.pile, twin.position = tuple(rest), 0
    for other in range(state.rules.seats):
        if other != seat:
            twin.returned[other] = 0
    return twin


@examples(60)
@given(seatings, variants, seeds, st.integers(1, 3))
def test_renaming_the_seats_rotates_the_outcome(seats: int, variant: dict[str, str], seed: int, by: int) -> None:
    rules = ruleset("nuki88", **variant)
    order = deck_order(seed.to_bytes(32, "big"), 1, 0, NUKI_DECK)
    first, second = (
        new_deal(DealStart(rules, seats, dealer, 1, order, 0, GuessedShuffles(seed), {}, (0,) * seats))
        for dealer in (0, by % seats)
    )
    if first is None or second is None:
        assert first is second is None
        return
    for action in random_play(first, Random(seed)):
        assert second.legal_actions() == first.legal_actions()
        assert second.turn == (first.turn + by) % seats
        second.apply(action)
    here, there = first.outcome(), second.outcome()
    assert [here.score[seat] for seat in range(seats)] == [there.score[(seat + by) % seats] for seat in range(seats)]
    assert here.winner is not None
    assert there.winner == (here.winner + by) % seats
