"""What sides at a table send: a slip of the thumb put right, figures of one who objects, agreement after all."""

from __future__ import annotations

import pytest

from tests.builders.clubs import a_called_night, tables_of, totals
from tests.tournaments.progress.test_people import M, S, refused, stage_of, states
from tournaments.scores.actions import Actor, accept_result, dispute_result, submit_result
from tournaments.scores.sides import MAX_REPORTS
from tournaments.standings import store

pytestmark = [pytest.mark.django_db, pytest.mark.thorough]


def test_a_side_puts_its_own_report_right_until_it_is_confirmed() -> None:
    match = tables_of(a_called_night())[0]
    submit_result(match=match, actor=Actor(side=0), claim=totals(130, 110), key="k1")
    mended = submit_result(match=match, actor=Actor(side=0), claim=totals(140, 100), key="k2")
    assert (mended.version, states(match)) == (2, [S.SUPERSEDED, S.SUBMITTED])
    # What was sent late, and is replaced already, comes to nothing.
    with refused("report.key_reused"):
        submit_result(match=match, actor=Actor(side=0), claim=totals(130, 110), key="k1")
    with refused("report.moved"):
        accept_result(match=match, actor=Actor(side=1), version=1)
    assert accept_result(match=match, actor=Actor(side=1), version=2).body["score"] == [140, 100]
    with refused("report.already_confirmed"):
        submit_result(match=match, actor=Actor(side=0), claim=totals(130, 110))


def test_an_objector_gives_figures_and_two_sides_may_agree_after_all() -> None:
    event = a_called_night()
    first, second = tables_of(event)[:2]
    submit_result(match=first, actor=Actor(side=0), claim=totals(130, 110))
    dispute_result(match=first, actor=Actor(side=1))
    submit_result(match=first, actor=Actor(side=1), claim=totals(110, 130))
    first.refresh_from_db()
    assert (first.state, states(first)) == (M.DISPUTED, [S.DISPUTED, S.DISPUTED])
    assert submit_result(match=first, actor=Actor(side=0), claim=totals(110, 130)).state == S.CONFIRMED
    assert states(first) == [S.SUPERSEDED, S.CONFIRMED]
    first.refresh_from_db()
    assert (first.state, [seat.points for seat in first.seats.order_by("index")]) == (M.CONFIRMED, [110, 130])
    assert store.differences(stage_of(event)) == []
    for number in range(MAX_REPORTS):
        submit_result(match=second, actor=Actor(side=0), claim=totals(130 + 5 * (number % 2), 110 - 5 * (number % 2)))
    with refused("report.too_many"):
        submit_result(match=second, actor=Actor(side=0), claim=totals(110, 130))


def test_three_sides_in_dispute_wait_for_the_organiser() -> None:
    (match,) = tables_of(a_called_night(people=3, seats=3, kind="tables", rounds=1))
    submit_result(match=match, actor=Actor(side=0), claim=totals(100, 80, 60))
    dispute_result(match=match, actor=Actor(side=1))
    submit_result(match=match, actor=Actor(side=2), claim=totals(100, 80, 60))
    match.refresh_from_db()
    assert match.state == M.DISPUTED
