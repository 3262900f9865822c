"""Whole matches of Koi-Koi: random deals under every option, records, readers, the end of a match, what is told."""

from __future__ import annotations

import json
from random import Random
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import card_set, codes, parse_cards
from engine.deck import commitment
from engine.errors import BadOption, BadSeating
from engine.game import OptionValue, Ruleset
from engine.games import ruleset
from engine.games.koikoi import KOIKOI
from engine.games.koikoi.history import Reader
from engine.games.koikoi.legal import DECLARATIONS
from engine.games.koikoi.observation import determinize, observe
from engine.games.koikoi.options import KoiKoiOptions
from engine.games.koikoi.outcome import KoiKoiOutcome
from engine.games.koikoi.rules import options_of
from engine.games.koikoi.scoring import is_match_over, next_dealer
from engine.games.koikoi.state import KoiKoiState
from engine.match import Match
from engine.record import canonical, rederive, verify, write
from tests.engine.examples import examples
from tests.engine.koikoi.tables import VARIANTS, a_table, is_partition, play, rulesets
from tests.engine.koikoi.test_invariants import check_lines
from tests.engine.worlds import seed_of

DEALS: Final = 2_000
SHARE: Final = -(-DEALS // len(VARIANTS))
KOIKOI_CALL: Final = DECLARATIONS[1]


@pytest.mark.thorough
@pytest.mark.parametrize(("preset", "options"), VARIANTS, ids=lambda value: value if isinstance(value, str) else None)
def test_random_deals(preset: str, options: dict[str, OptionValue]) -> None:
    rules, deals, number = ruleset(preset, **options), 0, 0
    while deals < SHARE:
        seed = seed_of(preset, sorted(options), number)
        match = Match(rules, 2, seed)
        play_match(match, Random(seed))
        check_match(match)
        if number % 4 == 0:
            check_record(match, seed, preset)
        deals, number = deals + match.deal, number + 1


def play_match(match: Match, dice: Random) -> None:
    """Play to the end at random, sampling worlds now and then."""
    while not match.is_over:
        state = match.state
        assert isinstance(state, KoiKoiState)
        assert is_partition(state)
        legal = match.legal_actions()
        assert legal, "somebody must decide, but nothing is legal"
        if dice.random() < 0.03:
            for seat in (0, 1):
                world = determinize(observe(state, seat), dice)
                assert is_partition(world)
                assert observe(world, seat) == observe(state, seat)
        match.apply(dice.choice(legal))


def check_match(match: Match) -> None:
    """Totals are the points of the deals, the next dealer follows, and the match ends with its last deal."""
    options = options_of(match.ruleset)
    totals, victories, dealer = [0, 0], [0, 0], match.deals[0].dealer
    for log in match.deals:
        assert log.number == 1 or not is_match_over(options, log.number - 1, totals)
        assert log.dealer == dealer
        assert isinstance(log.outcome, KoiKoiOutcome)
        check_lines(match.ruleset, log.outcome)
        totals = [held + won for held, won in zip(totals, log.outcome.score, strict=True)]
        victories = [held + won for held, won in zip(victories, log.outcome.victories, strict=True)]
        dealer = next_dealer(options, log.dealer, log.outcome.winner)
    assert (totals, victories) == (match.totals, match.victories)
    assert is_match_over(options, match.deal, totals)
    figures = victories if options.scoring == "victories" else totals
    assert match.result().winners == tuple(seat for seat in (0, 1) if figures[seat] == max(figures))


def check_record(match: Match, seed: bytes, preset: str) -> None:
    """The record re-derives to the same bytes, from its own text as well, and verifies with the seed."""
    fair = {"stage": "sha256:00", "commit": commitment(seed), "deal_set": "d", "leg": 1}
    document = json.loads(json.dumps(write(match, match_id="m", fair=fair, bots=[None, None], preset=preset)))
    assert rederive(document) == canonical(document["record"])
    found = verify(document, seed=seed)
    assert found.ok, found


def test_every_option_value_is_played() -> None:
    used: dict[str, set[object]] = {info.id: set() for info in KOIKOI.options}
    for preset, options in VARIANTS:
        played = ruleset(preset, **options).options
        for option, values in used.items():
            values.add(getattr(played, option))
    for info in KOIKOI.options:
        assert set(info.allowed) <= used[info.id], info.id


@examples(30)
@given(rulesets, st.integers(0, 2**32))
def test_a_reader_knows_what_the_seat_may_know(rules: Ruleset, seed: int) -> None:
    match, dice = Match(rules, 2, seed_of("reader", seed)), Random(seed)
    readers, since = [Reader(rules), Reader(rules)], [0, 0]
    while not match.is_over and match.deal < 4:
        seat = match.seat_to_act
        obs: Any = match.observation(seat, match_id="m", preset="koikoi", since=since[seat], ms_left=1)
        since[seat] = match.event_count
        obs = json.loads(json.dumps(obs))
        assert readers[seat].read(obs) == readers[seat].read(obs) == observe(own(match), seat)
        first = max(index for index, event in enumerate(match.events) if "deal" in event)
        assert readers[seat].events == match.events[first:]
        assert readers[seat].deal_ends == [event for event in match.events if "deal_end" in event]
        match.apply(dice.choice(match.legal_actions()))


def own(match: Match) -> KoiKoiState:
    assert isinstance(match.state, KoiKoiState)
    return match.state


def test_an_observation_tells_what_is_open() -> None:
    state = a_table(
        p0="01.1 02.1", p1="05.1 06.1", field="01.3", pile="07.4 08.4", c0="06.1 07.1 10.1", c1="03.1", turn=0, number=3
    )
    state.calls, state.marks, state.last_caller, state.mult = [1, 0], [5, 0], 0, 2
    told = KOIKOI.observation(state, 1)
    assert told == {
        "phase": "hand", "hand": ["05.1", "06.1"], "hand_n": [2, 2], "field": ["01.3"],
        "tray": [["06.1", "07.1", "10.1"], ["03.1"]], "pile_n": 2, "mult": 2, "deal_n": 3, "calls": [1, 0],
        "last_caller": "p0", "yaku": [{"boar_deer_butterflies": 5}, {}], "base": [5, 0], "mark": [5, 0],
    }  # fmt: skip
    assert KOIKOI.observation(a_table(p0="01.1"), 0)["last_caller"] is None


def test_unseen_is_all_but_what_lies_open_and_the_own_hand() -> None:
    state = a_table(p0="01.1", p1="05.1", field="03.1 03.2", pile="03.3 08.4", c0="06.1 06.2", c1="07.1 07.2")
    state.apply(play("01.1"))
    seen = observe(state, 0)
    assert (seen.phase, seen.pending) == ("flip_choice", parse_cards("03.3").bit_length() - 1)
    open_cards = "01.1 03.1 03.2 03.3 06.1 06.2 07.1 07.2"
    assert len(codes(seen.unseen)) == 40
    assert not seen.unseen & parse_cards(open_cards)


def test_what_is_told_of_a_decision_and_of_an_end_without_one() -> None:
    state = a_table(p0="10.3 01.4", p1="05.1", field="10.1 08.2", pile="04.4 02.2", c0="06.1 07.1")
    told = KOIKOI.play(state, play("10.3"))
    assert told.notes == ({"code": "yaku", "by": 0, "yaku": "boar_deer_butterflies", "v": 5},)
    assert told.event == {"by": "p0", "play": "10.3", "flip": "04.4", "ev": list(told.notes)}
    assert [(codes(1 << step.card)[0], step.source, step.target) for step in told.steps] == [
        ("10.1", "f", "c0"), ("10.3", "h0", "c0"), ("04.4", "p", "f"),
    ]  # fmt: skip
    called = KOIKOI.play(state, state.legal_actions()[1])
    assert (called.event, called.notes, called.steps) == ({"by": "p0", "declare": "koikoi"}, (), ())
    last = a_table(p0="10.3", p1="05.1", field="10.1 08.2", pile="04.4 02.2", c0="06.1 07.1")
    assert [note["code"] for note in KOIKOI.play(last, play("10.3")).notes] == ["yaku", "no_call"]
    assert last.end == "shoubu"


def test_only_what_is_new_or_has_grown_is_told() -> None:
    """After a call of p0 with Boar, Deer and Butterflies: a fourth animal makes it grow, Moon Viewing is new."""
    state = a_table(
        preset="koikoi_fuda", p0="10.3 09.3 01.3", p1="05.1 05.2 05.3", field="10.1 09.1", pile="04.4 02.2 04.3",
        c0="06.1 07.1 08.1",
    )  # fmt: skip
    for action in (play("10.3"), KOIKOI_CALL, play("05.1")):
        state.apply(action)
    notes = KOIKOI.play(state, play("09.3")).notes
    assert [(note["yaku"], note["v"]) for note in notes] == [("moon_viewing", 5), ("boar_deer_butterflies", 6)]


def test_a_triple_and_exhausted_hands_are_told() -> None:
    state = a_table(p0="03.3", p1="05.1", field="03.1 03.2 03.4", pile="04.4 02.2")
    assert KOIKOI.play(state, play("03.3")).notes == ({"code": "triple", "by": 0, "month": 3},)
    assert KOIKOI.play(state, play("05.1")).notes == ({"code": "exhausted"},)


def test_the_first_dealer_is_drawn() -> None:
    options = ruleset("koikoi_fuda").options
    assert KOIKOI.first_dealer(options, 2, lambda number: (29, 28))[0] == 1


@pytest.mark.parametrize("seats", [1, 3, 4])
def test_two_play(seats: int) -> None:
    with pytest.raises(BadSeating, match=f"^Koi-Koi is played by 2, not by {seats}") as caught:
        ruleset("koikoi_fuda").sides(seats)
    assert caught.value.extra == {"teams": "solo", "seats": seats, "allowed": [2]}
    assert ruleset("koikoi_fuda").sides(2) == (0, 1)


def test_options_are_those_of_nintendo_until_they_are_changed() -> None:
    options = ruleset("koikoi_nintendo", target=50, stake=7).options
    assert isinstance(options, KoiKoiOptions)
    assert (options.rounds, options.target, options.stake, options.seven_double) == (12, 50, 7, True)
    for wrong in ({"rounds": 0}, {"stake": -1}, {"target": 1001}, {"viewing": "six"}, {"zero_sum": "yes"}):
        with pytest.raises(BadOption):
            ruleset("koikoi_nintendo", **wrong)


@pytest.mark.parametrize(
    ("preset", "options", "deals", "totals", "is_over"),
    [
        ("koikoi_nintendo", {}, 11, (90, 0), False),
        ("koikoi_nintendo", {}, 12, (0, 0), True),
        ("koikoi_zoo", {}, 1, (29, -29), False),
        ("koikoi_zoo", {}, 1, (30, -30), True),
        ("koikoi_zoo", {}, 8, (1, -1), True),
        ("koikoi_fuda", {"target": 50}, 1, (49, 48), False),
        ("koikoi_fuda", {"target": 50}, 1, (0, 50), True),
        ("koikoi_fuda", {"stake": 5}, 1, (90, 0), False),
    ],
)
def test_when_a_match_is_over(
    preset: str, options: dict[str, OptionValue], deals: int, totals: tuple[int, int], is_over: bool
) -> None:
    assert KOIKOI.is_match_over(ruleset(preset, **options).options, deals, totals) is is_over


def test_one_deal_of_any_rules() -> None:
    """`rounds` is what is set to 1: a target would let a deal without points go on to another."""
    one = ruleset("koikoi_fuda", target=50).one_deal().options
    assert isinstance(one, KoiKoiOptions)
    assert (one.rounds, one.target) == (1, 50)


def test_who_deals_next() -> None:
    nintendo, fuda = ruleset("koikoi_nintendo").options, ruleset("koikoi_fuda").options
    assert [KOIKOI.next_dealer(nintendo, 2, 0, winner) for winner in (0, 1, None)] == [0, 1, 1]
    assert [KOIKOI.next_dealer(fuda, 2, 1, winner) for winner in (0, 1, None)] == [0, 1, 1]


def test_figures_are_totals_or_victories() -> None:
    points, wins = ruleset("koikoi_zoo").options, ruleset("koikoi_zoo", scoring="victories").options
    assert KOIKOI.figures(points, (3, -3), (1, 2), None) == (3, -3)
    assert KOIKOI.figures(wins, (3, -3), (1, 2), None) == (1, 2)


def test_hands_of_a_deal_are_eight_cards_each() -> None:
    match = Match(ruleset("koikoi_zoo"), 2, bytes(32))
    state = own(match)
    assert [hand.bit_count() for hand in state.hands] == [8, 8]
    assert (card_set(state.laid), state.pile_left) == (state.field, 24)
