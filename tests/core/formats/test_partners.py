"""Partners by lot: every draw is a partition that follows from the list and the seed alone."""

from __future__ import annotations

import hashlib
from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.formats import ages
from core.formats.errors import FormatError
from core.formats.partners import Person, Rule, committed, draw_partners, follows_lots, lot

CLUBS = st.sampled_from(["", "", "Kyoto", "kyoto ", "Lyon", "Hilo"])
SEEDS = st.binary(min_size=32, max_size=32)
LISTS = st.lists(CLUBS, min_size=3, max_size=40).map(
    lambda clubs: [Person(f"entry-{number:02}", club) for number, club in enumerate(clubs)]
)


@pytest.mark.thorough
@given(LISTS, st.sampled_from([2, 3]), SEEDS, st.sampled_from(Rule), st.randoms())
@settings(max_examples=150, deadline=None)
def test_every_draw_is_a_partition_blind_to_the_order_of_the_list(people, size, seed, rule, random) -> None:  # type: ignore[no-untyped-def]  # hypothesis fills them in
    drawn = draw_partners(people, size, seed, rule)
    seated = [entry for team in drawn.teams for entry in team]
    assert Counter([*seated, *drawn.left]) == Counter(person.entry for person in people)
    assert {len(team) for team in drawn.teams} == {size}
    assert len(drawn.left) == len(people) % size
    mixed = list(people)
    random.shuffle(mixed)
    assert draw_partners(mixed, size, seed, rule) == drawn


@given(LISTS, SEEDS)
@settings(max_examples=60, deadline=None)
def test_by_lots_alone_the_teams_are_the_sorted_list_cut_into_pieces(people: list[Person], seed: bytes) -> None:
    said = f"{seed.hex()} {people[0].entry}".encode()
    assert lot(seed, people[0].entry) == hashlib.sha256(said).hexdigest()
    order = sorted((person.entry for person in people), key=lambda entry: lot(seed, entry))
    drawn = draw_partners(people, 2, seed)
    assert [entry for team in drawn.teams for entry in team] + list(drawn.left) == order


def _fewest(clubs: list[str]) -> int:
    """The fewest pairs of one club, by trying every pairing."""
    if not clubs:
        return 0
    first, rest = clubs[0], clubs[1:]
    return min((first != "" and first == other) + _fewest(rest[:at] + rest[at + 1 :]) for at, other in enumerate(rest))


@given(st.lists(st.sampled_from(["", "a", "b", "c"]), min_size=2, max_size=8).filter(lambda x: len(x) % 2 == 0), SEEDS)
@settings(max_examples=100, deadline=None)
def test_as_few_pairs_of_one_club_as_can_be(clubs: list[str], seed: bytes) -> None:
    people = [Person(f"entry-{number}", club) for number, club in enumerate(clubs)]
    drawn = draw_partners(people, 2, seed, Rule.CLUBS)
    assert drawn.together == _fewest(clubs)


def test_another_seed_gives_other_partners_and_every_pair_meets_sometime() -> None:
    people = [Person(f"entry-{number}") for number in range(6)]
    draws = [draw_partners(people, 2, bytes([number]) * 32) for number in range(200)]
    pairs = {frozenset(team) for drawn in draws for team in drawn.teams}
    assert pairs == {frozenset(pair) for pair in combinations((person.entry for person in people), 2)}
    assert len({drawn.teams for drawn in draws}) > 100


def test_clubs_are_told_apart_as_people_write_them() -> None:
    people = [Person("a", "Kyoto"), Person("b", " kyoto"), Person("c", "Lyon"), Person("d", "Lyon")]
    for number in range(20):
        drawn = draw_partners(people, 2, bytes([number]) * 32, Rule.CLUBS)
        assert all({"a", "b"} != set(team) for team in drawn.teams)
        assert drawn.together == 0


def test_the_commitment_is_the_hash_of_the_seed() -> None:
    seed = bytes(range(32))
    assert committed(seed) == f"sha256:{hashlib.sha256(seed).hexdigest()}"


@pytest.mark.parametrize(
    ("people", "size", "code"),
    [
        ([Person("a")], 2, "partners.too_few"),
        ([Person("a"), Person("a")], 2, "partners.twice"),
        ([Person("a"), Person("b")], 1, "partners.size"),
    ],
)
def test_refusals(people: list[Person], size: int, code: str) -> None:
    with pytest.raises(FormatError) as refused:
        draw_partners(people, size, bytes(32))
    assert refused.value.code == code


YEARS = st.one_of(st.none(), st.sampled_from([1938, 1950, 1957, 1961, 1977, 1978, 1990, 1999, 2004]))


def _fewest_close(years: list[int | None], gap: int) -> int:
    """The fewest pairs who are too close, by trying every pairing, with every one as the one who stays alone."""
    if len(years) < 2:
        return 0
    if len(years) % 2:
        return min(_fewest_close(years[:at] + years[at + 1 :], gap) for at in range(len(years)))
    first, rest = years[0], years[1:]
    return min(
        ages.too_close(first, other, gap) + _fewest_close(rest[:at] + rest[at + 1 :], gap)
        for at, other in enumerate(rest)
    )


@pytest.mark.thorough
@given(st.lists(YEARS, min_size=2, max_size=8), st.sampled_from([1, 10, 20, 40]), SEEDS, st.sampled_from(Rule))
@settings(max_examples=150, deadline=None)
def test_as_few_pairs_too_close_in_age_as_can_be(years: list[int | None], gap: int, seed: bytes, rule: Rule) -> None:
    assert ages.fewest_too_close(years, gap) == _fewest_close(years, gap)
    people = [Person(f"entry-{number}", "ab"[number % 2], born) for number, born in enumerate(years)]
    drawn = draw_partners(people, 2, seed, rule, gap)
    born = {person.entry: person.born for person in people}
    placed = [born[entry] for team in drawn.teams for entry in team]
    assert drawn.too_close == _fewest_close(placed, gap)
    assert follows_lots(drawn.teams, drawn.left, 2, seed)


@given(LISTS, st.sampled_from([2, 3]), SEEDS, st.randoms())
@settings(max_examples=60, deadline=None)
def test_what_can_be_checked_without_years_is_noticed(people, size, seed, random) -> None:  # type: ignore[no-untyped-def]  # hypothesis fills them in
    aged = [Person(each.entry, each.club, random.choice([None, 1950, 1970, 1990])) for each in people]
    drawn = draw_partners(aged, size, seed, Rule.LOTS, 20)
    assert follows_lots(drawn.teams, drawn.left, size, seed)
    turned = [tuple(reversed(team)) for team in drawn.teams]
    assert not follows_lots(turned, drawn.left, size, seed)
    if len(drawn.teams) > 1:
        assert not follows_lots(drawn.teams[::-1], drawn.left, size, seed)
