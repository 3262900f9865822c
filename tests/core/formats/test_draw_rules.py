"""An organiser's rules for a Swiss: orders of priorities, leaders by rank, acceleration, forced and forbidden pairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, permutations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.formats.errors import FormatError
from core.formats.model import Constraint, ConstraintKind, DrawRules, Entrant, Finished, Plan, Priority, Seats
from core.formats.schedules.quality import met, pair
from tests.core.formats.next_plan import plan
from tests.core.formats.simulation import CALM, TWO, Simulation

ORDERS = tuple(permutations(Priority))
THREES, FOURS = Seats(3, 3, 4), Seats(3, 4, 5)
SIZES = {"swiss": TWO, "pods": THREES}


def clubs_of(count: int, clubs: int) -> tuple[Constraint, ...]:
    """Everybody in one of some clubs, in turn."""
    members = [tuple(f"e{at:04}" for at in range(first, count + 1, clubs)) for first in range(1, clubs + 1)]
    return tuple(Constraint(ConstraintKind.SEPARATE, own, wish="club") for own in members if len(own) > 1)


def played(kind: str, count: int, rounds: int, seed: int, seats: Seats) -> Simulation:
    """Some rounds of an event in which nobody comes or goes."""
    return Simulation(kind, count, rounds, seed, seats, CALM).play()


def next_round(event: Simulation, wishes: Sequence[Constraint], rules: DrawRules, leaders: int = 0) -> Plan:
    """The round after those that were played, of twice as many."""
    return plan(
        event.kind,
        event.entrants,
        2 * event.rounds if not leaders else event.rounds + leaders,
        event.seats,
        "lots",
        history=event.plans,
        finished=event.finished,
        constraints=wishes,
        draw=rules,
        leaders=leaders,
    )


def come_to(drawn: Plan, event: Simulation, wishes: Sequence[Constraint]) -> dict[Priority, int]:
    """What each priority comes to in a round, counted from the plan alone."""
    before = met(each.pods for each in event.plans)
    pairs = [pair(*two) for pod in drawn.pods for two in combinations(pod.seats, 2)]
    mates = {pair(*two) for club in wishes for two in combinations(club.entries, 2)}
    order = sorted({item.score for item in event.entrants})
    level = {item.entry: order.index(item.score) for item in event.entrants}
    return {
        Priority.REPEATS: sum(before[two] for two in pairs),
        Priority.CLUBS: sum(two in mates for two in pairs),
        Priority.SCORES: sum((level[one] - level[other]) ** 2 for one, other in pairs),
    }


def assert_legal(drawn: Plan, event: Simulation) -> None:
    seated = [entry for pod in drawn.pods for entry in pod.seats]
    assert sorted([*seated, *drawn.byes]) == sorted(item.entry for item in event.entrants)
    assert all(event.seats.min <= len(pod.seats) <= event.seats.max for pod in drawn.pods)
    assert sorted(pod.table for pod in drawn.pods) == list(range(1, len(drawn.pods) + 1))


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize(
    ("kind", "count", "seed"), [("swiss", 8, 1), ("swiss", 11, 2), ("swiss", 24, 3), ("pods", 9, 4), ("pods", 10, 5)]
)
def test_every_order_keeps_its_first_priority_best(kind: str, count: int, seed: int) -> None:
    assert_first_priority_is_best(kind, count, seed)


@pytest.mark.slow
@settings(max_examples=20, deadline=None)
@given(kind=st.sampled_from(["swiss", "pods"]), count=st.integers(6, 12), seed=st.integers(0, 99))
def test_every_order_keeps_its_first_priority_best_in_any_small_field(kind: str, count: int, seed: int) -> None:
    assert_first_priority_is_best(kind, count, seed)


def assert_first_priority_is_best(kind: str, count: int, seed: int) -> None:
    """Against the draws of all other orders, and of the format's own; every one of them is legal."""
    event = played(kind, count, 3, seed, SIZES[kind])
    wishes = clubs_of(count, 3)
    found = {order: next_round(event, wishes, DrawRules(order)) for order in ((), *ORDERS)}
    for drawn in found.values():
        assert_legal(drawn, event)
    figures = {order: come_to(drawn, event, wishes) for order, drawn in found.items()}
    for order in ORDERS:
        first = order[0]
        # With a bye the fields may differ by who sits out, which comes before the scores: then they are not compared.
        if first is Priority.SCORES and any(drawn.byes for drawn in found.values()):
            continue
        assert figures[order][first] == min(each[first] for each in figures.values()), order


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("kind", ["swiss", "pods"])
def test_the_defaults_draw_as_without_any_rules(kind: str) -> None:
    event = played(kind, 13, 3, 5, SIZES[kind])
    wishes = clubs_of(13, 4)
    assert next_round(event, wishes, DrawRules()) == plan(
        kind,
        event.entrants,
        6,
        event.seats,
        "lots",
        history=event.plans,
        finished=event.finished,
        constraints=wishes,
    )


def test_a_wrong_order_is_refused() -> None:
    with pytest.raises(FormatError) as refused:
        DrawRules((Priority.CLUBS, Priority.CLUBS, Priority.SCORES))
    assert refused.value.code == "draw.priorities"


@pytest.mark.thorough
@pytest.mark.parametrize(("kind", "tables"), [("pods", 1), ("pods", 2), ("pods", 0), ("swiss", 2), ("swiss", 0)])
def test_the_leaders_meet_by_rank_at_the_first_tables(kind: str, tables: int) -> None:
    seats = {"pods": FOURS, "swiss": TWO}[kind]
    event = played(kind, 16, 3, 7, seats)
    ranked = [replace(item, score=Fraction(100 - item.seed)) for item in event.entrants]
    event.entrants = ranked
    drawn = next_round(event, (), DrawRules(leader_tables=tables, leader_first=True), leaders=1)
    size = seats.pref
    by_rank = [item.entry for item in ranked]
    for number in range(tables or len(drawn.pods)):
        assert set(drawn.pods[number].seats) == set(by_rank[size * number : size * (number + 1)])
        assert drawn.pods[number].why[0].code == f"{kind}.leaders"
    best = [min(map(by_rank.index, pod.seats)) for pod in drawn.pods]
    assert best == sorted(best), "the table of the best-placed comes first"
    event.rounds += 1
    assert next_round(event, (), DrawRules(), leaders=0).pods != drawn.pods


@pytest.mark.parametrize("kind", ["swiss", "pods"])
def test_accelerated_rounds_let_the_upper_half_meet(kind: str) -> None:
    seats = {"pods": Seats(4, 4, 4), "swiss": TWO}[kind]
    field = [Entrant(f"e{at:04}", at) for at in range(1, 17)]
    drawn = plan(kind, field, 6, seats, "lots", draw=DrawRules(accelerated=2))
    upper = {item.entry for item in field[:8]}
    assert all(set(pod.seats) <= upper or not set(pod.seats) & upper for pod in drawn.pods)
    (said,) = [str(reason) for reason in drawn.reasons if reason.code == "swiss.accelerated"]
    assert said == "Accelerated: for this draw the first 8 by seed count as having 1 more than they have."
    ends = [
        Finished(1, pod.table, tuple(range(1, len(pod.seats) + 1)), _shares(len(pod.seats)), (False,) * len(pod.seats))
        for pod in drawn.pods
    ]
    won = {entry: score for pod, end in zip(drawn.pods, ends) for entry, score in zip(pod.seats, end.scores)}
    field = [replace(item, score=won[item.entry]) for item in field]
    second = plan(kind, field, 6, seats, "lots", history=[drawn], finished=ends, draw=DrawRules(accelerated=2))
    assert "1/2 more" in str(second.reasons) or "0.5" in str(second.reasons)
    third = plan(
        kind,
        field,
        6,
        seats,
        "lots",
        history=[drawn, replace(second, round=2)],
        finished=ends,
        draw=DrawRules(accelerated=2),
    )
    assert not [reason for reason in third.reasons if reason.code == "swiss.accelerated"]


def _shares(seats: int) -> tuple[Fraction, ...]:
    return tuple(Fraction(seats - 1 - at, seats - 1) for at in range(seats))


@settings(max_examples=5, deadline=None)
@given(kind=st.sampled_from(["swiss", "pods"]), count=st.integers(7, 14), seed=st.integers(0, 99))
def test_forced_pairs_meet_and_forbidden_ones_do_not(kind: str, count: int, seed: int) -> None:
    event = played(kind, count, 2, seed, {"swiss": TWO, "pods": FOURS}[kind])
    rng = Random(seed)
    one, other, third, fourth = rng.sample([item.entry for item in event.entrants], 4)
    wishes = [
        Constraint(ConstraintKind.TOGETHER, (one, other), first=3, last=3),
        Constraint(ConstraintKind.FORBID, (third, fourth), last=3),
        Constraint(ConstraintKind.TOGETHER, (third, fourth), first=4, last=4),
    ]
    drawn = next_round(event, wishes, DrawRules())
    assert_legal(drawn, event)
    assert any({one, other} <= set(pod.seats) for pod in drawn.pods)
    assert not any({third, fourth} <= set(pod.seats) for pod in drawn.pods)


def test_three_who_must_sit_together_share_a_table_and_it_says_so() -> None:
    event = played("pods", 16, 2, 3, FOURS)
    wishes = [
        Constraint(ConstraintKind.TOGETHER, two, first=3, last=3) for two in (("e0001", "e0009"), ("e0009", "e0016"))
    ]
    drawn = next_round(event, wishes, DrawRules())
    (table,) = [pod for pod in drawn.pods if "e0009" in pod.seats]
    assert {"e0001", "e0009", "e0016"} <= set(table.seats)
    assert table.why[0].code == "pods.together"
