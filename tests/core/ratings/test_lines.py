"""Lines of versions: who begins where, and that a fold does not depend on how its results were handed over."""

from __future__ import annotations

from types import MappingProxyType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.ratings.fold import Fold, fold
from core.ratings.lines import born_of, heir, name_of, read_name
from core.ratings.model import Change, Checkpoint, Content, Event, Params, Rating, Slot

PARAMS = Params()
QUICK = settings(max_examples=60, deadline=None)


@st.composite
def histories(draw: st.DrawFn) -> dict[int, Content]:
    """Deal sets of four lines whose versions only go up; some were never finished."""
    versions = [1, 1, 1, 1]
    out: dict[int, Content] = {}
    for number in range(1, draw(st.integers(1, 25)) + 1):
        line = draw(st.integers(0, 3))
        versions[line] += draw(st.integers(0, 1))
        if draw(st.integers(0, 9)) == 0:
            out[number] = Slot.SKIPPED
            continue
        seats = draw(st.permutations(range(4)))[: draw(st.integers(2, 4))]
        sides = tuple((name_of(each, versions[each]),) for each in seats)
        out[number] = Event(number, sides, tuple(draw(st.integers(1, len(sides))) for _ in sides))
    return out


@pytest.mark.thorough
@QUICK
@given(histories(), st.data())
def test_equal_in_whatever_batches_and_whoever_takes_it_up(history: dict[int, Content], data: st.DataObject) -> None:
    """Each batch by another process, that knows nothing but what the one before has stored."""
    whole = Fold(PARAMS, born=born_of(PARAMS))
    changes = whole.put(history)
    numbers = sorted(history)
    cuts = sorted(data.draw(st.sets(st.sampled_from(numbers))) | {numbers[-1]})
    kept, seen, first = Checkpoint(0, 0, MappingProxyType({})), list[Change](), 0
    for cut in cuts:
        here = Fold(PARAMS, start=kept, born=born_of(PARAMS))
        seen += here.put({number: history[number] for number in numbers if first < number <= cut})
        kept = Checkpoint(here.upto, seen[-1].seq if seen else 0, dict(here.ratings))
        first = cut
    assert kept.ratings == whole.ratings
    assert seen == changes


def test_a_version_begins_where_the_latest_earlier_one_stands() -> None:
    one = Event(1, ((name_of(7, 1),), (name_of(8, 1),)), (1, 2))
    after = fold([one]).ratings[name_of(7, 1)]
    two = Event(2, ((name_of(7, 3),), (name_of(8, 1),)), (1, 2))
    whole = Fold(PARAMS, born=born_of(PARAMS))
    changes = whole.put({1: one, 2: two})
    begun = next(change.before for change in changes if change.entry == name_of(7, 3))
    assert begun == heir(after, PARAMS)
    assert begun.mu == after.mu
    assert after.sigma < begun.sigma <= PARAMS.sigma
    assert whole.ratings[name_of(7, 1)] == after


def test_names_sort_as_their_numbers_do() -> None:
    pairs = [(2, 10), (10, 2), (2, 9), (1, 999_999)]
    assert sorted(pairs) == [read_name(name) for name in sorted(name_of(*pair) for pair in pairs)]


def test_nobody_is_less_sure_than_at_the_start() -> None:
    assert heir(Rating(30.0, PARAMS.sigma), PARAMS).sigma == PARAMS.sigma
