"""Ratings are a function of the results alone (tournaments.md section 14, item 14)."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.ratings.errors import RatingError
from core.ratings.fold import Fold, fold
from core.ratings.model import Checkpoint, Content, Event, Params, Rating, Slot, aged

QUICK = settings(max_examples=60, deadline=None)
FIELD = [f"bot-{number}" for number in range(8)]


@st.composite
def histories(draw: st.DrawFn) -> dict[int, Content]:
    """Events with gaps between their numbers, some skipped; sides of one to three entries, ties."""
    numbers = sorted(draw(st.sets(st.integers(0, 200), min_size=1, max_size=30)))
    out: dict[int, Content] = {}
    for number in numbers:
        if draw(st.integers(0, 9)) == 0:
            out[number] = Slot.SKIPPED
            continue
        order = draw(st.permutations(FIELD))
        size, sides = draw(st.sampled_from([(1, 2), (1, 4), (1, 7), (2, 2), (3, 2)]))
        teams = tuple(tuple(order[start : start + size]) for start in range(0, size * sides, size))
        out[number] = Event(number, teams, tuple(draw(st.integers(1, sides)) for _ in teams))
    return out


@pytest.mark.thorough
@QUICK
@given(histories(), st.randoms(use_true_random=False), st.integers(1, 7))
def test_equal_for_any_finish_order(history: dict[int, Content], rng: Random, every: int) -> None:
    """All created open, then finished in any order, some reported wrongly first and corrected."""
    whole = fold(history)
    live = Fold(every=every)
    live.put(dict.fromkeys(history, Slot.OPEN))
    for number in rng.sample(sorted(history), len(history)):
        content = history[number]
        if isinstance(content, Event) and rng.random() < 0.3:
            live.put({number: Event(number, content.sides, content.ranks[::-1])})
        live.put({number: content})
    assert live.ratings == whole.ratings
    assert live.provisional() == whole.ratings
    assert live.upto == max(history)


@QUICK
@given(histories(), st.integers(1, 5), st.data())
def test_equal_from_any_checkpoint(history: dict[int, Content], every: int, data: st.DataObject) -> None:
    whole = Fold(every=every)
    changes = whole.put(history)
    chosen = data.draw(st.sampled_from(whole.checkpoints))
    again = Fold(every=every, start=Checkpoint.from_json(chosen.to_json()))
    rest = again.put({number: content for number, content in history.items() if number > chosen.upto})
    assert again.ratings == whole.ratings
    assert rest == [change for change in changes if change.seq > chosen.seq]


@pytest.mark.thorough
@QUICK
@given(histories(), st.integers(1, 5), st.data())
def test_a_correction_and_its_reverse_leave_no_trace(
    history: dict[int, Content], every: int, data: st.DataObject
) -> None:
    live = Fold(every=every)
    live.put(history)
    before, marks = dict(live.ratings), live.checkpoints
    number = data.draw(st.sampled_from(sorted(history)))
    live.put({number: Slot.OPEN})
    assert live.ratings == fold({n: c for n, c in history.items() if n < number}).ratings
    without = {n: c for n, c in history.items() if n != number}
    assert live.provisional() == fold(without).ratings
    changes = live.put({number: history[number]})
    assert live.ratings == before
    assert live.checkpoints == marks
    for change in changes:
        assert change.before != change.after


@pytest.mark.thorough
@QUICK
@given(histories())
def test_changes_tell_the_whole_story(history: dict[int, Content]) -> None:
    live, story = Fold(), dict[str, Rating]()
    for change in live.put(history):
        assert story.get(change.entry, Params().start) == change.before
        story[change.entry] = change.after
    assert story == live.ratings
    assert live.put(history) == []


def test_events_beyond_an_open_one_are_provisional() -> None:
    live = Fold()
    live.put({1: Slot.OPEN, 2: Event(2, (("a",), ("b",)), (1, 2))})
    assert live.ratings == {}
    assert live.provisional()["a"].mu > live.provisional()["b"].mu
    live.put({1: Slot.SKIPPED})
    assert live.ratings == live.provisional()


def test_a_fold_does_not_look_before_its_start() -> None:
    live = Fold(start=Checkpoint(5, 3, {"a": Rating(30, 2)}))
    with pytest.raises(RatingError) as raised:
        live.put({5: Slot.OPEN})
    assert raised.value.code == "rating.past"


@pytest.mark.parametrize(("sides", "ranks"), [((("a",),), (1,)), ((("a",), ("b",)), (1,)), ((("a",), ("a",)), (1, 2))])
def test_events_that_make_no_sense(sides: tuple[tuple[str, ...], ...], ranks: tuple[int, ...]) -> None:
    with pytest.raises(RatingError) as raised:
        Event(1, sides, ranks)
    assert raised.value.code == "rating.event"


def test_values_shown() -> None:
    rating = Rating(25.0, 2.0)
    assert rating.shown == 19.0
    assert rating.interval == pytest.approx((21.08007, 28.91993), abs=1e-5)
    assert aged(rating, 100, a_day=0.1).sigma == pytest.approx(5**0.5)
    assert aged(rating, 10**6, a_day=0.1).sigma == Params().sigma
