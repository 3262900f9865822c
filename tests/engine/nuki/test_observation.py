"""Observations of a seat, and what it can make of them. rules.md 3.6, 11; site.md 6."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from engine.cards import codes, members, parse_cards
from engine.errors import NoWorld
from engine.game import Observation
from engine.games import ruleset
from engine.games.nuki import NUKI
from engine.games.nuki.observation import observe, to_json
from engine.games.nuki.sampling import determinize
from engine.games.nuki.state import NukiState
from engine.games.nuki.teyaku import Claim, Claims, claims_of
from engine.match import Match
from engine.record import canonical
from tests.engine.nuki.tables import (
    DROP,
    JOIN,
    MIZUTEN,
    SEE,
    VARIANTS,
    an_order,
    dealt,
    fresh_deal,
    is_partition,
    play,
    random_play,
    seed_of,
    triplet,
)

TWO = "06.1 06.2 06.3 09.1 09.2 09.3 01.1"
OTHER = "01.2 02.2 03.1 06.4 08.1 10.1 11.1"
FIELD = "02.3 02.4 08.3 12.2 03.4 10.4"


class OneOrder:
    """The orders of a match that is dealt as a test wants it."""

    def __init__(self, order: tuple[int, ...]) -> None:
        self.cards = order

    def drawing(self, number: int) -> tuple[int, ...]:
        return tuple(members(parse_cards("01.1 02.1 03.1 06.1")))

    def order(self, deal: int, redeal: int) -> tuple[int, ...]:
        return self.cards

    def further(self, label: str, deal: int, number: int, cards: int) -> tuple[int, ...]:
        return tuple(members(cards))


def a_match(order: tuple[int, ...], seats: int = 2, **options: Any) -> Match:
    """A match of one deal; p0 deals."""
    return Match(ruleset("nuki88", rounds=1, **options), seats, b"", orders=OneOrder(order))


def ask(match: Match, seat: int | None = None) -> dict[str, Any]:
    seat = match.seat_to_act if seat is None else seat
    return match.observation(seat, match_id="m", preset="nuki88", since=0, ms_left=9)


def test_the_keys_and_what_they_hold() -> None:
    obs = ask(a_match(an_order({0: OTHER, 1: TWO.replace("09.3", "12.1")}, FIELD)))
    assert list(obs) == [
        "v", "match", "deal", "move", "phase", "me", "preset", "sides", "dealer", "hand", "hand_n", "field", "tray",
        "pile_n", "mult", "carry", "leader", "active", "answers", "mizuten", "redeal", "pot", "paid", "teyaku", "sage",
        "new", "flipped", "played", "turned", "returned", "total", "ms_left", "since", "legal",
    ]  # fmt: skip
    assert (obs["phase"], obs["hand_n"], obs["pile_n"], obs["leader"], obs["active"]) == (
        "hand", [7, 7], 14, "p0", ["p0", "p1"],
    )  # fmt: skip
    assert obs["teyaku"] == [[], [{"name": "triplet", "kan": 2, "month": 6, "cards": ["06.1", "06.2", "06.3"]}]]
    assert canonical({**obs, "legal": []})


def test_the_others_see_the_claim_and_not_that_there_was_a_choice() -> None:
    """Two worlds, one with a second triplet: after the claim the opponent is told exactly the same."""
    chose = a_match(an_order({0: OTHER, 1: TWO}, FIELD))
    assert chose.seat_to_act == 1
    assert [event for event in chose.events if "claims" in event] == [{"claims": "p0", "ev": []}]
    chose.apply(triplet(6))
    had_none = a_match(an_order({0: OTHER, 1: TWO.replace("09.3", "12.1")}, FIELD))
    assert ask(chose) == ask(had_none)
    shown = {"code": "teyaku", "by": 1, "name": "triplet", "kan": 2, "cards": ["06.1", "06.2", "06.3"], "month": 6}
    assert chose.events[-1] == {"claims": "p1", "ev": [shown]}
    assert (chose.move, ask(chose)["move"]) == (1, 1)


def test_the_blind_dealer_sees_no_hand_until_he_has_decided() -> None:
    match = a_match(an_order({0: OTHER}, FIELD, seats=3), 3, mizuten=True)
    obs = ask(match)
    assert (obs["phase"], obs["hand"], obs["hand_n"]) == ("mizuten", [], [7, 7, 7])
    assert len(ask(match, 1)["hand"]) == 7
    assert observe(_state(match), 0).hand == 0
    match.apply(MIZUTEN)
    assert ask(match)["hand"] == codes(parse_cards(OTHER))


def _state(match: Match) -> NukiState:
    assert isinstance(match.state, NukiState)
    return match.state


def test_a_hand_that_went_back_is_known_to_its_holder_alone() -> None:
    state = dealt(an_order({0: OTHER}, FIELD, seats=4), seats=4)
    state.apply(DROP)
    state.apply(JOIN)
    state.apply(JOIN)
    assert to_json(state, 0)["returned"] == codes(parse_cards(OTHER))
    assert to_json(state, 1)["returned"] == []
    assert observe(state, 1).returned == 0
    assert observe(state, 3).returned == state.returned[3]
    assert to_json(state, 0)["answers"] == [["p0", "drop"], ["p1", "play"], ["p2", "play"]]


def test_penalties_and_sage_are_public() -> None:
    state = fresh_deal(3, seats=3, options={"dropout_penalty": "hachi"})
    state.apply(DROP)
    told = to_json(state, 2)
    assert told["paid"] == [10 * state.multiplier, 0, 0]
    assert told["pot"] == 10 * state.multiplier
    state.sage, state.first_sage = 5, 2
    assert to_json(state, 1)["sage"] == ["p2", "p0"]


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("variant", range(len(VARIANTS)))
def test_a_sampled_world_looks_the_same_at_every_decision(seats: int, variant: int) -> None:
    for seed in range(4):
        dice = Random(seed)
        state = fresh_deal(seed * 7 + variant, seats=seats, dealer=seed % seats, options=VARIANTS[variant])
        for _ in random_play(state, dice):
            for seat in range(seats):
                if state.phase != "showdown" or seat == state.turn:
                    _check_world(state, seat, dice)


def _check_world(state: NukiState, seat: int, dice: Random) -> None:
    seen = observe(state, seat)
    world = NUKI.determinize(seen, dice)
    assert is_partition(world)
    assert observe(world, seat) == seen
    assert to_json(world, seat) == to_json(state, seat)
    for player in range(state.rules.seats):
        assert world.returned[player].bit_count() == state.returned[player].bit_count()
    for _ in random_play(world, dice):
        pass
    assert sum(world.outcome().score) == 0


def test_who_waits_for_a_claim_samples_a_hand_of_two_triplets() -> None:
    state = dealt(an_order({0: OTHER, 1: TWO}, FIELD))
    world = determinize(observe(state, 0), Random(1))
    assert len(world.legal_actions()) == 2


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_reader_makes_the_same_of_the_dicts_alone(seats: int) -> None:
    for variant in VARIANTS:
        rules = ruleset("nuki88", rounds=3, **variant)
        match = Match(rules, seats, seed_of("reader", seats, variant))
        readers = [NUKI.reader(rules, seats) for _ in range(seats)]
        since = [0] * seats
        dice = Random(seats)
        while not match.is_over:
            seat = match.seat_to_act
            obs = match.observation(seat, match_id="m", preset="nuki88", since=since[seat], ms_left=9)
            since[seat] = match.event_count
            assert readers[seat].read(obs) == observe(_state(match), seat) == readers[seat].read(obs)
            match.apply(dice.choice(match.legal_actions()))
            assert any("deal" in event for event in readers[seat].events)
        assert max(len(reader.deal_ends) for reader in readers) == 2


def _claims_of_the_opponent(hand: str, *, field: str = FIELD) -> NukiState:
    return dealt(an_order({0: "01.2 02.2 03.1 06.1 08.1 09.1 10.1", 1: hand}, field))


@pytest.mark.parametrize(
    "hand",
    [
        "11.1 11.2 11.3 11.4 01.3 01.4 03.3",
        "06.2 09.2 10.2 03.2 11.4 01.3 08.4",
        "11.1 06.2 09.4 01.4 03.3 08.4 10.3",
        "12.1 09.4 01.4 03.3 08.4 10.3 11.4",
        "11.1 11.2 06.3 06.4 09.3 09.4 12.1",
        "06.2 06.3 06.4 09.2 09.3 10.2 10.3",
    ],
)
def test_sampled_hands_have_exactly_the_teyaku_that_were_claimed(hand: str) -> None:
    state = _claims_of_the_opponent(hand)
    seen = observe(state, 0)
    for number in range(20):
        world = determinize(seen, Random(number))
        assert world.hands[1] & seen.known[1] == seen.known[1]
        assert observe(world, 0) == seen


def test_after_a_card_was_played_the_claim_still_binds_the_rest() -> None:
    state = _claims_of_the_opponent("06.2 09.2 10.2 03.2 11.4 01.3 08.4")
    state.apply(state.legal_actions()[0])
    if state.phase == "flip_choice":
        state.apply(state.legal_actions()[0])
    assert state.turn == 1
    state.apply(play("11.4"))
    if state.phase == "flip_choice":
        state.apply(state.legal_actions()[0])
    seen = observe(state, 0)
    assert seen.known[1] == parse_cards("01.3 08.4")
    world = determinize(seen, Random(2))
    ribbons = parse_cards("06.2 09.2 10.2 03.2")
    assert world.hands[1] == parse_cards("01.3 08.4") | ribbons


def test_what_fits_nothing_has_no_world() -> None:
    seen = observe(fresh_deal(1), 0)
    with pytest.raises(NoWorld, match="do not add up"):
        determinize(replace(seen, pile_size=3), Random(0))
    with pytest.raises(TypeError):
        NUKI.determinize(_Foreign(), Random(0))


class _Foreign:
    """An observation of no game."""

    seat = 0
    legal = ()


def test_the_foreign_observation_keeps_the_contract() -> None:
    foreign: Observation = _Foreign()
    assert foreign.seat == 0


def chi_square(counts: Counter[int], cells: int, expected: float) -> float:
    """Sum of squared deviations; cells that were never hit count too."""
    hit = sum((count - expected) ** 2 / expected for count in counts.values())
    return hit + (cells - len(counts)) * expected


def test_hidden_cards_are_uniform_where_no_claim_binds_them() -> None:
    """In the join phase the other hands and the pile are any of the unseen cards, each as likely as the others."""
    state = fresh_deal(11, seats=3)
    seen = observe(state, 0)
    dice, counts, samples = Random(88), Counter[int](), 3000
    for _ in range(samples):
        counts.update(members(determinize(seen, dice).hands[1]))
    unseen = 34 - 7 - seen.field.bit_count() - sum(pile.bit_count() for pile in seen.captured)
    assert len(counts) == unseen
    expected = samples * 7 / unseen
    spread = chi_square(counts, unseen, expected) * (unseen - 1) / (unseen - 7)
    assert spread < unseen - 1 + 4 * (2 * (unseen - 1)) ** 0.5


@pytest.mark.thorough
def test_hands_that_went_back_are_uniform_over_the_pile() -> None:
    state = fresh_deal(12, seats=3)
    for action in (JOIN, JOIN):
        state.apply(action)
    while state.phase == "showdown":
        state.apply(state.legal_actions()[0])
    dice, counts, samples = Random(89), Counter[int](), 2000
    seen = observe(state, 0)
    for _ in range(samples):
        world = determinize(seen, dice)
        assert world.returned[2] & ~sum(1 << card for card in world.pile) == 0
        counts.update([world.pile.index(card) for card in members(world.returned[2])])
    assert chi_square(counts, 14, samples / 2) * 13 / 7 < 13 + 4 * 26**0.5


def test_seeing_changes_nothing_but_the_own_view() -> None:
    state = fresh_deal(5, seats=2, options={"mizuten": True})
    before = to_json(state, 1)
    state.apply(SEE)
    assert to_json(state, 1)["hand"] == before["hand"]


def test_a_claim_that_no_hand_can_have_has_no_world(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.games.nuki.sampling.MAX_SAMPLES", 50)
    seen = observe(_claims_of_the_opponent("01.3 02.1 03.3 06.3 08.4 09.3 12.1"), 0)
    assert determinize(seen, Random(0))
    impossible = Claims(None, Claim("one_bright", 0, parse_cards("01.3 01.4")))
    with pytest.raises(NoWorld, match="No world fits"):
        determinize(replace(seen, claims=(seen.claims[0], impossible)), Random(0))
    no_ribbon_left = replace(seen, hand=parse_cards("01.2 02.2 03.2 06.2 09.2 10.2 11.3"))
    red = Claims(None, Claim("red", 0, parse_cards("01.3 01.4")))
    with pytest.raises(NoWorld, match="No world fits"):
        determinize(replace(no_ribbon_left, claims=(None, red)), Random(0))


def test_the_hidden_ribbon_of_one_ribbon_is_any_that_is_left() -> None:
    """The direct draw of a Group B hand's odd card is uniform over the cards it can be."""
    state = _claims_of_the_opponent("06.2 10.3 01.3 03.3 08.4 09.3 11.4")
    claims = state.claims[1]
    assert claims is not None
    assert [claim.id for claim in claims.both] == ["one_ribbon"]
    seen = observe(state, 0)
    dice, counts, samples = Random(90), Counter[int](), 1500
    for _ in range(samples):
        world = determinize(seen, dice)
        counts.update(members(world.hands[1] & ~seen.known[1]))
    ribbons = parse_cards("01.2 02.2 03.2 06.2 09.2 10.2") & seen.unseen
    fitting = {card for card in members(ribbons) if not claims_of(seen.known[1] | 1 << card).a}
    assert set(counts) == fitting
    assert len(fitting) >= 3
    assert chi_square(counts, len(fitting), samples / len(fitting)) < 21
