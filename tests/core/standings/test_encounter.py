"""Head to head: among the tied, again among those still level, and as far as it is sure where not each has met each."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from pathlib import Path
from random import Random

import pytest

from core.interchange import trf
from core.interchange.model import Event, Game, Mark, Player
from core.standings.fold import fold
from core.standings.model import ByePolicy, MatchResult, PlaceBy, Scoring, Spec
from core.standings.table import Value
from core.standings.tiebreaks import show
from tests.core import trf as results_of
from tests.core.interchange.checker import ranks
from tests.core.standings.builders import a_match

FIDE = Spec(scoring=Scoring.PLACE, tie_breaks=("h2h",), bye=ByePolicy(place=1), place_by=PlaceBy.POINTS)


def met(*won: str) -> list[MatchResult]:
    """Tables of two: "AB" was won by A, "A=B" by nobody."""
    found = []
    for number, who in enumerate(won):
        one, other = who[0], who[-1]
        found.append(a_match(f"{number}", {one: 1, other: int("=" in who)}, round_number=number + 1))
    return found


def values(results: list[MatchResult]) -> dict[str, Value]:
    return {row.entry: row.value("h2h") for row in fold(results, [], Spec(keys=("h2h",))).rows}


def order(results: list[MatchResult]) -> list[tuple[int, str]]:
    return [(row.rank, row.entry) for row in fold(results, [], Spec(keys=("h2h",))).rows]


def test_those_still_level_are_looked_at_again_among_themselves() -> None:
    results = met("AB", "AC", "BC", "BD", "CD", "DA")
    assert values(results) == {"A": (2, 1), "B": (2, 0), "C": (1, 1), "D": (1, 0)}
    assert order(results) == [(1, "A"), (2, "B"), (3, "C"), (4, "D")]
    assert show("h2h", values(results)["A"]) == "2, 1"


def test_one_look_that_settles_it_is_one_number() -> None:
    assert values(met("AB", "BC", "CA")) == {"A": 1, "B": 1, "C": 1}
    assert values(met("A=B", "AC", "BC")) == {"A": Fraction(3, 2), "B": Fraction(3, 2), "C": 0}


def test_who_stays_ahead_whatever_the_missing_tables_bring_is_told_apart() -> None:
    assert values(met("AB", "AC")) == {"A": 2, "B": 0, "C": 0}
    assert order(met("AB", "AC")) == [(1, "A"), (2, "B"), (2, "C")]
    assert values(met("AB", "AC", "AD", "BC")) == {"A": 3, "B": 0, "C": 0, "D": 0}, "D may still be level with B"
    assert values(met("A=B", "AC")) == dict.fromkeys("ABC", None), "B may still be level with A"


def test_after_the_first_of_them_the_others_are_looked_at_again() -> None:
    results = met("AB", "AC", "AD", "AE", "BC", "BD", "BE")
    assert order(results) == [(1, "A"), (2, "B"), (3, "C"), (3, "D"), (3, "E")]
    assert values(results)["B"] == 3


def test_a_table_that_nobody_came_to_is_no_meeting() -> None:
    unplayed = a_match("1", {"A": 1, "B": 0}, is_played=False)
    assert values([unplayed]) == {"A": None, "B": None}


def an_event(rng: Random) -> Event:
    """Some of the games of a round robin, each at most once, in rounds."""
    count = rng.randint(4, 8)
    left = list(combinations(range(1, count + 1), 2))
    rng.shuffle(left)
    games: list[Game] = []
    for turn in range(1, rng.randint(3, count)):
        free = set(range(1, count + 1))
        for one, other in [pair for pair in left if set(pair) <= free]:
            if {one, other} <= free:
                free -= {one, other}
                left.remove((one, other))
                marks = rng.choice([(Mark.WON, Mark.LOST), (Mark.LOST, Mark.WON), (Mark.DREW, Mark.DREW)])
                games.append(Game(turn, one, other, marks))
    last = max(game.round for game in games)
    return Event("x", tuple(Player(n, f"p{n}") for n in range(1, count + 1)), tuple(games), rounds=last)


@pytest.mark.parametrize("seed", range(12))
def test_at_two_seats_it_is_the_direct_encounter_of_fide(seed: int, tmp_path: Path) -> None:
    """The outside checker orders everybody by points and direct encounter as we do, shared ranks and all."""
    path = tmp_path / "event.trf"
    path.write_bytes(trf.encode(trf.write(an_event(Random(seed)))))
    told = results_of.read(path)
    table = fold(told.results, [], FIDE, entries=told.entries, unplayed=told.unplayed)
    assert {int(row.entry): row.rank for row in table.rows} == ranks(path, ("PTS", "DE"))
