"""The preview of a correction names what the correction changes, and nothing else (tournaments.md section 14: 17)."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.formats.elimination import BracketShape, Effect, Kind, advance, bracket, preview
from core.formats.errors import FormatError
from tests.core.formats.knockouts import SLOW, drawn_as, ended, play, result, shapes


@pytest.mark.thorough
@SLOW
@given(shapes(), st.randoms(use_true_random=False), st.data())
def test_preview_is_what_changes(shape: tuple[int, BracketShape], rng: Random, data: st.DataObject) -> None:
    drawn = drawn_as(*shape)
    if drawn is None:
        return
    whole, results = play(drawn, rng)
    number = data.draw(st.integers(0, len(results) - 1))
    changed = result(whole.match(results[number].match), rng)
    corrected = advance(drawn, [*results[:number], changed, *results[number + 1 :]])
    told = preview(whole, corrected)
    same = {item.match for item in told}
    for one, other in zip(whole.matches, corrected.matches, strict=True):
        if one.id not in same:
            assert (one.seats, one.state, one.order) == (other.seats, other.state, other.order)
    assert {item.match for item in told if item.effect is Effect.STALE} == set(corrected.stale)
    assert preview(whole, whole) == ()
    assert {item.match for item in preview(corrected, advance(drawn, results))} == same


def test_each_effect() -> None:
    draw = bracket(list("abcdefgh"), BracketShape(Kind.DOUBLE))
    first = [ended("W1:1", "a", "h"), ended("W1:2", "d", "e"), ended("W1:3", "b", "g"), ended("W1:4", "c", "f")]
    now = advance(draw, [*first, ended("W2:1", "a", "d")])
    then = advance(draw, [ended("W1:1", "h", "a"), *first[1:], ended("W2:1", "a", "d")])
    effects = {item.match: item.effect for item in preview(now, then, started=["L1:1"])}
    assert effects == {
        "W1:1": Effect.CORRECTED,
        "L1:1": Effect.STARTED,
        "W2:1": Effect.STALE,
        "L2:2": Effect.RESEATED,
        "W3:1": Effect.RESEATED,
    }
    assert preview(draw, advance(draw, first[:1]))[0].effect is Effect.CHANGED
    with pytest.raises(FormatError):
        preview(draw, bracket(list("ab"), BracketShape()))
