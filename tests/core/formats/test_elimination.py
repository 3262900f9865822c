"""Properties of brackets (tournaments.md section 14: 3, 5, 7, 10)."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.formats.elimination import (
    Bracket,
    BracketMatch,
    BracketShape,
    DrawBy,
    Ended,
    Feed,
    Kind,
    State,
    advance,
    bracket,
    ordered,
    places,
)
from core.formats.errors import FormatError
from core.formats.model import Constraint, ConstraintKind, Entrant, Seats
from tests.core.formats.builders import entrants
from tests.core.formats.knockouts import PAIR, SLOW, decided, drawn_as, names, play, result, shapes


@pytest.mark.thorough
@SLOW
@given(shapes(), st.randoms(use_true_random=False))
def test_a_bracket_ends_with_everybody_placed_once(shape: tuple[int, BracketShape], rng: Random) -> None:
    drawn = drawn_as(*shape)
    if drawn is None:
        return
    whole, _ = play(drawn, rng, absences=False)
    assert whole.is_over
    placed = places(whole)
    assert sorted(item.entry for item in placed) == sorted(drawn.entries)
    ranges = Counter((item.best, item.worst) for item in placed)
    assert sum(ranges.values()) == len(drawn.entries)
    assert all(worst - best + 1 == count for (best, worst), count in ranges.items())
    assert placed[0].best == placed[0].worst == 1
    played = sum(match.state is State.FINISHED for match in whole.matches)
    assert drawn.figures.least <= played <= drawn.figures.most


@pytest.mark.thorough
@SLOW
@given(shapes(), st.randoms(use_true_random=False))
def test_entries_are_out_after_one_loss_or_two(shape: tuple[int, BracketShape], rng: Random) -> None:
    """Lost: not among those who go on. The champion of a double elimination has lost once at most."""
    drawn = drawn_as(*shape)
    if drawn is None or shape[1].third_place:
        return
    whole, _ = play(drawn, rng, absences=False)
    lost: Counter[str] = Counter()
    for match in whole.matches:
        if match.state is State.FINISHED:
            lost.update(entry for entry in match.order[match.advance :] if entry)
    champion = places(whole)[0].entry
    most = 1 if shape[1].kind is Kind.SINGLE else 2
    assert lost[champion] <= most - 1
    if shape[1].kind is Kind.SINGLE or shape[1].seats.max == 2:
        assert {lost[entry] for entry in drawn.entries} - {lost[champion]} == {most}
    else:
        assert all(1 <= lost[entry] <= 3 for entry in drawn.entries if entry != champion)


@pytest.mark.thorough
@given(st.integers(2, 50), st.booleans(), st.randoms(use_true_random=False))
@SLOW
def test_two_seats_play_as_many_matches_as_they_must(count: int, third: bool, rng: Random) -> None:
    single = bracket(names(count), BracketShape(Kind.SINGLE, PAIR, third_place=third))
    whole, _ = play(single, rng, absences=False)
    finished = sum(match.state is State.FINISHED for match in whole.matches)
    assert finished == single.figures.least == count - 1 + (third and count > 3)
    double = bracket(names(count), BracketShape(Kind.DOUBLE, PAIR))
    assert (double.figures.least, double.figures.most) == (2 * count - 2, 2 * count - 1)


@pytest.mark.thorough
@SLOW
@given(shapes(), st.randoms(use_true_random=False), st.data())
def test_taking_results_back_is_as_if_they_never_were(
    shape: tuple[int, BracketShape], rng: Random, data: st.DataObject
) -> None:
    """advance depends on the results that hold, not on the order they came in nor on what was known before."""
    drawn = drawn_as(*shape)
    if drawn is None:
        return
    whole, ended = play(drawn, rng)
    kept = data.draw(st.integers(0, len(ended)))
    assert advance(whole, ended[:kept]) == advance(drawn, ended[:kept])
    assert advance(drawn, ended[::-1]) == whole
    assert advance(advance(whole), ended) == whole
    assert advance(whole) == drawn


@pytest.mark.thorough
@SLOW
@given(shapes(), st.randoms(use_true_random=False))
def test_absence_and_withdrawal_never_block_a_bracket(shape: tuple[int, BracketShape], rng: Random) -> None:
    drawn = drawn_as(*shape)
    if drawn is None:
        return
    now, ended, gone = drawn, list[Ended](), list[str]()
    while now.ready or now.level:
        waiting = {match.id for match in now.level}
        ended = [decided(one, rng) if one.match in waiting else one for one in ended]
        ended += [result(rng.choice(now.ready), rng)] if now.ready else []
        if rng.random() < 0.2:
            gone.append(rng.choice(drawn.entries))
        now = advance(drawn, ended, gone)
        assert not now.stale
    assert now.is_over
    placed = places(now)
    assert sorted(item.entry for item in placed) == sorted(drawn.entries)


@SLOW
@given(shapes())
def test_the_graph_is_sound(shape: tuple[int, BracketShape]) -> None:
    """Feeds come before the seats they fill, name a place that exists, and feed one seat (two in the finals)."""
    drawn = drawn_as(*shape)
    if drawn is None:
        return
    seen: dict[str, BracketMatch] = {}
    used: Counter[Feed] = Counter()
    entered: Counter[str] = Counter()
    for match in drawn.matches:
        assert 2 <= len(match.seats) <= shape[1].seats.max
        assert match.why is not None
        assert str(match.why)
        for seat in match.seats:
            if isinstance(seat.source, Feed):
                assert 1 <= seat.source.place <= len(seen[seat.source.match].seats)
                used.update([seat.source] if not match.after else [])
            elif seat.source is not None:
                entered[seat.source] += 1
        seen[match.id] = match
    assert len(seen) == len(drawn.matches)
    assert set(used.values()) <= {1}
    assert entered == Counter(drawn.entries)
    assert Bracket.from_json(drawn.to_json()) == Bracket.from_json(Bracket.from_json(drawn.to_json()).to_json())
    assert advance(Bracket.from_json(drawn.to_json())) == drawn


@SLOW
@given(shapes())
def test_only_playable_tables_are_drawn(shape: tuple[int, BracketShape]) -> None:
    """If nobody is missing, every match has as many people as its game needs (a second final: two at least)."""
    drawn = drawn_as(*shape)
    if drawn is None:
        return
    rng = Random(1)
    whole, _ = play(drawn, rng, absences=False)
    for match in whole.matches:
        if match.state is State.FINISHED and match.round not in ("F1", "F2"):
            assert shape[1].seats.min <= len(match.entries) <= shape[1].seats.max


@pytest.mark.thorough
@SLOW
@given(st.integers(4, 64), st.booleans(), st.integers(0, 2**32), st.integers(2, 8))
def test_club_mates_are_parted_within_their_bands(count: int, double: bool, seed: int, clubs: int) -> None:
    rng = Random(seed)
    club = {name: rng.randrange(clubs) for name in names(count)}
    wishes = [
        Constraint(ConstraintKind.SEPARATE, tuple(name for name in names(count) if club[name] == number))
        for number in range(clubs)
    ]
    shape = BracketShape(Kind.DOUBLE if double else Kind.SINGLE, PAIR)
    plain, parted = bracket(names(count), shape), bracket(names(count), shape, constraints=wishes)
    before = _first_round_clashes(plain, club)
    assert _first_round_clashes(parted, club) <= before
    assert parted.figures.clashes <= sum(club[a] == club[b] for a, b in combinations(names(count), 2))
    for number, (one, other) in enumerate(zip(plain.entries, parted.entries, strict=True)):
        here = plain.entries.index(other)
        assert number.bit_length() == here.bit_length(), (one, other)
    moved = plain.entries != parted.entries
    assert moved == any(reason.code == "bracket.swapped" for reason in parted.reasons)


def _first_round_clashes(drawn: Bracket, club: dict[str, int]) -> int:
    opening = [match for match in drawn.matches if match.round == "W1"]
    return sum(club[a] == club[b] for match in opening for a, b in combinations(match.entries, 2))


def test_mates_drawn_together_change_places_with_reasons() -> None:
    mates = [Constraint(ConstraintKind.SEPARATE, ("entry-01", "entry-08"))]
    drawn = bracket(names(8), BracketShape(), constraints=mates)
    assert drawn.match("W1:1").entries == ("entry-01", "entry-07")
    assert drawn.figures.clashes == 0
    assert [str(reason) for reason in drawn.reasons] == [
        "Seeds 7 and 8 changed places, so that entries to be kept apart do not meet early."
    ]
    assert advance(drawn, ()) == drawn


@SLOW
@given(shapes(), st.randoms(use_true_random=False), st.integers(0, 2**32))
def test_a_draw_is_blind_to_the_order_of_entries(shape: tuple[int, BracketShape], shuffler: Random, seed: int) -> None:
    field = entrants(shape[0])
    mixed = field[:]
    shuffler.shuffle(mixed)
    ratings = {item.entry: float(item.seed % 5) for item in field}
    for by in (DrawBy.SEED, DrawBy.LOTS, DrawBy.RATING):
        one = ordered(field, by, rng=Random(seed), ratings=ratings)
        assert ordered(mixed, by, rng=Random(seed), ratings=ratings) == one
        assert sorted(one) == sorted(item.entry for item in field)
    assert ordered(mixed, DrawBy.HAND, hand=names(shape[0])[::-1]) == tuple(names(shape[0])[::-1])


def test_drawing_asks_for_what_it_needs() -> None:
    field = entrants(4)
    for by, code in ((DrawBy.LOTS, "draw.lots"), (DrawBy.RATING, "draw.rating"), (DrawBy.HAND, "draw.hand")):
        with pytest.raises(FormatError) as raised:
            ordered(field, by)
        assert raised.value.code == code
    assert ordered([Entrant("b", 2), Entrant("a", 1, is_active=False)]) == ("b",)


@pytest.mark.parametrize(
    ("count", "shape", "code"),
    [
        (1, BracketShape(), "entries.too_few"),
        (3, BracketShape(seats=Seats(4, 4, 4)), "entries.too_few"),
        (8, BracketShape(seats=Seats(3, 4, 4), advance=4), "bracket.advance"),
        (8, BracketShape(seats=Seats(3, 4, 4), third_place=True), "bracket.third"),
        (8, BracketShape(Kind.DOUBLE, third_place=True), "bracket.third"),
        (8, BracketShape(seats=Seats(1, 2, 2)), "seats.range"),
    ],
)
def test_shapes_that_cannot_be_drawn(count: int, shape: BracketShape, code: str) -> None:
    with pytest.raises(FormatError) as raised:
        bracket(names(count), shape)
    assert raised.value.code == code
