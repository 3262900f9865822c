"""The invariants of rules.md 10, on random deals from a seed. (1, 3, 5, 10, 11, 13 also: test_ten_thousand_deals.)"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from engine.cards import BITS, GAJI, MONTH_MASKS, CardSet
from engine.deck import deck_order
from engine.game import OptionValue
from engine.games import ruleset
from engine.games.sakura import SAKURA
from engine.games.sakura.rules import compile_rules
from engine.games.sakura.start import new_deal
from engine.games.sakura.state import SakuraState
from engine.games.sakura.yaku import yaku_in
from tests.engine.examples import examples
from tests.engine.worlds import (
    FACTS,
    SAKURA_PRESETS,
    SEATINGS,
    VARIANTS,
    contents,
    fresh_deal,
    is_partition,
    random_play,
    seed_of,
)

seeds = st.integers(0, 2**64 - 1)
seatings = st.sampled_from(SEATINGS)
rulesets = st.sampled_from(
    [*((preset, {}) for preset in SAKURA_PRESETS), *(("hawaii", variant) for variant in VARIANTS)],
)
Named = tuple[str, Mapping[str, OptionValue]]
Seating = tuple[int, str]


def a_deal(named: Named, seating: Seating, seed: int, dealer: int = 0) -> SakuraState:
    preset, options = named
    rules = ruleset(preset, **{**options, "teams": seating[1]})
    return fresh_deal(rules, seating[0], seed_of(seed), dealer=dealer)


@given(rulesets, seatings, seeds)
def test_every_card_is_in_one_place(named: Named, seating: Seating, seed: int) -> None:
    state = a_deal(named, seating, seed)
    for _ in random_play(state, Random(seed)):
        assert is_partition(state)
    assert is_partition(state)


@given(seatings, seeds)
def test_without_the_gaji_a_deal_played_out_ends_with_an_empty_field(seating: Seating, seed: int) -> None:
    state = a_deal(("hawaii", {"gaji_wild": "off"}), seating, seed)
    for _ in random_play(state, Random(seed)):
        assert all((state.field & month).bit_count() + held(state, month) in (0, 2, 4) for month in MONTH_MASKS)
    assert state.field == 0


def held(state: SakuraState, month: CardSet) -> int:
    """Cards of a month that are not captured and not on the field."""
    taken = sum((pile & month).bit_count() for pile in state.captured)
    return 4 - taken - (state.field & month).bit_count()


@given(seatings, seeds)
def test_every_turn_shrinks_the_pile_by_one_and_hands_never_outlast_it(seating: Seating, seed: int) -> None:
    state = a_deal(("hawaii", {}), seating, seed)
    left = state.pile_left
    for action in random_play(state, Random(seed)):
        if action.kind in ("play", "hiki", "draw_only"):
            assert state.pile_left == left, "the turn before this one turned up one card"
            left -= 1
        assert not any(state.hands) or state.pile_left
    assert state.pile_left == 0


@given(rulesets, seatings, seeds)
def test_captures_are_of_one_month_and_are_kept(named: Named, seating: Seating, seed: int) -> None:
    state = a_deal(named, seating, seed)
    piles = list(state.captured)
    for _ in random_play(state, Random(seed)):
        _check_capture(piles, state.captured)
        piles = list(state.captured)


def _check_capture(before: list[CardSet], after: list[CardSet]) -> None:
    """Per ply at most a capture by hand, by flip and by a block, each of one month or one month plus the Gaji."""
    taken = 0
    for old, new in zip(before, after, strict=True):
        assert old & ~new == 0, "a captured card left its pile"
        taken |= new & ~old
    months = [month for month in MONTH_MASKS if taken & ~BITS[GAJI] & month]
    assert len(months) <= 3
    for month in months:
        count = (taken & month & ~BITS[GAJI]).bit_count()
        assert count in (1, 2, 3, 4)


@given(rulesets, seatings, seeds)
def test_the_gaji_is_used_once_and_a_hiki_comes_once_a_turn(named: Named, seating: Seating, seed: int) -> None:
    state = a_deal(named, seating, seed)
    uses, transfers, hiki_turns = 0, 0, 0
    last: tuple[int, int] = (-1, -1)
    used_before = state.gaji_by
    for action in random_play(state, Random(seed)):
        uses += state.gaji_by != used_before
        used_before = state.gaji_by
        if action.kind == "hiki":
            assert (state.turn, state.pile_left) != last
            last, hiki_turns = (state.turn, state.pile_left), hiki_turns + 1
    transfers = sum(note[0] in ("transfer", "flip_transfer") for note in state.notes)
    assert uses <= 1
    assert transfers <= 1
    assert hiki_turns <= 12


@given(rulesets, seatings, seeds)
def test_yaku_only_grow_and_belong_to_one_side(named: Named, seating: Seating, seed: int) -> None:
    state = a_deal(named, seating, seed)
    made: list[set[str]] = [set() for _ in state.captured]
    for _ in random_play(state, Random(seed)):
        now = [set(yaku_in(pile)) for pile in state.captured]
        assert all(old <= new for old, new in zip(made, now, strict=True))
        assert sum(map(len, now)) == len(set().union(*now))
        made = now


@given(rulesets, seatings, seeds)
def test_a_copy_is_independent(named: Named, seating: Seating, seed: int) -> None:
    state = a_deal(named, seating, seed)
    dice = Random(seed)
    for action in random_play(state, dice):
        before, twin = contents(state), state.copy()
        assert contents(twin) == before
        for _ in random_play(twin, Random(1)):
            pass
        assert contents(state) == before
        assert action in state.legal_actions()
        if dice.random() < 0.7:
            return


@given(rulesets, seatings, seeds)
def test_checked_and_unchecked_play_are_the_same(named: Named, seating: Seating, seed: int) -> None:
    state = a_deal(named, seating, seed)
    checked, traced = state.copy(), state.copy()
    for action in random_play(state, Random(seed)):
        assert contents(checked) == contents(state)
        assert _without_notes(traced) == _without_notes(state)
        checked.apply(action)
        SAKURA.play(traced, action)
    assert checked.is_over or state.is_over is checked.is_over


def _without_notes(state: SakuraState) -> tuple[object, ...]:
    return tuple(value for name, value in zip(FACTS, contents(state), strict=True) if name != "notes")


@examples(60)
@given(rulesets, seatings, seeds, st.integers(1, 6))
def test_renaming_the_seats_rotates_the_outcome(named: Named, seating: Seating, seed: int, by: int) -> None:
    """The same order dealt by another dealer, the same choices: each seat fares as the one before it did."""
    preset, options = named
    seats, teams = seating
    rules = compile_rules(ruleset(preset, **{**options, "teams": teams}), seats)
    order = deck_order(seed_of(seed), 1)
    first, second = new_deal(rules, 0, order), new_deal(rules, by % seats, order)
    if first is None or second is None:
        assert first is second is None
        return
    for action in random_play(first, Random(seed)):
        assert second.legal_actions() == first.legal_actions()
        assert second.turn == (first.turn + by) % seats
        second.apply(action)
    here, there = first.outcome(), second.outcome()
    for seat in range(seats):
        assert here.score[rules.sides[seat]] == there.score[rules.sides[(seat + by) % seats]]
    assert (here.winner is None) == (there.winner is None)
    assert here.winner is None or there.winner == (here.winner + by) % seats
