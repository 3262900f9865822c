"""Which rounds the schedule of an event shows at once."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tournaments.matches.schedule import BATCH_SIZE, MAX_SEATS, chosen_rounds
from tournaments.models import Round


def drawn(*tables: tuple[int, int]) -> list[Round]:
    """Rounds by how many matches they have, and how many of them are done."""
    rounds = [Round(number=n) for n in range(1, len(tables) + 1)]
    for row, (matches_n, done_n) in zip(rounds, tables, strict=True):
        vars(row).update(matches_n=matches_n, done_n=done_n)
    return rounds


def numbers(found: list[Round]) -> list[int]:
    return [each.number for each in found]


def test_few_rounds_are_all_shown() -> None:
    assert numbers(chosen_rounds(drawn((2, 2), (2, 1), (2, 0)), "", 4)) == [1, 2, 3]
    assert chosen_rounds([], "", 2) == []


def test_of_many_rounds_the_one_that_is_on_and_those_before_it_are_shown() -> None:
    rounds = drawn(*[(2, 2)] * 13, (2, 0))
    assert numbers(chosen_rounds(rounds, "", 4)) == list(range(4, 15))
    assert numbers(chosen_rounds(rounds, "", 2)) == list(range(1, 15))
    assert numbers(chosen_rounds(rounds, "3", 4)) == [3]


def test_rounds_to_come_wait_until_they_are_on() -> None:
    assert numbers(chosen_rounds(drawn((20, 20), (20, 3), (20, 0)), "", 2)) == [2]


@given(st.lists(st.tuples(st.integers(1, 40), st.integers(0, 40)), min_size=1), st.integers(2, 7))
def test_a_page_has_room_for_what_it_shows_unless_one_round_alone_is_larger(
    tables: list[tuple[int, int]], seats: int
) -> None:
    found = chosen_rounds(drawn(*[(n, min(n, done)) for n, done in tables]), "", seats)
    shown = sum(vars(each)["matches_n"] for each in found)
    assert len(found) == 1 or (shown <= BATCH_SIZE and shown * seats <= MAX_SEATS)
    assert numbers(found) == list(range(found[0].number, found[-1].number + 1))
