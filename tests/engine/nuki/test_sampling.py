"""Sampled worlds of Nuki fit all that the table has been shown. rules.md 6.2, 11 step 4."""

from __future__ import annotations

from random import Random

import pytest

from engine.cards import parse_cards
from engine.games.nuki.deal import HAND
from engine.games.nuki.observation import NukiObservation, observe
from engine.games.nuki.sampling import _is_consistent, determinize
from engine.games.nuki.state import NukiState
from engine.games.nuki.teyaku import claims_of, triplet_choice
from tests.engine.nuki.tables import VARIANTS, an_order, dealt, fresh_deal, random_play, triplet


def check(observation: NukiObservation, world: NukiState) -> None:
    """Each other active hand, as it was dealt, has exactly the teyaku that it claimed."""
    for seat in observation.active:
        claims = observation.claims[seat]
        if seat != observation.seat and claims is not None:
            month = claims.a.month if claims.a else 0
            assert claims_of(world.hands[seat] | world.played[seat], month) == claims


def check_returned(observation: NukiObservation, world: NukiState) -> None:
    """Check that only seats that do not play gave back cards: seven, which lie in the pile or came from it."""
    own, seats = observation.seat, range(observation.rules.seats)
    inactive = [seat for seat in seats if observation.active and seat not in observation.active]
    assert world.returned[own] == observation.returned
    assert [world.returned[seat].bit_count() for seat in seats] == [HAND if seat in inactive else 0 for seat in seats]
    been_in_pile = sum(1 << card for card in world.hidden()) | world.turned
    whole = 0
    for cards in world.returned:
        assert not cards & whole
        assert not cards & ~been_in_pile
        whole |= cards


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("number", range(8))
def test_sampled_hands_have_the_teyaku_that_were_claimed(seats: int, number: int) -> None:
    state = fresh_deal(100 * seats + number, seats=seats, options=VARIANTS[number % len(VARIANTS)])
    dice = Random(number)
    for _ in random_play(state, dice):
        for seat in range(seats):
            observation = observe(state, seat)
            world = determinize(observation, dice)
            check(observation, world)
            check_returned(observation, world)


def test_the_hand_of_who_chooses_between_two_triplets_has_two() -> None:
    """While a seat names its triplet the others see that it has to: its hand cannot be any hand."""
    order = an_order(
        {0: "01.2 02.2 03.1 06.4 08.1 10.1 11.1", 1: "06.1 06.2 06.3 09.1 09.2 09.3 01.1"}, "02.3 02.4 08.3"
    )
    state = dealt(order)
    assert (state.phase, state.turn) == ("showdown", 1)
    for number in range(3):
        world = determinize(observe(state, 0), Random(number))
        assert len(triplet_choice(world.hands[1])) == 2
        assert world.phase == "showdown"


def test_two_triplets_fit_the_claim_of_either() -> None:
    """A seat that has two names one: the others cannot tell the later one from an only one (R57)."""
    order = an_order(
        {0: "01.2 02.2 03.1 06.4 08.1 10.1 11.1", 1: "06.1 06.2 06.3 09.1 09.2 09.3 01.1"}, "02.3 02.4 08.3"
    )
    state = dealt(order)
    state.apply(triplet(9))
    seen = observe(state, 0)
    assert _is_consistent(seen, list(state.hands))
    single = parse_cards("06.1 12.1 06.3 09.1 09.2 09.3 01.1")
    assert _is_consistent(seen, [state.hands[0], single])
    other = parse_cards("06.1 06.2 06.3 09.1 09.2 12.1 01.1")
    assert not _is_consistent(seen, [state.hands[0], other])
    assert not _is_consistent(seen, [state.hands[0], single & ~1])
