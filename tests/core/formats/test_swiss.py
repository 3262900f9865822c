"""Formats that look at results, played through: what must hold in every round of every event."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.formats import FORMATS, schedule
from core.formats.errors import FormatError
from core.formats.model import Constraint, ConstraintKind, Entrant, Finished, Plan, Pod, Seats
from core.formats.schedules.quality import rescore
from tests.core.formats.next_plan import plan
from tests.core.formats.simulation import CALM, TWO, Simulation, Troubles

FEW = settings(max_examples=25, deadline=None)
ALL = st.sampled_from(["swiss", "dutch", "pods"])
PAIRS = st.sampled_from(["swiss", "dutch"])
ROUGH = Troubles(withdraw=0.05, rest=0.1, no_show=0.1, late=0.2)
FORBID, SEPARATE = ConstraintKind.FORBID, ConstraintKind.SEPARATE


@st.composite
def events(draw: st.DrawFn, kinds: st.SearchStrategy[str] = ALL) -> Simulation:
    kind = draw(kinds)
    low = draw(st.integers(3, 6)) if kind == "pods" else 2
    seats = Seats(low, low + (kind == "pods"), low + (kind == "pods"))
    count = draw(st.integers(8 if kind != "pods" else 3 * low, 24))
    troubles = draw(st.sampled_from([CALM, Troubles(), ROUGH]))
    return Simulation(kind, count, draw(st.integers(2, 5)), draw(st.integers(0, 999)), seats, troubles).play()


@pytest.mark.thorough
@FEW
@given(events())
def test_everybody_who_plays_is_in_one_pod_or_has_a_bye(played: Simulation) -> None:
    assert len(played.plans) >= 2
    for drawn, field in zip(played.plans, played.fields):
        playing = sorted(item.entry for item in field if item.plays(drawn.round))
        assert sorted([entry for pod in drawn.pods for entry in pod.seats] + list(drawn.byes)) == playing
        assert [pod.table for pod in drawn.pods] == list(range(1, len(drawn.pods) + 1))
        assert all(pod.why and all(str(reason) for reason in pod.why) for pod in drawn.pods)
        assert all(str(reason) for reason in drawn.reasons)
        assert all(played.seats.min <= len(pod.seats) <= played.seats.max for pod in drawn.pods)
        assert Plan.from_json(drawn.to_json()) == drawn


@pytest.mark.slow
@FEW
@given(events())
def test_figures_are_a_recount(played: Simulation) -> None:
    recounted = [drawn.quality for drawn in rescore(played.plans)]
    assert [drawn.quality for drawn in played.plans] == recounted
    assert played.plans[-1].certificate.repeats >= played.plans[-1].certificate.bound


@pytest.mark.slow
@FEW
@given(events(), st.randoms(use_true_random=False))
def test_the_draw_depends_on_the_seed_alone(played: Simulation, shuffler: Random) -> None:
    """The same again, with entrants and results in another order."""
    turn = len(played.plans)
    field, ends = list(played.fields[-1]), list(played.finished)
    shuffler.shuffle(field)
    shuffler.shuffle(ends)
    again = plan(
        played.kind,
        field,
        played.rounds,
        played.seats,
        f"draw {played.seed}",
        history=played.plans[: turn - 1],
        finished=[item for item in ends if item.round < turn],
    )
    assert again == played.plans[-1]


@pytest.mark.thorough
@FEW
@given(events(PAIRS))
def test_nobody_meets_twice_while_it_can_be_avoided(played: Simulation) -> None:
    """A forfeited match may be paired again by FIDE's rules; ours counts every pod."""
    played_ends = {(end.round, end.table) for end in played.finished if not any(end.absent)}
    met: set[frozenset[str]] = set()
    for drawn, field in zip(played.plans, played.fields):
        pairs = [frozenset(pod.seats) for pod in drawn.pods]
        if any(two in met for two in pairs):
            assert played.kind == "swiss"
            assert not has_fresh_round([item.entry for item in field if item.plays(drawn.round)], met)
            assert any(reason.code == "swiss.no_round" for reason in drawn.reasons)
        for pod, two in zip(drawn.pods, pairs):
            if played.kind == "swiss" or (drawn.round, pod.table) in played_ends:
                met.add(two)


def has_fresh_round(names: list[str], met: set[frozenset[str]]) -> bool:
    """By trying them all: whether these can be paired (one left over if odd) without meeting again."""

    @cache
    def possible(left: frozenset[str], spare: bool) -> bool:
        if not left:
            return True
        one = min(left)
        rest = left - {one}
        if spare and possible(rest, False):
            return True
        return any(frozenset((one, other)) not in met and possible(rest - {other}, spare) for other in rest)

    return possible(frozenset(names), len(names) % 2 == 1)


@FEW
@given(events(st.just("swiss")))
def test_the_bye_goes_to_the_lowest_score_without_one(played: Simulation) -> None:
    """Of those with the fewest byes; a rematch elsewhere may weigh more."""
    had: Counter[str] = Counter()
    for drawn, field in zip(played.plans, played.fields):
        playing = [item for item in field if item.plays(drawn.round)]
        assert len(drawn.byes) == len(playing) % 2
        for entry in drawn.byes:
            fewest = min(had[item.entry] for item in playing)
            lowest = min(item.score for item in playing if had[item.entry] == fewest)
            own = next(item.score for item in playing if item.entry == entry)
            assert had[entry] == fewest
            assert own == lowest or drawn.round > len(playing) // 2
        had.update(drawn.byes)


@pytest.mark.slow
@FEW
@given(events(st.just("pods")))
def test_byes_of_tables_go_round(played: Simulation) -> None:
    had: Counter[str] = Counter()
    for drawn, field in zip(played.plans, played.fields):
        playing = [item.entry for item in field if item.plays(drawn.round)]
        for entry in drawn.byes:
            assert had[entry] <= min(had[other] for other in playing if other not in drawn.byes)
        had.update(drawn.byes)


@pytest.mark.thorough
@FEW
@given(st.integers(9, 20), st.integers(0, 99), st.sampled_from(["swiss", "dutch", "pods"]), st.data())
def test_forbidden_pairs_never_meet(count: int, seed: int, kind: str, data: st.DataObject) -> None:
    names = [f"e{at:04}" for at in range(1, count + 1)]
    three = tuple(data.draw(st.permutations(names))[:3])
    seats = Seats(3, 4, 4) if kind == "pods" else TWO
    forbid = (Constraint(FORBID, three),)
    played = Simulation(kind, count, 3, seed, seats, CALM, forbid).play()
    assert played.plans[-1].quality.broken == 0
    meetings = {frozenset(two) for p in played.plans for pod in p.pods for two in combinations(pod.seats, 2)}
    assert not meetings & {frozenset(two) for two in combinations(three, 2)}


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("kind", ["swiss", "pods"])
def test_club_mates_are_kept_apart_where_that_costs_little(kind: str) -> None:
    """Sixteen of four clubs: in each of three rounds everybody can meet other clubs only."""
    clubs = tuple(
        Constraint(SEPARATE, tuple(f"e{at:04}" for at in range(1, 17) if at % 4 == club)) for club in range(4)
    )
    seats = Seats(4, 4, 4) if kind == "pods" else TWO
    played = Simulation(kind, 16, 3, 1, seats, CALM, clubs).play()
    mates = [frozenset(two) for item in clubs for two in combinations(item.entries, 2)]
    met = Counter(frozenset(two) for p in played.plans for pod in p.pods for two in combinations(pod.seats, 2))
    assert sum(met[two] for two in mates) == 0


def scored(count: int, scores: list[int]) -> list[Entrant]:
    return [Entrant(f"e{at:04}", at, score=Fraction(score)) for at, score in zip(range(1, count + 1), scores)]


def test_the_upper_half_meets_the_lower_half() -> None:
    drawn = plan("swiss", scored(8, [0] * 8), 3, TWO, 1)
    assert [{int(entry[1:]) for entry in pod.seats} for pod in drawn.pods] == [{1, 5}, {2, 6}, {3, 7}, {4, 8}]
    assert str(drawn.pods[0].why[0]) == "Paired because both have 0: of the 8 with that score, number 1 meets number 5."
    assert str(drawn.reasons[0]) == "Pairings between different scores: 0 of 4."


def test_one_of_an_odd_level_floats_to_the_next() -> None:
    drawn = plan("swiss", scored(6, [2, 2, 2, 1, 1, 0]), 3, TWO, 1)
    assert {frozenset(int(entry[1:]) for entry in pod.seats) for pod in drawn.pods} == {
        frozenset((1, 2)), frozenset((3, 4)), frozenset((5, 6))
    }  # fmt: skip
    assert drawn.pods[1].why[0].code == "swiss.float"
    assert str(drawn.reasons[0]) == "Pairings between different scores: 2 of 3."


def test_scores_of_any_size_are_paired_side_by_side() -> None:
    drawn = plan("swiss", scored(6, [685, 655, 400, 390, 12, -5]), 3, TWO, 1)
    assert [{int(entry[1:]) for entry in pod.seats} for pod in drawn.pods] == [{1, 2}, {3, 4}, {5, 6}]


def test_first_seats_stay_even() -> None:
    for kind in ("swiss", "dutch"):
        played = Simulation(kind, 20, 7, 5, TWO, CALM).play()
        assert played.plans[-1].quality.first_seat <= 3
        assert all(drawn.quality.first_seat <= 2 for drawn in played.plans[:2])


def test_rules_give_way_by_name_when_no_round_keeps_them() -> None:
    """Four entries: the fourth round can only repeat the first ones."""
    played = Simulation("swiss", 4, 4, 1, TWO, CALM).play()
    assert [p.quality.repeats for p in played.plans] == [0, 0, 0, 2]
    assert "swiss.no_round" in {reason.code for reason in played.plans[-1].reasons}
    assert all("swiss.again" in {reason.code for reason in pod.why} for pod in played.plans[-1].pods)
    all_four = (Constraint(FORBID, ("e0001", "e0002", "e0003", "e0004")),)
    drawn = plan("swiss", scored(4, [0] * 4), 1, TWO, 1, constraints=all_four)
    assert drawn.quality.broken == 2
    assert "swiss.no_rule" in {reason.code for reason in drawn.reasons}


@pytest.mark.parametrize("kind", ["swiss", "dutch", "pods"])
def test_pods_set_by_hand_are_kept_and_counted(kind: str) -> None:
    seats = Seats(3, 3, 3) if kind == "pods" else TWO
    played = Simulation(kind, 12, 2, 3, seats, CALM).play()
    first = played.plans[0]
    held = Pod(2, first.pods[0].seats)
    field = played.fields[1]
    ends = [end for end in played.finished if end.round == 1]
    drawn = plan(kind, field, 2, seats, 1, history=[first], finished=ends, locked=[held])
    assert [(pod.seats, pod.is_locked) for pod in drawn.pods if pod.table == 2] == [(held.seats, True)]
    assert sum(pod.is_locked for pod in drawn.pods) == 1
    assert drawn.quality.repeats == len(list(combinations(held.seats, 2)))
    assert [pod.table for pod in drawn.pods] == list(range(1, len(drawn.pods) + 1))


def test_who_was_away_may_still_meet_under_the_dutch_rules() -> None:
    """A forfeited match was not played (C.04.2): of two entries, both may be paired once more."""
    field = scored(2, [1, 0])
    first = plan("dutch", field, 2, TWO, 1)
    won = [Finished(1, 1, (1, 2), (Fraction(1), Fraction(0)), (False, True))]
    assert {*plan("dutch", field, 2, TWO, 1, history=[first], finished=won).pods[0].seats} == {"e0001", "e0002"}
    played = [replace(won[0], absent=(False, False))]
    with pytest.raises(FormatError) as refused:
        plan("dutch", field, 2, TWO, 1, history=[first], finished=played)
    assert refused.value.code == "dutch.no_pairing"


def test_late_entries_and_rests_are_drawn_when_they_are_there() -> None:
    field = [*scored(6, [0] * 6), Entrant("late", 3, joined=2), Entrant("away", 9, excused=((1, Fraction(1, 2)),))]
    for kind in ("swiss", "dutch"):
        drawn = plan(kind, field, 3, TWO, 1)
        assert {entry for pod in drawn.pods for entry in pod.seats} == {f"e{at:04}" for at in range(1, 7)}
        following = plan(kind, field, 3, TWO, 1, history=[drawn])
        assert {"late", "away"} <= {entry for pod in following.pods for entry in pod.seats} | set(following.byes)


BAD = [
    ("swiss", scored(1, [0]), Seats(2, 2, 2), (), (), "entries.too_few"),
    ("swiss", scored(8, [0] * 8), Seats(3, 3, 3), (), (), "seats.range"),
    ("dutch", scored(8, [0] * 8), Seats(3, 3, 3), (), (), "seats.range"),
    ("pods", scored(8, [0] * 8), Seats(2, 2, 2), (), (), "seats.range"),
    ("pods", scored(3, [0] * 3), Seats(4, 4, 4), (), (), "entries.too_few"),
    ("swiss", scored(8, [0] * 8), TWO, (), (Pod(1, ("e0001", "nobody")),), "plan.locked"),
    ("pods", scored(8, [0] * 8), Seats(4, 4, 4), (), (Pod(1, ("e0001", "e0001")),), "plan.locked"),
    ("dutch", scored(8, [0] * 8), TWO, (Constraint(SEPARATE, ("e0001", "e0002")),), (), "constraint.unsupported"),
]


@pytest.mark.parametrize(("kind", "field", "seats", "constraints", "locked", "code"), BAD)
def test_what_cannot_be_drawn_is_refused(
    kind: str,
    field: list[Entrant],
    seats: Seats,
    constraints: tuple[Constraint, ...],
    locked: tuple[Pod, ...],
    code: str,
) -> None:
    with pytest.raises(FormatError) as refused:
        plan(kind, field, 3, seats, 1, constraints=constraints, locked=locked)
    assert refused.value.code == code


def test_a_bye_worth_a_third_is_refused_by_the_dutch_system() -> None:
    with pytest.raises(FormatError) as refused:
        plan("dutch", scored(8, [0] * 8), 3, TWO, 1, bye=Fraction(1, 3))
    assert refused.value.code == "entries.excused"


def test_after_the_last_round_nothing_is_drawn() -> None:
    for kind in ("swiss", "dutch", "pods"):
        seats = Seats(3, 3, 4) if kind == "pods" else TWO
        played = Simulation(kind, 12, 2, 1, seats, CALM).play()
        assert schedule(kind, played.entrants, 2, seats, 1, history=played.plans, finished=played.finished) == []
        assert FORMATS[kind].needs_results
