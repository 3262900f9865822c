"""Oi-bana: the auction, who plays, the return, the settlement. rules.md 5, R70 to R76, R91."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import pytest

from engine.action import Action
from engine.cards import ALL, CardSet, card_index, card_set, codes, members, parse_cards
from engine.deck import GuessedShuffles, deck_order, further_order
from engine.errors import BadOption, BadSeating, IllegalAction
from engine.game import DealStart, OptionValue
from engine.games import ruleset
from engine.games.oibana import OIBANA, auction, scoring
from engine.games.oibana.history import at_table as at_table_told
from engine.games.oibana.options import OPTIONS
from engine.games.oibana.rules import compile_oibana, own_options
from engine.games.oibana.state import OibanaState
from engine.games.sakura import SAKURA
from engine.match import Match
from tests.engine.oibana_worlds import a_deal, at_table, bid
from tests.engine.worlds import seed_of


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_eight_cards_each_from_the_dealers_right(seats: int) -> None:
    order = deck_order(seed_of(0), 1)
    state = a_deal(seats, dealer=1)
    assert codes(state.hands[2]) == codes(card_set(order[:8]))
    assert codes(state.hands[1]) == codes(card_set(order[8 * seats - 8 : 8 * seats])), "the dealer is last"
    assert state.undealt == card_set(order[8 * seats :])
    assert (state.phase, state.seat_to_act, state.pile_left) == ("auction", 1, 48 - 8 * seats)


def test_halves_are_four_and_four() -> None:
    order = deck_order(seed_of(0), 1)
    state = a_deal(3, options={"deal_pattern": "halves"})
    assert state.hands[1] == card_set(order[:4]) | card_set(order[12:16])
    assert state.hands[0] == card_set(order[8:12]) | card_set(order[20:24])


@pytest.mark.parametrize(("seats", "teams"), [(2, "solo"), (7, "solo"), (4, "2x2"), (6, "2x3"), (6, "3x2")])
def test_who_may_not_sit_down(seats: int, teams: str) -> None:
    rules = ruleset("oibana", teams=teams)
    with pytest.raises(BadSeating):
        rules.sides(seats)
    with pytest.raises(BadSeating):
        compile_oibana(rules, seats)
    with pytest.raises(BadSeating):
        Match(rules, seats, bytes(32))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"scoring": "victories"}, "no option 'scoring'"),
        ({"bid_min": 0}, "from 1 to 1000"),
        ({"bid_max": 1001}, "from 1 to 1000"),
        ({"bid_min": 101}, "above the highest"),
        ({"oibana_payment": "both"}, "loser_bid, winner_bid"),
        ({"target": 5}, "no option 'target'"),
    ],
)
def test_options_that_are_refused(options: Mapping[str, OptionValue], message: str) -> None:
    with pytest.raises(BadOption, match=message):
        ruleset("oibana", **options)


def test_every_option_of_the_deal_is_there_beside_its_own() -> None:
    assert [info.id for info in OPTIONS[:3]] == ["oibana_payment", "bid_min", "bid_max"]
    assert len(OPTIONS) == 3 + len(SAKURA.options) - 1
    assert "stake" in next(info.meaning for info in OPTIONS if info.id == "basa")
    assert own_options(ruleset("oibana").options).scoring == "cumulative"


def test_bids_are_listed_lowest_first() -> None:
    state = a_deal(3, options={"bid_min": 2, "bid_max": 4})
    assert state.legal_actions() == (bid(2), bid(3), bid(4))
    assert len(a_deal(3).legal_actions()) == 100


@pytest.mark.parametrize(
    ("action", "seat", "code"),
    [
        (bid(0), 0, "BID_REQUIRED"),
        (bid(1), 0, "BID_REQUIRED"),
        (Action.of("bid"), 0, "BID_REQUIRED"),
        (Action.of("pass"), 0, "BID_REQUIRED"),
        (bid(10), 0, "BID_TOO_HIGH"),
        (bid(3), 1, "NOT_YOUR_TURN"),
        (bid(0), 1, "NOT_YOUR_TURN"),
        (Action.of("play", 0), 0, "WRONG_PHASE"),
        (Action.of("play", 0), 1, "WRONG_PHASE"),
    ],
)
def test_what_is_no_bid(action: Action, seat: int, code: str) -> None:
    state = a_deal(3, options={"bid_min": 2, "bid_max": 9})
    with pytest.raises(IllegalAction, match=code):
        state.apply(action, seat=seat)
    assert state.bids == [-1, -1, -1]


@pytest.mark.parametrize(
    ("dealer", "bids", "players"),
    [
        (1, [5, 9, 3, 7], (2, 0)),  # H02
        (0, [4, 4, 4, 4], (0, 1)),  # the earlier of equal bids is higher
        (2, [1, 4, 9, 4], (3, 0)),  # order: p2 1, p3 4, p0 9, p1 4
        (3, [2, 2, 2, 3], (3, 2)),  # p3 2, p0 2, p1 2, p2 3: p3 was the first of the equals and leads
    ],
)
def test_the_two_highest_play_and_the_first_from_the_dealer_leads(
    dealer: int, bids: list[int], players: tuple[int, int]
) -> None:
    state = at_table(4, *bids, dealer=dealer)
    assert state.players == players
    assert state.seat_to_act == players[0]
    assert state.table is not None
    assert state.table.dealer == 0


def test_the_others_return_their_hands_into_a_fresh_shuffle() -> None:
    before = a_deal(4)
    kept, back = before.hands[1] | before.hands[2], before.hands[0] | before.hands[3]
    state = at_table(4, 1, 8, 9, 2)
    order = state.used[0]
    assert card_set(order) == back | before.undealt == ALL & ~kept
    table = state.table
    assert table is not None
    assert table.field_order() == list(order[:8])
    assert table.hidden() == list(order[8:])
    assert table.pile_left == state.pile_left == 24
    assert [state.hand(seat) for seat in range(4)] == [0, before.hands[1], before.hands[2], 0]
    assert state.returned == [before.hands[0], 0, 0, before.hands[3]]


def test_the_return_comes_from_the_seed_under_its_own_label() -> None:
    seed = seed_of("return")
    match = Match(ruleset("oibana", rounds=2), 5, seed)
    while not match.is_over:
        match.apply(match.legal_actions()[-1])
    for log in match.deals:
        assert len(log.orders) == 2
        assert log.orders[1] == further_order(seed, "return", log.number, 0, card_set(log.orders[1]))
        assert len(log.orders[1]) == 32


def stacked(field: Sequence[int]) -> OibanaState:
    """Three seats; these eight cards come up in any case on the field."""
    state = a_deal(3)
    held = list(members(ALL & ~card_set(field)))
    state.hands = [card_set(held[:8]), card_set(held[8:16]), card_set(held[16:24])]
    state.undealt = ALL & ~sum(state.hands)

    def shuffle(label: str, number: int, cards: CardSet) -> tuple[int, ...]:
        if label == "deck":
            return deck_order(bytes(32), 2)
        return (*field, *(card for card in members(cards) if card not in field))

    state.shuffle = shuffle
    return state


QUAD = [card_index(code) for code in ["08.1", "08.2", "08.3", "08.4", "01.1", "02.1", "03.1", "11.4"]]


def test_the_leader_takes_a_full_month_off_the_field() -> None:
    state = stacked(QUAD)
    for amount in (1, 5, 9):
        state.apply(bid(amount))
    assert state.players == (1, 2)
    assert state.captured(1) == parse_cards("08.1 08.2 08.3 08.4")
    assert state.captured(2) == state.captured(0) == 0


def test_a_field_that_is_dealt_again_begins_with_a_new_auction() -> None:
    state = stacked(QUAD)
    state.rules = compile_oibana(ruleset("oibana", field_quad="redeal"), 3)
    told = [OIBANA.play(state, bid(amount)) for amount in (1, 5, 9)][-1]
    assert (state.phase, state.bids, state.redeal, state.seat_to_act) == ("auction", [-1, -1, -1], 1, 0)
    assert state.hands[1] == card_set(deck_order(bytes(32), 2)[:8])
    assert [note["code"] for note in told.notes] == ["redeal"]
    assert [len(order) for order in told.orders] == [32, 48]
    assert follow(told.steps, hands=3, dealt=24) == (24, 24)


def follow(steps: Sequence[Any], *, hands: int, dealt: int) -> tuple[int, int]:
    """Cards in hands and in the pile after the steps of an action, from a deal of `dealt` cards."""
    held, pile = dealt, 48 - dealt
    for step in steps:
        held += (step.target[0] == "h") - (step.source[0] == "h")
        pile += (step.target == "p") - (step.source == "p")
    return held, pile


def test_a_void_field_moves_nothing_and_the_dealer_deals_again() -> None:
    state = stacked(QUAD)
    state.rules = compile_oibana(ruleset("oibana", field_quad="void_round"), 3)
    told = [OIBANA.play(state, bid(amount)) for amount in (1, 5, 9)][-1]
    outcome = state.outcome()
    assert state.is_over
    assert state.seat_to_act == -1
    assert (outcome.reason, outcome.score, outcome.winner, outcome.victories) == ("void", (0, 0, 0), None, (0, 0, 0))
    assert outcome.paid == 0
    assert [note["code"] for note in told.notes] == ["auction", "void"]
    assert all(line["v"] == 0 for line in scoring.lines(outcome))
    assert OIBANA.next_dealer(state.rules.options, 3, 0, None) == 0


def test_a_discarded_gaji_is_told_to_all() -> None:
    state = stacked(QUAD)
    state.rules = compile_oibana(ruleset("oibana", gaji_at_deal="discard"), 3)
    told = [OIBANA.play(state, bid(amount)) for amount in (1, 5, 9)][-1]
    assert told.notes[0]["removed"] == ["11.4"]
    assert told.event["ev"] == list(told.notes)


def test_a_fresh_auction_has_returned_nothing_and_counts_its_redeals() -> None:
    state = a_deal(4)
    assert (state.returned, state.redeal, state.players, state.table) == ([0, 0, 0, 0], 0, (), None)
    start = DealStart(ruleset("oibana"), 3, 0, 1, deck_order(seed_of(0), 1), 2, GuessedShuffles(1), {}, (0, 0, 0))
    assert OIBANA.new_deal(start).redeal == 2
    hands = [card_set(range(8 * seat, 8 * seat + 8)) for seat in range(3)]
    rules = compile_oibana(ruleset("oibana"), 3)
    made = OibanaState(rules, dealer=0, hands=hands, undealt=card_set(range(24, 48)), shuffle=GuessedShuffles(1))
    assert made.redeal == 0


def test_a_refusal_names_the_action_that_was_refused() -> None:
    with pytest.raises(IllegalAction) as caught:
        a_deal(3).apply(bid(101))
    assert (caught.value.action, caught.value.code) == (bid(101), "BID_TOO_HIGH")
    assert caught.value.legal == tuple(bid(amount) for amount in range(1, 101))


@pytest.mark.parametrize(("rule", "dealer"), [("redraw", 1), ("value_then_redraw", 2), ("rank_then_redraw", 0)])
def test_the_first_dealer_is_found_by_the_rule_of_the_match(rule: str, dealer: int) -> None:
    """Seats 0, 1, 2 draw the Rain Man, the Swallow and the Willow ribbon; then 12.1, 11.4 (rules.md 3.3)."""
    drawings = ("11.1 11.2 11.3", "12.1 11.4 12.2")
    options = ruleset("oibana", first_dealer_tie=rule).options
    found, _ = OIBANA.first_dealer(options, 3, lambda number: [card_index(code) for code in drawings[number].split()])
    assert found == dealer


def test_events_are_told_to_the_table_with_its_own_seats() -> None:
    """p2 leads and p4 is the other player: the table's reader knows them as 0 and 1."""
    block = {"code": "hiki_block", "by": 4, "side": 4, "month": 3, "from_hand": ["03.1"]}
    event = {"by": "p2", "play": "11.4", "take": "03.2", "ev": [block, {"code": "transfer", "side": 2, "card": "03.3"}]}
    assert at_table_told(event, (2, 4)) == {
        "by": "p0", "play": "11.4", "take": "03.2",
        "ev": [{**block, "by": 1, "side": 1}, {"code": "transfer", "side": 0, "card": "03.3"}],
    }  # fmt: skip
    assert at_table_told({"by": "p4", "draw_only": 1}, (2, 4)) == {"by": "p1", "draw_only": 1, "ev": []}
    settled = {"code": "settled", "by": "p2", "from": "p4", "amount": 7}
    assert at_table_told({"by": "p4", "ev": [settled]}, (2, 4)) == {"by": "p1", "ev": [settled]}


def test_at_the_table_only_the_two_may_act() -> None:
    state = at_table(4, 1, 8, 9, 2)
    action = state.legal_actions()[0]
    for seat in (0, 2, 3):
        with pytest.raises(IllegalAction, match="NOT_YOUR_TURN"):
            state.apply(action, seat=seat)
    with pytest.raises(IllegalAction, match="WRONG_PHASE"):
        state.apply(bid(3), seat=1)
    state.apply(action, seat=1)


def test_after_the_end_nothing_is_legal() -> None:
    state = at_table(3, 3, 2, 1)
    while not state.is_over:
        state.apply(state.legal_actions()[0])
    assert state.legal_actions() == ()
    with pytest.raises(IllegalAction, match="DEAL_OVER"):
        state.apply(bid(3), seat=0)


def test_no_outcome_before_the_end() -> None:
    with pytest.raises(ValueError, match="not over"):
        a_deal(3).outcome()
    with pytest.raises(ValueError, match="not over"):
        at_table(3, 3, 2, 1).outcome()


def test_the_payment_is_told_with_the_last_move() -> None:
    match = Match(ruleset("oibana", rounds=1), 3, seed_of("settled"))
    while not match.is_over:
        match.apply(match.legal_actions()[0])
    outcome, note = match.deals[0].outcome, match.deals[0].played[-1].notes[-1]
    assert isinstance(outcome, scoring.OibanaOutcome)
    loser = next(seat for seat in outcome.players if seat != outcome.winner)
    assert note == {
        "code": "settled", "by": f"p{outcome.winner}", "from": f"p{loser}", "amount": 1,
        "score": list(outcome.table.score),
    }  # fmt: skip


def test_the_ledger_decides_the_match_and_ties_are_shared() -> None:
    match = Match(ruleset("oibana", rounds=6), 3, seed_of("ledger"))
    dealers = []
    while not match.is_over:
        dealers.append((match.deal, match.dealer))
        match.apply(match.legal_actions()[7 % len(match.legal_actions())])
    assert sum(match.totals) == 0
    assert match.observation(0, match_id="m", preset="oibana", since=0, ms_left=1)["total"] == match.totals
    best = [seat for seat, ledger in enumerate(match.totals) if ledger == max(match.totals)]
    assert list(match.result().winners) == best
    for log, following in zip(match.deals, match.deals[1:], strict=False):
        assert log.outcome is not None
        assert following.dealer == log.outcome.winner


def test_the_two_agree_on_what_the_sources_leave_open() -> None:
    assert auction.stake("loser_bid", winner=9, loser=7) == 7
    assert auction.stake("winner_bid", winner=9, loser=7) == 9


def test_the_game_takes_only_its_own() -> None:
    """The objects of another game are a mistake of the caller, told at once."""
    own, other = a_deal(3), Match(ruleset("hawaii", rounds=1), 2, bytes(32))
    while not other.is_over:
        other.apply(other.legal_actions()[0])
    assert other.last_outcome is not None
    with pytest.raises(TypeError, match="world of Oi-bana"):
        OIBANA.observation(other.state, 0)
    with pytest.raises(TypeError, match="outcome of Oi-bana"):
        OIBANA.lines(own.rules.options, other.last_outcome)
    with pytest.raises(TypeError, match="options of Oi-bana"):
        OIBANA.sides(other.ruleset.options, 3)
    with pytest.raises(TypeError, match="observation of Oi-bana"):
        OIBANA.determinize(SAKURA.observe(other.state, 0), Random(1))
    seen = OIBANA.observe(own, 0)
    assert OIBANA.determinize(seen, Random(1)).hand(0) == own.hand(0)


def test_the_way_of_a_full_month_to_the_leader_is_told() -> None:
    """The hands go back, the field is laid, the leader takes the month from it, in this order."""
    state = stacked(QUAD)
    told = [OIBANA.play(state, bid(amount)) for amount in (1, 5, 9)][-1]
    ways = [(codes(1 << step.card)[0], step.source, step.target) for step in told.steps]
    assert [way[1:] for way in ways] == [("h0", "p")] * 8 + [("p", "f")] * 8 + [("f", "c1")] * 4
    assert [way[0] for way in ways[8:16]] == codes_in_order(QUAD)
    assert [way[0] for way in ways[16:]] == ["08.1", "08.2", "08.3", "08.4"]
    assert told.notes == (
        {"code": "auction", "first": "p1", "second": "p2", "field": codes(card_set(QUAD))},
        {"code": "field_quad", "side": 1, "cards": ["08.1", "08.2", "08.3", "08.4"]},
    )
    assert told.event["ev"] == list(told.notes)


def codes_in_order(cards: Sequence[int]) -> list[str]:
    return [codes(1 << card)[0] for card in cards]
