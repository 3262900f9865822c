"""Properties of planners that draw all rounds at once (tournaments.md section 14, items 1 to 5)."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import comb
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.formats import schedule
from core.formats.model import Constraint, ConstraintKind, Entrant, Plan, Seats
from core.formats.schedules import designs
from core.formats.schedules.quality import rescore
from core.formats.schedules.starters import STARTERS
from tests.core.formats.builders import entrants
from tests.core.formats.next_plan import plan

Stage = tuple[str, list[Entrant], int, Seats]
SLOW = settings(max_examples=30, deadline=None)


@st.composite
def stages(draw: st.DrawFn) -> Stage:
    """(kind, entrants in any order, rounds, seats), some of the entrants withdrawn."""
    kind = draw(st.sampled_from(["round_robin", "tables"]))
    if kind == "round_robin":
        count, rounds, seats = draw(st.integers(2, 12)), draw(st.integers(1, 2)), Seats(2, 2, 2)
    else:
        low, high = sorted(draw(st.lists(st.integers(3, 7), min_size=2, max_size=2)))
        seats = Seats(low, draw(st.integers(low, high)), high)
        count, rounds = draw(st.integers(low + 2, 20)), draw(st.integers(1, 4))
    field = draw(st.permutations(entrants(count)))
    gone = draw(st.sets(st.sampled_from(range(count)), max_size=max(0, min(2, count - 2))))
    return kind, [Entrant(e.entry, e.seed, is_active=e.seed - 1 not in gone) for e in field], rounds, seats


def meetings(plans: list[Plan]) -> Counter[tuple[str, str]]:
    return Counter(two for p in plans for pod in p.pods for two in combinations(sorted(pod.seats), 2))


@pytest.mark.thorough
@SLOW
@given(stages(), st.integers())
def test_each_active_entry_is_in_one_pod_or_bye_a_round(stage: Stage, seed: int) -> None:
    kind, field, rounds, seats = stage
    active = sorted(entrant.entry for entrant in field if entrant.is_active)
    plans = schedule(kind, field, rounds, seats, seed)
    assert [p.round for p in plans] == list(range(1, len(plans) + 1))
    for p in plans:
        assert sorted([entry for pod in p.pods for entry in pod.seats] + list(p.byes)) == active
        assert all(seats.min <= len(pod.seats) <= seats.max for pod in p.pods)
        assert [pod.table for pod in p.pods] == list(range(1, len(p.pods) + 1))
        assert all(str(reason) for pod in p.pods for reason in pod.why)
        assert all(pod.why for pod in p.pods)


@SLOW
@given(stages(), st.integers())
def test_quality_is_a_recount_and_no_better_than_the_bound(stage: Stage, seed: int) -> None:
    plans = schedule(*stage, seed)
    counts = meetings(plans).values()
    last = plans[-1]
    assert last.quality.repeats == sum(comb(count, 2) for count in counts)
    assert last.quality.again == sum(count - 1 for count in counts)
    assert last.quality.most == max(counts, default=0)
    assert last.certificate.repeats == last.quality.repeats >= last.certificate.bound
    assert rescore(plans) == plans
    byes = Counter(entry for p in plans for entry in p.byes)
    seen = {entry for p in plans for entry in (*p.byes, *(e for pod in p.pods for e in pod.seats))}
    assert last.quality.bye_imbalance == max(byes[e] for e in seen) - min(byes[e] for e in seen)


@pytest.mark.thorough
@SLOW
@given(stages(), st.integers(), st.randoms(use_true_random=False))
def test_plans_depend_on_the_seed_alone_not_on_the_order_of_entries(stage: Stage, seed: int, shuffler: Random) -> None:
    kind, field, rounds, seats = stage
    mixed = list(field)
    shuffler.shuffle(mixed)
    plans = schedule(kind, field, rounds, seats, seed)
    assert schedule(kind, mixed, rounds, seats, seed) == plans
    assert plan(kind, mixed, rounds, seats, seed) == plans[0]


@pytest.mark.slow
@SLOW
@given(stages(), st.integers(), st.data())
def test_a_stage_can_be_taken_up_after_any_round(stage: Stage, seed: int, data: st.DataObject) -> None:
    kind, field, rounds, seats = stage
    plans = schedule(kind, field, rounds, seats, seed)
    done = data.draw(st.integers(0, len(plans) - 1))
    rest = schedule(kind, field, rounds, seats, seed, history=plans[:done])
    assert [p.round for p in rest] == [p.round for p in plans[done:]]
    whole = [*plans[:done], *rest]
    assert whole[-1].quality.repeats == sum(comb(count, 2) for count in meetings(whole).values())
    if kind == "round_robin":
        assert rest == plans[done:]


@SLOW
@given(stages(), st.integers())
def test_a_plan_survives_json(stage: Stage, seed: int) -> None:
    for p in schedule(*stage, seed):
        assert Plan.from_json(p.to_json()) == p


@SLOW
@given(st.integers(6, 16), st.integers(1, 4), st.integers(), st.data())
def test_forbidden_pairs_never_share_a_table(count: int, rounds: int, seed: int, data: st.DataObject) -> None:
    """There are always two tables or more, so two can be kept apart."""
    field = entrants(count)
    pair = tuple(data.draw(st.permutations([e.entry for e in field]))[:2])
    forbid = [Constraint(ConstraintKind.FORBID, pair)]
    plans = schedule("tables", field, rounds, Seats(3, 3, 5), seed, constraints=forbid)
    assert plans[-1].quality.broken == 0
    assert meetings(plans)[min(pair), max(pair)] == 0


@given(st.integers(1, 30), st.integers(2, 7), st.data())
@settings(max_examples=60, deadline=None)
def test_exact_designs_meet_at_most_once(tables: int, size: int, data: st.DataObject) -> None:
    missing = data.draw(st.integers(0, tables if tables > 1 else 0))
    rounds = designs.design(tables, size, missing=missing)
    players = list(range(tables * size - missing))
    counts = Counter(two for turn in rounds for table in turn for two in combinations(sorted(table), 2))
    assert max(counts.values(), default=0) <= 1
    for turn in rounds:
        assert sorted(player for table in turn for player in table) == players
        assert {len(table) for table in turn} <= {size, size - 1}


@pytest.mark.parametrize(("tables", "size"), [(4, 4), (8, 5), (8, 8 - 1), (9, 5), (20, 4), (28, 4)])
def test_prime_powers_give_designs_where_plain_remainders_do_not(tables: int, size: int) -> None:
    assert len(designs.design(tables, size)) >= tables


@pytest.mark.parametrize(("tables", "size"), STARTERS)
@pytest.mark.parametrize("missing", range(5))
def test_first_rounds_found_by_search_give_all_rounds_that_there_can_be(tables: int, size: int, missing: int) -> None:
    rounds = designs.design(tables, size, missing=min(missing, size))
    people = tables * size - min(missing, size)
    assert len(rounds) == (tables * size - 1) // (size - 1) - (missing > 1)
    counts = Counter(two for turn in rounds for table in turn for two in combinations(sorted(table), 2))
    assert set(counts.values()) == {1}
    for turn in rounds:
        assert sorted(player for table in turn for player in table) == list(range(people))
        assert {len(table) for table in turn} <= {size, size - 1}


@pytest.mark.parametrize(("count", "size", "rounds"), [(28, 4, 9), (40, 4, 7), (39, 4, 7), (21, 3, 10), (26, 4, 8)])
def test_whole_schedules_of_these_numbers_meet_nobody_twice(count: int, size: int, rounds: int) -> None:
    last = schedule("tables", entrants(count), rounds, Seats(size - 1, size, size), 1)[-1]
    assert (last.quality.repeats, last.certificate.method) == (0, "design")


@settings(max_examples=40, deadline=None)
@given(st.integers(3, 7), st.integers(1, 4), st.integers(1, 9), st.integers())
def test_equal_tables_rotate_seats_exactly(size: int, tables: int, rounds: int, seed: int) -> None:
    plans = schedule("tables", entrants(size * tables), min(rounds, 4), Seats(size, size, size), seed)
    had = Counter((entry, place) for p in plans for pod in p.pods for place, entry in enumerate(pod.seats))
    counts = [had[f"entry-{number:02}", place] for number in range(1, size * tables + 1) for place in range(size)]
    assert max(counts) - min(counts) <= 1
    assert plans[-1].quality.seat_imbalance <= 1


@settings(max_examples=40, deadline=None)
@given(st.integers(3, 17), st.integers(2, 4), st.integers())
def test_byes_go_round(count: int, rounds: int, seed: int) -> None:
    plans = schedule("tables", entrants(count), rounds, Seats(3, 3, 3), seed)
    byes = Counter(entry for p in plans for entry in p.byes)
    assert all(len(p.byes) == count % 3 for p in plans)
    assert max(byes[e.entry] for e in entrants(count)) - min(byes[e.entry] for e in entrants(count)) <= 1


@settings(max_examples=25, deadline=None)
@given(st.integers(7, 25), st.integers(2, 5), st.integers())
def test_mixed_tables_rotate_seats_nearly_evenly(count: int, rounds: int, seed: int) -> None:
    """An entry may sit at larger tables oftener, so exact rotation is not always there: at most one more step off."""
    plans = schedule("tables", entrants(count), rounds, Seats(3, 4, 5), seed)
    assert plans[-1].quality.seat_imbalance <= 2
