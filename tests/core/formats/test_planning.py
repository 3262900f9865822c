"""Schedules that must come out perfect, oracles, and what planners refuse."""

from __future__ import annotations

import pytest
from gacrux.berger import bergertables

from core.formats import FORMATS, kinds, schedule
from core.formats.errors import FormatError
from core.formats.model import Constraint, ConstraintKind, Entrant, Plan, Seats
from core.formats.pools import snake
from core.formats.round_robin import berger
from core.formats.sizes import split
from tests.core.formats.builders import entrants
from tests.core.formats.next_plan import plan

FOURS = Seats(4, 4, 4)


@pytest.mark.parametrize(
    ("players", "rounds", "size", "repeats"),
    [(8, 7, 4, 84), (16, 5, 4, 0), (16, 6, 4, 24), (12, 4, 4, 18), (14, 3, 7, 54), (20, 4, 5, 24), (40, 7, 4, 0)],
)
def test_the_bound_is_met(players: int, rounds: int, size: int, repeats: int) -> None:
    """tournaments.md section 4 and the demo's league: eight entries at tables of four over seven rounds."""
    last = schedule("tables", entrants(players), rounds, Seats(size, size, size), seed="demo")[-1]
    assert (last.certificate.repeats, last.certificate.bound) == (repeats, repeats)
    assert last.certificate.is_optimal
    assert last.quality.seat_imbalance <= 1


@pytest.mark.thorough
def test_a_gap_is_named() -> None:
    """Twelve in threes over five rounds: 0 repeats is the bound, and out of reach."""
    last = schedule("tables", entrants(12), 5, Seats(3, 3, 3), seed=1)[-1]
    assert last.certificate.bound == 0 < last.certificate.repeats
    assert not last.certificate.is_optimal
    assert (
        str(last.reasons[0])
        == f"{last.certificate.repeats} repeated meetings in 5 rounds; fewer than 0 are impossible."
    )


@pytest.mark.parametrize("players", range(4, 41))
def test_berger_equals_the_fide_tables(players: int) -> None:
    """gacrux pairs odd fields with a dummy that has the last number; we call it a bye."""
    size = players + players % 2
    for turn in range(size - 1):
        expected = {(board["white"], board["black"]) for board in bergertables(players)["pairing"][turn + 1].values()}
        boards, free = berger(players, turn)
        assert set(boards) == {board for board in expected if max(board) <= players}
        assert free == next((min(board) for board in expected if max(board) > players), None)


def test_withdrawn_entries_keep_their_number_and_leave_a_bye() -> None:
    field = entrants(6)
    before = schedule("round_robin", field, 1, Seats(2, 2, 2), seed=1)
    gone = [Entrant(e.entry, e.seed, is_active=e.seed != 3) for e in field]
    after = schedule("round_robin", gone, 1, Seats(2, 2, 2), seed=1, history=before[:2])
    for old, new in zip(before[2:], after, strict=True):
        kept = {pod.seats for pod in old.pods if "entry-03" not in pod.seats}
        alone = [entry for pod in old.pods for entry in pod.seats if "entry-03" in pod.seats and entry != "entry-03"]
        assert {pod.seats for pod in new.pods} == kept
        assert list(new.byes) == alone
        assert "withdrawn" in str(new.reasons[0])


def test_one_late_round_is_drawn_around_what_was_played() -> None:
    field = entrants(16)
    before = schedule("tables", field, 4, FOURS, seed=1)
    following = plan("tables", field, 5, FOURS, seed=2, history=before)
    assert following.round == 5
    assert following.quality.repeats == 0  # only the fifth parallel class of the affine plane is left


@pytest.mark.parametrize(
    ("entries", "seats", "expected"),
    [
        (10, Seats(3, 4, 5), ((5, 5), 0)),
        (11, Seats(3, 4, 5), ((4, 4, 3), 0)),
        (10, Seats(4, 4, 4), ((4, 4), 2)),
        (10, Seats(3, 4, 5, bye_cost=0), ((4, 4), 2)),
        (2, Seats(3, 4, 5), ((), 2)),
        (0, Seats(3, 4, 5), ((), 0)),
    ],
)
def test_table_sizes(entries: int, seats: Seats, expected: tuple[tuple[int, ...], int]) -> None:
    assert split(entries, seats) == expected


def test_groups_go_there_and_back() -> None:
    groups = snake(entrants(8), 3)
    assert [[entrant.seed for entrant in group] for group in groups] == [[1, 6, 7], [2, 5, 8], [3, 4]]
    with pytest.raises(FormatError) as refused:
        snake(entrants(2), 3)
    assert refused.value.code == "groups.count"


KEEP_APART = Constraint(ConstraintKind.FORBID, ("entry-01", "entry-02"))


@pytest.mark.parametrize(
    ("kind", "field", "rounds", "seats", "constraints", "code"),
    [
        ("snake", entrants(8), 1, FOURS, [], "format.unknown"),
        ("tables", entrants(8), 0, FOURS, [], "rounds.range"),
        ("tables", entrants(8), 1, Seats(4, 3, 5), [], "seats.range"),
        ("tables", entrants(8), 1, Seats(3, 4, 8), [], "seats.range"),
        ("tables", entrants(3), 1, FOURS, [], "entries.too_few"),
        ("tables", [*entrants(8), Entrant("entry-01", 9)], 1, FOURS, [], "entries.twice"),
        ("round_robin", entrants(1), 1, Seats(2, 2, 2), [], "entries.too_few"),
        ("round_robin", entrants(4), 1, Seats(3, 3, 3), [], "seats.range"),
        ("round_robin", entrants(4), 1, Seats(2, 2, 2), [KEEP_APART], "constraint.unsupported"),
    ],
)
def test_what_cannot_be_planned_is_refused_with_a_code(
    kind: str, field: list[Entrant], rounds: int, seats: Seats, constraints: list[Constraint], code: str
) -> None:
    with pytest.raises(FormatError) as refused:
        schedule(kind, field, rounds, seats, 1, constraints=constraints)
    assert refused.value.code == code


def test_after_the_last_round_there_is_no_next() -> None:
    field = entrants(4)
    plans = schedule("round_robin", field, 1, Seats(2, 2, 2), 1)
    with pytest.raises(FormatError) as refused:
        plan("round_robin", field, 1, Seats(2, 2, 2), 1, history=plans)
    assert refused.value.code == "rounds.over"


def test_a_document_that_is_no_plan_is_refused() -> None:
    with pytest.raises(FormatError) as refused:
        Plan.from_json({"pods": []})
    assert refused.value.code == "plan.format"


@pytest.mark.parametrize("kind", sorted(FORMATS))
def test_every_format_says_what_it_is(kind: str) -> None:
    chosen = FORMATS[kind]
    assert chosen.id == kind
    assert chosen.name
    assert chosen.description.endswith(".")
    assert 2 <= chosen.seat_range[0] <= chosen.seat_range[1] <= 7


def test_kinds_that_need_results_say_so() -> None:
    """The service draws all rounds at the start; it offers only kinds that can."""
    assert set(kinds(lambda each: not (each.needs_results or each.is_open_ended))) == {"round_robin", "tables"}
