"""The desk of a club night: a whole event through its pages, every form by every role, and what phones may send."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from bots.models import AuditEvent
from tests.builders import events as a
from tests.builders.clubs import a_called_night, a_club_night, person, round_of, tables_of, totals
from tests.builders.hall_forms import OF_FLOWS, announced, halted, started, timed, two
from tests.tournaments.progress.test_people import finish_round, stage_of, with_role
from tournaments.entries.people import withdraw_person
from tournaments.models import Entry, Match, ResultReport, Role, Round, Tournament
from tournaments.pages.floor.dashboard import ACTS
from tournaments.presence.sitting_out import sit_out_rounds
from tournaments.progress.rounds import preview_next
from tournaments.scores.actions import Actor, submit_result
from tournaments.scores.slips import slip_token
from tournaments.standings import store

pytestmark = [pytest.mark.django_db, pytest.mark.thorough]
BACKEND = "django.contrib.auth.backends.ModelBackend"
ORGANISERS = frozenset({"owner", "director"})
RULERS = ORGANISERS | {"arbiter"}
SCORERS = RULERS | {"scorer"}


def as_one(user: User | None) -> Client:
    """A client of its own."""
    client = Client()
    if user is not None:
        client.force_login(user, backend=BACKEND)
    return client


def a_phone(match: Match, side: int) -> Client:
    """A phone that has scanned a side's slip."""
    client = Client()
    assert client.get(f"/e/{slip_token(match, side)}/").headers["Location"] == f"/x/{match.uuid}/"
    return client


def test_a_club_night_through_its_pages() -> None:
    by = a.a_user("organiser")
    client = as_one(by)
    form = {"name": "Thursday club", "who": "people", "preset": "hawaii", "seats": "2", "kind": "swiss", "rounds": "2"}
    form |= {"legs": "cyclic", "clock": "standard", "visibility": "public", "option_rounds": "1", "max_entries": "16"}
    form |= {"round_minutes": "45"}
    client.post("/t/new/", {**form, "min_entries": "4", "entries_per_owner": "2"})
    event = Tournament.objects.get(name="Thursday club")
    here = f"/t/{event.slug}"
    for verb in ("publish", "open_registration"):
        client.post(f"{here}/do/{verb}/")
    client.post(f"{here}/desk/paste/", {"list": "name,club\nAiko,Kyoto\nBen,\nChiyo,\nDai,\n"})
    client.post(f"{here}/desk/add/", {"name": "Emi"})
    client.post(f"{here}/desk/all-here/")
    client.post(f"{here}/do/start/")
    for number in (1, 2):
        assert 'role="timer"' not in client.get(f"{here}/screen/").content.decode()
        client.post(f"{here}/desk/call/", {"round": str(number)})
        assert 'role="timer"' in client.get(f"{here}/screen/").content.decode()
        for match in tables_of(event, number):
            sent = {"verb": "enter", "total_0": "130", "total_1": "110"}
            assert client.post(f"/m/{match.uuid}/result/", sent).status_code == 302
        if number == 1:
            drawn = client.get(f"{here}/next/")
            assert "Publish it" in drawn.content.decode()
            client.post(f"{here}/desk/draw/", {"seen": drawn.context["drawn"].hash})
    assert "No further round" in client.get(f"{here}/next/").content.decode()
    client.post(f"{here}/desk/close/")
    event.refresh_from_db()
    assert event.state == Tournament.State.FINISHED
    assert store.differences(stage_of(event)) == []
    tabs = ("", "entries/", "rounds/", "standings/", "crosstable/", "feed/", "desk/", "print/2/", "screen/", "roles/")
    for reader in (client, as_one(None)):
        for tab in tabs:
            assert reader.get(f"{here}/{tab}").status_code in (200, 302, 404), tab
    assert {client.get(f"{here}/{tab}").status_code for tab in tabs} == {200}
    match = tables_of(event)[0]
    assert "Reports, newest first" in as_one(None).get(f"/m/{match.uuid}/").content.decode()


def test_two_phones_report_and_confirm() -> None:
    event = a_called_night()
    match = tables_of(event)[0]
    first, second = a_phone(match, 0), a_phone(match, 1)
    page = first.get(f"/x/{match.uuid}/").content.decode()
    assert "You report for" in page
    sent = {"total_0": "130", "total_1": "110", "key": "k"}
    for _tap in range(2):
        assert first.post(f"/x/{match.uuid}/report/", sent).status_code == 302
    assert ResultReport.objects.count() == 1
    assert "Is it right?" in second.get(f"/x/{match.uuid}/").content.decode()
    refused = first.post(f"/x/{match.uuid}/same/")
    assert refused.status_code == 422
    assert "report.own" in refused.content.decode()
    assert second.post(f"/x/{match.uuid}/same/").status_code == 302
    match.refresh_from_db()
    assert match.state == Match.State.CONFIRMED
    assert store.differences(stage_of(event)) == []


def test_nobody_confirms_figures_that_came_since_they_looked() -> None:
    event = a_called_night()
    match = tables_of(event)[0]
    first, second = a_phone(match, 0), a_phone(match, 1)
    first.post(f"/x/{match.uuid}/report/", {"total_0": "130", "total_1": "110"})
    looked = second.get(f"/x/{match.uuid}/").content.decode()
    seen = re.search(r'name="version" value="(\d+)"', looked)
    assert seen is not None
    ResultReport.objects.update(state="rejected")  # as an arbiter's undo and another report leave it
    report = ResultReport.objects.get()
    ResultReport.objects.create(
        match=match, version=2, source=report.source, state="submitted", body=report.body | {"side": 0}, hash="f" * 64
    )
    for reader, path, form in (
        (second, f"/x/{match.uuid}/same/", {"version": seen[1]}),
        (as_one(event.created_by), f"/m/{match.uuid}/result/", {"verb": "same", "version": seen[1]}),
    ):
        assert "report.moved" in reader.post(path, form).content.decode()
    match.refresh_from_db()
    assert match.state == Match.State.REPORTED
    assert 'name="version" value="2"' in second.get(f"/x/{match.uuid}/").content.decode()
    assert 'name="version" value="2"' in as_one(event.created_by).get(f"/m/{match.uuid}/result/").content.decode()
    assert second.post(f"/x/{match.uuid}/same/", {"version": "2"}).status_code == 302


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        ({"total_0": "131", "total_1": "109"}, "report.points_impossible"),
        ({"total_0": "200", "total_1": "100"}, "report.points_impossible"),
        ({"total_0": "many", "total_1": "100"}, "report.not_a_number"),
        ({"total_0": "100"}, "report.empty"),
        ({}, "report.empty"),
    ],
)
def test_figures_that_cannot_be_are_named_and_kept_in_the_form(sent: dict[str, str], code: str) -> None:
    match = tables_of(a_called_night())[0]
    answer = a_phone(match, 0).post(f"/x/{match.uuid}/report/", sent)
    assert answer.status_code == 422
    assert code in answer.content.decode()
    assert all(f'value="{value}"' in answer.content.decode() for value in sent.values())
    assert "data-live" not in answer.content.decode()
    assert not ResultReport.objects.exists()


def test_deal_by_deal() -> None:
    match = tables_of(a_called_night(preset="paradise", options={"rounds": 2, "chu": True}))[0]
    phone = a_phone(match, 0)
    sent = {"d1_0": "150", "d1_1": "40", "d2_0": "120", "d2_1": "120"}
    assert "report.winner_needed" in phone.post(f"/x/{match.uuid}/report/", sent).content.decode()
    assert phone.post(f"/x/{match.uuid}/report/", {**sent, "w2": "1"}).status_code == 302
    body = ResultReport.objects.get().body
    assert (body["score"], body["deals"], body["victories"][1]) == ([270, 160], 2, 1)


def test_without_a_slip_there_is_no_table() -> None:
    event = a_called_night()
    match = tables_of(event)[0]
    for client in (as_one(None), a_phone(tables_of(event)[1], 0)):
        assert client.get(f"/x/{match.uuid}/").status_code == 404
        assert client.post(f"/x/{match.uuid}/report/", {"total_0": "130", "total_1": "110"}).status_code == 404
    answer = as_one(None).get("/e/made.up:forged/")
    assert answer.status_code == 422
    assert "slip.unknown" in answer.content.decode()


def test_a_correction_through_its_pages() -> None:
    event = a_called_night()
    finish_round(event)
    match, client = tables_of(event)[0], as_one(event.created_by)
    sent = {"total_0": "-20", "total_1": "210", "verb": "preview"}
    page = client.post(f"/m/{match.uuid}/result/", sent)
    assert "Consequences" in page.content.decode()
    done = {**sent, "verb": "correct", "seen": page.context["correction"].hash, "reason": "Misread."}
    assert client.post(f"/m/{match.uuid}/result/", {**done, "seen": "x"}).status_code == 409
    assert client.post(f"/m/{match.uuid}/result/", done).status_code == 302
    assert ResultReport.objects.get(match=match, state="confirmed").body["score"] == [-20, 210]
    assert "Misread." in as_one(None).get(f"/m/{match.uuid}/").content.decode()


def people(event: Tournament) -> dict[str, User]:
    """Somebody with each role, and a stranger."""
    found = {role: with_role(event, role) for role in ("director", "arbiter", "scorer")}
    return {"owner": event.created_by, "stranger": a.a_user(), **found}


def entry(event: Tournament) -> dict[str, str]:
    """Somebody, as a form names them."""
    return {"entry": str(person(event, "Ben").uuid)}


def who_left(event: Tournament) -> dict[str, str]:
    """Somebody who has left."""
    withdraw_person(entry=person(event, "Ben"), by=event.created_by)
    return entry(event)


def resting(event: Tournament) -> dict[str, str]:
    """Somebody who sits out round 2."""
    sit_out_rounds(entry=person(event, "Ben"), by=event.created_by, first=2)
    return entry(event) | {"first": "2"}


def expected(event: Tournament) -> dict[str, str]:
    """Somebody who is not here yet."""
    Entry.objects.filter(pk=person(event, "Ben").pk).update(state="entered")
    return entry(event)


def all_expected(event: Tournament) -> dict[str, str]:
    """Nobody is here yet."""
    event.entries.update(state="entered")
    return {}


def complete(event: Tournament) -> dict[str, str]:
    """Round 1 is complete."""
    started(event)
    finish_round(event)
    return {"seen": preview_next(stage=stage_of(event), by=event.created_by).hash}


def drawn(event: Tournament) -> dict[str, str]:
    """Round 2 is drawn and not called."""
    seen = complete(event)["seen"]
    as_one(event.created_by).post(f"/t/{event.slug}/desk/draw/", {"seen": seen})
    return {"round": "2"}


def with_friend(event: Tournament) -> dict[str, str]:
    """A scorer named friend."""
    Role.objects.create(user=a.a_user("friend"), tournament=event, role="scorer")
    return {"user": "friend", "role": "scorer"}


def a_friend(_event: Tournament) -> dict[str, str]:
    """Somebody to be given a role."""
    a.a_user("friend")
    return {"user": "friend", "role": "scorer"}


POSTS: dict[str, tuple[Callable[[Tournament], dict[str, str]], frozenset[str]]] = {
    "call": (started, ORGANISERS),
    "call-print": (started, ORGANISERS),
    "draw": (complete, ORGANISERS),
    "draw-call": (complete, ORGANISERS),
    "draw-print": (complete, ORGANISERS),
    "take-back": (drawn, ORGANISERS),
    "close": (complete, ORGANISERS),
    "add": (lambda _event: {"name": "Gen"}, ORGANISERS),
    "paste": (lambda _event: {"list": "Gen\nHana"}, ORGANISERS),
    "here": (expected, SCORERS),
    "away": (entry, SCORERS),
    "all-here": (all_expected, SCORERS),
    "leave": (entry, ORGANISERS),
    "back": (who_left, ORGANISERS),
    "sit-out": (lambda event: entry(event) | {"first": "1", "last": "2"}, ORGANISERS),
    "play-on": (resting, ORGANISERS),
    "arrive": (lambda event: entry(event) | {"round": "2"}, ORGANISERS),
    "replace": (lambda event: started(event) | entry(event) | {"name": "Gen"}, ORGANISERS),
    "minutes": (lambda _event: {"minutes": "40"}, ORGANISERS),
    "clock-stop": (timed, RULERS),
    "clock-go": (halted, RULERS),
    "clock-add": (timed, RULERS),
    "clock-end": (timed, RULERS),
    "announce": (lambda _event: {"text": "Dinner at seven."}, ORGANISERS),
    "unsay": (announced, ORGANISERS),
    "swap": (two, ORGANISERS),
    **OF_FLOWS,
    "give-role": (a_friend, ORGANISERS),
    "take-role": (with_friend, ORGANISERS),
}


def everything() -> list[object]:
    """Return what these forms may change."""
    return [
        list(Entry.objects.order_by("id").values("state", "player__name")),
        list(Round.objects.order_by("id").values("number", "state")),
        list(Match.objects.order_by("id").values("state")),
        list(Role.objects.order_by("id").values("user", "role")),
        list(Tournament.objects.order_by("id").values("state")),
        AuditEvent.objects.count(),
    ]


def test_no_form_of_the_desk_is_forgotten() -> None:
    assert set(POSTS) == set(ACTS)


@pytest.mark.parametrize("verb", POSTS)
def test_only_the_right_hands_do_it_and_only_once(verb: str) -> None:
    make, allowed = POSTS[verb]
    event = a_club_night()
    staff = people(event)
    form = make(event)
    path = f"/t/{event.slug}/desk/{verb}/"
    before = everything()
    for role in staff.keys() - allowed:
        assert as_one(staff[role]).post(path, form).status_code in (302, 404), role
        assert everything() == before, role
    assert as_one(None).post(path, form).headers["Location"].startswith("/login/")
    assert Client(enforce_csrf_checks=True).post(path, form).status_code == 403
    assert as_one(staff["owner"]).get(path).status_code == 405
    client = as_one(staff["director"])
    assert client.post(path, form).status_code == 302
    done = everything()
    assert done != before
    client.post(path, form)
    assert everything() == done


def test_who_may_enter_rule_and_correct() -> None:
    event = a_called_night()
    staff = people(event)
    match = tables_of(event)[0]
    path, form = f"/m/{match.uuid}/result/", {"verb": "enter", "total_0": "130", "total_1": "110"}
    assert as_one(staff["stranger"]).post(path, form).status_code == 404
    assert as_one(None).post(path, form).status_code == 302
    assert not ResultReport.objects.exists()
    submit_result(match=match, actor=Actor(side=0), claim=totals(130, 110))
    submit_result(match=match, actor=Actor(side=1), claim=totals(110, 130))
    ruling = {"verb": "rule", "version": "2", "reason": "Counted again."}
    assert as_one(staff["scorer"]).post(path, ruling).status_code == 403
    assert as_one(staff["arbiter"]).post(path, ruling).status_code == 302
    assert as_one(staff["arbiter"]).post(path, ruling).status_code == 422
    preview = {"verb": "preview", "total_0": "130", "total_1": "110"}
    assert as_one(staff["scorer"]).post(path, preview).status_code == 403
    assert as_one(staff["arbiter"]).post(path, preview).status_code == 200


def test_a_round_that_is_gone_and_pages_of_bots() -> None:
    event = a_club_night()
    client = as_one(event.created_by)
    page = client.post(f"/t/{event.slug}/desk/call/", {"round": "9"}, follow=True)
    assert "round.gone" in page.content.decode()
    bots = a.an_open_event()
    for path in ("screen/", "print/1/", "next/"):
        assert as_one(bots.created_by).get(f"/t/{bots.slug}/{path}").status_code == 404
    assert round_of(a_called_night(name="Other"), 1).state == Round.State.PUBLISHED


@pytest.mark.slow
def test_every_other_page_and_the_api_know_people(client: Client) -> None:
    event = a_called_night()
    finish_round(event)
    match = tables_of(event)[0]
    found: tuple[str, ...] = (
        "",
        "t/",
        "ladder/",
        "ladder/hawaii/",
        "queue/",
        f"m/{match.uuid}/",
        f"u/{event.created_by}/",
    )
    here = f"api/v1/tournaments/{event.slug}"
    found += (here, f"{here}/entries", f"{here}/standings?explain=1", f"{here}/matches", f"api/v1/matches/{match.uuid}")
    for path in found:
        assert client.get(f"/{path}").status_code == 200, path
    assert client.get(f"/m/{match.uuid}/record.json").status_code == 404
    paths = ["", "entries/", "rounds/", "standings/", "crosstable/", "feed/", "screen/"]
    paths.append(f"standings/?explain={person(event, 'Ben').uuid}")
    for path in paths:
        assert "Ben" in client.get(f"/t/{event.slug}/{path}").content.decode() or path in ("", "feed/", "crosstable/")
    for language in ("fr", "ja"):
        assert client.get(f"/t/{event.slug}/screen/", headers={"Accept-Language": language}).status_code == 200


@pytest.mark.slow
def test_pages_ask_little_and_no_more_for_more_tables() -> None:
    asked: list[list[int]] = []
    for people in (4, 8):
        event = a_called_night(people=people, name=f"Night of {people}")
        finish_round(event)
        client, phone = as_one(event.created_by), a_phone(tables_of(event)[0], 0)
        tabs = ("entries/", "desk/", "screen/", "print/1/", "print/1/?sheet=cards", "results/1/", "swap/1/", "roles/")
        paths = [f"/t/{event.slug}/{tab}" for tab in tabs]
        paths.append(f"/m/{tables_of(event)[0].uuid}/")
        counts = []
        for reader, path in [*((client, path) for path in paths), (phone, f"/x/{tables_of(event)[0].uuid}/")]:
            with CaptureQueriesContext(connection) as queries:
                assert reader.get(path).status_code == 200
            counts.append(len(queries))
        asked.append(counts)
    assert asked[0] == asked[1]
    assert max(asked[0]) <= 16, asked[0]  # the desk asks five of them for an undo that would still be allowed
