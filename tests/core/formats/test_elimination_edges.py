"""Brackets at their edges: corrections, ties, absences, late entries, and what cannot be drawn."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.formats.elimination import (
    Bracket,
    BracketShape,
    Ended,
    Feed,
    Kind,
    State,
    advance,
    bracket,
    join,
    places,
)
from core.formats.errors import FormatError
from core.formats.model import Seats
from tests.core.formats.knockouts import SLOW, drawn_as, ended, names, only, play, shapes


def test_a_correction_makes_the_result_above_stale_or_keeps_it() -> None:
    drawn = bracket(["a", "b", "c", "d"], BracketShape())
    first, second, final = ended("W1:1", "a", "d"), ended("W1:2", "b", "c"), ended("W2:1", "a", "b")
    assert advance(drawn, [first, second, final]).is_over
    corrected = advance(drawn, [ended("W1:1", "d", "a"), second, final])
    assert corrected.stale == ("W2:1",)
    assert corrected.match("W2:1").entries == ("d", "b")
    assert corrected.match("W2:1").state is State.READY
    kept = Ended("W2:1", ("a", "b"), (1, 2), stands=True)
    as_played = advance(drawn, [ended("W1:1", "d", "a"), second, kept])
    assert as_played.is_over
    assert as_played.match("W2:1").order == ("a", "b")


def test_equal_places_are_told_apart_by_points_then_by_lots_where_that_was_the_rule() -> None:
    drawn = bracket(["a", "b"], BracketShape(), lots="00")
    by_points = advance(drawn, [Ended("W1:1", ("a", "b"), (1, 1), (Fraction(3), Fraction(5)))])
    assert by_points.match("W1:1").order == ("b", "a")
    assert [note.code for note in by_points.match("W1:1").notes] == ["bracket.by_points"]
    level = Ended("W1:1", ("a", "b"), (1, 1), by_lots=True)
    winners = {
        advance(bracket(["a", "b"], BracketShape(), lots=str(n)), [level]).match("W1:1").order[0] for n in range(20)
    }
    assert winners == {"a", "b"}


def level(match: str, places: tuple[int, ...], *ties: tuple[int, ...], names: str = "abcdefg") -> Ended:
    values = tuple(tuple(map(Fraction, tie)) for tie in ties)
    return Ended(match, tuple(names[: len(places)]), places, ties=values)


def test_who_is_level_across_the_cut_waits_and_nobody_is_out() -> None:
    drawn = bracket(["a", "b"], BracketShape(), lots="00")
    now = advance(drawn, [level("W1:1", (1, 1), (-60,), (-60,))])
    match = now.match("W1:1")
    assert (match.state, match.order, match.level, match.room) == (State.LEVEL, (), ("a", "b"), 1)
    assert not now.is_over
    assert now.ready == ()
    assert places(now) == ()


@pytest.mark.parametrize(("ties", "winner", "note"), [
    (((-60, 2, 2), (-60, 2, 1)), "b", "bracket.by_decision"),
    (((-60,), (-50,)), "a", "bracket.by_points"),
])  # fmt: skip
def test_points_and_then_extra_deals_tell_who_goes_on(
    ties: tuple[tuple[int, ...], ...], winner: str, note: str
) -> None:
    drawn = bracket(["a", "b", "c", "d"], BracketShape(), lots="00")
    now = advance(drawn, [Ended("W1:1", ("a", "d"), (1, 1), ties=tuple(tuple(map(Fraction, tie)) for tie in ties))])
    match = now.match("W1:1")
    assert match.order[0] == {"a": "a", "b": "d"}[winner]
    assert [each.code for each in match.notes] == [note]


@pytest.mark.parametrize(("places_there", "advance_n", "waits"), [
    ((1, 1, 3, 4), 2, False),
    ((1, 2, 3, 3), 2, False),
    ((1, 2, 2, 4), 2, True),
    ((1, 1, 1, 4), 2, True),
    ((1, 1, 1, 1), 3, True),
    ((1, 1, 1, 4), 3, False),
])  # fmt: skip
def test_only_a_tie_across_the_cut_of_a_table_is_a_question(
    places_there: tuple[int, ...], advance_n: int, waits: bool
) -> None:
    drawn = bracket(names(16), BracketShape(seats=Seats(4, 4, 4), advance=advance_n))
    first = drawn.match("W1:1")
    now = advance(drawn, [Ended("W1:1", first.entries, places_there)])
    assert (now.match("W1:1").state is State.LEVEL) == waits
    assert not any(note.code == "bracket.by_lots" for note in now.match("W1:1").notes)


def test_a_tie_below_the_last_cut_shares_the_place() -> None:
    drawn = bracket(names(4), BracketShape(seats=Seats(4, 4, 4)))
    now = advance(drawn, [Ended("W1:1", drawn.match("W1:1").entries, (1, 2, 2, 4))])
    assert [(item.best, item.worst) for item in places(now)] == [(1, 1), (2, 3), (2, 3), (4, 4)]


def test_of_two_who_are_level_the_one_who_stays_goes_on() -> None:
    drawn = bracket(["a", "b", "c", "d"], BracketShape())
    tie = [Ended("W1:1", ("a", "d"), (1, 1)), ended("W1:2", "b", "c")]
    assert advance(drawn, tie).match("W1:1").state is State.LEVEL
    assert advance(drawn, tie, ["a"]).match("W1:1").order == ("d", "a")


def test_the_first_final_and_the_deciding_one_wait_as_well() -> None:
    drawn = bracket(["a", "b"], BracketShape(Kind.DOUBLE))
    first = [ended("W1:1", "a", "b")]
    now = advance(drawn, [*first, Ended("F1:1", ("a", "b"), (1, 1))])
    assert (now.match("F1:1").state, now.match("F2:1").state) == (State.LEVEL, State.WAITING)
    lost = [*first, ended("F1:1", "b", "a")]
    now = advance(drawn, [*lost, Ended("F2:1", ("a", "b"), (1, 1))])
    assert (now.match("F2:1").state, now.is_over) == (State.LEVEL, False)
    assert advance(drawn, [*lost, level("F2:1", (1, 1), (0, 2), (0, 1))]).is_over


def test_a_double_forfeit_leaves_the_seat_above_free() -> None:
    drawn = bracket(["a", "b", "c", "d"], BracketShape(Kind.DOUBLE))
    nobody = Ended("W1:1", ("a", "d"), (1, 2), absent=(True, True))
    now = advance(drawn, [nobody, ended("W1:2", "b", "c")])
    assert now.match("W2:1").state is State.WALKOVER
    assert now.match("W2:1").order == ("b", None)
    assert now.match("L1:1").order == ("c", None)
    assert [(item.entry, item.best, item.worst) for item in places(now)] == [("a", 3, 4), ("d", 3, 4)]


def test_results_must_name_matches_and_places() -> None:
    drawn = bracket(["a", "b"], BracketShape())
    for wrong, code in (
        ([ended("W9:1", "a", "b")], "bracket.match"),
        ([ended("W1:1", "a", "b"), ended("W1:1", "b", "a")], "bracket.twice"),
        ([Ended("W1:1", ("a", "b"), (1,))], "bracket.places"),
    ):
        with pytest.raises(FormatError) as raised:
            advance(drawn, wrong)
        assert raised.value.code == code
    with pytest.raises(FormatError):
        Bracket.from_json({"kind": "triple"})


@pytest.mark.thorough
@SLOW
@given(shapes(), st.randoms(use_true_random=False))
def test_late_entries_take_byes_and_move_nobody(shape: tuple[int, BracketShape], rng: Random) -> None:
    drawn = drawn_as(*shape)
    if drawn is None:
        return
    started = [match.id for match in drawn.ready if rng.random() < 0.4]
    now = drawn
    for number in range(50):
        try:
            later = join(now, f"late-{number}", started)
        except FormatError as error:
            only("bracket.no_bye", error)
            break
        assert all(later.match(name).entries == now.match(name).entries for name in started)
        now = later
    assert now.entries[: len(drawn.entries)] == drawn.entries
    whole, _ = play(now, rng, absences=False)
    assert whole.is_over
    assert sorted(item.entry for item in places(whole)) == sorted(now.entries)


def test_the_last_bye_goes_first_and_top_seeds_keep_theirs() -> None:
    drawn = bracket(list("abcdef"), BracketShape(Kind.DOUBLE))
    joined = join(drawn, "late")
    assert joined.match("W1:3").entries == ("b", "late")
    assert joined.match("W1:1").entries == ("a",)
    assert joined.figures.byes == 1
    with pytest.raises(FormatError) as raised:
        join(joined, "late")
    assert raised.value.code == "entries.twice"


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize(("count", "rematch"), [(2, "F1"), (4, "L2"), (8, "L3"), (16, "L3"), (32, "L5")])
def test_the_earliest_rematch_is_the_one_that_random_play_finds(count: int, rematch: str) -> None:
    drawn = bracket(names(count), BracketShape(Kind.DOUBLE))
    found = {_first_rematch(play(drawn, Random(seed), absences=False)[0]) for seed in range(12 if count > 8 else 60)}
    order = [*drawn.rounds, ""]
    assert min(map(order.index, found)) == order.index(rematch)
    assert bracket(names(count), BracketShape(Kind.DOUBLE)).figures.rematch == rematch
    assert bracket(names(count), BracketShape(Kind.SINGLE)).figures.rematch == ""


def _first_rematch(whole: Bracket) -> str:
    met: set[tuple[str, ...]] = set()
    for match in whole.matches:
        if match.state is State.FINISHED:
            pairs = {tuple(sorted(two)) for two in combinations(match.entries, 2)}
            if met & pairs:
                return match.round
            met |= pairs
    return ""


def test_sixteen_in_fours_of_which_two_go_on() -> None:
    drawn = bracket(names(16), BracketShape(Kind.SINGLE, Seats(3, 4, 4), 2))
    assert [len([m for m in drawn.matches if m.round == label]) for label in drawn.rounds] == [4, 2, 1]
    assert drawn.match("W1:1").entries == ("entry-01", "entry-08", "entry-09", "entry-16")
    mates = [{seat.source.match for seat in m.seats if isinstance(seat.source, Feed)} for m in drawn.matches[4:6]]
    assert mates == [{"W1:1", "W1:2", "W1:3", "W1:4"}] * 2
    assert drawn.figures.rematch == "W3"


def test_byes_come_in_the_first_round_if_later_ones_can_be_spared() -> None:
    drawn = bracket(names(13), BracketShape(Kind.SINGLE, Seats(3, 3, 3), 1))
    assert drawn.figures.byes == 7
    assert [len([m for m in drawn.matches if m.round == label]) for label in drawn.rounds] == [2, 3, 1]
    assert {len(match.seats) for match in drawn.matches} == {3}
