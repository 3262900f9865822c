"""Teams whose members sit apart: board against board, mates never at one table, there and back."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.formats import boards, schedule
from core.formats.errors import FormatError
from core.formats.model import (
    Certificate,
    Constraint,
    ConstraintKind,
    Entrant,
    Finished,
    Plan,
    Pod,
    Quality,
    Seats,
)
from core.formats.schedules.quality import counter_of

QUALITY = Quality(0, 0, 0, 0, 0, 0)
CERTIFICATE = Certificate(0, 0, 0, "")


def the_teams(count: int) -> list[Entrant]:
    return [Entrant(f"t{number:02}", number) for number in range(1, count + 1)]


@given(st.integers(2, 9), st.integers(2, 6), st.integers(1, 2))
@settings(deadline=None, max_examples=40)
def test_a_round_robin_of_teams_is_board_against_board(count: int, number: int, cycles: int) -> None:
    plans = schedule("round_robin", the_teams(count), cycles, Seats(2, 2, 2), "s")
    for plan in plans:
        stored = boards.at_boards(plan, number)
        assert [pod.table for pod in stored.pods] == list(range(1, len(plan.pods) * number + 1))
        for place, pod in enumerate(plan.pods):
            own = stored.pods[place * number : (place + 1) * number]
            assert [each.boards for each in own] == [(board, board) for board in range(1, number + 1)]
            assert [each.seats for each in own] == [pod.seats if n % 2 == 0 else pod.seats[::-1] for n in range(number)]
        back = boards.as_meetings(stored)
        assert [pod.seats for pod in back.pods] == [pod.seats for pod in plan.pods]
        assert Plan.from_json(stored.to_json()) == stored


@given(st.integers(2, 8), st.integers(2, 5), st.integers(3, 6), st.integers(1, 3), st.integers(0, 9))
@settings(deadline=None, max_examples=25)
def test_members_of_one_team_never_share_a_table(count: int, number: int, size: int, rounds: int, seed: int) -> None:
    teams = the_teams(count)
    sizes = Seats(max(2, size - 1), size, min(7, size + 1))
    if count < sizes.min:
        with pytest.raises(FormatError) as refused:
            boards.seats_for(sizes, count)
        assert refused.value.code == "entries.too_few"
        return
    seats, wishes = boards.seats_for(sizes, count), boards.constraints_of(teams, number)
    drawn = schedule("tables", boards.members_of(teams, number), rounds, seats, seed, constraints=wishes)
    plans = [boards.by_team(plan) for plan in boards.separated(drawn, (), wishes)]
    for plan in plans:
        assert all(len(set(pod.seats)) == len(pod.seats) for pod in plan.pods)
        seated = [each for pod in plan.pods for each in zip(pod.seats, pod.boards, strict=True)]
        everybody = {(item.entry, board) for item in teams for board in range(1, number + 1)}
        assert sorted([*seated, *plan.boards_out]) == sorted(everybody)
        assert Plan.from_json(plan.to_json()) == plan
        assert boards.by_team(boards.by_member(plan)) == plan
    counted = counter_of([boards.by_member(plan) for plan in plans]).quality(wishes)
    assert (plans[-1].quality, counted.broken) == (counted, 0)


@given(st.integers(2, 7), st.integers(2, 6), st.data())
@settings(deadline=None, max_examples=60)
def test_whatever_a_planner_does_mates_are_parted(count: int, number: int, data: st.DataObject) -> None:
    """The worst plan there is: boards in any order, cut into tables as large as can be."""
    names = [boards.name_of(f"t{team}", board) for team in range(count) for board in range(1, number + 1)]
    order = data.draw(st.permutations(names))
    size = data.draw(st.integers(2, count))
    out, seated = order[: len(order) % size], order[len(order) % size :]
    pods = [Pod(at // size + 1, tuple(seated[at : at + size])) for at in range(0, len(seated), size)]
    plan = Plan(1, tuple(pods), tuple(out), QUALITY, CERTIFICATE)
    (parted,) = boards.separated([plan], (), ())
    for pod in parted.pods:
        assert not any(boards.member(one)[0] == boards.member(other)[0] for one, other in combinations(pod.seats, 2))
    assert sorted([*parted.byes, *(name for pod in parted.pods for name in pod.seats)]) == sorted(names)
    assert [len(pod.seats) for pod in parted.pods] == [len(pod.seats) for pod in pods]


def test_what_is_wished_of_teams_holds_for_their_boards() -> None:
    club = Constraint(ConstraintKind.SEPARATE, ("t01", "t02"), 9)
    wishes = boards.constraints_of(the_teams(2), 2, [club])
    assert wishes[0] == Constraint(ConstraintKind.SEPARATE, ("t01/1", "t01/2", "t02/1", "t02/2"), 9)
    assert [each.entries for each in wishes[1:]] == [("t01/1", "t01/2"), ("t02/1", "t02/2")]
    assert {each.kind for each in wishes[1:]} == {ConstraintKind.FORBID}


def test_a_meeting_ended_once_all_its_boards_have() -> None:
    plan = Plan(1, (Pod(1, ("a", "b")),), (), QUALITY, CERTIFICATE)
    stored = boards.at_boards(plan, 3)
    half, one, none = Fraction(1, 2), Fraction(1), Fraction(0)
    ends = [
        Finished(1, 1, (1, 2), (one, none), (False, False)),
        Finished(1, 2, (1, 2), (one, none), (False, False)),
        Finished(1, 3, (1, 1), (half, half), (False, False)),
    ]
    assert boards.ends_of_meetings([stored], ends[:2]) == []
    (whole,) = boards.ends_of_meetings([stored], ends)
    assert (whole.table, whole.places, whole.scores) == (1, (1, 1), (Fraction(3, 2), Fraction(3, 2)))
    (won,) = boards.ends_of_meetings([stored], [*ends[:1], Finished(1, 2, (2, 1), (none, one), (True, False)), ends[2]])
    assert (won.places, won.scores, won.absent) == ((1, 2), (Fraction(5, 2), half), (False, False))
    (meeting,) = boards.ends_of_meetings([stored], ends, by_meetings=True)
    assert meeting.scores == (half, half)
