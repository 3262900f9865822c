"""From stage to stage: graphs that make sense, and seeds that follow the standings alone."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.formats.elimination import BracketShape, Kind, bracket
from core.formats.errors import FormatError
from core.formats.progression import (
    Carry,
    Finisher,
    Progression,
    SeedBy,
    Seeded,
    apart,
    check,
    constraints_apart,
    select,
)

QUICK = settings(max_examples=60, deadline=None)


@st.composite
def tables(draw: st.DrawFn) -> list[Finisher]:
    """Final standings of some groups, now and then with shared ranks."""
    rows = []
    for group in range(draw(st.integers(1, 9))):
        points = draw(st.lists(st.integers(0, 12), min_size=2, max_size=8))
        for number, own in enumerate(sorted(points, reverse=True)):
            rank = 1 + sum(other > own for other in points)
            rows.append(Finisher(f"{group}-{number}", rank, f"pool {group}", (Fraction(own),)))
    return rows


@QUICK
@given(tables(), st.integers(1, 4), st.integers(0, 3), st.sampled_from(list(SeedBy)), st.data())
def test_places_become_seeds(rows: list[Finisher], first: int, more: int, by: SeedBy, data: st.DataObject) -> None:
    way = Progression("pools", "next", first, first + more, by, Carry.HALF)
    ratings = {row.entry: float(len(row.entry) + row.rank) for row in rows}
    plain = select(rows, Progression("pools", "next", first, first + more), lots="seed")
    hand = [item.entry for item in plain.seeded][::-1]
    found = select(rows, way, lots="seed", from_seed=5, ratings=ratings, hand=hand)
    mixed = data.draw(st.permutations(rows))
    assert select(mixed, way, lots="seed", from_seed=5, ratings=ratings, hand=hand) == found
    assert [item.seed for item in found.seeded] == list(range(5, 5 + len(found.seeded)))
    assert sorted(item.entry for item in found.seeded) == sorted(hand)
    assert {item.carry for item in found.seeded} <= {Carry.HALF}
    sizes = {name: sum(row.group == name for row in rows) for name in {row.group for row in rows}}
    assert len(hand) == sum(max(0, min(size, first + more) - first + 1) for size in sizes.values())
    assert (len(hand) < len(sizes) * way.size) == any(reason.code == "progression.short" for reason in found.reasons)


@QUICK
@given(tables(), st.integers(1, 4))
def test_better_ranks_go_on_first_and_ties_at_the_line_are_named(rows: list[Finisher], last: int) -> None:
    found = select(rows, Progression("pools", "next", 1, last), lots="seed")
    on = {item.entry for item in found.seeded}
    for row in rows:
        better = [other for other in rows if other.group == row.group and other.rank < row.rank]
        assert row.entry not in on or all(other.entry in on for other in better)
        rivals = {other.entry for other in rows if other.group == row.group and other.rank == row.rank}
        assert (row.entry in found.tied) == (bool(rivals & on) and bool(rivals - on))
    places = [item.place for item in found.seeded]
    assert places == sorted(places)


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("kind", list(Kind))
@pytest.mark.parametrize(("pools", "each"), [(2, 2), (4, 2), (8, 2), (9, 2), (5, 3), (4, 4)])
def test_pool_mates_do_not_meet_in_the_first_rounds(kind: Kind, pools: int, each: int) -> None:
    rng = Random(pools)
    for _ in range(10):
        rows = [
            Finisher(f"{pool}-{place}", place, str(pool), (Fraction(rng.randint(0, 20)),))
            for pool in range(pools)
            for place in range(1, each + 1)
        ]
        seeded = select(rows, Progression("pools", "bracket", 1, each), lots="x").seeded
        drawn = bracket([item.entry for item in seeded], BracketShape(kind), constraints=constraints_apart(seeded))
        assert drawn.figures.clashes == 0


@QUICK
@given(tables(), st.integers(1, 4))
def test_groups_again_are_even_and_spread_mates(rows: list[Finisher], last: int) -> None:
    seeded = select(rows, Progression("pools", "next", 1, last), lots="seed").seeded
    count = min(len(seeded), 4)
    groups = apart(seeded, count)
    assert sorted(item.entry for group in groups for item in group) == sorted(item.entry for item in seeded)
    assert max(map(len, groups)) - min(map(len, groups)) <= 1
    assert [group[0].seed for group in groups] == list(range(1, count + 1))


def test_two_of_every_pool_are_spread_over_the_new_ones() -> None:
    seeded = [Seeded(f"{group}{place}", 4 * place + group - 3, str(group), place, Carry.NONE)
              for place in (1, 2) for group in range(4)]  # fmt: skip
    groups = apart(seeded, 4)
    assert all(len({item.entry[0] for item in group}) == 2 for group in groups)
    with pytest.raises(FormatError):
        apart(seeded, 9)


@QUICK
@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=10))
def test_stages_come_after_those_that_feed_them_or_a_circle_is_named(edges: list[tuple[int, int]]) -> None:
    names = [f"s{number}" for number in range(6)]
    ways = [
        Progression(names[one], names[other], number + 1, number + 1, order=number)
        for number, (one, other) in enumerate(edges)
    ]
    try:
        order = check(names, ways)
    except FormatError as error:
        if error.code != "progression.cycle":
            raise
        return
    assert sorted(order) == names
    assert all(order.index(way.source) < order.index(way.target) for way in ways)


@pytest.mark.parametrize(
    ("ways", "code"),
    [
        ([Progression("a", "z", 1, 2)], "progression.stage"),
        ([Progression("a", "b", 0, 2)], "progression.range"),
        ([Progression("a", "b", 3, 2)], "progression.range"),
        ([Progression("a", "b", 1, 2, most=0)], "progression.range"),
        ([Progression("a", "b", 1, 4), Progression("a", "c", 4, 8)], "progression.overlap"),
        ([Progression("a", "c", 1, 4), Progression("b", "c", 1, 4)], "progression.order"),
        ([Progression("a", "b", 1, 1), Progression("b", "a", 1, 1)], "progression.cycle"),
        ([Progression("a", "a", 1, 1)], "progression.cycle"),
    ],
)
def test_graphs_that_make_no_sense(ways: list[Progression], code: str) -> None:
    with pytest.raises(FormatError) as raised:
        check("abc", ways)
    assert raised.value.code == code


def test_the_best_seconds_fill_a_bracket_of_sixteen() -> None:
    """Nine pools: nine winners and seven of nine seconds; who is level at the line is named."""
    won = [9, 8, 8, 7, 6, 5, 4, 4, 3]
    rows = [
        Finisher(f"{pool}-{place}", place, str(pool), (Fraction(won[pool] if place == 2 else 10),))
        for pool in range(9)
        for place in (1, 2, 3)
    ]
    found = select(rows, Progression("pools", "final", 1, 2, most=16), lots="x")
    assert [item.place for item in found.seeded] == [1] * 9 + [2] * 7
    assert {item.entry for item in found.seeded[9:15]} == {f"{pool}-2" for pool in range(6)}
    assert found.tied == ("6-2", "7-2")
    assert [reason.code for reason in found.reasons] == ["progression.lots"]
    drawn = bracket([item.entry for item in found.seeded], BracketShape(Kind.DOUBLE),
                    constraints=constraints_apart(found.seeded))  # fmt: skip
    assert (drawn.figures.least, drawn.figures.byes, drawn.figures.clashes) == (30, 0, 0)
    assert len(select(rows, Progression("pools", "final", 1, 2, most=40), lots="x").seeded) == 18


def test_a_chain_with_a_consolation_is_sound() -> None:
    ways = [
        Progression("pools", "main", 1, 2, carry=Carry.HALF),
        Progression("pools", "plate", 3, 4),
        Progression("plate", "final", 1, 1, order=2),
        Progression("main", "final", 1, 3, order=1),
    ]
    assert check(["pools", "main", "plate", "final"], ways) == ("pools", "main", "plate", "final")


def test_seeding_asks_for_what_it_needs() -> None:
    rows = [Finisher("a", 1), Finisher("b", 2)]
    for by, code in ((SeedBy.RATING, "draw.rating"), (SeedBy.HAND, "draw.hand")):
        with pytest.raises(FormatError) as raised:
            select(rows, Progression("x", "y", 1, 2, by), lots="")
        assert raised.value.code == code
    with pytest.raises(FormatError):
        select([*rows, rows[0]], Progression("x", "y", 1, 2), lots="")
