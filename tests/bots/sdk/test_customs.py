"""The worth of bids, calls and discards: on constructed observations, in the game's own points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from bots.sdk import custom, customary
from bots.sdk.bidding import best_bid, bid_worth, chance
from bots.sdk.calling import going_on, kan_of, prospects, threat
from bots.sdk.joining import answer_worth, hand_worth
from bots.sdk.shedding import in_hand_worth, turn_worth
from engine.action import Action
from engine.cards import CardSet, card_index, parse_cards
from engine.games import ruleset
from engine.games.nuki.legal import CANCEL, DROP, JOIN, SAGE, SHOUBU
from engine.games.nuki.observation import NukiObservation, observe
from engine.games.nuki.rules import compile_rules
from engine.games.nuki.state import NukiState
from engine.games.oibana.rules import own_options
from engine.games.poka.legal import DISCARD, PASS, STOP
from engine.games.poka.rules import compile_rules as poka_rules
from engine.games.poka.state import PokaState

STRONG = parse_cards("03.1 08.1 09.1 11.4 10.1 07.2 01.2 06.1")
WEAK = parse_cards("02.3 02.4 04.3 04.4 12.3 12.4 12.2 11.1")
POETRY, BLUE = parse_cards("01.2 02.2 03.2"), parse_cards("06.2 09.2 10.2")
OIBANA = own_options(ruleset("oibana").options)


def called(
    hand: str, field: str, mine: CardSet, theirs: CardSet = 0, *, sage: bool = False, large: bool = False
) -> NukiObservation:
    """Return what seat 0 sees when it has to call, or, after a sage, at the start of its turn."""
    rules = compile_rules(ruleset("nuki88"), 2)
    held_cards = parse_cards(hand)
    world = NukiState(rules, dealer=0, hands=[held_cards, 0], field=[], pile=[], captured=[mine, theirs])
    world.field, world.multiplier = parse_cards(field), 2 if large else 1
    world.phase, world.sage = ("hand", 1) if sage else ("decision", 0)
    return observe(world, 0)


def call_of(seen: NukiObservation) -> str:
    """Return what is called: the word of the best call."""
    return max((SHOUBU, SAGE), key=lambda call: custom(call, seen, seen.hand)).word


def test_a_better_hand_has_a_better_chance_and_the_average_one_half() -> None:
    assert chance(STRONG) > 0.8 > 0.5 > 0.2 > chance(WEAK)
    average = parse_cards("01.3 03.3 04.1 06.2 07.4 08.2 10.2 12.1")
    assert chance(average) == pytest.approx(0.5, abs=0.1)


@pytest.mark.parametrize("hand", [STRONG, WEAK])
@pytest.mark.parametrize("others", [[], [1]])
def test_the_first_two_bid_the_least_whatever_they_hold(hand: CardSet, others: Sequence[int]) -> None:
    """They are at the table unless somebody pays more, and then he stakes more than they do."""
    assert best_bid(hand, others, OIBANA) == 1


@pytest.mark.parametrize(
    ("hand", "others", "bid"),
    [
        (STRONG, [1, 1], 2),  # odds of 2 to 1 against a chance of 0.9
        (WEAK, [1, 1], 1),
        (STRONG, [5, 7, 7], 8),  # just above the second highest
        (WEAK, [90, 2, 1], 3),  # somebody stakes 90: even a weak hand takes that
        (STRONG, [100, 100], 1),  # no bid is enough
    ],
)
def test_who_comes_later_bids_just_enough_if_the_odds_are_good(hand: CardSet, others: list[int], bid: int) -> None:
    assert best_bid(hand, others, OIBANA) == bid
    amounts = range(OIBANA.bid_min, OIBANA.bid_max + 1)
    assert max(amounts, key=lambda amount: bid_worth(amount, hand, others, OIBANA)) == bid


def test_where_the_winner_is_paid_his_own_bid_a_strong_hand_bids_all() -> None:
    options = ruleset("oibana", oibana_payment="winner_bid").options
    assert (best_bid(STRONG, [], options), best_bid(WEAK, [], options)) == (100, 1)
    assert best_bid(STRONG, [10, 10], options) == 100


def test_a_bid_is_worth_what_is_won_and_lost_with_it() -> None:
    p = chance(STRONG)
    assert bid_worth(2, STRONG, [1, 1], OIBANA) == pytest.approx(p * 1 - (1 - p) * 2)
    assert bid_worth(1, STRONG, [1, 1], OIBANA) == 0.0


def test_shoubu_unless_a_second_dekiyaku_is_likely() -> None:
    assert call_of(called("05.3 07.3", "12.1 04.3", POETRY)) == "shoubu"
    assert call_of(called("10.2 05.3", "10.3 04.3", POETRY | parse_cards("06.2 09.2"))) == "sage"
    assert call_of(called("", "10.2 10.3", POETRY | parse_cards("06.2 09.2"))) == "shoubu"


def test_no_sage_for_a_card_that_the_other_has_captured_nor_for_two_unlikely_kan_more() -> None:
    assert call_of(called("05.3", "10.3", POETRY | parse_cards("06.2 09.2"), parse_cards("10.2 10.4"))) == "shoubu"
    four = parse_cards("01.1 03.1 08.1 12.1")
    assert call_of(called("11.1 05.3", "11.2 04.3", four)) == "sage"  # it is all but made
    assert call_of(called("11.2 05.3", "11.3 04.3", four)) == "shoubu"


def test_a_cancel_when_the_chance_is_gone_and_the_other_threatens() -> None:
    gone = called("05.3 07.3", "12.1", POETRY | parse_cards("06.2 09.2"), parse_cards("10.2 01.1 03.1 08.1"), sage=True)
    assert custom(CANCEL, gone, gone.hand) > 0
    there = called("10.2 07.3", "10.3", POETRY | parse_cards("06.2 09.2"), sage=True)
    assert custom(CANCEL, there, there.hand) < 0
    assert custom(Action.of("play", card_index("07.3")), there, there.hand) == 0.0


def test_no_cancel_while_nothing_threatens() -> None:
    """The next card may bring something, and a cancel brings no more than the end of the hands."""
    calm = called("05.3 07.3", "12.1", POETRY | parse_cards("06.2 09.2"), parse_cards("10.2 04.3"), sage=True)
    assert prospects(calm.captured[0], calm.captured[1], calm.hand, calm.field)[0] == 0.0
    assert custom(CANCEL, calm, calm.hand) < 0


def test_calls_are_worth_points_with_the_field_multiplier() -> None:
    seen, large = (called("05.3", "12.1", POETRY, large=large) for large in (False, True))
    assert custom(SHOUBU, seen, seen.hand) == 70
    assert custom(SHOUBU, large, large.hand) == 140
    assert custom(SAGE, large, large.hand) == 2 * custom(SAGE, seen, seen.hand)


def test_prospects_and_threats_fit_together() -> None:
    assert prospects(POETRY, 0, 0, 0)[0] == 0.0
    likely, then = prospects(POETRY | parse_cards("06.2 09.2"), 0, parse_cards("10.2"), parse_cards("10.3"))
    assert likely > 0.9
    assert then == kan_of(POETRY | BLUE) == 14
    assert threat(0, POETRY, 0, 0) == (0.0, 0.0)
    assert threat(0, parse_cards("01.2 02.2"), parse_cards("05.3"), 0)[0] > threat(0, 0, parse_cards("05.3"), 0)[0]
    assert going_on(POETRY, 0, 0, 0) == 3.5


def joining(hand: str, answers: Sequence[str], *, seats: int = 3, penalty: str = "off") -> NukiObservation:
    """Return what the seat to answer sees after these answers from the dealer, seat 0, on."""
    rules = compile_rules(ruleset("nuki88", dropout_penalty=penalty), seats)
    hands = [parse_cards(hand)] * seats
    world = NukiState(rules, dealer=0, hands=hands, field=[], pile=[], active=(0, 1))
    world.phase, world.turn = "join", len(answers)
    world.answers = [(seat, "play" if said == "play" else "drop") for seat, said in enumerate(answers)]
    return replace(observe(world, world.turn), active=(), leader=-1)


GOOD, POOR = "01.1 03.1 08.1 12.1 02.2 03.2 10.1", "01.3 01.4 02.3 03.3 04.3 05.3 12.2"


def test_a_good_hand_joins_and_a_poor_one_drops() -> None:
    for hand, joins in ((GOOD, True), (POOR, False)):
        seen = joining(hand, ["play"])
        assert (custom(JOIN, seen, seen.hand) > custom(DROP, seen, seen.hand)) is joins


def test_dropping_costs_its_penalty_and_the_last_one_need_not_play() -> None:
    seen = joining(POOR, ["drop"], penalty="hachi")
    assert answer_worth("drop", seen.hand, seen) == -15
    alone = joining(POOR, ["drop", "drop"])
    assert answer_worth("play", alone.hand, alone) == 0 >= answer_worth("drop", alone.hand, alone)
    assert customary_word(alone) == "play"


def customary_word(seen: NukiObservation) -> str:
    return max((JOIN, DROP), key=lambda answer: custom(answer, seen, seen.hand)).word


def test_a_hand_of_nuki_is_worth_less_to_who_leads_and_more_with_teyaku() -> None:
    good = parse_cards(GOOD)
    assert hand_worth(good, 0, leads=True) < hand_worth(good, 0, leads=False)
    chaff, mixed = parse_cards("01.3 02.3 03.3 08.3 09.3 06.3 10.3"), parse_cards("01.3 02.3 03.3 08.3 09.3 06.1 10.1")
    assert hand_worth(chaff, 0, leads=False) > hand_worth(mixed, 0, leads=False)


def poka(hand: str, top: str) -> PokaState:
    """A world of Poka with seat 0 to act."""
    hands = [parse_cards(hand), parse_cards("05.1 05.2 05.3")]
    return PokaState(
        poka_rules(ruleset("poka5")), dealer=0, hands=hands, discard=[card_index(top)], pile=[], shuffle=_no_shuffle
    )


def _no_shuffle(label: str, number: int, cards: CardSet) -> tuple[int, ...]:
    raise AssertionError("nothing is shuffled here")


def test_the_longest_chain_is_laid_and_the_ghost_kept() -> None:
    world = poka("04.3 05.4 09.3 11.3 01.1", "03.3")
    assert customary(world, world.legal_actions()) is DISCARD[card_index("04.3")]
    world.apply(DISCARD[card_index("04.3")])
    world.apply(DISCARD[card_index("05.4")])
    assert customary(world, world.legal_actions()) is STOP


def test_a_ghost_is_laid_to_go_out_and_else_there_is_a_pass() -> None:
    out = poka("01.1 09.3 10.3", "03.3")
    assert customary(out, out.legal_actions()) is DISCARD[card_index("01.1")]
    stuck = poka("01.1 09.3 11.3", "03.3")
    assert customary(stuck, stuck.legal_actions()) is PASS


def test_ghosts_are_worth_more_than_cards_and_going_out_most() -> None:
    assert in_hand_worth(parse_cards("01.1 09.3")) > in_hand_worth(0b1 << 40) > in_hand_worth(parse_cards("09.3 10.3"))
    assert turn_worth(card_index("08.3"), parse_cards("09.3 10.3")) == in_hand_worth(0) == 1.0
