"""People who have left: marked wherever an open table is shown, with a walk-over proposed; nothing is entered
unasked.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from accounts.models import User
from tests.builders import rotating
from tests.builders.clubs import a_called_night, person, round_of, tables_of, totals
from tests.tournaments.floor.test_desk_sheets import confirmed, entered
from tests.tournaments.pages.floor.test_my_day import a_phone, day_of, table_at, text
from tournaments.entries.people import withdraw_person
from tournaments.floor.result_sheets import blank_sheet, read_sheet
from tournaments.models import Match, Tournament
from tournaments.scores.actions import Actor, submit_result
from tournaments.scores.slips import slip_token

pytestmark = pytest.mark.django_db
Become = Callable[[User | None], Client]


def a_night_ben_left(**changes: object) -> Tournament:
    """A round robin of four, all rounds drawn, the first called; Ben goes home."""
    event = a_called_night(people=4, **{"kind": "round_robin", **changes})
    withdraw_person(entry=person(event, "Ben"), by=event.created_by)
    return event


def other_at(match: Match) -> int:
    """The side that still plays."""
    return match.seats.exclude(entry__player__name="Ben").get().side


def sheet_of(event: Tournament) -> bytes:
    return blank_sheet(round_row=round_of(event, 1), by=event.created_by)


@pytest.mark.thorough
@pytest.mark.parametrize("path", ["desk/", "desk/?round=3", "print/1/", "print/3/?sheet=names", "screen/", "rounds/"])
def test_open_tables_say_who_left(path: str, as_user: Become) -> None:
    event = a_night_ben_left()
    organiser = as_user(event.created_by)
    page = " ".join(text(organiser.get(f"/t/{event.slug}/{path}")).split())
    assert "Ben (has left)" in page


@pytest.mark.thorough
def test_cards_and_slips_are_not_printed_for_who_left(as_user: Become) -> None:
    event = a_night_ben_left()
    organiser = as_user(event.created_by)
    cards = organiser.get(f"/t/{event.slug}/print/1/?sheet=cards").content.decode()
    slips = organiser.get(f"/t/{event.slug}/print/1/?sheet=slips").content.decode()
    assert cards.count('class="who"') == 3
    assert slips.count('class="who"') == 3


@pytest.mark.thorough
def test_phones_say_who_left_and_that_the_organiser_enters_it() -> None:
    event = a_night_ben_left()
    match = table_at(event, "Ben")
    phone = Client()
    phone.get(f"/e/{slip_token(match, other_at(match))}/")
    page = text(phone.get(f"/x/{match.uuid}/"))
    assert "Ben (has left)" in page
    assert "Ben has left the event." in page
    assert "The organiser enters the walk-over." in page
    opponent = match.seats.exclude(entry__player__name="Ben").get().entry
    assert opponent is not None
    assert "Ben (has left)" in text(a_phone(event, opponent.player.name).get(day_of(event, opponent.player.name)))


@pytest.mark.thorough
def test_the_desk_proposes_the_walk_over_and_enters_it_with_one_button(as_user: Become) -> None:
    event = a_night_ben_left()
    match = table_at(event, "Ben")
    gone = 1 - other_at(match)
    organiser = as_user(event.created_by)
    page = organiser.get(f"/m/{match.uuid}/result/").content.decode()
    assert f'name="absent_{gone}" value="1" checked' in page
    assert page.count(" checked") == 1
    organiser.post(f"/m/{match.uuid}/result/", {"verb": "enter", f"absent_{gone}": "1"})
    match.refresh_from_db()
    assert match.state == "confirmed"
    assert match.seats.get(side=gone).outcome == "forfeit"
    assert "has left" not in text(organiser.get(f"/t/{event.slug}/desk/?round=1"))


@pytest.mark.thorough
def test_a_result_played_before_they_left_stays_and_is_not_marked(as_user: Become) -> None:
    event = a_called_night(people=4, kind="round_robin")
    match = table_at(event, "Ben")
    submit_result(match=match, actor=Actor(user=event.created_by), claim=totals(130, 110))
    withdraw_person(entry=person(event, "Ben"), by=event.created_by)
    assert "has left" not in text(as_user(event.created_by).get(f"/t/{event.slug}/desk/?round=1"))


@pytest.mark.thorough
def test_the_sheet_marks_who_left_and_untouched_it_enters_the_walk_over() -> None:
    event = a_night_ben_left()
    marked = [line for line in sheet_of(event).decode("utf-8-sig").splitlines() if line.endswith(",x")]
    assert len(marked) == 1
    assert "Ben" in marked[0]
    assert entered(event, sheet_of(event)) == 1
    assert sorted(map(str, confirmed(event))) == ["None", "[0, 0]"]


@pytest.mark.thorough
def test_a_larger_table_goes_on_until_its_figures_are_in_the_sheet() -> None:
    event = a_night_ben_left(kind="pods", seats=4)
    assert would_enter(event, sheet_of(event)) == 0
    lines = sheet_of(event).decode("utf-8-sig").splitlines()
    points = iter((90, 80, 70))
    done = [line if "Ben" in line else line.removesuffix(",") + f"{next(points)}," for line in lines[1:]]
    assert entered(event, "\n".join([lines[0], *done]).encode()) == 1
    score = confirmed(event)[0]
    assert score is not None
    assert sorted(score) == [0, 70, 80, 90]


@pytest.mark.thorough
def test_a_sheet_from_before_needs_no_figure_of_who_left() -> None:
    event = a_called_night(people=4, kind="pods", seats=4)
    before = sheet_of(event).decode("utf-8-sig").splitlines()
    withdraw_person(entry=person(event, "Ben"), by=event.created_by)
    done = [line if "Ben" in line else line.removesuffix(",") + "80," for line in before[1:]]
    assert entered(event, "\n".join([before[0], *done]).encode()) == 1


def would_enter(event: Tournament, data: bytes) -> int:
    """Return how many tables a sheet would enter."""
    return len(read_sheet(round_row=round_of(event, 1), by=event.created_by, data=data).tables)


@pytest.mark.thorough
def test_the_list_by_name_shows_each_their_own_club(as_user: Become) -> None:
    event = rotating.a_running_night(club="Lyon")
    page = as_user(event.created_by).get(f"/t/{event.slug}/print/1/?sheet=names").content.decode()
    assert page.count("Lyon") == 2
    cards = as_user(event.created_by).get(f"/t/{event.slug}/print/1/?sheet=cards").content.decode()
    assert cards.count("Lyon") == 2


def test_one_of_two_partners_who_left_is_named(as_user: Become) -> None:
    event = rotating.a_running_night()
    tables_of(event)
    withdraw_person(entry=person(event, "Ben"), by=event.created_by)
    page = text(as_user(event.created_by).get(f"/t/{event.slug}/desk/?round=1"))
    assert "(Ben has left)" in page
