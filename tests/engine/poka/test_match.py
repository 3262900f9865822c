"""Scoring a deal and a match, seats and options, and the record of it all. rules.md 2.4, 7.3, site.md 3."""

from __future__ import annotations

import json
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from engine.action import Action
from engine.canonical import record_hash
from engine.cards import CODES, CardSet, card_index, card_set
from engine.deck import commitment, deck_order, further_order
from engine.errors import BadOption, BadSeating
from engine.game import OptionValue, Ruleset
from engine.games import PRESETS, option_table, preset, ruleset
from engine.games.poka import POKA
from engine.games.poka.scoring import POINTS, figures, next_dealer, won_by
from engine.games.poka.state import PokaState
from engine.games.sakura import SAKURA
from engine.match import Match
from engine.notation import format_move, parse_move
from engine.record import canonical, rederive, verify, write
from engine.words import LocalizedMessage
from tests.engine.poka.tables import PASS, STOP, dealing, dealt, discard, random_play, run
from tests.engine.worlds import seed_of

FOUR = "03.1 03.2 03.3 03.4 09.1 10.4"
STICKY = "03.1 03.2 08.1 08.2 09.1 09.4"
PAIRS = "04.1 04.2 06.1 06.2 08.1 08.2"
NOTHING = "02.3 05.1 07.1 09.2 11.1 12.1"


class Orders:
    """Orders told beforehand; the same drawing and the same deal again and again if one is told."""

    def __init__(self, *orders: tuple[int, ...], drawing: str = "01.1 02.1") -> None:
        self.orders = orders
        self.draw = [card_index(code) for code in drawing.split()]

    def drawing(self, number: int) -> Sequence[int]:
        return self.draw

    def order(self, deal: int, redeal: int) -> tuple[int, ...]:
        return self.orders[min(deal, len(self.orders)) - 1]

    def further(self, label: str, deal: int, number: int, cards: CardSet) -> tuple[int, ...]:
        return further_order(b"orders", label, deal, number, cards)


def a_match(*orders: tuple[int, ...], name: str = "poka5", **options: OptionValue) -> Match:
    """A match of these orders, p0 dealing first."""
    return Match(ruleset(name, **options), 2, b"", orders=Orders(*orders))


def play_out(match: Match, dice: Random, *, idle: float = 0.0) -> Match:
    """Play at random. idle: how often to stop or pass where that is possible."""
    while not match.is_over:
        legal = match.legal_actions()
        match.apply(legal[-1] if dice.random() < idle else dice.choice(legal))
    return match


# options and seats
def test_presets_and_their_other_names() -> None:
    assert preset("poka_gomon") is PRESETS["poka5"]
    assert preset("poka_sanmon") is PRESETS["poka3"]
    assert ruleset("poka_sanmon") == ruleset("poka3") == ruleset("poka5", target=3)
    assert "poka_gomon" not in PRESETS


def test_the_options_that_count() -> None:
    assert [info.id for info in option_table("poka")] == ["target", "one_two", "same_month_dump", "first_dealer_tie"]
    assert set(ruleset("poka5").to_json()["options"]) == {info.id for info in option_table("poka")}  # type: ignore[call-overload]  # a dict
    assert [ruleset("poka5").options.rounds, ruleset("poka3").options.rounds] == [9, 5]
    assert ruleset("poka5").options.scoring == "cumulative"


@pytest.mark.parametrize(
    ("option", "value"),
    [("target", 0), ("target", "5"), ("target", True), ("one_two", 2), ("same_month_dump", "yes"), ("teams", "solo"),
     ("rounds", 12), ("first_dealer_tie", "oldest")],
)  # fmt: skip
def test_other_options_are_refused(option: str, value: OptionValue) -> None:
    with pytest.raises(BadOption) as caught:
        ruleset("poka5", **{option: value})
    assert caught.value.extra["option"] == option


@pytest.mark.parametrize("seats", [0, 1, 3, 4, 7])
def test_poka_is_for_two(seats: int) -> None:
    with pytest.raises(BadSeating) as caught:
        ruleset("poka5").sides(seats)
    assert caught.value.extra["allowed"] == [2]
    assert ruleset("poka5").sides(2) == (0, 1)


def test_objects_of_other_games_are_refused() -> None:
    hawaii = Match(ruleset("hawaii"), 2, seed_of("other"))
    with pytest.raises(TypeError, match="not a world of Poka"):
        POKA.observation(hawaii.state, 0)
    with pytest.raises(TypeError, match="not options of Poka"):
        POKA.is_match_over(hawaii.ruleset.options, 1, [0, 0])
    with pytest.raises(TypeError, match="not an observation of Poka"):
        POKA.determinize(SAKURA.observe(hawaii.state, 0), Random(1))
    with pytest.raises(TypeError, match="is not Poka"):
        POKA.reader(hawaii.ruleset, 2)


# dealing
def test_the_opponent_gets_the_first_packet() -> None:
    order = tuple(7 * place % 48 for place in range(48))
    for dealer in (0, 1):
        state = dealt(ruleset("poka5"), order, dealer=dealer)
        assert state.hands[1 - dealer] == card_set(order[:6])
        assert state.hands[dealer] == card_set(order[6:12])
        assert state.discard == [order[12]]
        assert state.hidden() == order[13:]
        assert state.seat_to_act == state.dealer == dealer
        assert (state.pile_left, state.mult) == (35, 1)


def test_a_deal_tells_its_cards_in_the_order_dealt() -> None:
    match = a_match(dealing(NOTHING, PAIRS.replace("08.2", "10.1"), "03.3"))
    dealt = match.deals[0].dealt
    assert match.events == [{"deal": 1, "dealer": "p0", "discard": ["03.3"]}]
    assert [step.target for step in dealt.steps] == ["h1"] * 6 + ["h0"] * 6 + ["d"]
    assert {step.source for step in dealt.steps} == {"p"}
    assert [CODES[step.card] for step in dealt.steps[6:]] == [*NOTHING.split(), "03.3"]


def test_the_earliest_month_deals_first() -> None:
    assert Match(ruleset("poka5"), 2, b"", orders=Orders(deck_order(b"", 1), drawing="05.1 03.4")).dealer == 1


# scoring
def test_what_a_deal_is_worth() -> None:
    assert dict(POINTS) == {
        "emptied": 1, "all_out": 2, "buttakuri": 5, "ghost_triplet": 2, "january_triplet": 2, "triple_sticky": 2,
    }  # fmt: skip
    assert [won_by(0, reason).ends_match for reason in POINTS] == [False, False, True, False, False, False]


def test_the_winner_deals_next() -> None:
    assert [next_dealer(0, 1), next_dealer(1, 1), next_dealer(1, 0), next_dealer(1, None)] == [1, 1, 0, 1]
    match = a_match(dealing(NOTHING, PAIRS, "03.3"), dealing("05.1 06.1 07.1 08.1 09.1 10.1", NOTHING, "04.1"))
    assert match.deal == 2, "the first deal was won by a teyaku"
    assert match.dealer == match.seat_to_act == 1


@pytest.mark.parametrize(("name", "deals", "score"), [("poka5", 3, (6, 0)), ("poka3", 2, (4, 0))])
def test_two_points_a_deal(name: str, deals: int, score: tuple[int, int]) -> None:
    """p0 is always dealt the pairs, and deals again each time."""
    match = a_match(dealing(PAIRS, NOTHING, "03.3"), name=name)
    assert (match.deal, match.result().score, match.result().rank) == (deals, score, (1, 2))
    assert match.victories == [deals, 0]


def test_buttakuri_wins_whatever_the_target_and_the_score() -> None:
    sticky, four = dealing(PAIRS, NOTHING, "03.3"), dealing(NOTHING, FOUR, "08.3")
    match = a_match(sticky, sticky, sticky, four, target=50)
    result = match.result()
    assert (match.deal, result.score, result.rank, result.end) == (4, (6, 5), (2, 1), "complete")
    assert result.winners == (1,)
    assert figures((6, 5), None) == (6, 5)
    assert figures((6, 5), won_by(1, "all_out")) == (6, 5)
    assert figures((6, 5), won_by(1, "buttakuri")) == (6, 7)


def test_every_deal_before_the_last_leaves_the_target_open() -> None:
    for number in range(20):
        match = play_out(Match(ruleset("poka3"), 2, seed_of("target", number)), Random(number))
        assert all(max(log.totals) < 3 for log in match.deals[:-1])
        last = match.deals[-1].outcome
        assert last is not None
        assert max(match.totals) >= 3
        assert match.deal <= match.ruleset.options.rounds


@pytest.mark.parametrize("reason", POINTS)
def test_score_lines_add_up_and_have_words(reason: str) -> None:
    outcome = won_by(1, reason)
    assert POKA.lines(ruleset("poka5").options, outcome) == [{"side": 1, "code": reason, "v": POINTS[reason]}]
    assert reason in POKA.words.lines


# what is told
def test_words_for_every_move_event_and_teyaku() -> None:
    kinds = {form.kind for form in POKA.kinds}
    assert kinds == {"discard", "stop", "pass"}
    assert set(POKA.words.moves) == kinds | {"discard again", "flip"}
    assert set(POKA.words.events) == {"reshuffle", "teyaku", "teyaku_void"}
    assert "discard" in POKA.words.phases
    for combination in POKA.words.combinations:
        assert combination.worth == POINTS[combination.id]
        assert combination.ja
        assert combination.text
    assert all(isinstance(said, LocalizedMessage) for said in POKA.words.moves.values())


def test_texts_and_json_of_the_actions() -> None:
    for action, text, value in (
        (discard("01.1"), "p1 discard 01.1", {"discard": "01.1"}),
        (STOP, "p1 stop", {"stop": True}),
        (PASS, "p1 pass", {"pass": True}),
    ):
        assert format_move(1, action) == text
        assert parse_move(text) == (1, action)
        assert action.to_json() == value
        assert Action.from_json(value) is action


def test_what_a_void_teyaku_tells() -> None:
    match = a_match(dealing("01.1 01.3 01.4 05.1 06.2 07.3", STICKY, "10.1"))
    told = [
        {"code": "teyaku_void", "by": 0, "teyaku": "january_triplet", "cards": ["01.1", "01.3", "01.4"]},
        {
            "code": "teyaku_void",
            "by": 1,
            "teyaku": "triple_sticky",
            "cards": ["03.1", "03.2", "08.1", "08.2", "09.1", "09.4"],
        },
    ]
    assert match.events[0]["ev"] == told
    assert list(match.deals[0].dealt.notes) == told


def test_what_a_beaten_teyaku_tells() -> None:
    match = a_match(dealing(PAIRS, FOUR, "10.1"))
    assert [note["code"] for note in match.deals[0].dealt.notes] == ["teyaku_void", "teyaku"]
    assert match.result().score == (0, 5)


def test_a_flip_and_a_reshuffle_are_told() -> None:
    match = a_match(dealing("06.1 06.3 08.1 08.3 10.1 10.3", "06.2 06.4 08.2 08.4 10.2 10.4", "03.1"))
    state = match.state
    assert isinstance(state, PokaState)
    state.position = len(state.pile) - 1
    last = CODES[state.pile[-1]]
    state.discard = [*state.pile[:-1], *state.discard]
    for _ in range(2):
        match.apply(PASS)
    assert match.events[-2:] == [{"by": "p0", "pass": True}, {"by": "p1", "pass": True, "flip": last}]
    assert [(step.source, step.target) for step in match.deals[0].played[-1].steps] == [("p", "d")]
    gone = [CODES[card] for card in state.discard[:-1]]
    run(state, "pass")
    match.apply(PASS)
    played = match.deals[0].played[-1]
    assert played.event["ev"] == [{"code": "reshuffle", "n": 1, "cards": sorted(gone)}]
    assert [(CODES[step.card], step.source, step.target) for step in played.steps] == [
        *((code, "d", "p") for code in gone),
        (CODES[state.discard[-1]], "p", "d"),
    ]
    assert played.orders == (state.pile,)
    assert played.notes[0]["order"] == [CODES[card] for card in state.pile]
    assert "order" not in played.event["ev"][0]


def test_a_stop_is_no_public_event() -> None:
    match = a_match(dealing("04.1 05.1 08.1 08.3 10.1 10.3", NOTHING, "03.1"))
    match.apply(discard("04.1"))
    before = match.event_count
    match.apply(STOP)
    assert match.event_count == before
    assert match.move == 2
    played = match.deals[0].played[-1]
    assert (played.event, played.steps, played.notes, played.orders) == ({}, (), (), ())


# records
def documented(match: Match, seed: bytes) -> dict[str, Any]:
    fair = {"stage": "sha256:00", "commit": commitment(seed), "deal_set": "d", "leg": 1}
    written = write(match, match_id="m", fair=fair, bots=[None, None], preset="poka5")
    found: dict[str, Any] = json.loads(json.dumps(written))
    return found


def reshuffling(rules: Ruleset) -> tuple[Match, bytes]:
    """A match in which a pile was formed again: everybody passes and stops as often as possible."""
    for number in range(2000):
        seed = seed_of("idle", number)
        match = Match(rules, 2, seed)
        state = match.state
        assert isinstance(state, PokaState)
        for _ in random_play(probe := state.copy(), Random(number), idle=0.95):
            pass
        if probe.reshuffles:
            return play_out(match, Random(number), idle=0.95), seed
    raise AssertionError("no pile was formed again in 2,000 deals")


def test_a_record_keeps_and_proves_the_order_of_a_reshuffle() -> None:
    match, seed = reshuffling(ruleset("poka3"))
    document = documented(match, seed)
    orders = document["record"]["deals"][0]["orders"]
    assert len(orders) >= 2
    assert len(orders[0]) == 48
    assert 35 < len(orders[1]) < 48
    cards = sum(1 << card_index(code) for code in orders[1])
    assert orders[1] == [CODES[card] for card in further_order(seed, "reshuffle", 1, 0, cards)]
    assert rederive(document) == canonical(document["record"])
    assert verify(document, seed=seed).ok
    notes = [note for move in document["view"]["deals"][0]["moves"] for note in move["ev"]]
    assert [note["code"] for note in notes] == ["reshuffle"] * (len(orders) - 1)
    assert notes[0]["order"] == orders[1]


def test_an_order_of_a_reshuffle_that_the_seed_does_not_give_is_found() -> None:
    match, seed = reshuffling(ruleset("poka3"))
    document = documented(match, seed)
    order = document["record"]["deals"][0]["orders"][1]
    order[-1], order[-2] = order[-2], order[-1]
    document["hash"] = record_hash(document["record"])
    found = verify(document, seed=seed)
    assert not found.ok
    assert found.code in ("record.order", "record.move")
