"""The invariants of rules.md 10 for Oi-bana, on random deals; what a seat knows, and the worlds sampled from it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.action import Action
from engine.canonical import canonical, record_hash
from engine.cards import ALL, BITS, MONTH_MASKS, CardSet, points
from engine.deck import commitment
from engine.errors import IllegalAction, NoWorld, Refusal
from engine.game import OptionValue
from engine.games import ruleset
from engine.games.oibana import OIBANA
from engine.games.oibana.observation import OibanaObservation, determinize, observe, to_json
from engine.games.oibana.refusal import check_legality
from engine.games.oibana.scoring import OibanaOutcome
from engine.games.oibana.state import OibanaState
from engine.games.sakura.yaku import yaku_in
from engine.match import Match
from engine.notation import format_move, parse_move
from engine.record import rederive, verify, write
from tests.engine.examples import examples
from tests.engine.oibana_worlds import (
    VARIANTS,
    a_deal,
    at_table,
    contents,
    is_partition,
    random_play,
    shuffled_for,
)
from tests.engine.test_ten_thousand_deals import EVERY_ACTION
from tests.engine.worlds import seed_of

seeds = st.integers(0, 2**64 - 1)
variants = st.sampled_from(VARIANTS)
tables = st.integers(3, 6)
Options = Mapping[str, OptionValue]
ACTIONS: Final = [*EVERY_ACTION, *(Action.of("bid", amount=amount) for amount in range(12)), Action.of("pass")]


@given(variants, tables, seeds)
def test_every_card_is_in_one_place_and_values_add_up(options: Options, seats: int, seed: int) -> None:
    state = a_deal(seats, dealer=seed % seats, seed=seed, options=options)
    for _ in random_play(state, Random(seed)):
        assert is_partition(state)
    assert is_partition(state)
    outcome = state.outcome()
    assert sum(outcome.score) == 0
    assert outcome.multiplier in (1, 2, 3)
    assert sum(outcome.victories) in ((0,) if outcome.winner is None else (1, 2, 3))
    if outcome.reason == "played":
        _check_values(state, outcome)


def _check_values(state: OibanaState, outcome: OibanaOutcome) -> None:
    assert state.table is not None
    left = points(state.table.field | state.table.removed) + sum(points(BITS[card]) for card in state.table.hidden())
    left += sum(map(points, state.table.hands))
    assert sum(outcome.table.points) + left == points(ALL)


@given(tables, seeds)
def test_a_deal_has_a_bid_of_each_and_twelve_turns_of_each_player(seats: int, seed: int) -> None:
    state = a_deal(seats, dealer=seed % seats, seed=seed)
    kinds = Counter(action.kind for action in random_play(state, Random(seed)))
    assert kinds["bid"] == seats
    assert kinds["play"] + kinds["hiki"] + kinds["draw_only"] == 24


@given(variants, tables, seeds)
def test_piles_only_grow_by_whole_captures_and_yaku_stay(options: Options, seats: int, seed: int) -> None:
    state = a_deal(seats, seed=seed, options=options)
    piles, made = [0] * seats, [set[str]() for _ in range(seats)]
    for _ in random_play(state, Random(seed)):
        now = [state.captured(seat) for seat in range(seats)]
        if state.phase == "auction":
            continue
        passed_on = options.get("gaji_claim") == "next_point_card"
        for seat, (old, new) in enumerate(zip(piles, now, strict=True)):
            assert passed_on or old & ~new == 0
            assert not new or seat in state.players
            assert passed_on or made[seat] <= set(yaku_in(new))
        piles, made = now, [set(yaku_in(pile)) for pile in now]
        taken: CardSet = sum(now)
        assert all((taken & month).bit_count() <= 4 for month in MONTH_MASKS)


@examples(40)
@given(variants, tables, seeds)
def test_what_is_listed_is_accepted_and_nothing_else(options: Options, seats: int, seed: int) -> None:
    state, dice = a_deal(seats, seed=seed, options=options), Random(seed)
    for action in random_play(state, dice):
        legal = state.legal_actions()
        assert action in legal
        assert len(set(legal)) == len(legal)
        if dice.random() < 0.2:
            _check_actions(state, legal, dice)
    assert state.legal_actions() == ()


def _check_actions(state: OibanaState, legal: tuple[Action, ...], dice: Random) -> None:
    before = contents(state)
    for action in dice.sample(legal, min(8, len(legal))):
        twin = state.copy()
        twin.apply(action)
        assert is_partition(twin)
        assert Action.from_json(json.loads(json.dumps(action.to_json()))) is action
        assert parse_move(format_move(state.seat_to_act, action)) == (state.seat_to_act, action)
        with pytest.raises(IllegalAction, match="NOT_YOUR_TURN"):
            state.apply(action, seat=(state.seat_to_act + 1) % state.rules.seats)
    for action in dice.sample(ACTIONS, 25):
        wanted = check_legality(state, action, state.seat_to_act)
        assert isinstance(wanted, Refusal) == (wanted not in legal)
    assert contents(state) == before, "a refusal or a copy changed the world"


@examples(60)
@given(variants, tables, seeds)
def test_a_copy_is_independent_and_a_told_action_is_the_same(options: Options, seats: int, seed: int) -> None:
    state = a_deal(seats, seed=seed, options=options)
    told, checked = state.copy(), state.copy()
    for action in random_play(state, Random(seed)):
        assert contents(told) == contents(checked) == contents(state)
        twin = state.copy()
        for _ in random_play(twin, Random(1)):
            break
        OIBANA.play(told, action)
        checked.apply(action)
    assert contents(told) == contents(checked) == contents(state)


@examples(60)
@given(variants, tables, seeds, st.integers(1, 5))
def test_renaming_the_seats_rotates_the_outcome(options: Options, seats: int, seed: int, by: int) -> None:
    first = a_deal(seats, seed=seed, options=options)
    second = a_deal(seats, dealer=by % seats, seed=seed, options=options)
    for action in random_play(first, Random(seed)):
        assert second.legal_actions() == first.legal_actions()
        assert second.seat_to_act == (first.seat_to_act + by) % seats
        second.apply(action)
    here, there = first.outcome(), second.outcome()
    assert all(here.score[seat] == there.score[(seat + by) % seats] for seat in range(seats))


@examples(60)
@given(variants, tables, seeds)
def test_worlds_that_a_seat_cannot_tell_apart_look_the_same(options: Options, seats: int, seed: int) -> None:
    """And a sampled world is one of them: it shows the seat what the real one does."""
    state, dice = a_deal(seats, seed=seed, options=options), Random(seed)
    for _ in random_play(state, dice):
        if dice.random() < 0.2:
            for seat in range(seats):
                _check_knowledge(state, seat, dice)


def _check_knowledge(state: OibanaState, seat: int, dice: Random) -> None:
    seen = observe(state, seat)
    twin = shuffled_for(state, seat, dice)
    assert is_partition(twin)
    assert observe(twin, seat) == seen
    assert to_json(twin, seat) == to_json(state, seat)
    world = determinize(seen, dice)
    assert is_partition(world)
    assert observe(world, seat) == seen
    assert (world.undealt == 0) == (world.table is not None or state.undealt == 0)
    for player, cards in zip(state.players, () if world.table is None else world.table.hands, strict=True):
        assert player == seat or not cards & (state.returned[seat] | state.hand(seat))
    world.apply_unchecked(dice.choice(world.legal_actions()))
    assert is_partition(world)


KEYS: Final = [
    "v", "match", "deal", "move", "phase", "me", "preset", "sides", "dealer", "hand", "hand_n", "field", "tray",
    "pile_n", "mult", "gaji", "turn", "bids", "players", "returned", "total", "ms_left", "since", "legal",
]  # fmt: skip


def ask(match: Match, seat: int, since: int = 0) -> dict[str, Any]:
    obs = match.observation(seat, match_id="m", preset="oibana", since=since, ms_left=1100)
    assert len(json.dumps(obs)) < 64 * 1024
    copied: dict[str, Any] = json.loads(json.dumps(obs))
    return copied


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("options", VARIANTS)
@pytest.mark.parametrize("seats", [3, 6])
def test_a_reader_knows_all_that_its_seat_may_know(seats: int, options: Options) -> None:
    """The typed observation built from dicts alone is the one built from the world, for every seat at every move."""
    rules = ruleset("oibana", **{**options, "rounds": 5})
    match = Match(rules, seats, seed_of("reader", sorted(options), seats))
    readers, since, dice = [OIBANA.reader(rules, seats) for _ in range(seats)], [0] * seats, Random(3)
    while not match.is_over:
        state = match.state
        assert isinstance(state, OibanaState)
        for seat in {match.seat_to_act, *(seat for seat in range(seats) if dice.random() < 0.3)}:
            obs = ask(match, seat, since[seat])
            assert list(obs) == KEYS
            since[seat] = match.event_count
            typed = readers[seat].read(obs)
            assert typed == observe(state, seat)
            assert typed.phase == obs["phase"]
            assert readers[seat].read(obs) == typed, "reading the same dict twice changes nothing"
        match.apply(dice.choice(match.legal_actions()))
    assert len(readers[0].deal_ends) <= 5
    assert all("bid" in event or "play" in event or len(event) for event in readers[0].events)


def test_a_bot_sees_the_bids_and_its_own_return() -> None:
    match = Match(ruleset("oibana"), 3, seed_of("seen"))
    hands = {seat: ask(match, seat)["hand"] for seat in range(3)}
    for amount in (4, 9, 2):
        assert ask(match, match.seat_to_act)["legal"][0] == {"bid": 1}
        match.apply(Action.of("bid", amount=amount))
    second, third = (match.dealer + 1) % 3, (match.dealer + 2) % 3
    obs = ask(match, third)
    assert obs["players"] == [f"p{match.dealer}", f"p{second}"]
    assert [obs["bids"][seat] for seat in (match.dealer, second, third)] == [4, 9, 2]
    assert (obs["returned"], obs["hand"], obs["legal"]) == (hands[third], [], [])
    assert ask(match, second)["returned"] == []
    assert [event["bid"] for event in obs["since"] if "bid" in event] == [4, 9, 2]
    assert obs["turn"] == f"p{match.dealer}"
    secret = {card for card in hands[match.dealer] if card in json.dumps(obs)}
    assert not secret, "another seat's hand is nowhere in what a seat is sent"


def chi_square(counts: Counter[int], cells: int, draws: int) -> float:
    expected = draws / cells
    return sum((counts[card] - expected) ** 2 / expected for card in counts) + (cells - len(counts)) * expected


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_hidden_cards_are_uniform(seat: int) -> None:
    """Count the places of an opponent's cards over many samples with fixed dice; 75 is beyond the 99.9 % point."""
    state = at_table(3, 9, 8, 1)
    seen = observe(state, seat)
    other = 1 - seat if seat < 2 else 0
    dice, counts, samples = Random(11), Counter[int](), 2000
    for _ in range(samples):
        held = determinize(seen, dice).hand(other)
        counts.update(card for card in range(48) if held >> card & 1)
    hidden = 48 - 8 - 8 if seat < 2 else 48 - 8 - (state.returned[2] & ~_field(state)).bit_count()
    assert len(counts) == hidden
    assert chi_square(counts, hidden, samples * 8) < 75


def _field(state: OibanaState) -> CardSet:
    assert state.table is not None
    return state.table.field


def test_before_the_field_all_other_cards_may_be_anywhere() -> None:
    state, dice, counts = a_deal(4), Random(5), Counter[int]()
    for _ in range(2000):
        held = determinize(observe(state, 0), dice).hands[2]
        counts.update(card for card in range(48) if held >> card & 1)
    assert len(counts) == 40
    assert chi_square(counts, 40, 16_000) < 75


@pytest.mark.thorough
def test_an_impossible_observation_is_refused() -> None:
    seen = observe(at_table(3, 9, 8, 1), 2)
    assert seen.table is not None
    table = seen.table._replace(clear=1, gaji_by=1, played=(1, 0))
    with pytest.raises(NoWorld):
        determinize(replace(seen, table=table), Random(1))
    assert isinstance(seen, OibanaObservation)


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("options", VARIANTS)
@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_random_matches_prove_themselves(seats: int, options: Options) -> None:
    seed = seed_of("matches", seats, sorted(options))
    rules = ruleset("oibana", **{**options, "rounds": 6})
    match, dice = Match(rules, seats, seed), Random(seed)
    while not match.is_over:
        match.apply(dice.choice(match.legal_actions()))
    assert sum(match.totals) == 0
    fair = {"stage": "sha256:00", "commit": commitment(seed), "deal_set": "d", "leg": 1}
    document = json.loads(json.dumps(write(match, match_id="m", fair=fair, bots=[None] * seats, preset="oibana")))
    assert rederive(document) == canonical(document["record"])
    found = verify(document, seed=seed)
    assert found.ok, found
    for deal, shown in zip(document["record"]["deals"], document["view"]["deals"], strict=True):
        for side, score in enumerate(deal["score"]):
            assert sum(line["v"] for line in shown["lines"] if line["side"] == side) == score
        _check_ways(shown, document["record"]["deals"][deal["n"] - 1])


def _check_ways(shown: dict[str, Any], deal: dict[str, Any]) -> None:
    """From fx alone every card can be followed."""
    place: dict[str, str] = {}
    for card, source, target in [*shown["fx0"], *(step for move in shown["moves"] for step in move["fx"])]:
        assert place.get(card, "p") == source
        place[card] = target
    assert len(deal["orders"]) % 2 == 0, "each auction has a deck and a return"


def test_a_return_that_the_seed_does_not_give_is_found() -> None:
    seed = seed_of("forged")
    match = Match(ruleset("oibana", rounds=2), 3, seed)
    while not match.is_over:
        match.apply(match.legal_actions()[0])
    fair = {"commit": commitment(seed)}
    document = json.loads(json.dumps(write(match, match_id="m", fair=fair, bots=[None] * 3, preset="oibana")))
    order = document["record"]["deals"][1]["orders"][1]
    order[0], order[1] = order[1], order[0]
    document["hash"] = record_hash(document["record"])
    found = verify(document, seed=seed)
    assert (found.code, found.where) == ("record.order", "deal 2, order 2, card 1")
    assert not verify(document).ok, "the field was laid otherwise, so the view differs"
