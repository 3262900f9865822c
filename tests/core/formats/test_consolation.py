"""Consolation brackets: who loses in the first round plays on, below everybody who won there."""

from __future__ import annotations

import pytest

from core.formats.elimination.advance import advance, chalk
from core.formats.elimination.draw import BracketShape, bracket
from core.formats.elimination.model import Bracket, Kind
from core.formats.elimination.places import consoled, places
from core.formats.errors import FormatError
from core.formats.model import Seats


def drawn(n: int, *, third_place: bool = False) -> Bracket:
    return bracket(
        [f"{number:02}" for number in range(1, n + 1)], BracketShape(third_place=third_place, consolation=True)
    )


def played(now: Bracket) -> Bracket:
    strength = {entry: number for number, entry in enumerate(now.entries)}
    while now.ready:
        now = advance(now, [*now.finished, *(chalk(match, strength) for match in now.ready)])
    return now


@pytest.mark.parametrize("n", [5, 6, 7, 8, 11, 13, 16])
def test_everybody_has_a_place_and_nobody_has_two(n: int) -> None:
    now = played(drawn(n, third_place=True))
    assert now.is_over
    found = {item.entry: item for item in places(now)}
    assert len(found) == n
    losers = [match.order[1] for match in now.matches if match.round == "W1" and match.order[1] is not None]
    above = n - len(losers)
    assert all(found[entry].best > above for entry in losers if entry is not None)
    assert sorted(item.best for item in found.values())[:4] == [1, 2, 3, 4]


def test_the_winner_of_the_consolation_is_the_best_of_those_who_lost_first() -> None:
    now = played(drawn(8))
    assert {item.entry: item.best for item in places(now)} == {
        "01": 1, "02": 2, "03": 3, "04": 3, "05": 5, "06": 6, "07": 7, "08": 7
    }  # fmt: skip


def test_its_matches_are_played_beside_the_second_round() -> None:
    now = drawn(8)
    strength = {entry: number for number, entry in enumerate(now.entries)}
    now = advance(now, [chalk(match, strength) for match in now.ready])
    assert {match.id for match in now.ready} == {"L1:1", "L1:2", "W2:1", "W2:2"}
    assert consoled(now) == dict.fromkeys(("05", "06", "07", "08"), 5)


def test_of_four_they_play_for_third_place() -> None:
    assert all(match.round[0] != "L" for match in drawn(4, third_place=True).matches)


@pytest.mark.parametrize("shape", [{"kind": Kind.DOUBLE}, {"seats": Seats(3, 4, 4)}])
def test_it_belongs_to_single_elimination_at_two_seats(shape: dict[str, object]) -> None:
    with pytest.raises(FormatError) as refused:
        bracket([f"{n:02}" for n in range(12)], BracketShape(consolation=True, **shape))  # type: ignore[arg-type]
    assert refused.value.code == "bracket.consolation"
