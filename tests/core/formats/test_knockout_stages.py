"""Kinds in which people go out, through the planners' common door: elimination and lives, round after round."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.formats import FORMATS, schedule
from core.formats.elimination import places
from core.formats.elimination.stage import Elimination
from core.formats.errors import FormatError
from core.formats.lives import expected_rounds, left, losers
from core.formats.model import Entrant, Finished, Plan, Seats, Shape, StageSoFar
from tests.core.formats.builders import entrants
from tests.core.formats.next_plan import plan

SLOW = settings(max_examples=20, deadline=None)
KINDS = ("single_elim", "double_elim", "lives")
Stage = tuple[str, list[Entrant], int, Seats, int]


@st.composite
def stages(draw: st.DrawFn) -> Stage:
    """(kind, entrants, rounds or lives, seats, advance)."""
    low, pref, high = sorted(draw(st.lists(st.integers(2, 6), min_size=3, max_size=3)))
    if draw(st.booleans()):
        low = pref = high = 2
    count = draw(st.integers(2 * low, 24))
    return (
        draw(st.sampled_from(KINDS)),
        entrants(count),
        draw(st.integers(1, 3)),
        Seats(low, pref, high),
        draw(st.integers(1, pref - 1)),
    )


def results(drawn: Plan, rng: Random) -> list[Finished]:
    out = []
    for pod in drawn.pods:
        places = list(range(1, len(pod.seats) + 1))
        rng.shuffle(places)
        scores = tuple(Fraction(-place) for place in places)
        out.append(Finished(drawn.round, pod.table, tuple(places), scores, (False,) * len(places)))
    return out


def play(stage: Stage, seed: int, rng: Random, *, most: int = 400) -> tuple[list[Plan], list[Finished]]:
    """Round after round until nothing is left to draw; entries come in another order each time."""
    kind, field, rounds, seats, advance = stage
    history, finished = list[Plan](), list[Finished]()
    while plans := schedule(kind, rng.sample(field, len(field)), rounds, seats, seed,
                            history=history, finished=finished, advance=advance):  # fmt: skip
        assert len(plans) == 1
        assert len(history) < most
        history.append(plans[0])
        finished += results(plans[0], rng)
    return history, finished


def fitting(stage: Stage) -> bool:
    """Return whether that many entries fill tables of these sizes at all."""
    kind, field, rounds, seats, advance = stage
    try:
        return bool(plan(kind, field, rounds, seats, 1, advance=advance))
    except FormatError as error:
        if error.code != "entries.too_few":
            raise
        return False


@pytest.mark.thorough
@SLOW
@given(stages(), st.integers(0, 99), st.randoms(use_true_random=False))
def test_stages_end_and_every_round_is_sound(stage: Stage, seed: int, rng: Random) -> None:
    if not fitting(stage):
        return
    history, _ = play(stage, seed, rng)
    assert [drawn.round for drawn in history] == list(range(1, len(history) + 1))
    for drawn in history:
        seated = Counter(entry for pod in drawn.pods for entry in pod.seats)
        assert max(seated.values()) == 1
        assert not set(drawn.byes) & set(seated)
        assert [pod.table for pod in drawn.pods] == list(range(1, len(drawn.pods) + 1))
        assert all(str(reason) for pod in drawn.pods for reason in pod.why)
        assert Plan.from_json(drawn.to_json()) == drawn
    first = {*history[0].byes, *(entry for pod in history[0].pods for entry in pod.seats)}
    assert first == {item.entry for item in stage[1]}


@pytest.mark.thorough
@SLOW
@given(stages(), st.integers(0, 99), st.randoms(use_true_random=False))
def test_a_round_is_the_same_whatever_the_order_of_entries(stage: Stage, seed: int, rng: Random) -> None:
    if not fitting(stage):
        return
    kind, field, rounds, seats, advance = stage
    history, finished = play(stage, seed, rng)
    for drawn in history[:4]:
        past = history[: drawn.round - 1]
        known = [item for item in finished if item.round < drawn.round]
        rng.shuffle(known)
        again = plan(kind, rng.sample(field, len(field)), rounds, seats, seed,
                     history=past, finished=known, advance=advance)  # fmt: skip
        assert again == drawn


@pytest.mark.slow
@SLOW
@given(stages(), st.integers(0, 99), st.randoms(use_true_random=False))
def test_lives_are_lost_one_at_a_time_until_no_table_is_left(stage: Stage, seed: int, rng: Random) -> None:
    stage = ("lives", *stage[1:])
    if not fitting(stage):
        return
    _, field, rounds, seats, advance = stage
    history, finished = play(stage, seed, rng, most=24 * 3)
    shape = Shape(seats, rounds, advance=advance)
    before = left(field, shape, [], [])
    for drawn in history:
        now = left(field, shape, history[: drawn.round], [item for item in finished if item.round <= drawn.round])
        lost = sum(before.lives[name] - now.lives[name] for name in now.lives)
        assert lost == sum(losers(len(pod.seats), advance) for pod in drawn.pods) > 0
        before = now
    assert len(before.alive) < max(2, seats.min)
    places = before.places()
    assert sorted(name for name, _, _ in places) == sorted(item.entry for item in field)
    assert all(sum(low == best for _, low, _ in places) == worst - best + 1 for _, best, worst in places)


def test_tables_of_lives_are_equal_where_they_can_be_filled() -> None:
    field = entrants(16)
    rng = Random(1)
    first = plan("lives", field, 2, Seats(4, 4, 4), 1, advance=2)
    second = plan("lives", field, 2, Seats(4, 4, 4), 1, history=[first], finished=results(first, rng), advance=2)
    assert [str(pod.why[0]) for pod in second.pods] == [
        "Lives left at this table: 2 each.",
        "Lives left at this table: 2 each.",
        "Lives left at this table: 1 each.",
        "Lives left at this table: 1 each.",
    ]
    assert str(second.pods[0].why[-1]) == "Each of the lowest places at this table loses a life (number of places: 2)."


def test_who_is_absent_loses_a_life_and_equal_places_are_told_apart() -> None:
    field = entrants(4)
    shape = Shape(Seats(4, 4, 4), 2, advance=2)
    drawn = plan("lives", field, 2, shape.seats, 1, advance=2)
    seats = drawn.pods[0].seats
    scores = (Fraction(1), Fraction(1), Fraction(2), Fraction(0))
    level = Finished(1, 1, (1, 1, 1, 1), scores, (False,) * 4)
    assert left(field, shape, [drawn], [level]).lives == {seats[0]: 2, seats[1]: 1, seats[2]: 2, seats[3]: 1}
    away = Finished(1, 1, (1, 2, 3, 4), scores, (True, True, True, False))
    assert left(field, shape, [drawn], [away]).lives == {seats[0]: 1, seats[1]: 1, seats[2]: 1, seats[3]: 2}


def test_rounds_of_which_nothing_counts_end_a_lives_stage_at_the_second_one_in_a_row() -> None:
    field, seats, rng = entrants(6), Seats(3, 3, 3), Random(1)
    drawn = [plan("lives", field, 2, seats, 1)]
    done = results(drawn[0], rng)

    def following() -> list[Plan]:
        return schedule("lives", field, 2, seats, 1, history=drawn, finished=done)

    drawn += following()
    drawn += following()  # all of round 2 was cancelled: it is drawn once more
    assert [each.round for each in drawn] == [1, 2, 3]
    done += results(drawn[2], rng)[:1]
    drawn += following()  # one table counted
    drawn += following()
    assert following() == []


def test_late_entries_of_a_lives_stage_start_with_the_fewest_lives() -> None:
    field = entrants(8)
    seats = Seats(2, 2, 2)
    rng = Random(5)
    first = plan("lives", field, 3, seats, 1)
    late = [*field, Entrant("late", 99, joined=2)]
    done = results(first, rng)
    assert left(late, Shape(seats, 3), [first], done).lives["late"] == 2
    second = plan("lives", late, 3, seats, 1, history=[first], finished=done)
    assert "late" in {*second.byes, *(entry for pod in second.pods for entry in pod.seats)}


@pytest.mark.parametrize(("count", "lives", "seats", "rounds"), [(2, 1, 2, 1), (8, 1, 2, 3), (16, 1, 4, 2)])
def test_expected_rounds_of_lives(count: int, lives: int, seats: int, rounds: int) -> None:
    """One life at full tables is single elimination."""
    shape = Shape(Seats(seats, seats, seats), lives, advance=1)
    assert expected_rounds(count, shape) == rounds == FORMATS["lives"].rounds(count, shape)


@pytest.mark.parametrize(
    ("kind", "count", "rounds"), [("single_elim", 9, 4), ("single_elim", 8, 3), ("double_elim", 8, 6)]
)
def test_rounds_of_brackets(kind: str, count: int, rounds: int) -> None:
    """Of double elimination: W1; W2 and L1; W3 and L2; L3; L4; F1."""
    shape = Shape(Seats(2, 2, 2))
    assert FORMATS[kind].rounds(count, shape) == rounds
    assert FORMATS[kind].rounds(1, shape) == 0


def test_a_bracket_takes_late_entries_into_byes_and_forgets_who_left() -> None:
    field, seats = entrants(5), Seats(2, 2, 2)
    first = plan("single_elim", field, 1, seats, 1)
    assert [pod.label for pod in first.pods] == ["W1:2"]
    assert first.byes == ("entry-01", "entry-02", "entry-03")
    late = [*field, Entrant("late", 9, joined=2), Entrant("later", 10, joined=2), Entrant("latest", 11, joined=2),
            Entrant("too-late", 12, joined=2)]  # fmt: skip
    second = plan("single_elim", late, 1, seats, 1, history=[first], finished=results(first, Random(1)))
    assert {pod.label: pod.seats for pod in second.pods} == {
        "W1:1": ("entry-01", "latest"),
        "W1:3": ("entry-02", "later"),
        "W1:4": ("entry-03", "late"),
    }
    assert str(second.reasons[-1]) == "No bye is left for 1 late entries: they wait."
    gone = [Entrant(item.entry, item.seed, is_active=item.entry != "entry-01") for item in field]
    third = plan("single_elim", gone, 1, seats, 1, history=[first], finished=results(first, Random(1)))
    assert {pod.label: pod.seats for pod in third.pods} == {"W2:2": ("entry-02", "entry-03")}


def test_lives_refuse_what_cannot_be() -> None:
    with pytest.raises(FormatError) as raised:
        plan("lives", entrants(8), 2, Seats(4, 4, 4), 1, advance=4)
    assert raised.value.code == "lives.advance"


# -- complete rounds stand, no matter what changes around them
# --------------------------------------------------------------


def without(field: list[Entrant], *names: str) -> list[Entrant]:
    return [replace(item, is_active=item.entry not in names) for item in field]


@pytest.mark.parametrize("kind", ["single_elim", "double_elim"])
def test_who_comes_back_does_not_undo_a_walkover(kind: str) -> None:
    """Benched when round 2 was drawn, active again for round 3: the match it missed is lost."""
    field, seats, rng = entrants(8), Seats(2, 2, 2), Random(2)
    history, finished = [plan(kind, field, 1, seats, 1)], list[Finished]()
    finished += results(history[0], rng)
    winners = [pod.seats[item.places.index(1)] for pod, item in zip(history[0].pods, finished, strict=True)]
    missing = winners[0]
    history.append(plan(kind, without(field, missing), 1, seats, 1, history=history, finished=finished))
    assert missing not in {entry for pod in history[1].pods for entry in pod.seats}
    finished += results(history[1], rng)
    history.append(plan(kind, without(field, missing), 1, seats, 1, history=history, finished=finished))
    assert winners[1] in {entry for pod in history[2].pods for entry in pod.seats}
    finished += results(history[2], rng)
    while plans := schedule(kind, field, 1, seats, 1, history=history, finished=finished):
        assert not {pod.label for pod in plans[0].pods} & {pod.label for drawn in history for pod in drawn.pods}
        history.append(plans[0])
        finished += results(plans[0], rng)
    assert "W2:1" not in {pod.label for drawn in history for pod in drawn.pods}
    assert history[-1].pods[-1].label in {"W3:1", "F1:1", "F2:1"}


@pytest.mark.thorough
@SLOW
@given(stages(), st.integers(0, 99), st.randoms(use_true_random=False))
def test_matches_struck_out_and_people_who_come_and_go_stop_no_bracket(stage: Stage, seed: int, rng: Random) -> None:
    kind, field, rounds, seats, advance = stage
    if kind == "lives" or not fitting(stage):
        return
    history, finished = list[Plan](), list[Finished]()
    away: set[str] = set()
    while plans := schedule(kind, without(field, *away), rounds, seats, seed,
                            history=history, finished=finished, advance=advance):  # fmt: skip
        drawn = plans[0]
        assert not {pod.label for pod in drawn.pods} & {pod.label for past in history for pod in past.pods}
        history.append(drawn)
        finished += [item for item in results(drawn, rng) if rng.random() < 0.8]
        away ^= set(rng.sample([item.entry for item in field], rng.randint(0, 2)))
    whole, _ = kind_of(kind).bracket(
        StageSoFar(without(field, *away), Shape(seats, rounds, advance=advance), history, finished), Random(seed)
    )
    assert whole.is_over
    assert sorted(item.entry for item in places(whole)) == sorted(item.entry for item in field)


def kind_of(kind: str) -> Elimination:
    found = FORMATS[kind]
    assert isinstance(found, Elimination)
    return found


def test_lots_decide_a_match_that_was_struck_out() -> None:
    field, seats = entrants(4), Seats(2, 2, 2)
    first = plan("single_elim", field, 1, seats, 1)
    final = plan("single_elim", field, 1, seats, 1, history=[first])
    assert [pod.label for pod in final.pods] == ["W2:1"]
    assert len(set(final.pods[0].seats) & {"entry-01", "entry-04"}) == 1
    left_over = plan("single_elim", without(field, "entry-01"), 1, seats, 1, history=[first])
    assert "entry-04" in left_over.pods[0].seats
