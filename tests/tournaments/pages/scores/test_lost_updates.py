"""Two desks, or a desk and a phone, at one table: what was made on an older version never overwrites silently."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from tests.builders.clubs import a_called_night, a_club_night, tables_of, totals
from tests.builders.keys import Caller
from tests.tournaments.pages.floor.test_desk import as_one
from tests.tournaments.pages.scores.test_grid import FRAGMENT, counted, page_of, row, states
from tests.tournaments.pages.scores.test_result_forms import value_of
from tests.tournaments.progress.test_people import with_role
from tests.tournaments.progress.test_undo import undo_last
from tournaments.entries.people import add_list
from tournaments.models import Match, ResultReport, Tournament
from tournaments.progress.rounds import call_round
from tournaments.progress.run import start_tournament
from tournaments.progress.undo import last_undoable, undo
from tournaments.scores.actions import Actor, dispute_result, submit_result

pytestmark = pytest.mark.django_db
A, B = Actor(side=0), Actor(side=1)


@pytest.fixture
def event() -> Tournament:
    """Four people, the round called."""
    return a_called_night(people=4)


def code_of(answer: Any) -> tuple[int, str]:
    """Return the status and the code of a refusal of the API."""
    return answer.status_code, answer.json()["code"]


@pytest.mark.thorough
def test_the_slower_of_two_desks_is_refused_and_shown_both(event: Tournament) -> None:
    one, (first, second) = tables_of(event)[0], (as_one(with_role(event, "scorer")) for _ in range(2))
    pages = [page_of(desk, event) for desk in (first, second)]
    assert first.post(f"/t/{event.slug}/grid/", row(one, pages[0], 130, 110), headers=FRAGMENT).status_code == 200
    late = second.post(f"/t/{event.slug}/grid/", row(one, pages[1], 110, 130), headers=FRAGMENT)
    assert late.status_code == 409
    assert "Somebody else entered 130 – 110 in the meantime" in late.content.decode()
    assert counted(one) == [130, 110]
    assert ResultReport.objects.filter(match=one).count() == 1


@pytest.mark.thorough
def test_a_table_s_own_page_overrules_no_report_that_it_did_not_show(event: Tournament) -> None:
    one, desk = tables_of(event)[0], as_one(event.created_by)
    here = f"/m/{one.uuid}/result/"

    def form() -> dict[str, str]:
        page = desk.get(here).content.decode()
        return {"verb": "enter", "seen": value_of(page, "seen"), "total_0": "130", "total_1": "110"}

    before = form()
    submit_result(match=one, actor=A, claim=totals(150, 90))
    late = desk.post(here, before)
    assert (late.status_code, states(event)[0]) == (409, "reported")
    assert "Somebody reported 150 – 90 in the meantime" in late.content.decode()
    assert value_of(late.content.decode(), "total_0") == "130"
    # Looked at, and sent again.
    assert desk.post(here, form()).status_code == 302
    assert counted(one) == [130, 110]


@pytest.mark.thorough
def test_an_arbiter_decides_the_dispute_that_the_page_showed(event: Tournament) -> None:
    one, desk = tables_of(event)[0], as_one(event.created_by)
    submit_result(match=one, actor=A, claim=totals(130, 110))
    submit_result(match=one, actor=B, claim=totals(110, 130))
    here = f"/m/{one.uuid}/result/"
    page = desk.get(here).content.decode()
    sent = {"verb": "rule", "reason": "Slip", "version": "1", "seen": value_of(page, "seen")}
    submit_result(match=one, actor=B, claim=totals(150, 90))
    late = desk.post(here, sent)
    assert (late.status_code, states(event)[0]) == (409, "disputed")
    assert "row.changed" in late.content.decode()


@pytest.mark.thorough
def test_programs_overrule_a_report_only_after_reading_it(event: Tournament) -> None:
    one, scorer = tables_of(event)[0], Caller(with_role(event, "scorer"))
    here = f"/api/v1/tables/{one.uuid}"
    fresh = scorer.get(here).json()["seen"]
    assert Caller(None).get(here).json()["seen"] == ""
    submit_result(match=one, actor=A, claim=totals(150, 90))
    for number, seen in enumerate(("", fresh)):
        body = {"totals": [130, 110], "seen": seen}
        late = scorer.post(f"{here}/reports", body, Idempotency_Key=f"late-{number}")
        assert code_of(late) == (409, "row.changed")
    assert states(event)[0] == "reported"
    now = scorer.get(here).json()["seen"]
    listed = scorer.get(f"/api/v1/tournaments/{event.slug}/tables").json()["items"]
    assert now in {table["seen"] for table in listed}
    sent = {"totals": [130, 110], "seen": now}
    assert scorer.post(f"{here}/reports", sent, Idempotency_Key="in-time").status_code == 201
    assert counted(one) == [130, 110]
    # The other desk, by API too: a result that counts is only corrected.
    other = Caller(with_role(event, "scorer"))
    late = other.post(f"{here}/reports", {"totals": [110, 130], "seen": now}, Idempotency_Key="other")
    assert code_of(late) == (409, "report.already_confirmed")


@pytest.mark.thorough
def test_programs_confirm_all_reports_that_nobody_disputes(event: Tournament) -> None:
    one, two = tables_of(event)
    scorer = Caller(with_role(event, "scorer"))
    here = f"/api/v1/tournaments/{event.slug}/rounds/1/reports:confirm"
    submit_result(match=one, actor=A, claim=totals(130, 110))
    seen = scorer.post(here, {"dry_run": True}).json()
    assert [(each["uuid"], each["score"]) for each in seen["tables"]] == [(str(one.uuid), [130, 110])]
    submit_result(match=two, actor=A, claim=totals(150, 90))
    for body in ({"seen": seen["seen"]}, {}):
        assert code_of(scorer.post(here, body)) == (409, "row.changed")
    assert states(event) == ["reported", "reported"]
    again = scorer.post(here, {"dry_run": True}).json()["seen"]
    assert scorer.post(here, {"seen": again}).json()["confirmed"] == 2
    assert states(event) == ["confirmed", "confirmed"]
    assert code_of(scorer.post(here, {"seen": again})) == (409, "row.nothing")
    act = last_undoable(event)
    assert act is not None
    undo(tournament=event, by=event.created_by, seen=act.id)
    assert states(event) == ["reported", "reported"]
    assert Caller(a_called_night(people=4, name="Another").created_by).post(here, {"dry_run": True}).status_code == 403


@pytest.mark.thorough
def test_a_disputed_report_is_not_among_them(event: Tournament) -> None:
    one = tables_of(event)[0]
    submit_result(match=one, actor=A, claim=totals(130, 110))
    dispute_result(match=one, actor=B)
    here = f"/api/v1/tournaments/{event.slug}/rounds/1/reports:confirm"
    assert Caller(event.created_by).post(here, {"dry_run": True}).json()["tables"] == []


@pytest.mark.thorough
def test_a_form_of_more_than_a_thousand_fields_is_taken(event: Tournament) -> None:
    one, desk = tables_of(event)[0], as_one(event.created_by)
    sent = row(one, page_of(desk, event), 130, 110) | {f"other.{n}": "" for n in range(2_000)}
    assert desk.post(f"/t/{event.slug}/grid/", sent).status_code == 302
    assert counted(one) == [130, 110]


@pytest.mark.thorough
def test_rows_of_one_form_are_one_act_and_a_refused_one_writes_nothing(event: Tournament) -> None:
    one, two = tables_of(event)
    desk = as_one(event.created_by)
    page = page_of(desk, event)
    submit_result(match=two, actor=A, claim=totals(150, 90))
    late = desk.post(f"/t/{event.slug}/grid/", row(one, page, 130, 110) | row(two, page, 130, 110))
    assert (late.status_code, states(event)) == (409, ["confirmed", "reported"])
    assert desk.post(f"/t/{event.slug}/grid/", row(two, late.content.decode(), 130, 110)).status_code == 302
    undo_last(event)
    undo_last(event)
    assert states(event) == ["called", "reported"]
    page = page_of(desk, event)
    assert desk.post(f"/t/{event.slug}/grid/", row(one, page, 130, 110) | row(two, page, 140, 100)).status_code == 302
    assert states(event) == ["confirmed", "confirmed"]
    act = undo_last(event)
    assert (act.what, states(event)) == ("results were entered at several tables", ["called", "reported"])


def a_hall(tables: int) -> Tournament:
    """Return a called round of that many tables of five."""
    event = a_club_night(people=4, kind="pods", rounds=1, seats=5, max_entries=5 * tables)
    names = "\n".join(f"Player {n:03}" for n in range(5 * tables - 4))
    add_list(tournament=event, by=event.created_by, data=names.encode())
    for entry in event.entries.filter(state="entered"):
        entry.state = "active"
        entry.save(update_fields=["state"])
    start_tournament(tournament=event, by=event.created_by)
    call_round(round_row=event.stages.get().rounds.get(), by=event.created_by)
    return event


@pytest.mark.slow
def test_the_largest_hall_of_tables_of_five_is_entered_by_one_form(client: Client) -> None:
    """An event has at most 512 entries."""
    event = a_hall(102)
    desk = as_one(event.created_by)
    page = page_of(desk, event)
    assert len(re.findall(r"<input[^>]+name=\"[0-9a-f-]{36}\.total_", page)) == 510
    matches = Match.objects.filter(stage__tournament=event)
    sent: dict[str, str] = {}
    for match in matches:
        sent |= row(match, page, 60, 50, 50, 40, 40)
    assert desk.post(f"/t/{event.slug}/grid/", sent).status_code == 302
    assert matches.filter(state="confirmed").count() == 102
