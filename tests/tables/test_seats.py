"""Sitting down, nonces, clocks, leaving, claiming, and what the sweep does about all of it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
import time_machine
from django.utils import timezone

from accounts.models import User
from engine.record_fair import nonce_hash
from tables.actions.answering import answer
from tables.actions.dealing import announce_nonce, show_nonce
from tables.actions.leavers import leaves_of
from tables.actions.leaving import claim, leave
from tables.actions.opening import MAX_TABLES, TablePlan, open_table, sit_down
from tables.actions.rematches import rematch
from tables.actions.sitters import Sitter
from tables.errors import TableError
from tables.house import LEVELS
from tables.jobs.levels import version_of_level
from tables.jobs.sweep import sweep
from tables.models import Answer, LiveSeat, LiveTable
from tables.play.clocks import CLOCKS
from tables.play.shuffle import of_browser, of_phrase, of_service
from tables.view.state import view_of
from tests.services.databases import on_both
from tests.tables.players import a_table, again, at_random, folded, guest, nonce_of, play_on

pytestmark = [pytest.mark.django_db, on_both]
PLAN = TablePlan(preset="koikoi_nintendo", seats=2)


def code_of(act: Callable[[], object]) -> str:
    with pytest.raises(TableError) as refused:
        act()
    return refused.value.code


def announced(seat: int) -> Any:
    return of_browser(nonce_hash(nonce_of(seat)))


def later(seconds: float) -> Any:
    return time_machine.travel(timezone.now() + timedelta(seconds=seconds), tick=False)


def test_nobody_is_dealt_before_every_nonce_is_shown() -> None:
    one, two = guest(), guest()
    table = open_table(one, PLAN, announced(0))
    assert again(table).state == "open"
    sit_down(table, two, announced(1))
    assert again(table).state == "dealing"
    show_nonce(table, one, nonce_of(0))
    assert again(table).dealt_at is None
    show_nonce(table, one, nonce_of(0))
    assert code_of(lambda: show_nonce(table, one, nonce_of(7))) == "table.bad_nonce"
    assert code_of(lambda: show_nonce(table, two, nonce_of(7))) == "table.bad_nonce"
    show_nonce(table, two, nonce_of(1))
    assert again(table).state == "playing"


def test_a_seat_that_does_not_show_its_nonce_is_put_aside() -> None:
    one, two = guest(), guest()
    table = open_table(one, PLAN, announced(0))
    sit_down(table, two, announced(1))
    show_nonce(table, one, nonce_of(0))
    with later(9):
        sweep()
    assert again(table).state == "dealing"
    with later(11):
        sweep()
    table = again(table)
    assert (table.state, [seat.index for seat in table.seats.all()]) == ("open", [0])
    sit_down(table, guest(), of_phrase("moon"))
    assert again(table).state == "playing"


def reopened() -> tuple[LiveTable, Sitter]:
    """A table whose first seat has shown its nonce, and whose second has gone."""
    one, two = guest(), guest()
    table = open_table(one, PLAN, announced(0))
    sit_down(table, two, announced(1))
    show_nonce(table, one, nonce_of(0))
    leave(table, two)
    return again(table), one


def test_a_shown_nonce_shuffles_nothing_once_others_are_awaited() -> None:
    table, one = reopened()
    seat = table.seats.get()
    assert (table.state, seat.drawn_by) == ("open", "service")
    assert nonce_of(0) != seat.nonce != ""
    assert view_of(table, [seat], 0, None)["hash_wanted"]
    announce_nonce(table, one, announced(7))
    seat = table.seats.get()
    assert (seat.drawn_by, seat.nonce, seat.nonce_hash) == ("browser", "", announced(7).hash)
    assert not view_of(again(table), [seat], 0, None)["hash_wanted"]
    sit_down(table, guest(), announced(1))
    assert view_of(again(table), list(table.seats.all()), 0, None)["hashes"] == [announced(7).hash, announced(1).hash]
    assert code_of(lambda: announce_nonce(table, one, announced(8))) == "table.wrong_state"
    assert code_of(lambda: show_nonce(table, one, nonce_of(0))) == "table.bad_nonce"
    assert code_of(lambda: announce_nonce(table, guest(), announced(8))) == "table.not_seated"


def test_an_announced_nonce_stays_while_others_are_awaited() -> None:
    one, two = guest(), guest()
    table = open_table(one, PLAN, announced(0))
    sit_down(table, two, announced(1))
    leave(table, two)
    assert (table.seats.get().drawn_by, table.seats.get().nonce_hash) == ("browser", announced(0).hash)


def test_nothing_of_the_seed_is_chosen_after_the_nonces_are_shown() -> None:
    table, _people = a_table()
    assert table.deal_set == table.uuid


def test_the_service_draws_for_those_who_have_no_script() -> None:
    table = open_table(guest(), PLAN, of_phrase(""))
    sit_down(table, guest(), of_phrase("snow"))
    assert [seat.drawn_by for seat in table.seats.all()] == ["service", "phrase"]
    assert again(table).state == "playing"


def test_sitting_down_twice_is_one_seat() -> None:
    one = guest()
    table = open_table(one, PLAN, of_service())
    sit_down(table, one, of_service())
    assert LiveSeat.objects.filter(table=table).count() == 1
    assert code_of(lambda: sit_down(open_full(), guest(), of_service())) == "table.wrong_state"


def open_full() -> LiveTable:
    table, _people = a_table()
    return table


def test_nobody_sits_at_very_many_tables() -> None:
    one = guest()
    for _each in range(MAX_TABLES):
        open_table(one, PLAN, of_service())
    assert code_of(lambda: open_table(one, PLAN, of_service())) == "table.too_many"


def test_rated_tables_are_for_accounts_and_clocks() -> None:
    person = Sitter("Plum", user=User.objects.create(username="plum"))
    rated = TablePlan(preset="koikoi_nintendo", seats=2, rated=True, clock=CLOCKS["live"])
    assert code_of(lambda: open_table(guest(), rated, of_service())) == "table.guest_rated"
    table = open_table(person, rated, of_service())
    assert code_of(lambda: sit_down(table, guest(), of_service())) == "table.guest_rated"
    casual = TablePlan(preset="koikoi_nintendo", seats=2, rated=True)
    assert code_of(lambda: open_table(person, casual, of_service())) == "table.bots_rated"


def test_who_leaves_three_times_a_day_waits_for_rated_tables() -> None:
    plum, crane = (Sitter(name, user=User.objects.create(username=name)) for name in ("plum", "crane"))
    plan = TablePlan(preset="koikoi_nintendo", seats=2, rated=True, clock=CLOCKS["live"])
    for _each in range(3):
        table = open_table(plum, plan, of_service())
        sit_down(table, crane, of_service())
        leave(table, plum)
    assert code_of(lambda: open_table(plum, plan, of_service())) == "table.left_often"
    assert plum.user is not None
    assert crane.user is not None
    assert leaves_of([plum.user.pk, crane.user.pk]) == {plum.user.pk: (3, 3), crane.user.pk: (0, 3)}
    open_table(crane, plan, of_service())
    with later(3700):
        open_table(plum, plan, of_service())


@pytest.mark.parametrize(
    ("plan", "code"),
    [
        (TablePlan(preset="chess", seats=2), "table.bad_rules"),
        (TablePlan(preset="hawaii", seats=2, options={"rounds": -1}), "table.bad_rules"),
        (TablePlan(preset="koikoi_nintendo", seats=5), "table.bad_seats"),
        (TablePlan(preset="koikoi_nintendo", seats=2, clock=CLOCKS["remote"]), "table.bad_clock"),
    ],
)
def test_a_table_that_cannot_be_is_refused(plan: TablePlan, code: str) -> None:
    assert code_of(lambda: open_table(guest(), plan, of_service())) == code


def test_the_clock_takes_what_a_decision_took_and_forgives_the_network() -> None:
    table, people = a_table(clock=CLOCKS["live"])
    question = folded(table).question
    assert question is not None
    with time_machine.travel(question.at + timedelta(seconds=20), tick=False):
        answer(table, people[question.seat], question.n, 0, lag_ms=5_000)
    assert Answer.objects.get(table=table, n=0).took_ms == 19_000
    assert folded(again(table)).left_ms[question.seat] == 180_000 - 19_000 + 10_000


def test_a_seat_without_time_left_has_left_the_match(django_capture_on_commit_callbacks: Any) -> None:
    table, _people = a_table(clock=CLOCKS["live"])
    question = folded(table).question
    assert question is not None
    with time_machine.travel(question.at + timedelta(seconds=180.5), tick=False):
        sweep()
        assert again(table).state == "playing"
    with (
        time_machine.travel(question.at + timedelta(seconds=182), tick=False),
        django_capture_on_commit_callbacks(execute=True),
    ):
        sweep()
    table = again(table)
    assert (table.state, table.answers.get().code) == ("finished", "timeout.clock")
    assert table.match is not None
    assert table.match.seats.get(index=question.seat).place == 2


def test_an_answer_that_comes_too_late_is_a_forfeit() -> None:
    table, people = a_table(clock=CLOCKS["live"])
    question = folded(table).question
    assert question is not None
    with time_machine.travel(question.at + timedelta(seconds=190), tick=False):
        assert code_of(lambda: answer(table, people[question.seat], question.n, 0)) == "table.time_over"
    assert again(table).answers.get().code == "timeout.clock"


def test_days_are_for_each_decision() -> None:
    table, people = a_table(clock=CLOCKS["days"])
    for day in (2, 4, 6):
        question = folded(again(table)).question
        assert question is not None
        with time_machine.travel(question.at + timedelta(days=2), tick=False):
            answer(table, people[question.seat], question.n, 0)
        assert again(table).answered == day // 2


def test_a_table_without_a_clock_is_called_off_after_two_days() -> None:
    table, _people = a_table()
    with later(47 * 3600):
        sweep()
    assert again(table).state == "playing"
    with later(49 * 3600):
        sweep()
    table = again(table)
    assert (table.state, table.reason, table.match) == ("aborted", "abandoned", None)


def test_nobody_waits_at_an_open_table_for_ever() -> None:
    table = open_table(guest(), PLAN, of_service())
    with later(49 * 3600):
        sweep()
    assert again(table).reason == "nobody_came"


@pytest.mark.thorough
def test_the_others_play_on_when_one_of_three_leaves(django_capture_on_commit_callbacks: Any) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        table, people = a_table("hawaii", [guest(), guest(), guest()], options={"rounds": 3})
        play_on(table, people, at_random(1), moves=7)
        leave(table, people[1])
        assert code_of(lambda: leave(table, people[1])) == "table.wrong_state"
        play_on(table, people, at_random(2))
    table = again(table)
    assert table.state == "finished"
    assert table.match is not None
    assert [seat.outcome for seat in table.match.seats.order_by("index")] == ["played", "forfeit", "played"]


def test_an_opponent_is_claimed_gone_after_a_minute_and_not_before() -> None:
    begun = timezone.now()
    with time_machine.travel(begun, tick=False):
        table, people = a_table(clock=CLOCKS["live"])
    question = folded(table).question
    assert question is not None
    asked, other = people[question.seat], people[1 - question.seat]
    with time_machine.travel(begun + timedelta(seconds=59), tick=False):
        assert code_of(lambda: claim(table, other)) == "table.cannot_claim"
    with time_machine.travel(begun + timedelta(seconds=61), tick=False):
        assert code_of(lambda: claim(table, asked)) == "table.cannot_claim"
        claim(table, other)
    assert again(table).state == "finished"
    assert again(table).answers.get().code == "gone"


def test_without_a_clock_nobody_is_claimed_gone() -> None:
    table, people = a_table()
    with later(3600):
        for person in people:
            assert code_of(partial(claim, table, person)) == "table.cannot_claim"


def test_who_leaves_before_the_deal_frees_the_seat() -> None:
    one, two = guest(), guest()
    table = open_table(one, PLAN, announced(0))
    sit_down(table, two, announced(1))
    leave(table, two)
    table = again(table)
    assert (table.state, table.seats.count()) == ("open", 1)
    leave(table, one)
    assert again(table).state == "aborted"


def test_the_rematch_is_one_table() -> None:
    table, people = a_table(clock=CLOCKS["live"])
    assert code_of(lambda: rematch(table, people[0], of_service())) == "table.wrong_state"
    leave(table, people[0])
    table = again(table)
    first = rematch(table, people[0], of_service())
    assert rematch(table, people[0], of_service()).pk == first.pk
    assert rematch(table, people[1], of_service()).pk == first.pk
    assert again(first).state == "playing"
    assert code_of(lambda: rematch(table, guest(), of_service())) == "table.not_seated"


def test_empty_seats_are_filled_with_house_bots() -> None:
    version_of_level("3")
    plan = TablePlan(preset="koikoi_nintendo", seats=2, bots_after=timedelta(minutes=2))
    table = open_table(guest(), plan, of_service())
    with later(119):
        sweep()
    assert again(table).state == "open"
    with later(121):
        sweep()
    table = again(table)
    assert (table.state, [seat.kind for seat in table.seats.all()]) == ("playing", ["person", "bot"])


@pytest.mark.thorough(keep=1)
def test_levels_are_installed_once() -> None:
    versions = {version_of_level(level).pk for level in LEVELS}
    assert len(versions) == len(LEVELS) == 5
    assert {version_of_level(level).pk for level in LEVELS} == versions


@pytest.mark.thorough
def test_a_finished_table_whose_process_died_is_recorded_by_the_sweep() -> None:
    table, people = a_table("poka3")
    table = play_on(table, people, at_random(4))
    assert (table.state, table.match) == ("finished", None), "nothing that waits for a commit was done"
    assert sweep().recorded == 1
    assert again(table).match is not None
    assert sweep().recorded == 0
