"""Results page of the desk: every table of the round on one page, each row saved and refused on its own."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from tests.builders.clubs import a_called_night, a_club_night, person, tables_of, totals
from tests.tournaments.pages.floor.test_desk import as_one
from tests.tournaments.pages.scores.test_result_forms import invalid, value_of
from tests.tournaments.progress.test_people import with_role
from tournaments.entries.people import withdraw_person
from tournaments.models import Match, ResultReport, Tournament
from tournaments.progress.run import start_tournament
from tournaments.progress.undo import last_undoable, undo
from tournaments.scores.actions import Actor, dispute_result, submit_result

pytestmark = pytest.mark.django_db
A, B = Actor(side=0), Actor(side=1)
FRAGMENT = {"X-Fragment": "true"}


def page_of(client: Client, event: Tournament) -> str:
    answer = client.get(f"/t/{event.slug}/grid/")
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.mark.thorough
def test_the_form_is_sent_to_its_own_page() -> None:
    event = a_called_night()
    client = as_one(event.created_by)
    assert f'<form method="post" action="/t/{event.slug}/grid/" class="grid-form"' in page_of(client, event)
    path = f"/t/{event.slug}/grid/?stage=1"
    assert f'action="{path}" class="grid-form"' in client.get(path).content.decode()


def row(match: Match, page: str, *figures: object, prefix: str = "total_") -> dict[str, str]:
    """Return what the row of a table sends, beside what the page showed of it."""
    sent = {f"{match.uuid}.{prefix}{side}": str(figure) for side, figure in enumerate(figures)}
    return {f"{match.uuid}.seen": seen(match, page), **sent}


def seen(match: Match, page: str) -> str:
    found = re.search(rf'name="{match.uuid}\.seen" value="([^"]+)"', page)
    assert found, "the row takes no figures"
    return found[1]


def states(event: Tournament) -> list[str]:
    return [str(match.state) for match in tables_of(event)]


def counted(match: Match) -> list[int]:
    return list(ResultReport.objects.get(match=match, state="confirmed").body["score"])


@pytest.mark.thorough
def test_all_rows_that_are_filled_in_are_saved_and_what_is_wrong_stays_beside_its_row() -> None:
    event = a_called_night(people=8)
    desk, path = as_one(event.created_by), f"/t/{event.slug}/grid/"
    page = page_of(desk, event)
    one, two, three, four = tables_of(event)
    sent = row(one, page, 130, 110) | row(two, page, 131, 109) | row(three, page, "", "") | row(four, page, "x", "")
    answer = desk.post(path, sent)
    shown = answer.content.decode()
    assert answer.status_code == 422
    # An x alone is a walk-over: nobody played at the last one.
    assert states(event) == ["confirmed", "called", "called", "confirmed"]
    assert counted(one) == [130, 110]
    assert value_of(shown, f"{two.uuid}.total_0") == "131"
    assert value_of(shown, f"{two.uuid}.total_1") == "109"
    assert invalid(shown) == [f"{two.uuid}.total_0"]
    assert "multiple of 5" in shown


@pytest.mark.thorough
def test_a_side_that_did_not_come_is_an_x() -> None:
    event = a_called_night(people=4)
    desk = as_one(event.created_by)
    page = page_of(desk, event)
    one, two = tables_of(event)
    answer = desk.post(f"/t/{event.slug}/grid/", row(one, page, "x", "") | row(two, page, "X", "×"))
    assert answer.status_code == 302
    assert [seat.outcome for seat in one.seats.order_by("side")] == ["forfeit", "played"]
    assert [seat.outcome for seat in two.seats.order_by("side")] == ["forfeit", "forfeit"]
    assert "did not come" in page_of(desk, event)
    assert ResultReport.objects.filter(state="confirmed").count() == 2


@pytest.mark.thorough
def test_the_same_form_twice_changes_nothing() -> None:
    event = a_called_night(people=4)
    desk, path = as_one(event.created_by), f"/t/{event.slug}/grid/"
    page = page_of(desk, event)
    sent = row(tables_of(event)[0], page, 130, 110)
    assert desk.post(path, sent).status_code == 302
    assert desk.post(path, sent).status_code == 302
    assert ResultReport.objects.count() == 1


@pytest.mark.thorough
def test_a_row_that_somebody_else_entered_meanwhile_shows_both() -> None:
    event = a_called_night(people=4)
    desk, path = as_one(event.created_by), f"/t/{event.slug}/grid/"
    page = page_of(desk, event)
    one, two = tables_of(event)
    submit_result(match=one, actor=Actor(user=event.created_by), claim=totals(150, 90))
    submit_result(match=two, actor=A, claim=totals(150, 90))
    answer = desk.post(path, row(one, page, 130, 110) | row(two, page, 130, 110))
    shown = answer.content.decode()
    assert answer.status_code == 409
    assert shown.count("row.changed") >= 2
    assert "Somebody else entered 150 – 90 in the meantime" in shown
    assert "You typed: 130 – 110" in shown
    assert value_of(shown, f"{two.uuid}.total_0") == "130"
    assert "150 – 90" in shown
    assert counted(one) == [150, 90]
    # Looked at, and sent again: the scorer's figures count now.
    assert desk.post(path, row(two, shown, 130, 110)).status_code == 302
    assert counted(two) == [130, 110]


@pytest.mark.thorough
def test_figures_that_a_phone_sent_meanwhile_are_confirmed_by_the_same_ones() -> None:
    event = a_called_night(people=4)
    desk = as_one(event.created_by)
    page = page_of(desk, event)
    one = tables_of(event)[0]
    submit_result(match=one, actor=A, claim=totals(130, 110))
    assert desk.post(f"/t/{event.slug}/grid/", row(one, page, 130, 110)).status_code == 302
    report = ResultReport.objects.get()
    assert (report.state, report.body["side"]) == ("confirmed", 0)


@pytest.mark.thorough
def test_a_report_stands_in_its_boxes_with_who_sent_it_and_is_confirmed_by_one_button() -> None:
    event = a_called_night(people=6)
    desk, path = as_one(event.created_by), f"/t/{event.slug}/grid/"
    one, two, three = tables_of(event)
    for match in (one, two):
        submit_result(match=match, actor=B, claim=totals(130, 110))
    page = page_of(desk, event)
    other = one.seats.get(side=1).entry
    assert other is not None
    assert f"{other.player.name}: 130 – 110" in page
    assert value_of(page, f"{one.uuid}.total_0") == "130"
    # What stands in the boxes without anybody having typed it is not saved with the rest.
    sent = row(one, page, 130, 110) | row(two, page, 130, 110) | row(three, page, 150, 90)
    assert desk.post(path, sent).status_code == 302
    assert states(event) == ["reported", "reported", "confirmed"]
    assert desk.post(path, {**sent, "confirm": str(one.uuid)}).status_code == 302
    assert states(event) == ["confirmed", "reported", "confirmed"]
    # Changed figures are entered, although the button still said "Confirm" when the page came.
    page = page_of(desk, event)
    assert desk.post(path, {**row(two, page, 110, 130), "confirm": str(two.uuid)}).status_code == 302
    assert counted(two) == [110, 130]


@pytest.mark.thorough
def test_a_dispute_says_who_objects_and_takes_no_figures() -> None:
    event = a_called_night(people=4)
    desk = as_one(event.created_by)
    one = tables_of(event)[0]
    page = page_of(desk, event)
    submit_result(match=one, actor=A, claim=totals(130, 110))
    dispute_result(match=one, actor=B)
    answer = desk.post(f"/t/{event.slug}/grid/", row(one, page, 110, 130))
    shown = answer.content.decode()
    other = one.seats.get(side=1).entry
    assert other is not None
    assert "row.disputed" in shown
    assert f"{other.player.name} disagrees." in shown
    assert f'name="{one.uuid}.total_0"' not in shown
    assert f"/m/{one.uuid}/result/" in shown


@pytest.mark.thorough
def test_who_left_has_an_x_and_a_row_of_that_alone_is_saved_by_its_own_button() -> None:
    event = a_called_night(people=4)
    by, one = event.created_by, tables_of(event)[0]
    seat = one.seats.get(side=1)
    assert seat.entry is not None
    withdraw_person(entry=person(event, seat.entry.player.name), by=by)
    desk, path = as_one(by), f"/t/{event.slug}/grid/"
    page = page_of(desk, event)
    assert value_of(page, f"{one.uuid}.total_1") == "x"
    sent = row(one, page, "", "x")
    assert desk.post(path, sent).status_code == 302
    assert states(event)[0] == "called"
    assert desk.post(path, {**sent, "row": str(one.uuid)}).status_code == 302
    assert states(event)[0] == "confirmed"


@pytest.mark.thorough
def test_deals_won_are_asked_for_where_they_decide() -> None:
    event = a_called_night(people=4, preset="paradise", options={"rounds": 3})
    desk, path = as_one(event.created_by), f"/t/{event.slug}/grid/"
    page = page_of(desk, event)
    one, two = tables_of(event)
    sent = row(one, page, 400, 320) | row(one, page, 2, 1, prefix="won_")
    sent |= row(two, page, 400, 320) | row(two, page, 9, 9, prefix="won_")
    answer = desk.post(path, sent)
    assert [seat.victories for seat in one.seats.order_by("side")] == [2, 1]
    assert set(invalid(answer.content.decode())) == {f"{two.uuid}.won_0", f"{two.uuid}.won_1"}


@pytest.mark.thorough
def test_tables_of_up_to_seven_seats() -> None:
    event = a_called_night(people=6, preset="oibana", kind="tables", rounds=1, seats=6, options={"rounds": 1})
    desk = as_one(event.created_by)
    page = page_of(desk, event)
    (match,) = tables_of(event)
    answer = desk.post(f"/t/{event.slug}/grid/", row(match, page, 0, 20, "−20", 0, 0, "x"))
    assert answer.status_code == 302, re.findall(r'class="wrong".*', answer.content.decode())
    assert counted(match) == [0, 20, -20, 0, 0, 0]


@pytest.mark.thorough
def test_a_script_saves_one_row_and_gets_the_page_without_its_frame() -> None:
    event = a_called_night(people=4)
    desk = as_one(event.created_by)
    page = page_of(desk, event)
    one, two = tables_of(event)
    answer = desk.post(f"/t/{event.slug}/grid/", row(one, page, 130, 110), headers=FRAGMENT)
    shown = answer.content.decode()
    assert answer.status_code == 200
    assert "<html" not in shown
    assert f'id="row-{one.uuid}"' in shown
    assert f'name="{one.uuid}.total_0"' not in shown
    assert 'name="' + str(two.uuid) in shown


@pytest.mark.thorough
def test_all_reports_that_nobody_disputes_are_shown_then_confirmed_as_one_act() -> None:
    event = a_called_night(people=8)
    desk, path = as_one(event.created_by), f"/t/{event.slug}/grid/1/"
    one, two, three, four = tables_of(event)
    for match in (one, two, three):
        submit_result(match=match, actor=A, claim=totals(130, 110))
    dispute_result(match=three, actor=B)
    page = desk.get(path).content.decode()
    assert page.count("130 – 110") == 2
    digest = re.search(r'name="seen" value="([^"]+)"', page)
    assert digest
    submit_result(match=four, actor=A, claim=totals(150, 90))
    answer = desk.post(path, {"seen": digest[1]})
    assert answer.status_code == 409
    assert "row.changed" in answer.content.decode()
    assert states(event) == ["reported", "reported", "disputed", "reported"]
    digest = re.search(r'name="seen" value="([^"]+)"', desk.get(path).content.decode())
    assert digest
    assert desk.post(path, {"seen": digest[1]}).status_code == 302
    assert states(event) == ["confirmed", "confirmed", "disputed", "confirmed"]
    assert "row.nothing" in desk.post(path, {"seen": digest[1]}).content.decode()
    act = last_undoable(event)
    assert act is not None
    assert act.what == "all undisputed reports of round 1 were confirmed"
    undo(tournament=event, by=event.created_by, seen=act.id)
    assert states(event) == ["reported", "reported", "disputed", "reported"]


@pytest.mark.thorough
def test_only_those_who_run_the_event_see_the_page() -> None:
    event = a_called_night(people=4)
    one = tables_of(event)[0]
    page = page_of(as_one(event.created_by), event)
    stranger = as_one(a_called_night(people=4, name="Another night").created_by)
    for path in (f"/t/{event.slug}/grid/", f"/t/{event.slug}/grid/1/"):
        assert as_one(None).get(path).status_code == 302
        assert stranger.get(path).status_code == 404
        assert stranger.post(path, row(one, page, 130, 110)).status_code == 404
    scorer = as_one(with_role(event, "scorer"))
    assert scorer.post(f"/t/{event.slug}/grid/", row(one, page, 130, 110)).status_code == 302
    assert counted(one) == [130, 110]


@pytest.mark.thorough
def test_tables_that_are_not_called_yet_take_results_and_a_call_is_no_change() -> None:
    event = a_club_night(people=4)
    start_tournament(tournament=event, by=event.created_by)
    desk = as_one(event.created_by)
    page = page_of(desk, event)
    desk.post(f"/t/{event.slug}/desk/call/", {"round": "1"})
    assert desk.post(f"/t/{event.slug}/grid/", row(tables_of(event)[0], page, 130, 110)).status_code == 302


@pytest.mark.thorough
def test_a_knock_out_that_ends_tied_asks_on_its_row() -> None:
    event = a_called_night(people=4, kind="single_elim", rounds=1)
    desk = as_one(event.created_by)
    page = page_of(desk, event)
    one = tables_of(event)[0]
    answer = desk.post(f"/t/{event.slug}/grid/", row(one, page, 120, 120), headers=FRAGMENT)
    shown = answer.content.decode()
    assert "tied: the advancing entry is not decided" in shown
    assert "Extra deal" in shown
