"""Who wins which prize: places, shared places, one prize each, categories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.ranking.awards import Award, Candidate, NotGiven, Offer, give

NOVICE, CLUB = 1, 2
QUICK = settings(max_examples=60)


def places(*ranks: int) -> list[Candidate]:
    """Candidates 1, 2, 3 .. at these ranks."""
    return [Candidate(entry, rank) for entry, rank in enumerate(ranks, 1)]


def given_to(
    offers: Sequence[Offer],
    candidates: Sequence[Candidate],
    members: Mapping[int, set[int]] | None = None,
    *,
    one_each: bool = True,
    divided: bool = False,
) -> list[tuple[int, int, tuple[int, ...]]]:
    found = give(offers, candidates, members or {}, one_each=one_each, divided=divided)
    return [(award.offer.key, award.place, award.winners) for award in found]


def test_every_place_of_a_prize_has_one() -> None:
    offers = [Offer(0, None, 1, 1), Offer(1, None, 2, 4)]
    assert given_to(offers, places(1, 2, 3)) == [(0, 1, (1,)), (1, 2, (2,)), (1, 3, (3,)), (1, 4, ())]


def test_who_has_a_better_prize_is_passed_over_and_those_behind_move_up() -> None:
    offers = [Offer(0, None, 1, 1), Offer(1, None, 2, 2), Offer(2, NOVICE, 1, 1), Offer(3, None, 3, 3)]
    members = {NOVICE: {2, 3}}
    found = give(offers, places(1, 2, 3, 4), members, one_each=True, divided=False)
    assert [award.winners for award in found] == [(1,), (2,), (3,), (4,)]
    assert [award.passed for award in found] == [(), (), (2,), (3,)]
    every = given_to(offers, places(1, 2, 3, 4), members, one_each=False)
    assert [winners for _key, _place, winners in every] == [(1,), (2,), (2,), (3,)]


def test_the_larger_amount_is_the_better_prize() -> None:
    small, large = Offer(0, None, 1, 1, Decimal(20)), Offer(1, NOVICE, 1, 1, Decimal(50))
    assert given_to([small, large], places(1, 2), {NOVICE: {1}}) == [(1, 1, (1,)), (0, 1, (2,))]
    thing = Offer(0, None, 1, 1)
    assert given_to([thing, large], places(1, 2), {NOVICE: {1}}) == [(0, 1, (1,)), (1, 1, ())]


def test_a_shared_place_gives_the_prize_to_each_and_takes_the_next_away() -> None:
    offers = [Offer(0, None, 1, 1), Offer(1, None, 2, 2), Offer(2, None, 3, 3)]
    found = give(offers, places(1, 1, 3), {}, one_each=True, divided=False)
    assert [(award.winners, award.not_given) for award in found] == [
        ((1, 2), None), ((), NotGiven.SHARED), ((3,), None),
    ]  # fmt: skip


def test_a_shared_place_divides_the_prizes_of_all_its_places() -> None:
    offers = [Offer(0, None, 1, 1), Offer(1, None, 2, 2), Offer(2, None, 3, 3)]
    found = give(offers, places(1, 2, 2), {}, one_each=True, divided=True)
    assert [(award.winners, award.shares) for award in found] == [((1,), 1), ((2, 3), 2), ((2, 3), 2)]


def test_nobody_wins_a_prize_of_an_empty_category() -> None:
    found = give([Offer(0, CLUB, 1, 1)], places(1, 2), {}, one_each=True, divided=False)
    assert [(award.winners, award.not_given) for award in found] == [((), NotGiven.EMPTY)]


def test_an_empty_category_is_told_from_one_whose_members_have_all_won() -> None:
    offers = [Offer(0, None, 1, 1), Offer(1, CLUB, 1, 1), Offer(2, NOVICE, 1, 1)]
    found = give(offers, places(1, 2), {CLUB: {1}}, one_each=True, divided=False)
    assert [award.not_given for award in found] == [None, NotGiven.NOBODY, NotGiven.EMPTY]


def offers_of(pools: Sequence[int | None]) -> list[Offer]:
    return [Offer(key, pool, 1, 2) for key, pool in enumerate(pools)]


@QUICK
@given(
    st.lists(st.integers(1, 4), min_size=1, max_size=8),
    st.lists(st.sampled_from([None, NOVICE, CLUB]), max_size=4),
    st.sets(st.integers(1, 8)),
    st.booleans(),
)
@pytest.mark.parametrize("one_each", [True, False])
def test_nobody_wins_twice_in_two_pools_and_no_winner_is_outside_of_the_pool(
    one_each: bool, ranks: list[int], pools: list[int | None], novices: set[int], divided: bool
) -> None:
    candidates = places(*sorted(ranks))
    members = {NOVICE: novices, CLUB: {1, 2, 3}}
    found: list[Award] = give(offers_of(pools), candidates, members, one_each=one_each, divided=divided)
    won: dict[int, set[int | None]] = {}
    for award in found:
        assert bool(award.winners) == (award.not_given is None)
        assert award.shares == (len(award.winners) if divided and award.winners else 1)
        for entry in award.winners:
            assert award.offer.pool is None or entry in members[award.offer.pool]
            won.setdefault(entry, set()).add(award.offer.pool)
        assert not set(award.winners) & set(award.passed)
    if one_each:
        assert all(len(own) == 1 for own in won.values())
