"""Swiss tables: as few second meetings as can be, scores as close as can be, and reasons that are true."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import exp
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.formats.model import Constraint, ConstraintKind, Entrant, Plan, Pod, Seats
from core.formats.pods.cover import closest_cover
from core.formats.pods.search import HARD, Grid, cut, search
from core.formats.schedules.starters import developed
from tests.core.formats.next_plan import plan
from tests.core.formats.simulation import CALM, TWO, Simulation, Troubles

FOURS = Seats(4, 4, 4)
Tables = list[list[int]]


def all_rounds(players: tuple[int, ...], sizes: tuple[int, ...]) -> Iterator[Tables]:
    """Every way to share out the players, some of them more than once where sizes differ."""
    if not sizes:
        yield []
        return
    for size in sorted(set(sizes)):
        left = list(sizes)
        left.remove(size)
        for others in combinations(players[1:], size - 1):
            table = [players[0], *others]
            for rest in all_rounds(tuple(each for each in players if each not in table), tuple(left)):
                yield [table, *rest]


def a_grid(players: int, rng: Random, *, met: float, wished: float = 0.0) -> Grid:
    """Random scores, earlier meetings and wishes."""
    cost: list[dict[int, int]] = [{} for _ in range(players)]
    for one, other in combinations(range(players), 2):
        amount = (rng.random() < met) * rng.choice((1, 1, 2)) + (rng.random() < wished) * rng.choice((4, HARD))
        if amount:
            cost[one][other] = cost[other][one] = amount
    return Grid(cost, sorted(rng.randrange(players) for _ in range(players)))


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("sizes", [(3, 3, 3), (4, 4), (4, 3, 3), (5, 4), (3, 3, 3, 3)])
@pytest.mark.parametrize("met", [0.1, 0.4])
def test_no_round_of_a_small_field_is_better(sizes: tuple[int, ...], met: float) -> None:
    """Against all rounds there are, tried one by one."""
    rng = Random(f"{sizes}{met}")
    grid = a_grid(sum(sizes), rng, met=met, wished=0.1)
    best = min(map(grid.of, all_rounds(tuple(range(sum(sizes))), sizes)))
    assert grid.of(search(grid, sizes, rng).tables) == best


def after(tables: int, seats: int, rounds: int, rng: Random) -> Grid:
    """The next round after some of a schedule in which nobody meets anybody twice, in an order by chance."""
    turns = developed(tables, seats)
    order = rng.sample(range(tables * seats), tables * seats)
    rng.shuffle(turns)
    cost: list[dict[int, int]] = [{} for _ in order]
    for table in (table for turn in turns[:rounds] for table in turn):
        for one, other in combinations(table, 2):
            cost[order[one]][order[other]] = cost[order[other]][order[one]] = 1
    return Grid(cost, list(range(len(order))))


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("tables", "seats", "rounds"),
    [*((6, 4, number) for number in range(1, 7)), (5, 3, 3), (5, 3, 6), (8, 3, 10), (7, 4, 5), (7, 4, 8)],
)
def test_a_round_without_second_meetings_is_found_where_there_is_one(tables: int, seats: int, rounds: int) -> None:
    """24 at tables of four have seven such rounds, 15 at threes seven, 24 at threes eleven, 28 at fours nine."""
    for seed in range(2):
        grid = after(tables, seats, rounds, Random(seed))
        found = search(grid, [seats] * tables, Random(seed))
        assert (grid.of(found.tables)[0], found.is_proved) == (0, True)


def drawn_by_score(seed: int, rounds: int) -> Grid:
    """24 at fours after that many rounds by score: who is left to be met is not what a schedule would have left."""
    rng = Random(seed)
    met: list[dict[int, int]] = [{} for _ in range(24)]
    score = [0.0] * 24
    for _ in range(rounds + 1):
        order = sorted(range(24), key=lambda player: (-score[player], rng.random()))
        place = {player: at for at, player in enumerate(order)}
        grid = Grid([{place[other]: paid for other, paid in met[one].items()} for one in order], list(range(24)))
        cover = closest_cover(grid.cost, grid.level, [4] * 6)
        for table in cover.tables or cut([4] * 6):
            for one, other in combinations([order[at] for at in table], 2):
                met[one][other] = met[other][one] = met[one].get(other, 0) + 1
            for at in table:
                score[order[at]] += rng.gauss(0, 10)
    return grid


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(6))
def test_the_fifth_round_of_24_has_no_second_meeting_that_can_be_avoided(seed: int) -> None:
    grid = drawn_by_score(seed, 4)
    cover = closest_cover(grid.cost, grid.level, [4] * 6)
    found = search(grid, [4] * 6, Random(seed))
    assert cover.is_complete
    if cover.tables is None:
        assert grid.of(found.tables)[0] > 0
    else:
        assert grid.of(found.tables) == grid.of(cover.tables)
    assert found.is_proved


def annealed(grid: Grid, sizes: list[int], rng: Random, steps: int) -> tuple[int, int]:
    """An independent search: single swaps, with conflicts dear. (conflicts, spread) of the best round met."""
    tables = cut(sizes)
    seats = [(table, seat) for table in tables for seat in range(len(table))]

    def of(table: list[int]) -> float:
        return sum(
            1e6 * grid.cost[one].get(other, 0) + (grid.level[one] - grid.level[other]) ** 2
            for one, other in combinations(table, 2)
        )

    total = sum(map(of, tables))
    best, kept = total, [list(table) for table in tables]
    heat = total / sum(sizes)
    for _ in range(steps):
        heat *= (1 / 1000) ** (1 / steps)
        (here, one), (there, other) = rng.choice(seats), rng.choice(seats)
        if here is there:
            continue
        before = of(here) + of(there)
        here[one], there[other] = there[other], here[one]
        change = of(here) + of(there) - before
        if change > 0 and rng.random() >= exp(-change / heat):
            here[one], there[other] = there[other], here[one]
            continue
        total += change
        if total < best:
            best, kept = total, [list(table) for table in tables]
    return grid.of(kept)


@pytest.mark.thorough
@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_scores_are_as_close_as_another_search_finds_them(rounds: int) -> None:
    grid = drawn_by_score(7, rounds)
    others = min(annealed(grid, [4] * 6, Random(seed), 5_000) for seed in range(2))
    conflicts, spread = grid.of(search(grid, [4] * 6, Random(1)).tables)
    assert conflicts <= others[0]
    assert spread <= 1.03 * others[1]


@settings(max_examples=12, deadline=None)
@given(
    st.integers(7, 24),
    st.integers(4, 8),
    st.integers(0, 999),
    st.sampled_from([CALM, Troubles(), Troubles(0.05, 0.1, 0.1, 0.2)]),
    st.booleans(),
)
def test_first_seats_stay_within_two_until_the_last_round(
    count: int, rounds: int, seed: int, troubles: Troubles, is_even: bool
) -> None:
    """Of pairs; who has met everybody cannot choose, and then the round says so."""
    entries = max(count + (is_even and count % 2), 2 * rounds)
    played = Simulation("swiss", entries, rounds, seed, TWO, troubles).play()
    for drawn in played.plans[: rounds - 1]:
        said = {reason.code for reason in drawn.reasons}
        assert drawn.quality.first_seat <= 2 or "swiss.no_turn" in said


@pytest.mark.parametrize(("count", "seed"), [(12, 10), (14, 2), (14, 5), (16, 2), (16, 5)])
def test_nine_rounds_of_pairs_leave_nobody_three_first_seats_ahead(count: int, seed: int) -> None:
    played = Simulation("swiss", count, 9, seed, TWO, CALM).play()
    assert max(drawn.quality.first_seat for drawn in played.plans[:-1]) <= 2
    assert played.plans[-2].quality.repeats == 0


@pytest.mark.thorough
@settings(max_examples=3, deadline=None)
@given(
    st.sampled_from([(15, Seats(3, 3, 3)), (13, Seats(3, 4, 5)), (11, Seats(3, 4, 4)), (16, FOURS)]),
    st.integers(0, 99),
    st.sampled_from([CALM, Troubles()]),
)
def test_seats_at_tables_stay_within_two(shape: tuple[int, Seats], seed: int, troubles: Troubles) -> None:
    played = Simulation("pods", shape[0], 6, seed, shape[1], troubles).play()
    assert all(drawn.quality.seat_imbalance <= 2 for drawn in played.plans)


def entrants(scores: list[int]) -> list[Entrant]:
    return [Entrant(f"e{at:02}", at, score=Fraction(score)) for at, score in enumerate(scores, start=1)]


def first_round(count: int) -> Plan:
    """Tables of four: e01 to e04, and so on."""
    drawn = plan("pods", entrants([0] * count), 9, FOURS, 1)
    names = [f"e{at:02}" for at in range(1, count + 1)]
    pods = [Pod(number, tuple(names[4 * number - 4 : 4 * number])) for number in range(1, count // 4 + 1)]
    return replace(drawn, pods=tuple(pods))


DESCENDING = [100 * at for at in range(16, 0, -1)]


@pytest.mark.thorough
def test_the_leaders_meet_in_the_last_rounds_if_the_stage_wants_it() -> None:
    """Table 1, though they have all met before; in the round before it nobody meets again."""
    before = first_round(16)
    later = replace(before, round=2)
    field = entrants(DESCENDING)
    last = plan("pods", field, 2, FOURS, 1, history=[before], leaders=1)
    assert set(last.pods[0].seats) == {"e01", "e02", "e03", "e04"}
    assert str(last.pods[0].why[0]) == (
        "The leaders meet in this round, even if they have met before: scores from 1600 to 1300."
    )
    assert last.quality.repeats == 9, "six of the leaders, and one at each other table of the three old ones"
    costs = [str(reason) for reason in last.reasons if reason.code == "pods.price"]
    assert costs == [
        "Seating the leaders together costs repeated meetings: 9 in this round, 0 otherwise.",
    ]
    assert plan("pods", field, 3, FOURS, 1, history=[before], leaders=1).quality.repeats == 0
    assert set(plan("pods", field, 3, FOURS, 1, history=[before], leaders=2).pods[0].seats) == set(last.pods[0].seats)
    assert plan("pods", field, 2, FOURS, 1, history=[before]).quality.repeats == 0
    assert plan("pods", field, 3, FOURS, 1, history=[before, later], leaders=1).round == 3


def test_leaders_who_must_not_meet_do_not() -> None:
    forbid = Constraint(ConstraintKind.FORBID, ("e01", "e03"))
    last = plan("pods", entrants(DESCENDING), 1, FOURS, 1, constraints=[forbid], leaders=1)
    assert set(last.pods[0].seats) == {"e01", "e02", "e04", "e05"}


def test_a_wish_that_costs_second_meetings_is_named() -> None:
    """Nine at threes after three rounds: only one round is left, and it has club mates at every table."""
    names = [f"e{at:02}" for at in range(1, 10)]
    history = []
    for number in (1, 2, 3):
        tables = [[names[3 * row + (row * number + column) % 3] for row in range(3)] for column in range(3)]
        pods = tuple(Pod(at, tuple(table)) for at, table in enumerate(tables, start=1))
        drawn = plan("pods", entrants([0] * 9), 9, Seats(3, 3, 3), 1)
        history.append(replace(drawn, round=number, pods=pods))
    clubs = [Constraint(ConstraintKind.SEPARATE, (f"e0{at}", f"e0{at + 1}"), wish="club") for at in (1, 4, 7)]
    pairs = [Constraint(ConstraintKind.SEPARATE, ("e01", "e09"), wish="pair")]
    field, threes = entrants(DESCENDING[:9]), Seats(3, 3, 3)
    free = plan("pods", field, 9, threes, 1, history=history, constraints=pairs)
    assert free.quality.repeats == 0
    assert not [reason for reason in free.reasons if reason.code == "pods.price"]
    last = plan("pods", field, 9, threes, 1, history=history, constraints=[*clubs, *pairs])
    again = last.quality.repeats
    assert again > 0
    assert [str(reason) for reason in last.reasons if reason.code == "pods.price"] == [
        f"Keeping club mates apart costs repeated meetings: {again} in this round, 0 otherwise.",
    ]


def test_second_meetings_that_cannot_be_avoided_are_said_to_be_so() -> None:
    """Eight at fours: the second round must repeat, and no wish is to blame."""
    drawn = plan("pods", entrants(DESCENDING[:8]), 3, FOURS, 1, history=[first_round(8)])
    told = [str(pod.why[1]) for pod in drawn.pods]
    assert told == ["2 of their 6 pairs meet again, because no round is possible without repeated meetings."] * 2


@pytest.mark.thorough
@pytest.mark.parametrize("seed", [1, 2])
def test_scores_that_are_said_to_lie_close_do(seed: int) -> None:
    """At a table that is called close hardly anybody else's score lies between its best and its worst."""
    played = Simulation("pods", 20, 4, seed, FOURS, CALM).play()
    spread = [100 * at + seed for at in range(20, 0, -1)]
    field = [replace(item, score=Fraction(points)) for item, points in zip(played.entrants, spread)]
    last = plan("pods", field, 5, FOURS, seed, history=played.plans, finished=played.finished)
    score = {item.entry: item.score for item in field}
    seen = set()
    for pod in last.pods:
        own = sorted(score[entry] for entry in pod.seats)
        between = sum(own[0] < each < own[-1] for entry, each in score.items() if entry not in pod.seats)
        code = pod.why[0].code
        seen.add(code)
        assert (code == "pods.close") == (between <= 4)
        assert code in ("pods.close", "pods.apart")
    assert "pods.apart" in seen
