"""Results at the desk and on phones: what was typed stays, who said what is told, states say what is to be done."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.test import Client

from accounts.models import User
from tests.builders.clubs import a_called_night, a_club_night, round_of, tables_of, totals
from tests.tournaments.pages.floor.test_desk import a_phone
from tests.tournaments.pages.floor.test_my_day import text
from tests.web.test_state_words import read
from tournaments.matches.report_bodies import Claim
from tournaments.models import Match, ResultReport
from tournaments.progress.rounds import call_round
from tournaments.progress.run import start_tournament
from tournaments.scores.actions import Actor, dispute_result, submit_result

pytestmark = pytest.mark.django_db
Become = Callable[[User | None], Client]
A, B = Actor(side=0), Actor(side=1)


def names_at(match: Match) -> list[str]:
    return list(match.seats.order_by("side").values_list("entry__player__name", flat=True))


def value_of(page: str, name: str) -> str:
    """Return what a box of the form holds."""
    found = re.search(rf'<input[^>]* name="{name}" value="([^"]*)"', page)
    assert found, name
    return found[1]


def invalid(page: str) -> list[str]:
    """The names of the controls that are marked as wrong."""
    controls = re.findall(r"<(?:input|select)[^>]*>", page)
    marked = [each for each in controls if 'aria-invalid="true"' in each]
    return [found[1] for each in marked if (found := re.search(r'name="([^"]+)"', each))]


@pytest.mark.thorough
def test_a_decision_without_a_reason_keeps_the_chosen_version(as_user: Become) -> None:
    event = a_called_night()
    match = tables_of(event)[0]
    submit_result(match=match, actor=A, claim=totals(130, 110))
    submit_result(match=match, actor=B, claim=totals(110, 130))
    desk, path = as_user(event.created_by), f"/m/{match.uuid}/result/"
    answer = desk.post(path, {"verb": "rule", "version": "2", "reason": " "})
    page = answer.content.decode()
    assert answer.status_code == 422
    assert '<option value="2" selected>' in page
    assert invalid(page) == ["reason"]
    answer = desk.post(path, {"verb": "rule", "version": "2", "reason": "Counted again."})
    assert answer.status_code == 302
    assert ResultReport.objects.get(match=match, state="confirmed").body["score"] == [110, 130]


@pytest.mark.thorough
def test_a_correction_begins_with_what_counts(as_user: Become) -> None:
    event = a_called_night()
    first, second, third = tables_of(event)
    by = Actor(user=event.created_by)
    submit_result(match=first, actor=by, claim=totals(135, 105))
    submit_result(match=second, actor=by, claim=Claim(absent=(1,)))
    desk = as_user(event.created_by)
    page = desk.get(f"/m/{first.uuid}/result/").content.decode()
    assert [value_of(page, f"total_{side}") for side in (0, 1)] == ["135", "105"]
    page = desk.get(f"/m/{second.uuid}/result/").content.decode()
    assert 'name="absent_1" value="1" checked' in page
    assert value_of(page, "total_0") == ""
    assert value_of(desk.get(f"/m/{third.uuid}/result/").content.decode(), "total_0") == ""


@pytest.mark.thorough
def test_a_correction_of_deals_begins_with_the_deals(as_user: Become) -> None:
    event = a_called_night(preset="hawaii", options={"rounds": 2})
    match = tables_of(event)[0]
    claim = Claim(deals=((60, 180), (130, 110)))
    submit_result(match=match, actor=Actor(user=event.created_by), claim=claim)
    page = as_user(event.created_by).get(f"/m/{match.uuid}/result/").content.decode()
    assert [value_of(page, f"d{deal}_{side}") for deal in (1, 2) for side in (0, 1)] == ["60", "180", "130", "110"]
    assert value_of(page, "total_0") == ""
    assert 'id="by-deal" open' in page


@pytest.mark.thorough
def test_a_correction_without_a_reason_shows_again_what_would_follow(as_user: Become) -> None:
    event = a_called_night()
    match = tables_of(event)[0]
    submit_result(match=match, actor=Actor(user=event.created_by), claim=totals(135, 105))
    desk, path = as_user(event.created_by), f"/m/{match.uuid}/result/"
    figures = {"total_0": "105", "total_1": "135"}
    seen = re.search(r'name="seen" value="([^"]+)"', desk.post(path, {"verb": "preview", **figures}).content.decode())
    assert seen
    answer = desk.post(path, {"verb": "correct", "seen": seen[1], **figures})
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "Consequences" in page
    assert invalid(page) == ["reason"]
    assert value_of(page, "total_0") == "105"


@pytest.mark.thorough
def test_a_missing_figure_is_named_and_its_box_marked(as_user: Become) -> None:
    event = a_called_night()
    match = tables_of(event)[0]
    sent = {"total_0": "130", "total_1": ""}
    for client, path in (
        (as_user(event.created_by), f"/m/{match.uuid}/result/"),
        (a_phone(match, 0), f"/x/{match.uuid}/report/"),
    ):
        page = client.post(path, {"verb": "enter", "key": "k", **sent}).content.decode()
        assert f"The figure of {names_at(match)[1]} is missing." in page
        assert invalid(page) == ["total_1"]
        assert 'aria-describedby="refusal"' in page
        assert 'id="refusal"' in page
        page = client.post(path, {"verb": "enter", "key": "k", "total_0": "7", "total_1": "1x"}).content.decode()
        assert invalid(page) == ["total_1"]
        page = client.post(path, {"verb": "enter", "key": "k", "total_0": "130", "total_1": "111"}).content.decode()
        assert invalid(page) == ["total_1"]


@pytest.mark.thorough
def test_tables_and_rounds_say_whether_they_are_called(as_user: Become) -> None:
    event = a_club_night()
    start_tournament(tournament=event, by=event.created_by)
    desk = as_user(event.created_by)
    for path in (f"/t/{event.slug}/desk/", f"/t/{event.slug}/screen/", f"/t/{event.slug}/rounds/"):
        words = [word for _picture, word in read(desk, path)]
        assert words.count("not called yet") == 3, path
        assert "published" in words
    call_round(round_row=round_of(event, 1), by=event.created_by)
    for path in (f"/t/{event.slug}/desk/", f"/t/{event.slug}/screen/", f"/t/{event.slug}/rounds/"):
        words = [word for _picture, word in read(desk, path)]
        assert words.count("called") == 4, path
        assert not {"published", "waiting", "not called yet"} & set(words), path


@pytest.mark.thorough
def test_rows_of_the_desk_say_who_reported_what_and_who_objects(as_user: Become) -> None:
    event = a_called_night()
    first, second, third = tables_of(event)
    submit_result(match=first, actor=B, claim=totals(130, 110))
    submit_result(match=second, actor=A, claim=totals(150, 90))
    dispute_result(match=second, actor=B)
    submit_result(match=third, actor=A, claim=totals(150, 90))
    submit_result(match=third, actor=B, claim=totals(90, 150))
    page = " ".join(text(as_user(event.created_by).get(f"/t/{event.slug}/desk/")).split())
    assert f"{names_at(first)[1]}: 130 – 110" in page
    assert f"{names_at(second)[0]}: 150 – 90" in page
    assert f"{names_at(second)[1]} disagrees." in page
    assert f"{names_at(third)[0]}: 150 – 90" in page
    assert f"{names_at(third)[1]}: 90 – 150" in page
    assert page.count("disagrees.") == 1
    assert "Confirm table" in page
    assert "Enter table" not in page


@pytest.mark.thorough
def test_everybody_at_the_table_reads_who_reported_and_who_objects(as_user: Become) -> None:
    event = a_called_night()
    match = tables_of(event)[0]
    submit_result(match=match, actor=A, claim=totals(130, 110))
    mine, theirs = names_at(match)
    page = text(a_phone(match, 1).get(f"/x/{match.uuid}/"))
    assert f"{mine} reported this. Is it right?" in page
    dispute_result(match=match, actor=B)
    for client, path in (
        (a_phone(match, 0), f"/x/{match.uuid}/"),
        (as_user(event.created_by), f"/m/{match.uuid}/result/"),
    ):
        assert f"{theirs} disagrees." in text(client.get(path))


@pytest.mark.thorough
def test_the_desk_offers_no_undo_that_would_be_refused(as_user: Become) -> None:
    event = a_called_night()
    desk = as_user(event.created_by)
    page = desk.get(f"/t/{event.slug}/desk/").content.decode()
    assert f'action="/t/{event.slug}/undo/"' in page
    submit_result(match=tables_of(event)[0], actor=A, claim=totals(130, 110))
    page = desk.get(f"/t/{event.slug}/desk/").content.decode()
    assert f'action="/t/{event.slug}/undo/"' not in page
    assert "Last action:" in page
    assert "Something has happened since, so you cannot undo it any more." in page


@pytest.mark.thorough
def test_the_desk_says_that_deals_are_missing(as_user: Become) -> None:
    """An organiser may end a match early, or may have forgotten the last deals: they are told which it is."""
    event = a_called_night(preset="hawaii", options={"rounds": 3})
    first, second, _third = tables_of(event)
    desk = as_user(event.created_by)
    deals = {"d1_0": "60", "d1_1": "180", "d2_0": "130", "d2_1": "110"}
    page = desk.post(f"/m/{first.uuid}/result/", {"verb": "enter", "key": "k", **deals}, follow=True).content.decode()
    assert "Only 2 of 3 deals are filled in. If more were played, correct the result." in page
    whole = {"verb": "enter", "key": "l", **deals, "d3_0": "120", "d3_1": "120", "w3": "0"}
    page = desk.post(f"/m/{second.uuid}/result/", whole, follow=True).content.decode()
    assert "is entered" in page
    assert "are filled in" not in page


@pytest.mark.thorough
def test_a_deal_that_is_impossible_is_named(as_user: Become) -> None:
    event = a_called_night(preset="hawaii", options={"rounds": 2})
    match = tables_of(event)[0]
    sent = {"verb": "enter", "key": "k", "d1_0": "60", "d1_1": "180", "d2_0": "130", "d2_1": "115"}
    page = as_user(event.created_by).post(f"/m/{match.uuid}/result/", sent).content.decode()
    assert "Deal 2: These scores do not fit together" in page
