"""Brackets for tests: shapes, random results, play to the end."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random

from hypothesis import settings
from hypothesis import strategies as st

from core.formats.elimination import Bracket, BracketMatch, BracketShape, Ended, Kind, advance, bracket
from core.formats.errors import FormatError
from core.formats.model import Seats
from tests.core.formats.builders import entrants

SLOW = settings(max_examples=20, deadline=None)
PAIR = Seats(2, 2, 2)


@st.composite
def shapes(draw: st.DrawFn) -> tuple[int, BracketShape]:
    """(number of entries, shape)."""
    kind = draw(st.sampled_from(list(Kind)))
    low, pref, high = sorted(draw(st.lists(st.integers(2, 7), min_size=3, max_size=3)))
    if draw(st.booleans()):
        low = pref = high = 2
    advance_by = draw(st.integers(1, pref - 1))
    third = high == 2 and kind is Kind.SINGLE and draw(st.booleans())
    return draw(st.integers(low, 30)), BracketShape(kind, Seats(low, pref, high), advance_by, third_place=third)


def names(count: int) -> list[str]:
    return [item.entry for item in entrants(count)]


def drawn_as(count: int, shape: BracketShape) -> Bracket | None:
    """The bracket, or None if that many do not fit tables of these sizes."""
    try:
        return bracket(names(count), shape, lots="aa")
    except FormatError as error:
        only("entries.too_few", error)
        return None


def only(code: str, error: FormatError) -> None:
    """Any other error is a failure."""
    if error.code != code:
        raise error


def result(match: BracketMatch, rng: Random) -> Ended:
    """A random result; now and then with equal places, or somebody who did not turn up."""
    here = list(match.entries)
    rng.shuffle(here)
    found = [1 if rng.random() < 0.1 else number for number in range(1, len(here) + 1)]
    absent = tuple(rng.random() < 0.05 for _ in here)
    return Ended(match.id, tuple(here), tuple(found), tuple(Fraction(rng.randint(0, 2)) for _ in here), absent)


def decided(one: Ended, rng: Random) -> Ended:
    """The same with an extra deal that leaves nobody level."""
    extra = rng.sample(range(1, len(one.entries) + 1), len(one.entries))
    return replace(one, ties=tuple((Fraction(0), Fraction(place)) for place in extra))


def play(drawn: Bracket, rng: Random, *, absences: bool = True) -> tuple[Bracket, list[Ended]]:
    """To the end, in a random order; who is level plays an extra deal; (bracket, results)."""
    now, ended = drawn, list[Ended]()
    while now.ready or now.level:
        waiting = {match.id for match in now.level}
        ended = [decided(one, rng) if one.match in waiting else one for one in ended]
        for match in rng.sample(now.ready, rng.randint(min(1, len(now.ready)), len(now.ready))):
            one = result(match, rng)
            ended.append(one if absences else Ended(one.match, one.entries, one.places, one.scores))
        now = advance(now, ended)
    return now, ended


def ended(match: str, *order: str) -> Ended:
    return Ended(match, order, tuple(range(1, len(order) + 1)))
