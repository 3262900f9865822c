"""Partners that change: nobody twice while it can be had, byes fair, blind to order, everything counted again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.formats import FORMATS, schedule
from core.formats.errors import FormatError
from core.formats.model import Constraint, ConstraintKind, Entrant, Finished, Plan, Pod, Seats, Shape, StageSoFar
from core.formats.pools import own_history, rescored, together
from core.formats.rotation.designs import STARTERS, sides_apart, whist
from core.formats.rotation.figures import opponents_in, partners_in, repeats, rotation_of, sides_at
from core.formats.rotation.stage import RotatingPartners
from core.formats.schedules.quality import rescore
from tests.core.formats.next_plan import plan

PAIRS, THREE_PAIRS, TRIOS = (0, 1, 0, 1), (0, 1, 2, 0, 1, 2), (0, 1, 0, 1, 0, 1)


def people(count: int) -> list[Entrant]:
    return [Entrant(f"e{seed:03}", seed) for seed in range(1, count + 1)]


def ahead(
    entrants: Sequence[Entrant],
    rounds: int,
    sides: Sequence[int] = PAIRS,
    *,
    seed: str = "seed",
    history: Sequence[Plan] = (),
    finished: Sequence[Finished] = (),
    constraints: Sequence[Constraint] = (),
) -> list[Plan]:
    kind = FORMATS["rotation"]
    assert isinstance(kind, RotatingPartners)
    shape = Shape(Seats(len(sides), len(sides), len(sides)), rounds, sides=tuple(sides))
    return kind.ahead(StageSoFar(entrants, shape, history, finished, constraints), Random(seed))


def one_by_one(count: int, rounds: int, sides: Sequence[int] = PAIRS, seed: str = "seed") -> list[Plan]:
    history: list[Plan] = []
    for _ in range(rounds):
        history.append(following(people(count), rounds, history, sides, seed=seed))
    return history


def following(
    entrants: Sequence[Entrant],
    rounds: int,
    history: Sequence[Plan],
    sides: Sequence[int] = PAIRS,
    *,
    seed: str = "seed",
    constraints: Sequence[Constraint] = (),
) -> Plan:
    seats = Seats(len(sides), len(sides), len(sides))
    return plan("rotation", entrants, rounds, seats, seed, history=history, sides=sides, constraints=constraints)


def all_pods(plans: Sequence[Plan]) -> list[Pod]:
    return [pod for each in plans for pod in each.pods]


def is_fair(plans: Sequence[Plan], names: Sequence[str]) -> bool:
    """Nobody sits out twice before everybody did once."""
    had = Counter(dict.fromkeys(names, 0))
    for each in plans:
        for entry in each.byes:
            had[entry] += 1
        if max(had.values()) - min(had.values()) > 1:
            return False
    return True


@pytest.mark.parametrize("count", [*STARTERS, 5, 9, 13, 17, 25, 29, 37, 41])
def test_a_whist_design_has_everybody_as_a_partner_once_and_as_an_opponent_twice(count: int) -> None:
    rounds = whist(count)
    assert len(rounds) == (count - 1 if count % 4 == 0 else count)
    partners: Counter[frozenset[int]] = Counter()
    opponents: Counter[frozenset[int]] = Counter()
    for turn in rounds:
        seated = [each for table in turn for each in table]
        assert len(seated) == len(set(seated)) == count - count % 4
        for one, two, three, four in turn:
            partners.update(map(frozenset, [(one, two), (three, four)]))
            opponents.update(map(frozenset, product((one, two), (three, four))))
    every = {frozenset(two) for two in combinations(range(count), 2)}
    assert partners == dict.fromkeys(every, 1)
    assert opponents == dict.fromkeys(every, 2)


@pytest.mark.parametrize(("count", "members"), [(8, 2), (14, 2), (12, 3), (15, 3), (27, 3)])
def test_rounds_of_sides_have_nobody_together_twice(count: int, members: int) -> None:
    met = Counter(two for turn in sides_apart(count, members) for side in turn for two in combinations(sorted(side), 2))
    assert met
    assert max(met.values()) == 1


def test_numbers_without_a_known_design_have_none() -> None:
    assert whist(6) == whist(33) == []
    assert sides_apart(7, 2) == []


@pytest.mark.parametrize("count", [4, 5, 8, 9, 12, 13, 16, 17, 20, 24])
def test_a_whole_tournament_is_proved_best_and_says_so(count: int) -> None:
    rounds = count - 1 if count % 4 == 0 else count
    last = ahead(people(count), rounds)[-1]
    assert last.rotation is not None
    assert last.rotation.partners.method == "design"
    assert last.rotation.partners.repeats == last.rotation.partners.bound == 0
    assert last.rotation.opponents.is_optimal
    assert "rotation.exact" in {reason.code for reason in last.reasons}


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize(
    ("count", "rounds", "sides", "fewest"),
    [
        (6, 5, PAIRS, 0),
        (7, 7, PAIRS, 0),
        (10, 5, PAIRS, 0),
        (16, 6, PAIRS, 0),
        (22, 6, PAIRS, 0),
        (4, 4, PAIRS, 2),
        (6, 5, THREE_PAIRS, 0),
        pytest.param(12, 4, THREE_PAIRS, 0, marks=pytest.mark.slow),
        (6, 3, TRIOS, 6),
        pytest.param(12, 4, TRIOS, 0, marks=pytest.mark.slow),
    ],
)
def test_partners_again_are_as_few_as_can_be(count: int, rounds: int, sides: tuple[int, ...], fewest: int) -> None:
    plans = ahead(people(count), rounds, sides)
    figures = plans[-1].rotation
    assert figures is not None
    assert figures.partners.repeats == figures.partners.bound == fewest
    assert repeats(partners_in(all_pods(plans))) == fewest


def every_round(count: int, sides: Sequence[int]) -> list[tuple[Counter[tuple[int, int]], Counter[tuple[int, int]]]]:
    """Partners and opponents of every possible round of one table."""
    found = {}
    members = list(sides).count(0)
    for chosen in combinations(range(count), len(sides)):
        for parts in _parted(chosen, members):
            partners = Counter(two for side in parts for two in combinations(side, 2))
            found[parts] = (partners, Counter(two for two in combinations(chosen, 2) if two not in partners))
    return list(found.values())


def _parted(rest: tuple[int, ...], members: int) -> Iterator[tuple[tuple[int, ...], ...]]:
    if not rest:
        yield ()
        return
    for others in combinations(rest[1:], members - 1):
        side = (rest[0], *others)
        for more in _parted(tuple(each for each in rest if each not in side), members):
            yield (side, *more)


def least(count: int, rounds: int, sides: Sequence[int], *, fair: bool = True) -> tuple[int, int]:
    """The fewest partners again, then opponents again, over all schedules in which nobody rests twice too early."""
    every = every_round(count, sides)
    best = (10**6, 10**6)
    for rest in product(every, repeat=rounds - 1):
        turns = [every[0], *rest]
        partners, opponents = sum((p for p, _ in turns), Counter()), sum((o for _, o in turns), Counter())
        key = (sum(n * (n - 1) // 2 for n in partners.values()), sum(n * (n - 1) // 2 for n in opponents.values()))
        if key < best and (not fair or _rests_fairly(count, turns)):
            best = key
    return best


def _rests_fairly(count: int, turns: Sequence[tuple[Counter[tuple[int, int]], Counter[tuple[int, int]]]]) -> bool:
    had = [0] * count
    for partners, opponents in turns:
        here = {each for two in (*partners, *opponents) for each in two}
        for person in range(count):
            had[person] += person not in here
        if max(had) - min(had) > 1:
            return False
    return True


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize(
    ("count", "rounds", "sides"),
    [(4, r, PAIRS) for r in range(1, 7)]
    + [(5, r, PAIRS) for r in range(1, 5)]
    + [(6, r, PAIRS) for r in range(1, 4)]
    + [(7, 2, PAIRS)]
    + [(6, r, THREE_PAIRS) for r in range(1, 5)]
    + [(7, 2, THREE_PAIRS), (6, 1, TRIOS), (6, 2, TRIOS), (6, 3, TRIOS), (6, 4, TRIOS), (7, 2, TRIOS)],
)
def test_small_numbers_are_as_good_as_every_schedule_there_is(count: int, rounds: int, sides: tuple[int, ...]) -> None:
    figures = ahead(people(count), rounds, sides)[-1].rotation
    assert figures is not None
    found = (figures.partners.repeats, figures.opponents.repeats)
    assert found == least(count, rounds, sides)
    bound = least(count, rounds, sides, fair=False)[0]
    assert figures.partners.bound <= bound
    assert figures.opponents.bound <= figures.opponents.repeats


SHAPES = st.sampled_from([PAIRS, THREE_PAIRS, TRIOS])


@pytest.mark.thorough
@given(SHAPES, st.integers(6, 19), st.integers(1, 5), st.randoms(use_true_random=False), st.integers(0, 3))
@settings(max_examples=12, deadline=None)
def test_every_plan_holds_what_it_says(
    sides: tuple[int, ...], count: int, rounds: int, shuffled: Random, seed: int
) -> None:
    entrants = people(count)
    plans = ahead(entrants, rounds, sides, seed=str(seed))
    mixed = list(entrants)
    shuffled.shuffle(mixed)
    assert ahead(mixed, rounds, sides, seed=str(seed)) == plans
    assert [each.round for each in plans] == list(range(1, rounds + 1))
    for each in plans:
        seated = [entry for pod in each.pods for entry in pod.seats]
        assert sorted([*seated, *each.byes]) == [item.entry for item in entrants]
        assert all(pod.sides == sides for pod in each.pods)
        assert Plan.from_json(each.to_json()) == each
    assert is_fair(plans, [item.entry for item in entrants])
    figures = rotation_of([(each.pods, each.byes) for each in plans], plans[0].certificate.method)
    assert all(each.rotation == figures for each in plans)
    assert figures.partners.repeats >= figures.partners.bound
    assert figures.opponents.repeats >= figures.opponents.bound
    again = rescore(plans)
    assert [each.quality for each in again] == [each.quality for each in plans]
    assert again[-1].rotation is not None
    assert again[-1].rotation.partners.repeats == figures.partners.repeats


@pytest.mark.parametrize(
    ("count", "sides"),
    [
        (8, PAIRS),
        (10, PAIRS),
        *(pytest.param(*each, marks=pytest.mark.slow) for each in ((13, PAIRS), (12, THREE_PAIRS), (14, TRIOS))),
    ],
)
def test_rounds_drawn_one_by_one_are_those_that_were_planned_together(count: int, sides: tuple[int, ...]) -> None:
    one, whole = one_by_one(count, 5, sides), ahead(people(count), 5, sides)
    assert [each.pods for each in one] == [each.pods for each in whole]
    assert [each.byes for each in one] == [each.byes for each in whole]
    assert [each.rotation for each in one] == [each.rotation for each in whole]


def test_members_of_a_side_sit_on_its_seats_and_everybody_changes_seats() -> None:
    plans = ahead(people(8), 7)
    used = Counter((entry, seat) for pod in all_pods(plans) for seat, entry in enumerate(pod.seats))
    assert max(used.values()) <= 3
    pod = plans[0].pods[0]
    assert sides_at(pod) == [(pod.seats[0], pod.seats[2]), (pod.seats[1], pod.seats[3])]
    trio = ahead(people(6), 1, TRIOS)[0].pods[0]
    assert sides_at(trio)[0] == (trio.seats[0], trio.seats[2], trio.seats[4])
    three = ahead(people(6), 1, THREE_PAIRS)[0].pods[0]
    assert sides_at(three)[1] == (three.seats[1], three.seats[4])


@pytest.mark.thorough
@given(st.integers(8, 14), st.integers(0, 2), st.integers(1, 3), st.integers(1, 4))
@settings(max_examples=8, deadline=None)
def test_who_comes_late_or_leaves_changes_only_what_is_not_drawn(count: int, came: int, left: int, after: int) -> None:
    history = one_by_one(count, after) if after else []
    rounds = after + 2
    late = [Entrant(f"late{n}", count + n, joined=after + 1) for n in range(came)]
    entrants = [*(replace(item, is_active=item.seed > left) for item in people(count)), *late]
    first = following(entrants, rounds, history)
    second = following(entrants, rounds, [*history, first])
    here = sorted(item.entry for item in entrants if item.is_active)
    for each in (first, second):
        assert sorted([*(entry for pod in each.pods for entry in pod.seats), *each.byes]) == here
    before = partners_in(all_pods(history))
    now = partners_in(first.pods)
    assert not any(before[two] for two in now), "somebody had this partner before"
    byes = Counter(entry for each in history for entry in each.byes)
    rested = {item.entry for item in entrants if item.joined == 1 and item.is_active and byes[item.entry]}
    if set(first.byes) & rested:
        fresh = {item.entry for item in entrants if item.is_active and item.joined == 1 and not byes[item.entry]}
        assert fresh <= set(first.byes)


def test_a_table_that_was_struck_out_does_not_count_as_played() -> None:
    entrants = people(4)
    (first,) = [following(entrants, 3, [])]
    # others have come, so the rest is planned again: the pairs of the table that was struck out are as good as new
    more = [*entrants, *(Entrant(f"late{n}", 4 + n, joined=2) for n in range(1, 5))]
    pairs = sides_at(first.pods[0])
    absent = Finished(1, first.pods[0].table, (1, 1, 2, 2), first_scores(), (False, True, False, False))
    unplayed = ahead(more, 3, history=[first], finished=[absent])
    played = ahead(more, 3, history=[first])
    again = {tuple(sorted(side)) for side in pairs}
    assert not again & partners_in(all_pods(played)).keys()
    assert [each.pods for each in unplayed] != [each.pods for each in played]


def first_scores() -> tuple[Fraction, ...]:
    return (Fraction(0),) * 4


@pytest.mark.slow
def test_couples_are_never_partners_while_it_can_be_had() -> None:
    couples = [Constraint(ConstraintKind.SEPARATE, (f"e{n:03}", f"e{n + 1:03}")) for n in range(1, 12, 2)]
    plans = ahead(people(12), 5, constraints=couples)
    assert repeats(partners_in(all_pods(plans))) == 0
    assert not partners_in(all_pods(plans)).keys() & {item.entries for item in couples}
    apart = [Constraint(ConstraintKind.FORBID, ("e001", "e002"))]
    tables = all_pods(ahead(people(12), 4, constraints=apart))
    assert not any({"e001", "e002"} <= set(pod.seats) for pod in tables)


def test_where_everybody_must_be_partners_the_table_says_that_a_wish_gave_way() -> None:
    plans = ahead(people(4), 3, constraints=[Constraint(ConstraintKind.SEPARATE, ("e001", "e002"))])
    told = {reason.code for pod in all_pods(plans) for reason in pod.why}
    broken = any(("e001", "e002") in partners_in(each.pods) for each in plans)
    assert broken == ("rotation.apart" in told)


def test_every_table_and_round_says_why() -> None:
    (first, *_rest, last) = ahead(people(8), 7)
    assert {reason.code for reason in first.pods[0].why} == {"rotation.new", "rotation.fresh"}
    assert "rotation.met" in {reason.code for reason in last.pods[0].why}
    assert [str(reason) for reason in first.reasons] == [
        "An exact design for 8 people and 7 rounds.",
        "Repeated partnerships in 7 rounds: 0; fewer are impossible.",
        "Repeated meetings of opponents in 7 rounds: 28; fewer are impossible.",
    ]
    assert "Byes: 2" in str(ahead(people(10), 3)[0].reasons[-1])


def test_the_rest_is_drawn_around_a_table_set_by_hand() -> None:
    kind = RotatingPartners()
    shape = Shape(Seats(4, 4, 4), 5, sides=PAIRS, locked=(Pod(2, ("e001", "e002", "e003", "e004")),))
    (only,) = kind.schedule(StageSoFar(people(9), shape), Random("x"))
    held = next(pod for pod in only.pods if pod.is_locked)
    assert (held.table, held.seats, held.sides) == (2, ("e001", "e002", "e003", "e004"), PAIRS)
    assert len(only.pods) == 2
    assert len(only.byes) == 1


def test_groups_are_counted_by_themselves() -> None:
    groups = [[f"e{n:03}" for n in range(first, 16, 2)] for first in (1, 2)]
    seeds = {entry: n for n, entry in enumerate(sorted(each for group in groups for each in group), 1)}
    parts = [ahead([Entrant(entry, seeds[entry]) for entry in group], 7) for group in groups]
    joined = together(parts)
    assert joined[0].rotation is not None
    assert joined[0].rotation.opponents.repeats == 28 + 7
    counted = rescored(joined, groups)
    assert counted[-1].rotation is not None
    assert counted[-1].rotation.opponents.repeats == joined[-1].rotation.opponents.repeats  # type: ignore[union-attr]  # as above
    assert all(own_history(joined, group)[0].pods for group in groups)


@pytest.mark.parametrize("sides", [(), (0, 1, 2, 3), (0, 0, 1), (0, 0)])
def test_partners_need_sides_of_one_size(sides: tuple[int, ...]) -> None:
    with pytest.raises(FormatError) as refused:
        schedule("rotation", people(8), 3, Seats(4, 4, 4), "x", sides=sides)
    assert refused.value.code == "rotation.sides"


def test_too_few_and_too_many_rounds() -> None:
    with pytest.raises(FormatError) as refused:
        ahead(people(3), 2)
    assert refused.value.code == "entries.too_few"
    assert ahead(people(4), 1, history=ahead(people(4), 1)) == []


@pytest.mark.thorough
def test_the_number_of_opponents_again_is_counted_from_the_tables() -> None:
    plans = ahead(people(9), 4)
    times: Counter[tuple[str, str]] = Counter()
    for pod in all_pods(plans):
        one, two, three, four = pod.seats
        times.update((min(both), max(both)) for both in product((one, three), (two, four)))
    assert times == opponents_in(all_pods(plans))
